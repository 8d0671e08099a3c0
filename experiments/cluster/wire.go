package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
)

// What goes over the wire: JSON texts, so that `nats sub 'tune.>'` shows a person what is going on.

// Names in NATS. Jobs are a work queue: a subject and a consumer for each signature, so that a worker never sees a game that it
// would play otherwise than its run wants. Results have a subject for each run.
const (
	jobsStream     = "TUNE_JOBS"
	resultsStream  = "TUNE_RESULTS"
	jobsPrefix     = "tune.jobs."    // + signature, job.Run and the process that asks
	resultsPrefix  = "tune.results." // + job.Run
	workersSubject = "tune.workers"  // hello; not kept
	runsSubject    = "tune.runs"     // notice; not kept
)

// Limits on what is believed of a message.
const (
	maxMessage  = 1 << 20 // bytes; NATS servers allow as much unless told otherwise
	maxGames    = 4096    // of a job
	maxName     = 100     // bytes, of a worker or a run
	maxSeed     = 1 << 53
	maxFeatures = 1000    // of a family
	maxNumber   = 1 << 52 // of a game; microseconds too: more are no time.Duration
)

// How often workers and runs are heard of, and when one that is silent is taken for gone.
const (
	helloEvery = 2 * time.Second
	goneAfter  = 10 * time.Second
)

// job is a block of games that one core plays.
type job struct {
	ID        string             `json:"id"`        // of this message: no two are the same
	Run       string             `json:"run"`       // where results go, see runKey
	Signature string             `json:"signature"` // of the play that is wanted
	Four      float64            `json:"four"`      // engine.Rules.FourProbability
	Families  []heuristic.Family `json:"families"`
	Players   []jobPlayer        `json:"players"`
}

// jobPlayer is a player of a job with the seeds of its games.
type jobPlayer struct {
	Key    string           `json:"key"`    // names the player and the rules; told back with the result
	Family int              `json:"family"` // index
	Search string           `json:"search"` // engine.Settings.String
	Dead   heuristic.Dead   `json:"dead"`
	Values heuristic.Vector `json:"values"`
	Seeds  []uint64         `json:"seeds"`
}

// result is what came of a job.
type result struct {
	ID        string         `json:"id"` // of the job
	Worker    string         `json:"worker"`
	Signature string         `json:"signature"`
	Players   []resultPlayer `json:"players,omitempty"`
	Error     string         `json:"error,omitempty"` // why the job cannot be played, instead of outcomes
}

// resultPlayer are the outcomes of a player's games: of each score, largest tile, moves, nodes, final board, whether it is capped,
// and microseconds.
type resultPlayer struct {
	Key   string      `json:"key"`
	Seeds []uint64    `json:"seeds"`
	Games [][7]uint64 `json:"games"`
}

// hello is what a worker says of itself every helloEvery, and once more with Leaving when it goes.
type hello struct {
	Worker    string `json:"worker"`
	Process   string `json:"process"` // names it among those of the same worker
	Cores     int    `json:"cores"`
	Version   string `json:"version"`
	Signature string `json:"signature"`
	Leaving   bool   `json:"leaving,omitempty"`
}

// notice is what a run says of itself every helloEvery.
type notice struct {
	Run       string `json:"run"`  // as in job
	Name      string `json:"name"` // for people
	Signature string `json:"signature"`
	Version   string `json:"version"`
}

// encode writes a message.
func encode(message any) []byte {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // numbers are finite and all else has a text
	}
	return text
}

// decode reads a message and checks what it says.
func decode[T interface{ check() error }](text []byte) (message T, err error) {
	if len(text) > maxMessage {
		return message, fmt.Errorf("it has %d bytes, more than %d", len(text), maxMessage)
	}
	if err := json.Unmarshal(text, &message); err != nil {
		return message, err
	}
	return message, message.check()
}

func (j job) check() error {
	games := 0
	for _, p := range j.Players {
		if p.Family < 0 || p.Family >= len(j.Families) {
			return fmt.Errorf("there is no family %d", p.Family)
		}
		for _, seed := range p.Seeds {
			if seed >= maxSeed {
				return fmt.Errorf("seed %d is not below 2^53", seed)
			}
		}
		games += len(p.Seeds)
	}
	switch {
	case games == 0 || games > maxGames:
		return fmt.Errorf("want 1 to %d games, got %d", maxGames, games)
	case !(j.Four >= 0 && j.Four <= 1):
		return fmt.Errorf("want a probability of fours in [0, 1], got %v", j.Four)
	case !subjectToken(j.Run) || j.ID == "" || len(j.ID) > maxName:
		return fmt.Errorf("want a run and an id")
	}
	return nil
}

func (r result) check() error {
	if err := checkWorker(r.Worker); err != nil {
		return err
	}
	games := 0
	for _, p := range r.Players {
		if len(p.Games) != len(p.Seeds) {
			return fmt.Errorf("%d seeds have %d games", len(p.Seeds), len(p.Games))
		}
		for _, g := range p.Games {
			for i, n := range g {
				if i != finalBoard && n > maxNumber {
					return fmt.Errorf("a game says %d", n)
				}
			}
		}
		games += len(p.Seeds)
	}
	if games > maxGames {
		return fmt.Errorf("want at most %d games, got %d", maxGames, games)
	}
	return nil
}

func (h hello) check() error {
	if h.Cores < 1 || h.Cores > 1<<16 || len(h.Process) > maxName || len(h.Version) > maxName || len(h.Signature) > maxName {
		return fmt.Errorf("want 1 to %d cores and short texts", 1<<16)
	}
	return checkWorker(h.Worker)
}

func (n notice) check() error {
	if len(n.Name) > maxName || len(n.Version) > maxName || len(n.Signature) > maxName {
		return fmt.Errorf("want short texts")
	}
	return nil
}

// checkWorker refuses a name that no worker has.
func checkWorker(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("want a worker's name of 1 to %d bytes", maxName)
	}
	return nil
}

// subjectToken tells whether a text is one word of a subject: NATS gives a meaning to points, blanks, * and >.
func subjectToken(text string) bool {
	for _, r := range text {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return text != "" && len(text) <= maxName
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

// batch returns the job as what a simulator plays. Families that are known already keep their identity, so that a pool keeps what
// it has compiled.
func (j job) batch(known *families) (simulator.Batch, error) {
	b := simulator.Batch{Rules: engine.Rules{FourProbability: j.Four}}
	for i, p := range j.Players {
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

// families are those that were seen last.
type families struct{ seen map[string]*heuristic.Family }

// get checks a family, and returns the same pointer for the same family.
func (f *families) get(family heuristic.Family) (*heuristic.Family, error) {
	const most = 16
	key := string(encode(family))
	if known := f.seen[key]; known != nil {
		return known, nil
	}
	if len(family.Features) > maxFeatures {
		return nil, fmt.Errorf("a family has %d features", len(family.Features))
	}
	if err := family.Check(); err != nil {
		return nil, err
	}
	if f.seen == nil || len(f.seen) >= most {
		f.seen = map[string]*heuristic.Family{}
	}
	f.seen[key] = &family
	return &family, nil
}

// Places in the numbers of a game.
const finalBoard = 4

// numbers are a game as a result tells it.
func numbers(o simulator.Outcome) [7]uint64 {
	capped := uint64(0)
	if o.Capped {
		capped = 1
	}
	return [7]uint64{
		uint64(o.Score), uint64(o.MaxTile), uint64(o.Moves), uint64(o.Nodes), uint64(o.Final), capped, uint64(o.Duration.Microseconds()),
	}
}

// outcome is what a worker's numbers say.
func outcome(n [7]uint64, worker string) simulator.Outcome {
	return simulator.Outcome{
		Result: engine.Result{
			Score: int(n[0]), MaxTile: int(n[1]), Moves: int(n[2]), Nodes: int64(n[3]), Final: engine.Board(n[finalBoard]), Capped: n[5] != 0,
		},
		Duration: time.Duration(n[6]) * time.Microsecond, Worker: worker,
	}
}

// answer tells what came of a job: outcomes are in the order of its players and their seeds.
func (j job) answer(worker string, outcomes []simulator.Outcome) result {
	r := result{ID: j.ID, Worker: worker, Signature: simulator.Signature}
	for _, p := range j.Players {
		told := resultPlayer{Key: p.Key, Seeds: p.Seeds}
		for range p.Seeds {
			told.Games, outcomes = append(told.Games, numbers(outcomes[0])), outcomes[1:]
		}
		r.Players = append(r.Players, told)
	}
	return r
}
