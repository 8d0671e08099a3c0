package experiments

import (
	"context"
	"errors"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/experiments/stats"
)

// The phases of an experiment. Seeds of different phases are disjoint.
const (
	PhaseTuning      = "tuning"
	PhasePlayoff     = "playoff"
	PhaseValidation  = "validation"
	PhaseComparison  = "comparison"
	PhaseSensitivity = "sensitivity"
)

// States of a run.
const (
	Running     = "running"     // a process is (or died) working on it
	Interrupted = "interrupted" // stopped by the user; the same command resumes it
	Failed      = "failed"      // stopped by an error; the same command tries again
	Finished    = "finished"
)

// The most that a run can hold: stores compute ids of games and candidates from their numbers and the run's.
const (
	MaxGames      = 1_000_000_000
	MaxCandidates = 1_000_000
)

// The most that a run may ask the memory for: about a gigabyte for either.
const (
	MaxBlock   = 4_000_000  // games of a block, which is in memory as a whole
	MaxWeights = 10_000_000 // numbers of all candidates
)

// RunSpec identifies a run and says where it comes from. Name, Kind, ConfigHash and Signature are its identity.
type RunSpec struct {
	Name       string // of the experiment; a changed config under a taken name becomes NAME.2, NAME.3, ...
	Kind       string // tune, compare, eval, bench
	ConfigYAML string // the resolved config, loadable
	ConfigHash string // SHA-256 of the config's canonical text, hexadecimal
	Seed       uint64
	Signature  string // of the engine's play, see simulator.Signature
	Objective  string // what fitness is: configs.Objective.String
	New        bool   // start afresh even if a run of this name and config exists
}

// Run is a run as the store knows it.
type Run struct {
	ID      int64
	Name    string // as stored: RunSpec.Name, or with .2, .3 ... behind it
	Status  string // before this process took it over; Running for a new one
	Resumed bool   // whether the run existed
	Renamed bool   // whether RunSpec.Name was taken by another config (or New was asked for)
	Fresh   bool   // whether New was asked for when it was created: it takes nothing from other runs
	// StoppedAfter is the number of generations after which SetStop ended the tuning; 0 if it did not.
	StoppedAfter int
}

// Candidate is one vector of weights of a run.
type Candidate struct {
	Number     int    // order of asking within the run, from 0: the start weights
	Origin     string // start, reference, shifted, or what the optimizer says: see tuner's Origin constants
	Name       string // of a reference, or what was shifted; otherwise empty
	Stage      string // in which it was first asked for; otherwise empty
	Generation int    // in which it was first asked for, from 0
	Dead       heuristic.Dead
	Weights    []Weight // the tunable numbers in genome order, then the fixed ones that differ from the config
	// Play is a hash of all that its games hang on beside the search and the seed: rules, features and every number. Candidates of
	// one Play and one signature give the same game for a seed, in whatever run. Empty if an older version recorded it.
	Play string
}

// Weight is a number of a candidate by name.
type Weight struct {
	Name  string
	Value float64
}

// Block is a set of games that is planned, played and recorded as a whole: each of its candidates plays the
// same seeds at the same settings. Games of a block are numbered First, First+1, ... candidate by candidate.
type Block struct {
	Phase      string
	Stage      string // of the tuning phase; otherwise empty
	Search     string // engine.Settings.String
	Generation int    // of the stage, from 0; 0 outside the tuning phase
	Round      int    // of racing, from 0
	Candidates []int  // numbers
	Seeds      []uint64
	First      int64 // number of its first game within the run
	Dealt      int   // games of each of its candidates in earlier rounds: their seeds came before

	settings engine.Settings
	of       int // generations of the stage
}

// Games returns how many games the block has.
func (b Block) Games() int { return len(b.Candidates) * len(b.Seeds) }

// Outcome is what is recorded of one game.
type Outcome struct {
	Score      int
	MaxTile    int // face of the largest tile
	Moves      int
	Nodes      int64 // afterstates valued or expanded
	DurationUS int64 // CPU-agnostic wall time of the game in microseconds; the only figure that may differ between runs
	Capped     bool  // ended by a 65536
}

// Tiles lists the faces whose reach is counted in an Evaluation.
var Tiles = [...]int{128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}

// Evaluation summarises the games of one candidate in one block.
type Evaluation struct {
	Candidate int             // number
	Score     stats.Moments   // of the scores, in points
	Interval  stats.Interval  // 95%, of the mean score
	Fitness   float64         // the objective, higher is better
	FitnessSE float64         // its standard error, stored beside it; +Inf when too few games can tell
	Reached   [len(Tiles)]int // games whose largest tile is at least Tiles[i]
	Moves     int64           // sum over the games
	Nodes     int64           // sum over the games
	// GamesHash is the first 32 hexadecimal digits of the SHA-256 over the games' outcomes, times left out, in the order
	// of their seeds: it stands for the games where their rows are not kept.
	GamesHash string
}

// Contrast is the difference between two candidates that played the same number of fresh games.
type Contrast struct {
	Phase, Search       string
	Candidate, Baseline int            // numbers
	Difference          float64        // of the mean scores, in points
	Interval            stats.Interval // 95%, Welch
	Ratio               float64        // of the mean scores
	RatioInterval       stats.Interval // 95%
}

// ErrBusy is wrapped by Begin's error when another process holds the run.
var ErrBusy = errors.New("the run is in use")

// Store keeps what a run found. It is the only memory of a run: resuming is replay, answered from the store.
// All methods are called from one goroutine. A method that fails leaves what was committed before it whole.
type Store interface {
	// Begin finds the run of this name and config hash, or creates it, and locks it against other processes
	// until Finish or the store's Close. The error wraps ErrBusy and says who holds it.
	Begin(ctx context.Context, spec RunSpec) (Run, error)
	// Candidates returns the run's candidates by number.
	Candidates(ctx context.Context, run int64) ([]Candidate, error)
	// AddCandidates commits new candidates.
	AddCandidates(ctx context.Context, run int64, candidates []Candidate) error
	// Evaluations returns those recorded for the block, by candidate number: one for each of its candidates, or
	// none if the block is not finished. Anything else is an error: the database was changed by hand.
	Evaluations(ctx context.Context, run int64, block Block) (map[int]Evaluation, error)
	// Games returns the recorded games of the block by their index in it (0..Games()-1): candidate index x
	// number of seeds + seed index.
	Games(ctx context.Context, run int64, block Block) (map[int]Outcome, error)
	// GamesOfOthers returns games of the block that other runs have recorded, by their index in it: of a candidate of the
	// same Play, at the same search and with the same seed, in a run of the same signature and seed.
	GamesOfOthers(ctx context.Context, run int64, block Block) (map[int]Outcome, error)
	// EvaluationsOfOthers returns evaluations of the block that other runs have recorded, by the block's candidates: of the
	// same games as GamesOfOthers would return, in a run that is known to have the same objective. They are there also
	// where the games are not kept.
	EvaluationsOfOthers(ctx context.Context, run int64, block Block) (map[int]Evaluation, error)
	// AddGame records the game with the given index in the block. It may hold it back for half a second.
	AddGame(ctx context.Context, run int64, block Block, index int, outcome Outcome) error
	// FinishBlock commits all games of the block that are held back and its evaluations, in one transaction,
	// and forgets the block's games unless they are to be kept.
	FinishBlock(ctx context.Context, run int64, block Block, evaluations []Evaluation, keepGames bool) error
	// SetStop records that tuning ends after so many generations of the run: a replay ends there too.
	SetStop(ctx context.Context, run int64, generations int) error
	// SetChampion records the winner of the playoff.
	SetChampion(ctx context.Context, run int64, candidate int) error
	// AddContrasts records comparisons; recording the same ones again changes nothing.
	AddContrasts(ctx context.Context, run int64, contrasts []Contrast) error
	// Finish commits what is held back, sets the run's status (and, for Finished, its fingerprint) and unlocks it.
	Finish(ctx context.Context, run int64, status string) error
}
