package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
)

// Messages are JSON texts, so that `nats sub 'tune.>'` shows a person the traffic.

// Names in NATS. Jobs have a subject and a consumer for each signature, so that a worker never gets
// a game that it would play otherwise than its run. Results have a subject for each run.
const (
	jobsStream     = "TUNE_JOBS"
	resultsStream  = "TUNE_RESULTS"
	jobsPrefix     = "tune.jobs."    // + signature and job.Run
	resultsPrefix  = "tune.results." // + job.Run
	workersSubject = "tune.workers"  // hello; not kept
	runsSubject    = "tune.runs"     // notice; not kept
)

// maxMessage is in bytes. NATS servers allow as much by default.
const maxMessage = 1 << 20

// Runs and workers send a message every helloEvery, and are gone when none has come for goneAfter.
const (
	helloEvery = time.Second
	goneAfter  = 10 * time.Second
)

// job is a block of games that one core plays. Its players have one family.
type job struct {
	Run     string           `json:"run"`  // names the run and the signature of its play
	Four    float64          `json:"four"` // engine.Rules.FourProbability
	Family  heuristic.Family `json:"family"`
	Players []jobPlayer      `json:"players"`
}

// jobPlayer is a player of a job with the seeds of its games.
type jobPlayer struct {
	Key    string           `json:"key"`    // names the player and the rules; the result repeats it
	Search string           `json:"search"` // engine.Settings.String
	Dead   heuristic.Dead   `json:"dead"`
	Values heuristic.Vector `json:"values"`
	Seeds  []uint64         `json:"seeds"`
}

// result has the outcomes of a job.
type result struct {
	Worker string       `json:"worker"`
	Games  []resultGame `json:"games,omitempty"`
	Error  string       `json:"error,omitempty"` // why the job cannot be played
}

// resultGame is the outcome of a player's game.
type resultGame struct {
	Key  string `json:"key"` // as in jobPlayer
	Seed uint64 `json:"seed"`
	simulator.Outcome
}

// hello says that a worker is there, or with Leaving that it goes.
type hello struct {
	Worker    string `json:"worker"`
	Process   string `json:"process"` // differs for each process of a worker
	Cores     int    `json:"cores"`
	Version   string `json:"version"`
	Signature string `json:"signature"`
	Leaving   bool   `json:"leaving,omitempty"`

	at time.Time // it came; not in the message
}

// notice says that a run is there, or with Ended that it has ended or was interrupted.
type notice struct {
	Run       string `json:"run"`  // as in job
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

// check refuses a result that is no worker's.
func (r result) check() error {
	for _, g := range r.Games {
		for _, n := range []int64{int64(g.Score), int64(g.MaxTile), int64(g.Moves), g.Nodes, int64(g.Duration)} {
			if n < 0 || n > 1<<52 {
				return fmt.Errorf("the game with seed %d has the number %d", g.Seed, n)
			}
		}
	}
	return checkWorker(r.Worker)
}

// check refuses a hello that is no worker's.
func (h hello) check() error {
	if h.Cores < 1 || h.Cores > 1<<16 {
		return fmt.Errorf("want 1 to %d cores, got %d", 1<<16, h.Cores)
	}
	return checkWorker(h.Worker)
}

// checkWorker refuses a name that no worker has.
func checkWorker(name string) error {
	if name == "" || len(name) > 100 || !utf8.ValidString(name) {
		return fmt.Errorf("want a worker's name of 1 to 100 bytes of UTF-8, got %q", name)
	}
	return nil
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

// batch returns the job for a simulator.
func (j job) batch(known families) (simulator.Batch, error) {
	b := simulator.Batch{Rules: engine.Rules{FourProbability: j.Four}}
	family, err := known.get(j.Family)
	if err != nil {
		return b, err
	}
	for i, p := range j.Players {
		settings, err := engine.ParseSettings(p.Search)
		if err != nil {
			return b, err
		}
		if want := len(family.Weights()); len(p.Values) != want {
			return b, fmt.Errorf("a player has %d values, its family %d weights", len(p.Values), want)
		}
		b.Players = append(b.Players, simulator.Player{Family: family, Values: p.Values, Dead: p.Dead, Settings: settings})
		for _, seed := range p.Seeds {
			b.Jobs = append(b.Jobs, simulator.Job{Player: i, Seed: seed})
		}
	}
	return b, nil
}

// families are those that were seen last. A pool keeps the tables of a family by its address.
type families map[string]*heuristic.Family

// get checks a family, and returns the same address for the same family.
func (f families) get(family heuristic.Family) (*heuristic.Family, error) {
	const most = 16
	key := string(encode(family))
	if known := f[key]; known != nil {
		return known, nil
	}
	if err := family.Check(); err != nil {
		return nil, err
	}
	if len(f) >= most {
		clear(f)
	}
	f[key] = &family
	return &family, nil
}

// answer returns the result of a job: outcomes are in the order of its players and their seeds.
func (j job) answer(worker string, outcomes []simulator.Outcome) result {
	r := result{Worker: worker}
	for _, p := range j.Players {
		for _, seed := range p.Seeds {
			r.Games = append(r.Games, resultGame{p.Key, seed, outcomes[len(r.Games)]})
		}
	}
	return r
}
