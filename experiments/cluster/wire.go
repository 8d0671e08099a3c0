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

// job is a block of games that one core plays.
type job struct {
	Run      string             `json:"run"`  // names the run and the signature of its play
	Four     float64            `json:"four"` // engine.Rules.FourProbability
	Families []heuristic.Family `json:"families"`
	Players  []jobPlayer        `json:"players"`
}

// jobPlayer is a player of a job with the seeds of its games.
type jobPlayer struct {
	Key    string           `json:"key"`    // names the player and the rules; the result repeats it
	Family int              `json:"family"` // index
	Search string           `json:"search"` // engine.Settings.String
	Dead   heuristic.Dead   `json:"dead"`
	Values heuristic.Vector `json:"values"`
	Seeds  []uint64         `json:"seeds"`
}

// result has the outcomes of a job.
type result struct {
	Worker  string         `json:"worker"`
	Players []resultPlayer `json:"players,omitempty"`
	Error   string         `json:"error,omitempty"` // why the job cannot be played
}

// resultPlayer has the outcomes of a player's games: of each its score, largest tile, moves, nodes,
// final board, whether it is capped, and microseconds.
type resultPlayer struct {
	Key   string      `json:"key"`
	Seeds []uint64    `json:"seeds"`
	Games [][7]uint64 `json:"games"`
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

// notice says that a run is there.
type notice struct {
	Run       string `json:"run"`  // as in job
	Name      string `json:"name"` // for people
	Signature string `json:"signature"`
	Version   string `json:"version"`

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
	for _, p := range r.Players {
		if len(p.Games) != len(p.Seeds) {
			return fmt.Errorf("%d seeds have %d games", len(p.Seeds), len(p.Games))
		}
		for _, g := range p.Games {
			for i, n := range g {
				if i != 4 && n > 1<<52 { // 4 is the board
					return fmt.Errorf("a game has %d", n)
				}
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
	for i, p := range j.Players {
		if p.Family < 0 || p.Family >= len(j.Families) {
			return b, fmt.Errorf("there is no family %d", p.Family)
		}
		settings, err := engine.ParseSettings(p.Search)
		if err != nil {
			return b, err
		}
		family, err := known.get(j.Families[p.Family])
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

// numbers returns a game as a result has it.
func numbers(o simulator.Outcome) [7]uint64 {
	capped := uint64(0)
	if o.Capped {
		capped = 1
	}
	return [7]uint64{
		uint64(o.Score), uint64(o.MaxTile), uint64(o.Moves), uint64(o.Nodes), uint64(o.Final), capped, uint64(o.Duration.Microseconds()),
	}
}

// outcome returns a game from a worker's numbers.
func outcome(n [7]uint64, worker string) simulator.Outcome {
	return simulator.Outcome{
		Result: engine.Result{
			Score: int(n[0]), MaxTile: int(n[1]), Moves: int(n[2]), Nodes: int64(n[3]), Final: engine.Board(n[4]), Capped: n[5] != 0,
		},
		Duration: time.Duration(n[6]) * time.Microsecond, Worker: worker,
	}
}

// answer returns the result of a job: outcomes are in the order of its players and their seeds.
func (j job) answer(worker string, outcomes []simulator.Outcome) result {
	r := result{Worker: worker}
	for _, p := range j.Players {
		games := resultPlayer{Key: p.Key, Seeds: p.Seeds}
		for range p.Seeds {
			games.Games, outcomes = append(games.Games, numbers(outcomes[0])), outcomes[1:]
		}
		r.Players = append(r.Players, games)
	}
	return r
}
