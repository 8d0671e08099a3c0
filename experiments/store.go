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
	MaxCandidates = 10_000_000
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

// RunSpec identifies an ending of a run, and says where it comes from. A run's identity is Name,
// Kind, Tuning, Signature and Programs. The ending has its ConfigHash, too.
type RunSpec struct {
	Name       string // of the experiment; a changed config under a taken name becomes NAME.2, ...
	Kind       Kind
	ConfigYAML string // the resolved config, loadable
	ConfigHash string // SHA-256 of the config's canonical text, hexadecimal
	Tuning     string // config.Config.Tuning; of a comparison config.Contest.Set
	Seed       uint64
	Signature  string // of the engine's play, see simulator.Signature
	Objective  string // the fitness: fitness.Objective.String
	New        bool   // start afresh even if a run of this name and config exists
	Root       string // of the run that is meant, if that is known: several may have one Tuning
	Another    bool   // of an ending that time will end: begin one even if another one is finished
	// Programs is a JSON list with an object for each bot: the hash of each file that its command
	// names. It is a part of the identity. Empty: there is no bot.
	Programs string
	Note     string // of the owner; no part of the identity
}

// Run is a run as the store knows it.
type Run struct {
	ID      int64
	Name    string // as stored: RunSpec.Name, or with .2, .3 ... behind it; with @ an ending that is not its longest
	Status  string // before this process took it over; Running for a new one
	Resumed bool   // whether the run existed
	Renamed bool   // whether RunSpec.Name was taken by another config (or New was asked for)
	// StoppedAfter is the number of generations after which SetStop ended the tuning, or 0 if it
	// did not.
	StoppedAfter int
	Sizes        map[string]Size // of its parts, by name, see Place.part
	// HeldOutSalt changes the seeds of the run's held-out games, see gameSeed. It is empty
	// before the playoff's end.
	HeldOutSalt string
}

// ErrBusy is wrapped by Begin's error when another process holds the run.
var ErrBusy = errors.New("the run is in use")

// Store keeps the findings of a run. It is the only memory of a run: resuming is replay, answered
// by the store. Its methods are called one at a time, AddGame by the simulator's goroutines. A
// method that fails leaves earlier commits whole.
type Store interface {
	// Begin finds the run of this name and config hash, or creates it, and locks it against other
	// processes until Finish or the store's Close. The error wraps ErrBusy and says who holds it.
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
	// numbers from one on and below another: of some candidates, or of all where numbers is nil. They
	// come by candidate, and those of each by number. An error is the last thing that it yields.
	Tuned(ctx context.Context, run int64, at Place, numbers []int, from, below int) iter.Seq2[Evaluation, error]
	// AddGame records a game. It may hold it back.
	AddGame(ctx context.Context, run int64, game Game) error
	// AddEvaluations commits in one transaction all games that are held back and the evaluations.
	// It forgets the rows of their games unless keep is set. An evaluation with more games replaces
	// one with the same number. Recording the same one again changes nothing.
	AddEvaluations(ctx context.Context, run int64, evaluations []Evaluation, keep bool) error
	// SetStop records that tuning ends after this number of generations: a replay ends there too.
	SetStop(ctx context.Context, run int64, generations int) error
	// SetSize records the size of a part of the run, in place of the one before. Of each question
	// in left it forgets the rows of the games from this place in its slice on.
	SetSize(ctx context.Context, run int64, part string, size Size, left map[int]int) error
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
