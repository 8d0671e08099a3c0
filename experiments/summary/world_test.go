package summary

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// world plays no game but draws a score for each seed. It gives the mean score of a player by its
// tunable weights, whose names here have one letter. The spread is half of the mean.
type world func(values []float64) (mean float64)

func (w world) Play(_ context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	outcomes, means := make([]simulator.Outcome, len(b.Jobs)), make([]float64, len(b.Players))
	var of *eval.Heuristic
	var names []string
	for i, p := range b.Players {
		if p.Heuristic != of {
			of, names = p.Heuristic, p.Heuristic.Names()
		}
		var tunable []float64
		for k, name := range names {
			if len(name) == 1 {
				tunable = append(tunable, p.Values[k])
			}
		}
		if tunable == nil { // of a comparison
			tunable = p.Values
		}
		means[i] = w(tunable)
	}
	for i, job := range b.Jobs {
		mean := means[job.Player]
		outcomes[i] = drawn(portable.NewSource(portable.Hash(job.Seed, b.Search.String(), int(mean))), mean)
		if err := finished(i, outcomes[i]); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// drawn draws a game of a player with that mean score.
func drawn(random *portable.Source, mean float64) (o simulator.Outcome) {
	o.Score = float64(4 * int(mean/4*portable.Exp(0.5*random.Normal()-0.125)))
	for o.MaxTile = 2; float64(20*o.MaxTile) <= o.Score; o.MaxTile *= 2 {
	}
	o.Moves, o.Nodes = int(o.Score)/20+1, int64(o.Score)
	o.Duration = time.Duration(o.Moves) * 3 * time.Microsecond
	return o
}

// notes is a store that keeps a run's records, and the rows of all games.
type notes struct {
	experiments.Store
	run         Run
	candidates  []experiments.Candidate
	games       []experiments.Game
	evaluations map[int]experiments.Evaluation // by number
	comparisons []experiments.Comparison
}

func (n *notes) Begin(context.Context, experiments.RunSpec) (experiments.Run, error) {
	return experiments.Run{ID: 1}, nil
}

func (n *notes) Candidates(_ context.Context, _ int64, first, last int) ([]experiments.Candidate, error) {
	return n.candidates[min(first, len(n.candidates)):min(last+1, len(n.candidates))], nil
}

func (n *notes) AddCandidates(_ context.Context, _ int64, candidates []experiments.Candidate) error {
	n.candidates = append(n.candidates, candidates...)
	return nil
}

func (n *notes) Known(_ context.Context, _ int64, questions []experiments.Question) ([]experiments.Known, error) {
	return make([]experiments.Known, len(questions)), nil
}

func (n *notes) Tuned(_ context.Context, _ int64, at experiments.Place, numbers []int,
	from, below int) iter.Seq2[experiments.Evaluation, error] {
	return func(yield func(experiments.Evaluation, error) bool) {
		for e := range again(n.played())(at, numbers, from, below) {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (n *notes) AddGame(_ context.Context, _ int64, g experiments.Game) error {
	n.games = append(n.games, g)
	return nil
}

func (n *notes) AddEvaluations(_ context.Context, _ int64, evaluations []experiments.Evaluation, _ bool) error {
	for _, e := range evaluations {
		if len(e.Scores) > len(n.evaluations[e.Number].Scores) {
			n.evaluations[e.Number] = e
		}
	}
	return nil
}

func (n *notes) SetSize(context.Context, int64, experiments.Place, experiments.Size, map[int]int) error {
	return nil
}

func (n *notes) Judge(_ context.Context, run int64, tuned experiments.Length) (experiments.Run, error) {
	return experiments.Run{ID: run, Generations: tuned.Generations}, nil
}

func (n *notes) SetChampion(_ context.Context, _ int64, candidate int, _ string) error {
	n.run.Champion = candidate
	return nil
}

func (n *notes) AddComparisons(_ context.Context, _ int64, comparisons []experiments.Comparison) error {
	n.comparisons = append(n.comparisons, comparisons...)
	return nil
}

func (n *notes) Questions(context.Context, int64) (map[string]int, error) {
	questions := map[string]int{}
	for _, c := range n.comparisons {
		questions[c.Question] = c.Look
	}
	return questions, nil
}

func (n *notes) Finish(context.Context, int64, string) error { return nil }

// played yields the kept evaluations by number.
func (n *notes) played() iter.Seq[experiments.Evaluation] {
	return slices.Values(slices.SortedFunc(maps.Values(n.evaluations),
		func(a, b experiments.Evaluation) int { return cmp.Compare(a.Number, b.Number) }))
}

// leaderboard ranks the candidates of a summary of the kept records.
func (n *notes) leaderboard(s Summary) []Ranked {
	all, _ := s.Leaderboard(again(n.played()), len(n.candidates))
	return all
}

// summary makes the figures of the kept records.
func (n *notes) summary(c *config.Config) Summary {
	return Summarize(n.run, c, n.candidates, nil, n.played(), again(n.played()), n.comparisons)
}

// again reads evaluations out of a list.
func again(all iter.Seq[experiments.Evaluation]) experiments.Again {
	return func(at experiments.Place, numbers []int, from, below int) iter.Seq[experiments.Evaluation] {
		var list []experiments.Evaluation
		for e := range all {
			if e.Phase == experiments.PhaseTuning && e.Stage == at.Stage && e.Search == at.Search && e.Number >= from &&
				e.Number < below &&
				(numbers == nil || slices.Contains(numbers, e.Candidate)) {
				list = append(list, e)
			}
		}
		slices.SortStableFunc(list, func(a, b experiments.Evaluation) int {
			return cmp.Or(cmp.Compare(a.Candidate, b.Candidate), cmp.Compare(a.Number, b.Number))
		})
		return slices.Values(list)
	}
}

// carryOut carries a config out with a seed.
func carryOut(t testing.TB, text string, seed uint64, play experiments.Simulator) (*notes, Summary) {
	t.Helper()
	c, err := config.Parse([]byte(text), "summary.yaml")
	must(t, err)
	c.Seed = seed
	n := &notes{run: Run{Kind: experiments.KindTune, Objective: c.Objective, Champion: -1},
		evaluations: map[int]experiments.Evaluation{}}
	_, err = experiments.Experiment{Config: c, Simulator: play, Store: n}.Run(t.Context())
	must(t, err)
	return n, n.summary(c)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
