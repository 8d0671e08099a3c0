package results

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"tune2048/engine/heuristic"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// world is what a small run found, in memory: what the database must say.
type world struct {
	candidates []experiments.Candidate
	blocks     []playedBlock
	champion   int
	contrasts  []experiments.Contrast
}

type playedBlock struct {
	experiments.Block
	games       []experiments.Outcome // by index
	evaluations []experiments.Evaluation
}

// newWorld makes up a run: two stages of tuning, the second with racing, a playoff, and a validation at two depths.
func newWorld(r *rand.Rand) world {
	var w world
	w.candidate("start", "explore", 0, r)
	var first int64
	play := func(phase, stage, search string, generation, round, games int, numbers ...int) {
		b := playedBlock{Block: experiments.Block{Phase: phase, Stage: stage, Search: search, Generation: generation,
			Round: round, Candidates: numbers, First: first}}
		for range games {
			b.Seeds = append(b.Seeds, r.Uint64()>>11)
		}
		for _, c := range numbers {
			mine := make([]experiments.Outcome, games)
			for i := range mine {
				mine[i] = randomOutcome(r)
			}
			b.games = append(b.games, mine...)
			b.evaluations = append(b.evaluations, evaluate(c, mine))
		}
		first += int64(b.Games())
		w.blocks = append(w.blocks, b)
	}
	for g := range 3 {
		a, b := w.candidate("initial", "explore", g, r), w.candidate("mutation", "explore", g, r)
		play(experiments.PhaseTuning, "explore", "depth 3", g, 0, 5, 0, a, b)
	}
	for g := range 2 {
		c := w.candidate("crossover", "refine", g, r)
		play(experiments.PhaseTuning, "refine", "depth 5", g, 0, 1, 1, 2, c)
		play(experiments.PhaseTuning, "refine", "depth 5", g, 1, 2+g, 2, c)
	}
	reference := w.candidate("reference", "", 0, r)
	w.champion = 2
	play(experiments.PhasePlayoff, "", "depth 5", 0, 0, 20, 1, 2, 7)
	for _, search := range []string{"depth 3", "depth 5"} {
		play(experiments.PhaseValidation, "", search, 0, 0, 30, 2, 0, reference)
		e := w.blocks[len(w.blocks)-1].evaluations
		difference, ratio := stats.MeanDifference(e[0].Score, e[1].Score, 0.95), stats.MeanRatio(e[0].Score, e[1].Score, 0.95)
		w.contrasts = append(w.contrasts, experiments.Contrast{Phase: experiments.PhaseValidation, Search: search, Candidate: 2,
			Difference: difference.Value, Interval: difference.Interval, Ratio: ratio.Value, RatioInterval: ratio.Interval})
	}
	return w
}

func (w *world) candidate(origin, stage string, generation int, r *rand.Rand) int {
	c := experiments.Candidate{Number: len(w.candidates), Origin: origin, Stage: stage, Generation: generation,
		Dead: heuristic.Dead{Worst: true}}
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

func randomOutcome(r *rand.Rand) experiments.Outcome {
	o := experiments.Outcome{
		Score: 4 * r.IntN(20_000), MaxTile: 1 << (6 + r.IntN(11)), Moves: 1 + r.IntN(5000), DurationUS: r.Int64N(1e6),
	}
	o.Nodes = int64(o.Moves) * r.Int64N(100)
	o.Capped = o.MaxTile == 65536
	return o
}

// evaluate summarises games the obvious way.
func evaluate(candidate int, games []experiments.Outcome) experiments.Evaluation {
	e := experiments.Evaluation{Candidate: candidate}
	var scores []float64
	for _, g := range games {
		scores = append(scores, float64(g.Score))
		for i, t := range experiments.Tiles {
			if g.MaxTile >= t {
				e.Reached[i]++
			}
		}
		e.Moves += int64(g.Moves)
		e.Nodes += g.Nodes
	}
	e.Score = stats.Summarize(scores)
	e.Interval = stats.MeanInterval(e.Score, 0.95)
	e.Fitness, e.FitnessSE = e.Score.Mean, e.Score.SE()
	return e
}

// record writes the whole run. The order within candidates, games and evaluations is the shuffle's.
func (w *world) record(t testing.TB, s *Store, run int64, keep bool, r *rand.Rand) {
	t.Helper()
	ctx := context.Background()
	candidates := slices.Clone(w.candidates)
	r.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	for _, c := range candidates {
		must(t, s.AddCandidates(ctx, run, []experiments.Candidate{c}))
	}
	for _, b := range w.blocks {
		for _, i := range r.Perm(b.Games()) {
			must(t, s.AddGame(ctx, run, b.Block, i, b.games[i]))
		}
		evaluations := slices.Clone(b.evaluations)
		r.Shuffle(len(evaluations), func(i, j int) { evaluations[i], evaluations[j] = evaluations[j], evaluations[i] })
		must(t, s.FinishBlock(ctx, run, b.Block, evaluations, keep))
	}
	must(t, s.SetChampion(ctx, run, w.champion))
	must(t, s.AddContrasts(ctx, run, w.contrasts))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open returns a new store in a folder of the test, and its path.
func open(t testing.TB) (*Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results", "tune.db")
	s, err := Open(path)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s, path
}

func spec(name, hash string) experiments.RunSpec {
	return experiments.RunSpec{Name: name, Kind: "tune", ConfigYAML: "name: " + name + "\n", ConfigHash: hash,
		Seed: 2048, Signature: "signature"}
}

func begin(t testing.TB, s *Store, spec experiments.RunSpec) experiments.Run {
	t.Helper()
	run, err := s.Begin(context.Background(), spec)
	must(t, err)
	return run
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2048)) }

// gamesOf returns the games of a candidate that satisfy the condition on their block, in order.
func (w *world) gamesOf(candidate int, in func(experiments.Block) bool) []experiments.Outcome {
	var games []experiments.Outcome
	for _, b := range w.blocks {
		for i, c := range b.Candidates {
			if c == candidate && in(b.Block) {
				games = append(games, b.games[i*len(b.Seeds):(i+1)*len(b.Seeds)]...)
			}
		}
	}
	return games
}

// near fails unless the numbers agree to the given relative difference.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if got == want || math.Abs(got-want) <= tolerance*max(math.Abs(want), 1e-9) {
		return
	}
	t.Errorf("%s: got %v, want %v", what, got, want)
}

func key(parts ...any) string { return fmt.Sprint(parts...) }
