package cluster

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nats-io/nats.go"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// Messages are JSON texts, so that `nats sub 'tune.>'` shows a person the traffic.

// Subjects in NATS. A worker's end with the id of its connection: its name and a random text. Where
// its rights name it, nobody else can use them.
const (
	helloPrefix  = "tune.hello."  // + id: a hello
	askPrefix    = "tune.ask."    // + notice.Run and id: a hello; the answer is a job, or empty
	playedPrefix = "tune.played." // + notice.Run and id: a result; the answer is empty
	inboxPrefix  = "_INBOX."      // + id: answers
	runsSubject  = "tune.runs"    // a notice
	clientPrefix = "tune worker " // + id: no subject, but the connection's name in the server
)

// maxMessage is in bytes. Each connection may hold the memory of one. NATS servers allow four times
// as much by default.
const maxMessage = 1 << 18

// The times of both sides.
const (
	tick      = 50 * time.Millisecond // whoever finds nothing to do looks again
	beat      = time.Second           // a sign of life is sent; a block is played
	patience  = 3 * time.Second       // for an answer, a sign of life of a block's worker, a late block, the last block
	goneAfter = 10 * time.Second      // a run or a worker that gave no sign is forgotten
)

// job is a block of games that one core plays, with players of one form.
type job struct {
	Search string          `json:"search"`
	Form   string          `json:"form"`   // eval.Form.Text
	Values []eval.Vector   `json:"values"` // of each player's weights
	Games  []simulator.Job `json:"games"`
}

// result has the outcomes of a job.
type result struct {
	hello
	Games []resultGame `json:"games,omitempty"`
	Error string       `json:"error,omitempty"` // why the job cannot be played
}

// resultGame is the outcome of a player's game.
type resultGame struct {
	Key  string `json:"key"` // gameOf
	Seed uint64 `json:"seed"`
	simulator.Outcome
}

// signature is of the engine, which all machines of a run have in common. They play the same, and
// they count the same nodes: these decide how many games follow a tuning.
const signature = simulator.Signature + "." + simulator.Costs

// hello says that a worker is there, or with Leaving that it goes. All its messages say so.
type hello struct {
	Cores     int    `json:"cores"`
	Version   string `json:"version"`
	Signature string `json:"signature"`
	Leaving   bool   `json:"leaving,omitempty"`
}

// notice says that a run is there, or with Ended that it has ended or was interrupted.
type notice struct {
	Run       string `json:"run"`  // names the run and the signature of its engine in subjects
	Name      string `json:"name"` // for people
	Signature string `json:"signature"`
	Version   string `json:"version"`
	Ended     bool   `json:"ended,omitempty"`

	at time.Time // it came; not in the message
}

// encode writes a message.
func encode(message any) []byte {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // numbers are finite and all else has a text
	}
	return text
}

// decode reads a message.
func decode[T any](text []byte) (message T, err error) {
	err = json.Unmarshal(text, &message)
	return message, err
}

// Fits refuses a form that workers cannot play: a job has the form and the weights of a player at
// least, and a message has an end.
func Fits(form *eval.Form) error {
	text, weights := len(encode(form.Text)), len(form.Heuristic.Names())
	const advice = "play it on this machine alone: leave out -listen and -server"
	switch {
	case text > maxBytes:
		return fmt.Errorf("workers cannot play this config: its features take %d bytes of a message, want at most %d; "+
			"write shorter formulas, or %s",
			text, maxBytes, advice)
	case faultBytes+valueBytes*weights+gameBytes > maxBytes:
		return fmt.Errorf("workers cannot play this config: it has %d weights, and a message has room for %d; %s",
			weights, (maxBytes-faultBytes-gameBytes)/valueBytes, advice)
	}
	return nil
}

// orReason returns the result, or if it is too large for a message of this many bytes why it cannot
// be handed in.
func (r result) orReason(err error, most int64) result {
	if errors.Is(err, nats.ErrMaxPayload) && r.Error == "" {
		r.Error = fmt.Sprintf("the result of %d games is larger than the %d bytes of a message that its server takes",
			len(r.Games), most)
		r.Games = nil
	}
	return r
}

// checkName refuses a worker's name that is empty, too long or cannot be shown.
func checkName(name string) error {
	const most = 100 // bytes
	if name == "" || len(name) > most || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("want a printable worker's name of 1 to %d bytes of UTF-8, got %.100q", most, name)
	}
	return nil
}

// token is a text as one token of a subject.
func token(text string) string { return strings.ReplaceAll(url.QueryEscape(text), ".", "%2E") }

// newID returns an id for a connection of a worker. Nobody else can guess it.
func newID(name string) string { return token(name) + "." + rand.Text() }

// nameOf returns the worker's name in an id.
func nameOf(id string) (string, error) {
	first, random, _ := strings.Cut(id, ".")
	name, err := url.QueryUnescape(first)
	if err != nil || token(name) != first || token(random) != random || len(random) != len(rand.Text()) {
		return "", fmt.Errorf("no worker has the id %.100q", id)
	}
	return name, checkName(name)
}

// gameOf names the games of a player at a search: players of one key play the same game for a seed.
func gameOf(p eval.Player, search engine.Settings) string { return p.Hash() + " " + search.String() }

// batch returns the job for a simulator.
func (j job) batch() (b simulator.Batch, err error) {
	form, err := config.ParseForm([]byte(j.Form))
	if err != nil {
		return b, err
	}
	b.Search, err = engine.ParseSettings(j.Search)
	if err != nil {
		return b, err
	}
	for _, values := range j.Values {
		if want := len(form.Heuristic.Names()); len(values) != want {
			return b, fmt.Errorf("a player has %d values, its form %d weights", len(values), want)
		}
		b.Players = append(b.Players, form.Player(values))
	}
	for _, game := range j.Games {
		if game.Player < 0 || game.Player >= len(b.Players) {
			return b, fmt.Errorf("want a player below %d, got %d", len(b.Players), game.Player)
		}
	}
	b.Jobs = j.Games
	return b, nil
}

// answer returns the result of a batch. Of a player that failed, the games after the first
// one have the same fault, and go without the bot's stderr: a message has an end.
func answer(b simulator.Batch, outcomes []simulator.Outcome) (r result) {
	failed := map[int]bool{} // players
	for i, game := range b.Jobs {
		o := outcomes[i]
		if failed[game.Player] {
			o.Failed, _, _ = strings.Cut(o.Failed, "\n")
		}
		failed[game.Player] = o.Failed != ""
		r.Games = append(r.Games, resultGame{gameOf(b.Players[game.Player], b.Search), game.Seed, o})
	}
	return r
}
