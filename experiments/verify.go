package experiments

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"tune2048/engine/portable"
	"tune2048/engine/simulator"
)

// Archive reads the records of a run.
type Archive interface {
	Candidates(ctx context.Context, run int64) ([]Candidate, error)
	// Evaluations returns a run's evaluations in the order of their first games.
	Evaluations(ctx context.Context, run int64) ([]Evaluation, error)
	// Games yields the rows of games in the order of their numbers. An error is the last thing it
	// yields.
	Games(ctx context.Context, run int64) iter.Seq2[Game, error]
}

// Verification compares the records of a run with one another and with games that are played again.
// It compares all rows of games with the evaluations that sum them up. It plays a random choice of
// games again and compares them with their rows. Where rows were not kept, it plays whole
// evaluations again from the seeds of their block, and compares their hashes. The full search
// repeats some searches of these games, if the simulator audits.
type Verification struct {
	Stored    Stored
	Run       int64
	Archive   Archive
	Simulator Simulator
	Share     float64 // of the stored games to play again, 0 to 1; at least leastVerified games
	Games     int64   // if above 0: this many instead
	Seed      uint64  // of the choice
	// Worker restricts the check to the rows of games that the worker of this name played, and to
	// the evaluations without rows, whose players are not known. Empty: all games.
	Worker  string
	Observe func(Verified) // called for each game that was played again; may be nil
}

// leastVerified is the least number of games that are played again for a share, if the run has
// them.
const leastVerified = 20

// Verified is the result of a verification.
type Verified struct {
	Kept        int64        `json:"kept"`        // games with rows; all were compared
	Unkept      int64        `json:"unkept"`      // games without
	Planned     int64        `json:"planned"`     // games that are played again
	Played      int64        `json:"played"`      // of those, so far
	Searches    int64        `json:"searches"`    // for the best move, repeated by the full search
	Evaluations int          `json:"evaluations"` // that were played again as a whole
	Differences []Difference `json:"differences"`
}

// Kinds of differences.
const (
	DiffersGame       = "game"       // the game, played again, does not end as its row says
	DiffersEvaluation = "evaluation" // the games, played again, have another hash than the evaluation
	DiffersRows       = "rows"       // the rows of games contradict the evaluation
	DiffersSeed       = "seed"       // the config gives this game another seed
	DiffersSearch     = "search"     // the full search has another best move or value
)

// Difference is a game or an evaluation that is not as it is stored.
type Difference struct {
	Kind string `json:"kind"`
	Place
	Games  int         `json:"games"`
	Seed   *uint64     `json:"seed"` // nil for an evaluation
	Values []Differing `json:"values"`
}

// Differing is one value of a Difference.
type Differing struct {
	Name   string `json:"name"`
	Stored any    `json:"stored"`
	Found  any    `json:"found"`
}

// verifier is a verification under way.
type verifier struct {
	Verification
	found      Verified
	candidates []Candidate   // by number
	rows       int64         // of games that are checked
	unkept     []seededGames // evaluations without rows whose games can be played again
	queue      []queuedGame  // the batch at hand
}

// seededGames is an evaluation with the seed that the config gives its game of an index, or nil if
// it gives none. Seeds are made one by one: a stranger's evaluations may claim any number of games.
type seededGames struct {
	Evaluation
	seed func(index int) uint64
}

// batchGames is how many games are handed to the simulator at once: enough that a player's games
// meet.
const batchGames = 5000

// Verify carries the verification out. When ctx is done, it returns the result so far with ctx's
// error.
func (v Verification) Verify(ctx context.Context) (Verified, error) {
	w := &verifier{Verification: v, found: Verified{Differences: []Difference{}}}
	err := w.verify(ctx)
	return w.found, err
}

func (v *verifier) verify(ctx context.Context) (err error) {
	if v.candidates, err = v.Archive.Candidates(ctx, v.Run); err != nil {
		return err
	}
	if err := v.compareRows(ctx); err != nil {
		return err
	}
	chosen, whole := v.choose()
	for g, err := range v.Archive.Games(ctx, v.Run) {
		if err != nil {
			return err
		}
		if v.concerns(g) && chosen() {
			if err := v.add(ctx, g, func(o simulator.Outcome) {
				v.differGame(DiffersGame, g, DifferingOutcomes(g.Outcome, o)...)
			}); err != nil {
				return err
			}
		}
	}
	for _, e := range whole {
		var games []simulator.Outcome
		left := e.Score.N
		for i := range e.Score.N {
			games = append(games, simulator.Outcome{})
			if err := v.add(ctx, Game{Place: e.Place, Seed: e.seed(i)}, func(o simulator.Outcome) {
				games[i] = o
				if left--; left == 0 {
					v.found.Evaluations++
					v.compareEvaluation(DiffersEvaluation, e.Evaluation, games)
				}
			}); err != nil {
				return err
			}
		}
	}
	return v.play(ctx)
}

// concerns reports whether a row is one of those that are checked.
func (v *verifier) concerns(g Game) bool { return v.Worker == "" || v.Worker == g.Worker }

// compareRows compares all rows of games with their evaluations, without playing.
func (v *verifier) compareRows(ctx context.Context) error {
	evaluations, err := v.Archive.Evaluations(ctx, v.Run)
	if err != nil {
		return err
	}
	all := v.seeded(evaluations)
	var rows []simulator.Outcome // of all[0]
	end := func(before int64) {  // the evaluations whose games come before this one
		for ; len(all) > 0 && all[0].Game+int64(all[0].Score.N) <= before; all = all[1:] {
			v.compareWhole(all[0], rows)
			rows = rows[:0]
		}
	}
	for g, err := range v.Archive.Games(ctx, v.Run) {
		if err != nil {
			return err
		}
		if v.concerns(g) {
			v.rows++
		}
		v.found.Kept++
		end(g.Game)
		if len(all) > 0 && g.Game >= all[0].Game { // otherwise it is of a block that is not finished
			rows = append(rows, g.Outcome)
			v.compareRow(all[0], g)
		}
	}
	end(math.MaxInt64)
	return nil
}

// seeded returns evaluations with the seeds of their games. Blocks of a stage may be played side by
// side, round by round, and each round goes on where the one before ended.
func (v *verifier) seeded(evaluations []Evaluation) (all []seededGames) {
	type round struct{ number, games, before int }
	rounds := map[Place]round{}
	for _, found := range evaluations {
		e := seededGames{Evaluation: found}
		r := rounds[e.block()]
		if r.games > 0 && e.Round != r.number {
			r.before += r.games
		}
		r.number, r.games = e.Round, e.Score.N
		rounds[e.block()] = r
		if _, known := phaseSeeds[e.Phase]; known {
			e.seed = func(index int) uint64 { return v.Stored.seed(found, r.before, index) }
		}
		all = append(all, e)
	}
	return all
}

// compareWhole compares an evaluation with the rows of its games.
func (v *verifier) compareWhole(e seededGames, rows []simulator.Outcome) {
	switch n := len(rows); n {
	case 0:
		v.found.Unkept += int64(e.Score.N)
		if e.seed != nil {
			v.unkept = append(v.unkept, e)
		}
	case e.Score.N:
		v.compareEvaluation(DiffersRows, e.Evaluation, rows)
	default:
		v.differ(DiffersRows, e.Place, e.Score.N, nil, Differing{"games", e.Score.N, n})
	}
}

// block returns the place without candidate, game and round.
func (p Place) block() Place {
	p.Candidate, p.Game, p.Round = 0, 0, 0
	return p
}

// compareRow compares a row with its evaluation and the config.
func (v *verifier) compareRow(e seededGames, g Game) {
	v.differGame(DiffersRows, g, Differing{"phase", e.Phase, g.Phase}, Differing{"stage", e.Stage, g.Stage},
		Differing{"search", e.Search, g.Search}, Differing{"generation", e.Generation, g.Generation},
		Differing{"round", e.Round, g.Round}, Differing{"candidate", e.Candidate, g.Candidate})
	if e.seed != nil {
		v.differGame(DiffersSeed, g, Differing{"seed", g.Seed, e.seed(int(g.Game - e.Game))})
	}
}

// compareEvaluation compares an evaluation with its games.
func (v *verifier) compareEvaluation(kind string, e Evaluation, games []simulator.Outcome) {
	f := summarize(v.Stored.objective, e.Place, games)
	v.differ(kind, e.Place, e.Score.N, nil, Differing{"games_hash", e.GamesHash, f.GamesHash},
		Differing{"mean_score", e.Score.Mean, f.Score.Mean}, Differing{"moves", e.Moves, f.Moves}, Differing{"nodes", e.Nodes, f.Nodes},
		Differing{"reached", e.Reached, f.Reached}, Differing{"fitness", e.Fitness.Mean, f.Fitness.Mean})
}

// differ notes the values that differ.
func (v *verifier) differ(kind string, at Place, games int, seed *uint64, values ...Differing) {
	if differing := unequal(values...); len(differing) > 0 {
		v.found.Differences = append(v.found.Differences, Difference{kind, at, games, seed, differing})
	}
}

func (v *verifier) differGame(kind string, g Game, values ...Differing) {
	v.differ(kind, g.Place, 1, &g.Seed, values...)
}

// unequal returns the values that differ.
func unequal(values ...Differing) (differing []Differing) {
	for _, d := range values {
		if d.Stored != d.Found {
			differing = append(differing, d)
		}
	}
	return differing
}

// choose draws the games that are played again, rows and games without rows in their proportion:
// whole evaluations where there are no rows. chosen is called for each row, in their order. It is
// selection sampling (D. E. Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).
func (v *verifier) choose() (chosen func() bool, whole []seededGames) {
	all, rows := v.rows, v.rows
	for _, e := range v.unkept {
		all += int64(e.Score.N)
	}
	wanted := v.Games
	if wanted == 0 {
		wanted = max(int64(math.Ceil(v.Share*float64(all))), leastVerified)
	}
	wanted = min(wanted, all)
	left := wanted * rows / max(1, all) // rows to choose
	v.found.Planned = left
	random := rand.New(rand.NewPCG(v.Seed, portable.Hash(v.Seed, "verify")))
	for _, i := range random.Perm(len(v.unkept)) {
		if v.found.Planned < wanted {
			whole = append(whole, v.unkept[i])
			v.found.Planned += int64(v.unkept[i].Score.N)
		}
	}
	slices.SortFunc(whole, func(a, b seededGames) int { return cmp.Compare(a.Game, b.Game) })
	return func() bool {
		take := left > 0 && random.Int64N(rows) < left
		rows--
		if take {
			left--
		}
		return take
	}, whole
}

// add takes a game into the batch at hand, and plays the batch once it is full.
func (v *verifier) add(ctx context.Context, g Game, check func(simulator.Outcome)) error {
	if v.queue = append(v.queue, queuedGame{Game: g, take: check}); len(v.queue) < batchGames {
		return nil
	}
	return v.play(ctx)
}

// play plays the batch at hand.
func (v *verifier) play(ctx context.Context) error {
	games := v.queue
	v.queue = nil
	batch, err := batchOf(v.Stored.Rules, games, func(at Place) (simulator.Player, error) {
		i, known := slices.BinarySearchFunc(v.candidates, at.Candidate, func(c Candidate, n int) int { return cmp.Compare(c.Number, n) })
		if !known {
			return simulator.Player{}, fmt.Errorf("game %d of run %d: it was played by candidate %d, which the run does not have", at.Game, v.Run, at.Candidate)
		}
		return v.Stored.Player(v.candidates[i], at.Search)
	})
	if err != nil {
		return err
	}
	_, err = v.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		v.found.Played++
		games[job].take(o)
		searches, wrong := AuditOf(o)
		v.found.Searches += searches
		v.differ(DiffersSearch, games[job].Place, 1, &games[job].Seed, wrong...)
		if v.Observe != nil {
			v.Observe(v.found)
		}
		return nil
	})
	return err
}

// AuditOf returns the number of a game's searches that the full search repeated, and those that it
// contradicts.
func AuditOf(games ...simulator.Outcome) (searches int64, wrong []Differing) {
	wrong = []Differing{}
	for _, o := range games {
		if o.Audit != nil {
			searches += o.Audit.Repeated
			for _, w := range o.Audit.Wrong {
				wrong = append(wrong, Differing{fmt.Sprintf("best move of \"%v\"", w.Board), w.Best, w.Full})
			}
		}
	}
	return searches, wrong
}

// DifferingOutcomes lists the differences between a game as stored and as played again. The time is
// none.
func DifferingOutcomes(stored, found simulator.Outcome) []Differing {
	return unequal(
		Differing{"score", stored.Score, found.Score}, Differing{"max_tile", stored.MaxTile, found.MaxTile},
		Differing{"moves", stored.Moves, found.Moves}, Differing{"nodes", stored.Nodes, found.Nodes},
		Differing{"capped", stored.Capped, found.Capped}, Differing{"final_board", stored.Final, found.Final})
}
