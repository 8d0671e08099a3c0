package results

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

var ctx = context.Background()

// world is the content of a small run in memory, which the database must have.
type world struct {
	candidates  []experiments.Candidate
	blocks      []playedBlock
	generations []experiments.Generation // each after the block of its number
	champion    int
	comparisons []experiments.Comparison
}

type playedBlock struct {
	experiments.Block
	games       []simulator.Outcome // by index
	evaluations []experiments.Evaluation
	standings   []experiments.Standing
	spread      float64
	generation  *experiments.Generation // that ends with it
}

// add records one game of the block.
func (b playedBlock) add(s *Store, run int64, index int) error {
	g := b.Game(index)
	g.Outcome = b.games[index]
	return s.AddGame(ctx, run, g)
}

// addAll records all games of the block.
func (b playedBlock) addAll(t testing.TB, s *Store, run int64) {
	t.Helper()
	for i := range b.games {
		must(t, b.add(s, run, i))
	}
}

// finish records what the games came to.
func (b playedBlock) finish(s *Store, run int64, keep bool) error {
	err := s.FinishBlock(ctx, run, b.Block, experiments.BlockResult{Evaluations: b.evaluations, Standings: b.standings, Spread: b.spread, KeepGames: keep})
	if err == nil && b.generation != nil {
		err = s.AddGeneration(ctx, run, *b.generation)
	}
	return err
}

// dealer makes up blocks of games, and adds up what they come to as an experiment does.
type dealer struct {
	r         *rand.Rand
	play      func(candidate int) simulator.Outcome
	next      int64 // number of the next game
	standings map[experiments.Place]*experiments.Standing
	pools     map[experiments.Place]pool // of all candidates: the number is 0
}

// pool has what the spread of a score follows from.
type pool struct{ squares, freedom float64 }

func newDealer(r *rand.Rand, play func(candidate int) simulator.Outcome) *dealer {
	return &dealer{r: r, play: play, standings: map[experiments.Place]*experiments.Standing{}, pools: map[experiments.Place]pool{}}
}

func (d *dealer) block(phase, stage, search string, generation, round, games int, numbers ...int) playedBlock {
	b := playedBlock{Block: experiments.Block{Phase: phase, Stage: stage, Search: search, Generation: generation,
		Round: round, Candidates: numbers, First: d.next}}
	for range games {
		b.Seeds = append(b.Seeds, d.r.Uint64()>>11)
	}
	d.next += int64(b.Games())
	for i, c := range numbers {
		mine := make([]simulator.Outcome, games)
		for k := range mine {
			mine[k] = d.play(c)
		}
		b.games = append(b.games, mine...)
		e := evaluate(b.Game(i*games).Place, mine)
		b.evaluations = append(b.evaluations, e)
		at := experiments.Place{Phase: phase, Stage: stage, Search: search, Candidate: c}
		s := d.standings[at]
		if s == nil {
			s = &experiments.Standing{Candidate: c}
			d.standings[at] = s
		}
		at.Candidate = 0
		pool := d.pools[at]
		pool.squares, pool.freedom = pool.squares-s.Score.M2, pool.freedom-float64(max(0, s.Score.N-1))
		s.Evaluations++
		if round == 0 {
			s.Generations++
		}
		s.Score.Merge(e.Score)
		pool.squares, pool.freedom = pool.squares+s.Score.M2, pool.freedom+float64(s.Score.N-1)
		d.pools[at] = pool
		s.Interval = stats.MeanInterval(s.Score, 0.95)
		s.Fitness, s.FitnessInterval = s.Score, s.Interval
		s.Shrunk, s.Lower = s.Fitness.Mean/2, s.Fitness.Mean/3
		for k, n := range e.Reached {
			s.Reached[k] += n
		}
		s.Moves += e.Moves
		s.Nodes += e.Nodes
		b.standings = append(b.standings, *s)
	}
	if pool := d.pools[experiments.Place{Phase: phase, Stage: stage, Search: search}]; pool.freedom > 0 {
		b.spread = math.Sqrt(pool.squares / pool.freedom)
	}
	return b
}

// generation sums up the evaluations of a generation's blocks.
func generation(blocks ...playedBlock) *experiments.Generation {
	g := &experiments.Generation{Stage: blocks[0].Stage, Search: blocks[0].Search, Number: blocks[0].Generation}
	var means []float64
	for _, c := range blocks[0].Candidates {
		var score stats.Moments
		for _, b := range blocks {
			for _, e := range b.evaluations {
				if e.Candidate == c {
					score.Merge(e.Score)
				}
			}
		}
		means = append(means, score.Mean)
		g.Games += int64(score.N)
	}
	var m stats.Moments
	for _, mean := range means {
		m.Add(mean)
	}
	g.Candidates, g.Best, g.Mean, g.Worst, g.SD = m.N, slices.Max(means), m.Mean, slices.Min(means), m.SD()
	g.BestFitness = g.Best
	g.MeanFitness = stats.Estimate{Value: g.Mean, Interval: stats.Interval{Low: g.Mean - 100, High: g.Mean + 100}}
	return g
}

// newWorld makes up a run: two stages of tuning, the second with racing, a playoff, and a
// validation at two depths.
func newWorld(r *rand.Rand) world {
	var w world
	d := newDealer(r, func(int) simulator.Outcome { return randomOutcome(r) })
	deal := func(phase, stage, search string, generation, round, games int, numbers ...int) {
		w.blocks = append(w.blocks, d.block(phase, stage, search, generation, round, games, numbers...))
	}
	end := func(rounds int) { // of a generation
		last := len(w.blocks) - 1
		w.blocks[last].generation = generation(w.blocks[last+1-rounds:]...)
		w.generations = append(w.generations, *w.blocks[last].generation)
	}
	w.candidate("start", "explore", 0, r)
	for g := range 3 {
		a, b := w.candidate("initial", "explore", g, r), w.candidate("mutation", "explore", g, r)
		deal(experiments.PhaseTuning, "explore", "depth 3", g, 0, 5, 0, a, b)
		end(1)
	}
	for g := range 2 {
		c := w.candidate("crossover", "refine", g, r)
		deal(experiments.PhaseTuning, "refine", "depth 5", g, 0, 1, 1, 2, c)
		deal(experiments.PhaseTuning, "refine", "depth 5", g, 1, 2+g, 2, c)
		end(2)
	}
	reference := w.candidate("reference", "", 0, r)
	w.champion = 2
	deal(experiments.PhasePlayoff, "", "depth 5", 0, 0, 20, 1, 2, 7)
	games := w.blocks[len(w.blocks)-1].games
	for i := range games {
		games[i].Worker = []string{"", "here", "there"}[i%3]
	}
	for _, search := range []string{"depth 3", "depth 5"} {
		deal(experiments.PhaseValidation, "", search, 0, 0, 30, 2, 0, reference)
		e := w.blocks[len(w.blocks)-1].evaluations
		w.comparisons = append(w.comparisons, comparisonOf(e[0], e[1]))
	}
	return w
}

// comparisonOf compares two evaluations.
func comparisonOf(a, b experiments.Evaluation) experiments.Comparison {
	return experiments.Comparison{
		Phase: a.Phase, Search: a.Search, Candidate: a.Candidate, Baseline: b.Candidate, Objective: "mean_score",
		Games: a.Score.N, BaselineGames: b.Score.N, Difference: stats.MeanDifference(a.Score, b.Score, 0.95),
		Ratio: stats.MeanRatio(a.Score, b.Score, 0.95), Confidence: 0.95, P: stats.WelchP(a.Score, b.Score), Adjusted: 1,
		Verdict: experiments.NoDifference,
	}
}

func (w *world) candidate(origin, stage string, generation int, r *rand.Rand) int {
	c := experiments.Candidate{Number: len(w.candidates), Origin: origin, Stage: stage, Generation: generation,
		Dead: heuristic.Dead{Worst: true}, PlayHash: fmt.Sprint("play ", r.Uint64())}
	if origin == "reference" {
		c.Name, c.Dead = "published", heuristic.Dead{Value: -1e-7}
	}
	// Not in the order of their names.
	for i, name := range []string{"snake", "empty", "merges", "corner", "edge"} {
		c.Weights = append(c.Weights, experiments.Weight{Name: name, Value: math.Exp(r.NormFloat64() * float64(i))})
	}
	w.candidates = append(w.candidates, c)
	return c.Number
}

func outcome(score, maxTile, moves int, nodes int64, board, us uint64) (o simulator.Outcome) {
	o.Score, o.MaxTile, o.Moves, o.Nodes, o.Final, o.Capped = score, maxTile, moves, nodes, engine.Board(board), maxTile == 65536
	o.Duration = time.Duration(us) * time.Microsecond
	return o
}

func randomOutcome(r *rand.Rand) simulator.Outcome {
	moves := 1 + r.IntN(5000)
	return outcome(4*r.IntN(20_000), 1<<(6+r.IntN(11)), moves, int64(moves)*r.Int64N(100), r.Uint64(), r.Uint64N(1e6))
}

// evaluate summarises games the obvious way.
func evaluate(at experiments.Place, games []simulator.Outcome) experiments.Evaluation {
	e := experiments.Evaluation{Place: at, GamesHash: experiments.HashGames(games)}
	for _, g := range games {
		e.Score.Add(float64(g.Score))
		for i, t := range experiments.Tiles {
			if g.MaxTile >= t {
				e.Reached[i]++
			}
		}
		e.Moves += int64(g.Moves)
		e.Nodes += g.Nodes
	}
	e.Interval = stats.MeanInterval(e.Score, 0.95)
	e.Fitness = e.Score
	return e
}

// record writes the whole run. The order within candidates, games and evaluations is the shuffle's.
func (w *world) record(t testing.TB, s *Store, run int64, keep bool, r *rand.Rand) {
	t.Helper()
	candidates := slices.Clone(w.candidates)
	r.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	for _, c := range candidates {
		must(t, s.AddCandidates(ctx, run, []experiments.Candidate{c}))
	}
	for _, b := range w.blocks {
		for _, i := range r.Perm(b.Games()) {
			must(t, b.add(s, run, i))
		}
		b.evaluations = slices.Clone(b.evaluations)
		r.Shuffle(len(b.evaluations), func(i, j int) { b.evaluations[i], b.evaluations[j] = b.evaluations[j], b.evaluations[i] })
		must(t, b.finish(s, run, keep))
	}
	must(t, s.SetChampion(ctx, run, w.champion, "salt"))
	must(t, s.AddComparisons(ctx, run, w.comparisons))
}

// recordRun records a world as a finished run of that name.
func recordRun(t testing.TB, s *Store, name string, seed uint64) world {
	t.Helper()
	w := newWorld(random(seed))
	run := begin(t, s, spec(name, name))
	w.record(t, s, run.ID, true, random(seed))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	return w
}

// gamesOf returns the games of a candidate that satisfy the condition on their block, in order.
func (w *world) gamesOf(candidate int, in func(experiments.Block) bool) []simulator.Outcome {
	var games []simulator.Outcome
	for _, b := range w.blocks {
		for i, c := range b.Candidates {
			if c == candidate && in(b.Block) {
				games = append(games, b.games[i*len(b.Seeds):(i+1)*len(b.Seeds)]...)
			}
		}
	}
	return games
}

// sure returns the value of a call that must not fail.
func sure[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails fails unless the error has the words and is of the kind, if one is given.
func fails(t testing.TB, what string, err error, words string, kind ...error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) || len(kind) > 0 && !errors.Is(err, kind[0]) {
		t.Errorf("%s: got %v, want %q", what, err, words)
	}
}

func second[T any](_ T, err error) error { return err }

func third[A, B any](_ A, _ B, err error) error { return err }

// open returns a new store in a folder of the test, and its path.
func open(t testing.TB) (*Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results", "tune.db")
	return reopen(t, path), path
}

// reopen returns a store of a file. It is closed with the test.
func reopen(t testing.TB, path string) *Store {
	t.Helper()
	s := sure(Open(path))(t)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// reading returns a reader of a file. It is closed with the test.
func reading(t testing.TB, path string) *Reader {
	t.Helper()
	r := sure(OpenReader(path))(t)
	t.Cleanup(func() { r.Close() })
	return r
}

// rows answers a statement.
func rows(r *Reader, statement string) (all [][]any, err error) {
	err = r.Query(ctx, statement, func([]string) error { return nil }, func(row []any) error {
		all = append(all, slices.Clone(row))
		return nil
	})
	return all, err
}

func spec(name, hash string) experiments.RunSpec {
	return experiments.RunSpec{Name: name, Kind: experiments.KindTune, ConfigYAML: "name: " + name + "\n", ConfigHash: hash,
		Seed: 2048, Signature: "signature", Objective: "mean_score"}
}

func begin(t testing.TB, s *Store, spec experiments.RunSpec) experiments.Run {
	t.Helper()
	run := sure(s.Begin(ctx, spec))(t)
	return run
}

func find(t testing.TB, s *Store, name string) Run {
	t.Helper()
	run := sure(s.Reader().Find(ctx, name))(t)
	return run
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2048)) }

// near fails unless the numbers agree to the given relative difference.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if got == want || math.Abs(got-want) <= tolerance*max(math.Abs(want), 1e-9) {
		return
	}
	t.Errorf("%s: got %v, want %v", what, got, want)
}

func key(parts ...any) string { return fmt.Sprint(parts...) }
