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

func (e Evaluation) games() int64 { return int64(e.Score.N) }

// Archive is what a run left behind.
type Archive interface {
	Candidates(ctx context.Context, run int64) ([]Candidate, error)
	// Evaluations returns a run's evaluations in the order of their first games.
	Evaluations(ctx context.Context, run int64) ([]Evaluation, error)
	// Games yields the games that are kept in the order of their numbers. An error is the last thing it yields.
	Games(ctx context.Context, run int64) iter.Seq2[Game, error]
}

// Verification holds what is stored of a run against itself and against games that are played again: all rows of games
// against the evaluations that sum them up, and a random choice of games against their rows. Where rows were not kept,
// whole evaluations are played again, from the seeds of their block, and must have the games' hash.
type Verification struct {
	Cast      Cast
	Run       int64
	Archive   Archive
	Simulator Simulator
	Share     float64        // of the stored games that are played again, 0 to 1; at least LeastVerified games
	Games     int64          // if above 0: this many instead
	Seed      uint64         // of the choice
	Observe   func(Verified) // told now and then while rows are read, and of each game that was played again; may be nil
}

// verifier is a verification under way.
type verifier struct {
	Verification
	found      Verified
	candidates map[int]Candidate
	before     map[Place]int64 // games that earlier rounds of a block dealt to each candidate, by round
	seedsAt    Place           // a round of a block
	seedsThere []uint64        // its seeds
	kept       []int64         // numbers of the games with rows
	unkept     []Evaluation
	rows       map[int64]bool // numbers of the games with rows that are played again
	whole      []Evaluation   // that are played again
	tasks      []task         // of the batch at hand
}

// LeastVerified is how many games a share is at least, if there are so many.
const LeastVerified = 20

// Verified is what a verification found.
type Verified struct {
	Kept        int64 // games with rows; all were held against their evaluations
	Unkept      int64 // games without
	Planned     int64 // games that are played again
	Played      int64 // of those, so far
	Evaluations int   // that were played again as a whole
	Differences []Difference
}

// Kinds of differences.
const (
	DiffersGame       = "game"       // played again, it ends otherwise than its row says
	DiffersEvaluation = "evaluation" // its games, played again, have another hash
	DiffersRows       = "rows"       // the rows of its games say something else than it does
	DiffersSeed       = "seed"       // the config gives this game another seed
)

// Difference is something that is not as it is stored.
type Difference struct {
	Kind string
	Place
	Games  int64  // of an evaluation; 1 for a game
	Seed   uint64 // of a game
	Values []Differing
}

// Differing is one value of a Difference.
type Differing struct {
	Name          string
	Stored, Found any
}

// task is one game to be played again.
type task struct {
	place Place
	seed  uint64
	row   *simulator.Outcome // what it is held against
	to    *simulator.Outcome // or where it goes, for a whole evaluation
}

// batchGames is how many games are handed to the simulator at once: enough that a player's games meet in it.
const batchGames = 5000

// rowsBetween is how many rows are read between two reports.
const rowsBetween = 10_000

// Verify carries the verification out. When ctx is done, what was found so far comes with ctx's error.
func (v Verification) Verify(ctx context.Context) (Verified, error) {
	w := &verifier{Verification: v, candidates: map[int]Candidate{}, rows: map[int64]bool{}}
	candidates, err := v.Archive.Candidates(ctx, v.Run)
	if err != nil {
		return w.found, err
	}
	for _, c := range candidates {
		w.candidates[c.Number] = c
	}
	if err := w.compareRows(ctx); err != nil {
		return w.found, err
	}
	w.choose()
	if err := w.playRows(ctx); err != nil {
		return w.found, err
	}
	err = w.playEvaluations(ctx)
	return w.found, err
}

// compareRows holds all rows of games against their evaluations, without playing.
func (v *verifier) compareRows(ctx context.Context) error {
	evaluations, err := v.Archive.Evaluations(ctx, v.Run)
	if err != nil {
		return err
	}
	v.before = dealtBefore(evaluations)
	var rows []simulator.Outcome // of the first of the evaluations
	settle := func() {
		switch e, n := evaluations[0], int64(len(rows)); {
		case n == 0:
			v.unkept = append(v.unkept, e)
			v.found.Unkept += e.games()
		case n < e.games():
			v.differ(DiffersRows, e.Place, e.games(), 0, []Differing{{"games", e.games(), n}})
		default:
			v.compareEvaluation(DiffersRows, e, rows)
		}
		evaluations, rows = evaluations[1:], rows[:0]
	}
	for g, err := range v.Archive.Games(ctx, v.Run) {
		if err != nil {
			return err
		}
		v.kept = append(v.kept, g.Game)
		v.found.Kept++
		if v.found.Kept%rowsBetween == 0 && v.Observe != nil {
			v.Observe(v.found)
		}
		for len(evaluations) > 0 && g.Game >= evaluations[0].Game+evaluations[0].games() {
			settle()
		}
		if len(evaluations) == 0 || g.Game < evaluations[0].Game {
			continue // of a block that is not finished
		}
		rows = append(rows, g.Outcome)
		e := evaluations[0]
		v.differ(DiffersRows, g.Place, 1, g.Seed, unequal(
			Differing{"phase", e.Phase, g.Phase}, Differing{"stage", e.Stage, g.Stage}, Differing{"search", e.Search, g.Search},
			Differing{"generation", e.Generation, g.Generation}, Differing{"round", e.Round, g.Round},
			Differing{"candidate", e.Candidate, g.Candidate}))
		if seeds := v.seeds(e); seeds != nil {
			v.differ(DiffersSeed, g.Place, 1, g.Seed, unequal(Differing{"seed", g.Seed, seeds[g.Game-e.Game]}))
		}
	}
	for len(evaluations) > 0 {
		settle()
	}
	return nil
}

// round returns the place without candidate and game, block also without the round.
func (p Place) round() Place {
	p.Candidate, p.Game = 0, 0
	return p
}

func (p Place) block() Place {
	p = p.round()
	p.Round = 0
	return p
}

// dealtBefore returns by round how many games the earlier rounds of its block dealt to each candidate.
func dealtBefore(evaluations []Evaluation) map[Place]int64 {
	before, dealt := map[Place]int64{}, map[Place]int64{}
	for _, e := range evaluations { // in the order of rounds
		if _, seen := before[e.round()]; !seen {
			before[e.round()] = dealt[e.block()]
			dealt[e.block()] += e.games()
		}
	}
	return before
}

// seeds returns those of an evaluation's games in their order, as the config gives them; nil if it does not.
func (v *verifier) seeds(e Evaluation) []uint64 {
	if _, known := phaseSeeds[e.Phase]; !known {
		return nil
	}
	// Two candidates of a round that played another number of games are no work of ours, but may be in a file.
	if at := e.round(); v.seedsThere == nil || v.seedsAt != at || int64(len(v.seedsThere)) != e.games() {
		v.seedsAt, v.seedsThere = at, v.Cast.seeds(e, int(v.before[at]))
	}
	return v.seedsThere
}

// compareEvaluation holds an evaluation against its games.
func (v *verifier) compareEvaluation(kind string, e Evaluation, games []simulator.Outcome) {
	s, f := e, summarize(v.Cast.objective, e.Place, games)
	v.differ(kind, e.Place, e.games(), 0, unequal(
		Differing{"games_hash", s.GamesHash, f.GamesHash}, Differing{"mean_score", s.Score.Mean, f.Score.Mean},
		Differing{"moves", s.Moves, f.Moves}, Differing{"nodes", s.Nodes, f.Nodes},
		Differing{"reached", s.Reached, f.Reached}, Differing{"fitness", s.Fitness, f.Fitness}))
}

// unequal returns those of the values that differ.
func unequal(values ...Differing) (differing []Differing) {
	for _, d := range values {
		if d.Stored != d.Found {
			differing = append(differing, d)
		}
	}
	return differing
}

// differ notes a difference, if there is one.
func (v *verifier) differ(kind string, at Place, games int64, seed uint64, values []Differing) {
	if len(values) > 0 {
		v.found.Differences = append(v.found.Differences, Difference{kind, at, games, seed, values})
	}
}

// choose draws the games that are played again. One without a row stands for its whole evaluation.
func (v *verifier) choose() {
	var (
		playable []Evaluation
		ends     []int64 // how many games they have up to each
		all      = int64(len(v.kept))
	)
	for _, e := range v.unkept {
		if v.seeds(e) != nil {
			all += e.games()
			playable, ends = append(playable, e), append(ends, all)
		}
	}
	wanted := v.Games
	if wanted == 0 {
		wanted = max(int64(math.Ceil(v.Share*float64(all))), LeastVerified)
	}
	if wanted >= all {
		for _, n := range v.kept {
			v.rows[n] = true
		}
		v.whole, v.found.Planned = playable, all
		return
	}
	random := rand.New(rand.NewPCG(v.Seed, portable.Hash(v.Seed, "verify")))
	drawn := map[int]bool{}
	for v.found.Planned < wanted {
		game := random.Int64N(all)
		if game < int64(len(v.kept)) {
			if n := v.kept[game]; !v.rows[n] {
				v.rows[n] = true
				v.found.Planned++
			}
			continue
		}
		i, _ := slices.BinarySearch(ends, game+1)
		if !drawn[i] {
			drawn[i] = true
			v.whole = append(v.whole, playable[i])
			v.found.Planned += playable[i].games()
		}
	}
	slices.SortFunc(v.whole, func(a, b Evaluation) int { return cmp.Compare(a.Game, b.Game) })
}

// playRows plays the chosen games again and holds them against their rows.
func (v *verifier) playRows(ctx context.Context) error {
	if len(v.rows) == 0 {
		return nil
	}
	for g, err := range v.Archive.Games(ctx, v.Run) {
		if err != nil {
			return err
		}
		if !v.rows[g.Game] {
			continue
		}
		v.tasks = append(v.tasks, task{place: g.Place, seed: g.Seed, row: &g.Outcome})
		if len(v.tasks) == batchGames {
			if err := v.playTasks(ctx); err != nil {
				return err
			}
		}
	}
	return v.playTasks(ctx)
}

// playEvaluations plays the chosen evaluations again and compares their games' hashes.
func (v *verifier) playEvaluations(ctx context.Context) error {
	for len(v.whole) > 0 {
		var batch []Evaluation
		var games [][]simulator.Outcome
		for len(v.whole) > 0 && len(v.tasks) < batchGames {
			e := v.whole[0]
			v.whole = v.whole[1:]
			mine := make([]simulator.Outcome, e.games())
			for k, seed := range v.seeds(e) {
				v.tasks = append(v.tasks, task{place: e.Place, seed: seed, to: &mine[k]})
			}
			batch, games = append(batch, e), append(games, mine)
		}
		if err := v.playTasks(ctx); err != nil {
			return err
		}
		for i, e := range batch {
			v.found.Evaluations++
			v.compareEvaluation(DiffersEvaluation, e, games[i])
		}
	}
	return nil
}

// playTasks plays the tasks at hand.
func (v *verifier) playTasks(ctx context.Context) error {
	tasks := v.tasks
	v.tasks = nil
	if len(tasks) == 0 {
		return nil
	}
	slices.SortStableFunc(tasks, func(a, b task) int { // so that a player's tables are compiled once
		return cmp.Or(cmp.Compare(a.place.Candidate, b.place.Candidate), cmp.Compare(a.place.Search, b.place.Search))
	})
	batch := simulator.Batch{Rules: v.Cast.Rules}
	for i, t := range tasks {
		if i == 0 || t.place.Candidate != tasks[i-1].place.Candidate || t.place.Search != tasks[i-1].place.Search {
			c, known := v.candidates[t.place.Candidate]
			if !known {
				return fmt.Errorf("game %d of run %d: it was played by candidate %d, which the run does not have", t.place.Game, v.Run, t.place.Candidate)
			}
			player, err := v.Cast.Player(c, t.place.Search)
			if err != nil {
				return err
			}
			batch.Players = append(batch.Players, player)
		}
		batch.Jobs = append(batch.Jobs, simulator.Job{Player: len(batch.Players) - 1, Seed: t.seed})
	}
	_, err := v.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		t := tasks[job]
		v.found.Played++
		if t.to != nil {
			*t.to = o
		} else {
			v.differ(DiffersGame, t.place, 1, t.seed, DifferingOutcomes(*t.row, o))
		}
		if v.Observe != nil {
			v.Observe(v.found)
		}
		return nil
	})
	return err
}

// DifferingOutcomes lists what differs between a game as stored and as played again: anything but its time.
func DifferingOutcomes(stored, found simulator.Outcome) []Differing {
	return unequal(
		Differing{"score", stored.Score, found.Score}, Differing{"max_tile", stored.MaxTile, found.MaxTile},
		Differing{"moves", stored.Moves, found.Moves}, Differing{"nodes", stored.Nodes, found.Nodes},
		Differing{"capped", stored.Capped, found.Capped}, Differing{"final_board", stored.Final, found.Final})
}
