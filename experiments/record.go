package experiments

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
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

// Place says where in a run a game or an evaluation stands.
type Place struct {
	Phase      string `json:"phase"`
	Stage      string `json:"stage"`      // of the tuning phase; otherwise empty
	Search     string `json:"search"`     // engine.Settings.String
	Generation int    `json:"generation"` // of the stage, from 0; 0 outside the tuning phase
	Round      int    `json:"round"`      // of racing, from 0
	Candidate  int    `json:"candidate"`  // number
	Game       int64  `json:"game"`       // number within the run; an evaluation's first game
}

// String names the place for people.
func (p Place) String() string {
	text := p.Phase
	if p.Stage != "" {
		text += fmt.Sprintf(" %s, generation %d", p.Stage, p.Generation)
	}
	return fmt.Sprintf("%s, round %d at %s, candidate %d, game %d", text, p.Round, p.Search, p.Candidate, p.Game)
}

// block returns the place without candidate, game and round.
func (p Place) block() Place {
	p.Candidate, p.Game, p.Round = 0, 0, 0
	return p
}

// Game is a game that was played.
type Game struct {
	Place
	Seed uint64 // of the spawns, in [0, 2^53)
	simulator.Outcome
}

// Block is a set of games that is planned, played and recorded as a whole: each of its candidates
// plays the same seeds at the same settings. Its games are numbered First, First+1, ... candidate
// by candidate. The index of a game in the block is its number minus First.
type Block struct {
	Phase      string
	Stage      string
	Search     string
	Generation int
	Round      int
	Candidates []int // numbers
	Seeds      []uint64
	First      int64
	Keys       []string // of the evaluations, by candidate: see blockPlayer
}

// Games returns how many games the block has.
func (b Block) Games() int { return len(b.Candidates) * len(b.Seeds) }

// Game returns the game of the block with that index, without its outcome.
func (b Block) Game(index int) Game {
	g := Game{Place: b.place(index / len(b.Seeds)), Seed: b.Seeds[index%len(b.Seeds)]}
	g.Game = b.First + int64(index)
	return g
}

// place is the place of the evaluation of the candidate with that index in the block.
func (b Block) place(candidate int) Place {
	return Place{
		Phase: b.Phase, Stage: b.Stage, Search: b.Search, Generation: b.Generation, Round: b.Round,
		Candidate: b.Candidates[candidate], Game: b.First + int64(candidate*len(b.Seeds)),
	}
}

// Tiles lists the faces whose reach is reported.
var Tiles = [...]int{128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}

// Evaluation is what one candidate's games of a block came to. The fitness by any objective, and
// the evaluation of its first games, follow from its scores and ranks.
type Evaluation struct {
	Place
	Key       string    // of all that its games depend on: see Block.Keys
	Scores    []float64 // finite, in the order of the seeds
	Ranks     []byte    // of the largest tiles, in this order: 11 is a 2048. nil: a bot did not say them
	Moves     int64     // sum over the games; 0: not known of some game
	Nodes     int64     // likewise
	GamesHash string    // HashGames of the games, in place of rows that are not kept
	// Time is the sum of the games' times, see simulator.Outcome. It is part of no result. 0: not
	// known.
	Time time.Duration
	// Failure says what a bot did that could not play one of the games: the first of them by seed.
	// The evaluation then has no scores, and its candidate has lost. Lines after the first one are
	// the bot's stderr, which is part of no result. Empty: all games were played.
	Failure string
}

// Fault is the first line of Failure.
func (e Evaluation) Fault() string {
	line, _, _ := strings.Cut(e.Failure, "\n")
	return line
}

// First returns the evaluation of the first n of its games. What is not known of these alone is
// left out.
func (e Evaluation) First(n int) Evaluation {
	if n = max(n, 0); n < len(e.Scores) {
		e.Scores, e.Ranks = e.Scores[:n], e.Ranks[:min(n, len(e.Ranks))]
		e.Moves, e.Nodes, e.Time, e.GamesHash, e.Key = 0, 0, 0, "", ""
	}
	return e
}

// HashGames returns the first 32 hexadecimal digits of the SHA-256 over games in the order of their
// seeds: of each score, largest tile, moves, nodes, whether it was capped and the final board, in 8
// bytes each, big-endian. A score that is no whole number has the bits of its float.
func HashGames(games []simulator.Outcome) string {
	buffer := make([]byte, 0, 48*len(games))
	for _, g := range games {
		capped := uint64(0)
		if g.Capped {
			capped = 1
		}
		score := math.Float64bits(g.Score) // of a bot's own game
		// Processors convert 2^63 and more differently.
		if whole := int64(g.Score); g.Score < 1<<63 && float64(whole) == g.Score {
			score = uint64(whole)
		}
		for _, v := range [...]uint64{score, uint64(g.MaxTile), uint64(g.Moves), uint64(g.Nodes), capped,
			uint64(g.Final)} {
			buffer = binary.BigEndian.AppendUint64(buffer, v)
		}
	}
	sum := sha256.Sum256(buffer)
	return hex.EncodeToString(sum[:16])
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
	Scores    []float64 // of all games, in the order of their seeds
	Figures   []float64 // likewise, see fitness.Objective.Figures
	GamesHash string    // the hashes of all evaluations, one behind the other

	last int // generation in which it played last
}

// Interval returns the 95% interval of the mean score.
func (s *Standing) Interval() stats.Interval {
	return fitness.MeanScore.Interval(fitness.Sample{Score: s.Score, Fitness: s.Score, Negative: s.Negative},
		Confidence)
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
