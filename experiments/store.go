package experiments

import (
	"context"
	"errors"
	"iter"
)

// States of a run.
const (
	Running     = "running"     // a process is (or died) working on it
	Interrupted = "interrupted" // stopped by the user; the same command resumes it
	Failed      = "failed"      // stopped by an error; the same command tries again
	Finished    = "finished"
)

// The most that a run can hold: stores compute ids of games and candidates from their numbers and
// the number of the run.
const (
	MaxGames      = 1_000_000_000 // and so many evaluations
	MaxCandidates = 1_000_000_000
)

// MaxBatch is the most games of a round of tuning: a round is in memory as a whole.
const MaxBatch = 4_000_000

// Kind is a kind of runs, by the name that stores have for it.
type Kind string

const (
	KindTune    Kind = "tune"
	KindCompare Kind = "compare"
)

// HasPlayers reports whether a run's config is a configs.Contest. Runs of other kinds have a
// champion.
func (k Kind) HasPlayers() bool { return k == KindCompare }

// Figures returns the phase that the headline's figures come from.
func (k Kind) Figures() string {
	if k.HasPlayers() {
		return PhaseComparison
	}
	return PhaseValidation
}

// Tuner is the signature of what proposes and chooses candidates: the optimizer, the looks at its
// centre, races and finals. It is a hash of the golden run's candidates. Runs of another tuner do
// not go on, and their decisions are not verified. A change of the tuner declares the new one, also
// one that the golden run is too short to show.
const Tuner = "167c1f971a8e4344"

// RunSpec identifies a run, and says where it comes from. A run's identity is Name, Kind, Tuning,
// Tuner, Signature and Programs. Its ending is known by ConfigHash or Generations.
type RunSpec struct {
	Name       string // of the experiment; a changed config under a taken name becomes NAME.2, ...
	Kind       Kind
	ConfigYAML string // the resolved config, loadable
	ConfigHash string // SHA-256 of the config's canonical text, hexadecimal
	Tuning     string // config.Config.Tuning; of a comparison config.Contest.Set
	Seed       uint64
	Tuner      string // see Tuner; of a comparison empty
	Signature  string // of the engine's play, see simulator.Signature
	Objective  string // the fitness: fitness.Objective.String
	New        bool   // start afresh even if a run of this name and config exists
	// Generations are those that the config fixes, of all stages. 0: it does not.
	Generations int
	GoOn        bool // time will end it: begin another ending even if one of this config is finished
	// Resume is the ID of an ending: its run is taken up, although others may have the identity, and
	// the ending itself unless it is finished. 0: the newest run of the identity.
	Resume int64
	// Programs is a JSON list with an object for each bot: the hash of each file that its command
	// names. It is a part of the identity. Empty: there is no bot.
	Programs string
	Note     string // of the owner; no part of the identity
}

// Run is a run as the store knows it, with one of its endings.
type Run struct {
	ID      int64  // of the ending
	Name    string // RunSpec.Name, or with .2, .3 ... behind it
	Status  string // of the ending, before this process took it over; Running for a new one
	Resumed bool   // whether the run existed
	Another bool   // whether it gets another ending
	Longest int    // generations of its longest finished ending, or 0
	Renamed bool   // whether RunSpec.Name was taken by another config (or New was asked for)
	// Generations is the number of generations that the ending judges, see Judge, or 0 before.
	Generations int
	Sizes       map[string]Size // of its parts, by name, see Place.Part
	// HeldOutSalt changes the seeds of the run's held-out games, see gameSeed. It is empty
	// before the playoff's end.
	HeldOutSalt string
}

// Length is how far the tuning of an ending went.
type Length struct {
	Generations int  // of all stages
	Stopped     bool // a limit ended it
	Candidates  int  // so many, and the ending's own ones have the next numbers
	Questions   int  // likewise
}

// ErrBusy is wrapped by Begin's error when another process holds the run.
var ErrBusy = errors.New("the run is in use")

// Store keeps the findings of a run. It is the only memory of a run: resuming is replay, answered
// by the store. Its methods are called one at a time, AddGame by the simulator's goroutines. A
// method that fails leaves earlier commits whole.
type Store interface {
	// Begin finds the run of this name and tuning, or creates it, and locks it against other
	// processes until Finish or the store's Close. It takes up the ending of this config, or else
	// one whose tuning goes on, or begins another. The error wraps ErrBusy and says who holds it.
	Begin(ctx context.Context, spec RunSpec) (Run, error)
	// Candidates returns the run's candidates with numbers from first to last, by number.
	Candidates(ctx context.Context, run int64, first, last int) ([]Candidate, error)
	// AddCandidates commits new candidates.
	AddCandidates(ctx context.Context, run int64, candidates []Candidate) error
	// Known returns what the store knows of each question: what the run recorded for it, or what
	// was ever played with its key. It first commits the games that are held back. Failures, games
	// of bots that do not repeat themselves, and those of a run begun with New serve only the run,
	// and failures after the tuning only the ending. It is an error if the run's rows are of other
	// questions.
	Known(ctx context.Context, run int64, questions []Question) ([]Known, error)
	// Tuned yields the run's evaluations at the stage and search of a place of tuning that have
	// numbers from one on and below another: of some candidates, or of all where numbers is nil.
	// They come by candidate, and those of each by number. An error is the last thing that it
	// yields.
	Tuned(ctx context.Context, run int64, at Place, numbers []int, from, below int) iter.Seq2[Evaluation, error]
	// AddGame records a game. It may hold it back.
	AddGame(ctx context.Context, run int64, game Game) error
	// AddEvaluations commits in one transaction all games that are held back and the evaluations.
	// It forgets the rows of their games unless keep is set. An evaluation with more games replaces
	// one with the same number. Recording the same one again changes nothing.
	AddEvaluations(ctx context.Context, run int64, evaluations []Evaluation, keep bool) error
	// Judge ends the tuning of an ending: what is recorded from now on belongs to the ending alone,
	// and the tuning may go on in others. If the run has an ending after as many generations, that
	// one is taken up, and returned.
	Judge(ctx context.Context, run int64, tuned Length) (Run, error)
	// SetSize records the size of the part of the run that a place belongs to, instead of the one
	// before. Of each question in left it forgets the rows of the games from this place in its
	// slice on.
	SetSize(ctx context.Context, run int64, at Place, size Size, left map[int]int) error
	// SetChampion records the winner of the playoff, and the salt of its held-out games.
	SetChampion(ctx context.Context, run int64, candidate int, heldOutSalt string) error
	// SetUnrepeatable records why the run's games cannot be played again: it then gets no
	// fingerprint. The first reason stays.
	SetUnrepeatable(ctx context.Context, run int64, why string) error
	// AddComparisons records comparisons. Recording the same ones again changes nothing.
	AddComparisons(ctx context.Context, run int64, comparisons []Comparison) error
	// Questions returns what was asked of a comparison's set of players, each question with its
	// Match.Ask. Those of runs with another config have its hash before them.
	Questions(ctx context.Context, run int64) (map[string]int, error)
	// Finish commits what is held back, sets the run's status (and, for Finished, its fingerprint),
	// and unlocks the run.
	Finish(ctx context.Context, run int64, status string) error
}
