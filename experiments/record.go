package experiments

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// The findings that a run records. Each is one type from its computation to the store and back.

// Candidate is one vector of weights of a run.
type Candidate struct {
	Number     int    // order of asking within the run, from 0: the start weights
	Origin     string // start, reference, or what the optimizer says: see tuner's Origin constants
	Name       string // of a reference, or what was left out; otherwise empty
	Stage      string // in which it was first asked for; otherwise empty
	Generation int    // in which it was first asked for, from 0
	Dead       eval.Dead
	Weights    []Weight // the tunable ones in genome order, then fixed ones unlike the config's
	// PlayHash is a hash of all that its games hang on beside the search and the seed: rules,
	// features and every weight. Candidates of one PlayHash and one signature give the same game
	// for a seed, in whatever run.
	PlayHash string
}

// Weight is a weight of a candidate by name.
type Weight struct {
	Name  string
	Value float64
}

// Text returns the weights as a config writes them.
func (c Candidate) Text() string {
	var parts []string
	for _, w := range c.Weights {
		parts = append(parts, fmt.Sprintf("%s: %v", w.Name, w.Value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Place is the purpose of a game or an evaluation in a run.
type Place struct {
	Phase      string `json:"phase"`
	Stage      string `json:"stage"`      // of the tuning phase; otherwise empty
	Search     string `json:"search"`     // in words: depth 3
	Generation int    `json:"generation"` // of the stage, from 0; 0 outside the tuning phase
	Round      int    `json:"round"`      // of racing, from 0
	Candidate  int    `json:"candidate"`  // number
}

// String names the place for people.
func (p Place) String() string {
	text := p.Phase
	if p.Stage != "" {
		text += fmt.Sprintf(" %s, generation %d", p.Stage, p.Generation)
	}
	return fmt.Sprintf("%s, round %d at %s, candidate %d", text, p.Round, p.Search, p.Candidate)
}

// Tuned reports whether the place belongs to a tuning, and not to its judging.
func (p Place) Tuned() bool { return p.Phase == PhaseTuning || p.Phase == PhaseCentre }

// block returns the place without candidate and round.
func (p Place) block() Place {
	p.Candidate, p.Round = 0, 0
	return p
}

// Game is a game that was played.
type Game struct {
	Place
	Run    int64  // as the store numbers runs
	Number int    // of its evaluation within the run
	Index  int    // in the stream of its seeds
	Seed   uint64 // of the spawns, in [0, 2^53)
	simulator.Outcome
}

// Block is a set of questions that is planned, played and recorded as a whole: each of its
// candidates plays the same games.
type Block struct {
	Place            // without candidate
	Candidates []int // numbers
	First      int   // index in the stream of the first game
	Games      int   // of each candidate
}

// Tiles lists the faces whose reach is reported.
var Tiles = [...]int{128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}

// Evaluation is the result of the games of a question. The fitness by any objective follows from
// its scores and ranks.
type Evaluation struct {
	Place
	Number int       // of the run's questions, from 0: they are in the order of asking
	First  int       // index in the stream of the seeds of its first game
	Key    string    // 16 bytes: a hash of all that the games of the slice depend on, see Question
	Scores []float64 // finite, in the order of the seeds
	Ranks  []byte    // of the largest tiles, in this order: 11 is a 2048. nil: a bot did not say them
	Moves  int64     // sum over the games; 0: not known of some game
	Nodes  int64     // likewise
	// Each has more of each game, in this order. nil where nobody asked for it.
	Each []Detail
	// Time is the sum of the games' times, see simulator.Outcome. It is part of no result. 0: not
	// known.
	Time time.Duration
	// Failure says what a bot did that could not play one of the games: the first of them by seed.
	// The evaluation then has no scores, and its candidate has lost. Lines after the first one are
	// the bot's stderr, which is part of no result. Empty: all games were played.
	Failure string
}

// Cut returns the evaluation of the first n of its games. What is not known of these alone is left
// out.
func (e Evaluation) Cut(n int) Evaluation {
	n = max(n, 0)
	if n < len(e.Scores) {
		e.Scores, e.Ranks, e.Each = e.Scores[:n], e.Ranks[:min(n, len(e.Ranks))], nil
		e.Moves, e.Nodes, e.Time = 0, 0, 0
	}
	return e
}

// Detail is the rest of a game in the memo, beside its score.
type Detail struct {
	Rank  byte  // of the largest tile; 0: not known
	Moves int   // likewise
	Nodes int64 // likewise
}

// Fault is the first line of Failure.
func (e Evaluation) Fault() string {
	line, _, _ := strings.Cut(e.Failure, "\n")
	return line
}

// Standing is the sum of a candidate's evaluations in a phase, stage and search.
type Standing struct {
	Place                                    // of the first evaluation
	fitness.Sample                           // of all games
	Largest        [engine.MaxRank + 2]int32 // games by the rank of their largest tile
	Untiled        bool                      // the largest tile of some game is not known
	Moves, Nodes   int64                     // sums over the games; 0: not known of some game
	Time           time.Duration             // of the games whose time and moves are known
	TimedMoves     int64                     // of these games
	Evaluations    int
	Generations    int // in which it played
	// Outside tuning, where few candidates play many games.
	Scores  []float64 // of all games, in the order of their seeds
	Figures []float64 // likewise, see fitness.Objective.Figures

	last int // generation in which it played last
}

// same reports whether two candidates played the very same games, as far as scores, largest tiles
// and moves tell.
func (s *Standing) same(other *Standing) bool {
	return slices.Equal(s.Scores, other.Scores) && s.Largest == other.Largest && s.Moves == other.Moves
}

// Reached returns the number of games that reached a tile. It is 0 where that is not known.
func (s *Standing) Reached(tile int) (games int) {
	for rank, n := range s.Largest {
		if 1<<rank >= tile && !s.Untiled {
			games += int(n)
		}
	}
	return games
}

// Comparison is how two candidates compare on fresh games. The store keeps it as a row of the table
// comparisons.
type Comparison struct {
	Phase, Search       string
	Candidate, Baseline int            // numbers
	Objective           string         // fitness.Objective.String
	Games               int            // of the candidate
	BaselineGames       int            // of the baseline
	Difference          stats.Estimate // candidate minus baseline, in the objective's unit
	Ratio               stats.Estimate // candidate by baseline; of geometric means for mean logarithms
	Confidence          float64        // of both intervals, by itself
	Smallest            float64        // relative, for NoDifference and Undecided; 0: none planned
	Question            string         // a comparison's question; an ablation's missing feature; or empty
	Look                int            // Match.Ask, or the look that decided an ablation or the trend; or 0
	P                   float64        // two-sided, by itself
	Adjusted            float64        // P, corrected for earlier questions and for other tests
	Level               float64        // the largest Adjusted of a difference
	Verdict             string         // Better, Worse, NoDifference, Undecided or SameGames
	More                int            // if undecided and known: about the further games of each needed
}

// Verdicts on a candidate against its baseline.
const (
	Better       = stats.Better
	Worse        = stats.Worse
	NoDifference = stats.NoDifference
	Undecided    = stats.Undecided
	SameGames    = "same games" // by tune compare; of N seeds alike: over 3/N differ with probability 5% at most
)
