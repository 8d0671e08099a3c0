package results

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
)

// questions are people's questions to the views. NAME is the largest run.
var questions = []string{
	"SELECT * FROM leaderboard LIMIT 5",
	"SELECT * FROM leaderboard WHERE run = 'night' AND phase = 'tuning' LIMIT 5",
	"SELECT * FROM leaderboard WHERE candidate_id = 10000001",
	"SELECT * FROM champions",
	"SELECT * FROM convergence WHERE run = 'night'",
	"SELECT * FROM tile_rates WHERE run = 'night' AND phase = 'validation'",
	"SELECT * FROM verdicts",
	"SELECT * FROM progress",
	"SELECT g.seed, g.score FROM games AS g JOIN runs AS r ON r.champion_id = g.candidate_id WHERE g.phase = 'validation' ORDER BY g.score DESC LIMIT 10",
}

// BenchmarkQuestions asks a database of a million games, as this program does, the questions and
// every shipped query. The variable RESULTS_MILLION names a file to keep the database in, or to
// take it from.
func BenchmarkQuestions(b *testing.B) {
	path := os.Getenv("RESULTS_MILLION")
	if path == "" {
		path = filepath.Join(b.TempDir(), "tune.db")
	}
	if _, err := os.Stat(path); err != nil {
		playMillion(b, path)
	}
	r := reading(b, path)
	ask := func(name, statement string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if found, err := rows(r, statement); err != nil || len(found) == 0 {
					b.Fatal(len(found), err)
				}
			}
		})
	}
	for _, q := range questions {
		ask(strings.ReplaceAll(q, " ", "_"), q)
	}
	for _, q := range NamedQueries() {
		ask(q.Name, q.SQL)
	}
	b.Run("Runs", func(b *testing.B) {
		for b.Loop() {
			if runs, err := r.Runs(ctx); err != nil || len(runs) == 0 {
				b.Fatal(len(runs), err)
			}
		}
	})
}

// playMillion records 1,070,000 games in some 100,000 evaluations of 11 runs. Scores are spread
// like real ones.
func playMillion(b *testing.B, path string) {
	s := sure(Open(path))(b)
	for i := range 10 {
		season{fmt.Sprint("short", i), []string{"depth 3"}, 60, 40}.record(b, s, uint64(i))
	}
	season{"night", []string{"depth 3", "depth 5"}, 600, 60}.record(b, s, 77)
	must(b, s.Close())
}

// season is a made-up run with a stage for each search: so many generations of so many candidates.
type season struct {
	name        string
	stages      []string
	generations int
	population  int
}

func (x season) record(t testing.TB, s *Store, seed uint64) {
	t.Helper()
	r := random(seed)
	run := begin(t, s, spec(x.name, "hash")).ID
	var w world
	var quality []float64
	d := newDealer(r, func(c int) simulator.Outcome {
		score := 27_000 * quality[c] * math.Exp(0.55*r.NormFloat64())
		moves := 1 + int(score/20)
		return outcome(4*int(score/4), 1<<max(6, min(16, int(math.Log2(score))-3)), moves, int64(moves)*(500+r.Int64N(100)), r.Uint64(), r.Uint64N(1e6))
	})
	add := func(origin, stage string, generation, n int) (numbers []int) {
		for range n {
			numbers = append(numbers, w.candidate(origin, stage, generation, r))
			quality = append(quality, 1+0.1*r.NormFloat64())
		}
		must(t, s.AddCandidates(ctx, run, w.candidates[len(w.candidates)-n:]))
		return numbers
	}
	play := func(b playedBlock) playedBlock {
		b.addAll(t, s, run)
		must(t, b.finish(s, run, true))
		return b
	}
	add("start", x.stages[0], 0, 1)
	var best []int
	for i, search := range x.stages {
		stage := fmt.Sprint("stage ", i)
		for g := range x.generations {
			numbers := append(slices.Clone(best), add("crossover", stage, g, x.population-len(best))...)
			b := play(d.block(experiments.PhaseTuning, stage, search, g, 0, 8, numbers...))
			mean := func(e experiments.Evaluation) float64 { return fitness.MeanScore.Sample(e.Scores, nil).Score.Mean }
			slices.SortFunc(b.evaluations, func(a, b experiments.Evaluation) int { return cmp.Compare(mean(b), mean(a)) })
			best = best[:0]
			for _, e := range b.evaluations[:x.population/3] {
				best = append(best, e.Candidate)
			}
		}
	}
	for round := range 10 {
		play(d.block(experiments.PhasePlayoff, "", "depth 5", 0, round, 50, best[:8]...))
	}
	champion := best[0]
	must(t, s.SetChampion(ctx, run, champion, "salt"))
	reference := add("reference", "", 0, 1)[0]
	for _, search := range []string{"depth 3", "depth 5"} {
		b := play(d.block(experiments.PhaseValidation, "", search, 0, 0, 5000, champion, 0, reference))
		comparisons := []experiments.Comparison{b.compare(0, 1), b.compare(0, 2)}
		for number := range 10 {
			c := comparisons[0]
			c.Phase, c.Candidate, c.Baseline = experiments.PhaseAblation, number, champion
			comparisons = append(comparisons, c)
		}
		must(t, s.AddComparisons(ctx, run, comparisons))
	}
	must(t, s.Finish(ctx, run, experiments.Finished))
}
