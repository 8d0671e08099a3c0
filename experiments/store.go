package experiments

import (
	"context"
	"errors"

	"tune2048/engine/simulator"
)

// Kinds of runs. Only one of KindTune has a champion, and one of KindCompare has another kind of config.
const (
	KindTune    = "tune"
	KindCompare = "compare"
	KindEval    = "eval"
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

// MaxBlock is the most games of a block, which is in memory as a whole: about a gigabyte.
const MaxBlock = 4_000_000

// RunSpec identifies a run and says where it comes from. Name, Kind, ConfigHash, Signature and GoesOnFrom are its identity.
type RunSpec struct {
	Name       string // of the experiment; a changed config under a taken name becomes NAME.2, NAME.3, ...
	Kind       string // tune, compare, eval, bench
	ConfigYAML string // the resolved config, loadable
	ConfigHash string // SHA-256 of the config's canonical text, hexadecimal
	Seed       uint64
	Signature  string // of the engine's play, see simulator.Signature
	Objective  string // what fitness is: fitness.Objective.String
	New        bool   // start afresh even if a run of this name and config exists
	GoesOnFrom int64  // the run that this one goes on from, which is a part of its identity; 0: none
	StopAfter  int    // generations after which the tuning of a run that is created ends; 0: as the config says
}

// Run is a run as the store knows it.
type Run struct {
	ID      int64
	Name    string // as stored: RunSpec.Name, or with .2, .3 ... behind it
	Status  string // before this process took it over; Running for a new one
	Resumed bool   // whether the run existed
	Renamed bool   // whether RunSpec.Name was taken by another config (or New was asked for)
	// OwnGamesOnly tells whether New was asked for when it was created: it takes no games from other runs.
	OwnGamesOnly bool
	// StoppedAfter is the number of generations after which SetStop or RunSpec.StopAfter ended the tuning; 0 if none did.
	StoppedAfter int
	// HeldOutSalt is what the seeds of the run's held-out games depend on beside its seed, see
	// heldOutSeeds; empty before the playoff's end.
	HeldOutSalt string
}

// ErrBusy is wrapped by Begin's error when another process holds the run.
var ErrBusy = errors.New("the run is in use")

// Store keeps what a run found. It is the only memory of a run: resuming is replay, read back from the store.
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
	// Games returns the recorded games of the block by their index in it. What was held back is committed first.
	Games(ctx context.Context, run int64, block Block) (map[int]simulator.Outcome, error)
	// Elsewhere returns what other runs have recorded of the block: games by their index in it, and
	// evaluations by candidate where the games are not kept there. They are of candidates of the
	// same Play, at the same search and with the same seeds, in finished runs of the same signature
	// and seed whose fingerprint holds; evaluations also of the same objective. Held-out games are
	// only those of runs with the same salt.
	Elsewhere(ctx context.Context, run int64, block Block) (map[int]simulator.Outcome, map[int]Evaluation, error)
	// AddGame records a game. It may hold it back for half a second.
	AddGame(ctx context.Context, run int64, game Game) error
	// FinishBlock commits all games of the block that are held back, its evaluations, how its candidates (and maybe others of its
	// phase, stage and search) stand with them, and the spread of one game's fitness in the block's phase, stage and search, in one transaction, and forgets the block's games
	// unless they are to be kept.
	FinishBlock(ctx context.Context, run int64, block Block, evaluations []Evaluation, standings []Standing, spread float64, keepGames bool) error
	// AddGeneration records a generation; recording the same one again changes nothing.
	AddGeneration(ctx context.Context, run int64, generation Generation) error
	// SetStop records that tuning ends after so many generations of the run: a replay ends there too.
	SetStop(ctx context.Context, run int64, generations int) error
	// SetChampion records the winner of the playoff, and the salt of the held-out games that it is
	// going to play.
	SetChampion(ctx context.Context, run int64, candidate int, heldOutSalt string) error
	// AddContrasts records comparisons; recording the same ones again changes nothing.
	AddContrasts(ctx context.Context, run int64, contrasts []Contrast) error
	// Finish commits what is held back, sets the run's status (and, for Finished, its fingerprint) and unlocks it.
	Finish(ctx context.Context, run int64, status string) error
}
