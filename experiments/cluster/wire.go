package cluster

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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

// maxMessage is in bytes. NATS servers allow as much by default.
const maxMessage = 1 << 20

// Runs and workers send a message every helloEvery, and are gone when none has come for goneAfter.
const (
	helloEvery = time.Second
	goneAfter  = 10 * time.Second
)

// mostCores bounds the cores of a worker, each of which plays a block and hands in another one.
const mostCores = 1024

// job is a block of games that one core plays. Its players have one family, which only the first
// one has in the message.
type job struct {
	Block int             `json:"block"` // the result repeats it
	Keys  []string        `json:"keys"`  // of the players; the result repeats them
	Batch simulator.Batch `json:"batch"`
}

// result has the outcomes of a job.
type result struct {
	hello
	Block int          `json:"block"` // as in job
	Games []resultGame `json:"games,omitempty"`
	Error string       `json:"error,omitempty"` // why the job cannot be played
}

// resultGame is the outcome of a player's game.
type resultGame struct {
	Key  string `json:"key"` // as in jobPlayer
	Seed uint64 `json:"seed"`
	simulator.Outcome
}

// hello says that a worker is there, or with Leaving that it goes. All its messages say so.
type hello struct {
	Cores     int    `json:"cores"`
	Version   string `json:"version"`
	Signature string `json:"signature"`
	Blocks    []int  `json:"blocks,omitempty"` // at hand; another worker gets the others
	Leaving   bool   `json:"leaving,omitempty"`
	Wait      bool   `json:"wait,omitempty"` // for a job, up to holdFor; otherwise while the run deals
}

// notice says that a run is there, or with Ended that it has ended or was interrupted.
type notice struct {
	Run       string `json:"run"`  // names the run and the signature of its play in subjects
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

// hashOf returns 16 hexadecimal digits that name the values.
func hashOf(values ...any) string {
	sum := sha256.Sum256(encode(values))
	return hex.EncodeToString(sum[:8])
}

// playerKey names a player at these rules: players of one key play the same game for a seed.
func playerKey(rules engine.Rules, p *simulator.Player) string {
	return hashOf(rules, p.Family, p.Values, p.Dead, p.Settings.String())
}

// batch returns the job for a simulator. known are the families of earlier jobs: a pool keeps the
// tables of a family by its address.
func (j job) batch(known map[string]*eval.Heuristic) (simulator.Batch, error) {
	b := j.Batch
	if four := b.Rules.FourProbability; four < 0 || four > 1 {
		return b, fmt.Errorf("want a share of fours from 0 to 1, got %v", four)
	}
	if len(b.Players) == 0 || len(b.Players) != len(j.Keys) || b.Players[0].Family == nil {
		return b, errors.New("want players of one family, each with a key")
	}
	text := string(encode(b.Players[0].Family))
	family := known[text]
	if family == nil {
		family = b.Players[0].Family
		if err := family.Check(); err != nil {
			return b, err
		}
		if len(known) >= 16 {
			clear(known)
		}
		known[text] = family
	}
	for i := range b.Players {
		p := &b.Players[i]
		p.Family = family
		if err := p.Settings.Validate(); err != nil {
			return b, err
		}
		if want := len(family.Weights()); len(p.Values) != want {
			return b, fmt.Errorf("a player has %d values, its family %d weights", len(p.Values), want)
		}
	}
	for _, game := range b.Jobs {
		if game.Player < 0 || game.Player >= len(b.Players) {
			return b, fmt.Errorf("want a player from 0 to %d, got %d", len(b.Players)-1, game.Player)
		}
	}
	return b, nil
}

// answer returns the result of a job. Of a player that failed, the games after the first one have
// the same fault, and go without the bot's stderr: a message has an end.
func (j job) answer(outcomes []simulator.Outcome) result {
	r := result{Block: j.Block}
	failed := map[int]bool{} // players
	for i, game := range j.Batch.Jobs {
		o := outcomes[i]
		if failed[game.Player] {
			o.Failed, _, _ = strings.Cut(o.Failed, "\n")
		}
		failed[game.Player] = o.Failed != ""
		r.Games = append(r.Games, resultGame{j.Keys[game.Player], game.Seed, o})
	}
	return r
}
