package summary

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// TestHandOver: where CMA-ES takes over after three generations its wide steps lower the mean. That
// is not compared with the means before, be the stage over earlier or not.
func TestHandOver(t *testing.T) {
	stage := func(name string, means ...float64) (all []experiments.Evaluation) {
		for g, mean := range means {
			all = append(all, experiments.Evaluation{Place: experiments.Place{Phase: experiments.PhaseTuning, Stage: name, Search: "depth 1", Generation: g, Candidate: g},
				Scores: []float64{mean - 1, mean + 1}})
		}
		return all
	}
	falls := stage("one", 10, 20, 900, 30, 40, 50, 60, 70, 75, 80)
	for _, c := range []struct {
		evaluations  []experiments.Evaluation
		handOver     int
		before, rose int64 // games; 0: none
	}{
		{falls, 0, 0, 6},
		{falls, 3, 6, 0},
		{falls[:3], 3, 0, 0},
		{append(falls[:2:2], stage("two", 10, 20)...), 3, 4, 0},
	} {
		s := Summary{Run: Run{Kind: experiments.KindTune, Objective: fitness.MeanScore}, totals: experiments.Fold(fitness.MeanScore, slices.Values(c.evaluations))}
		s.tuning(c.handOver)
		rose := int64(0)
		if r := s.Stages[0].Rose; r != nil {
			rose = *r
		}
		if s.HandOver.Played != c.before || rose != c.rose {
			t.Errorf("%+v: handed over after %d games, rose until %d", c, s.HandOver.Played, rose)
		}
	}
}

// TestSoFarPromisesNoMore: the figure of a run under way is not above its champion's worth, but for
// noise. The best generation alone would promise 7% too much.
func TestSoFarPromisesNoMore(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(climb, 45, 8, 1), "playoff: {finalists: 2, games: 2, rounds: 1}", "playoff: {finalists: 8, games: 400, rounds: 3}", 1)
	var promised stats.Moments
	for seed := range uint64(20) {
		n, s := carryOut(t, text, seed, world(slope))
		var champion []float64
		for _, w := range n.candidates[n.run.Champion].Weights {
			champion = append(champion, w.Value)
		}
		fitness, _, known := s.SoFar()
		if !known {
			t.Fatal("not known after 45 generations")
		}
		promised.Add(fitness.Value / slope(champion))
	}
	if promised.Mean < 0.97 || promised.Mean > 1.03 {
		t.Errorf("the figure is %.3f of the champion's worth", promised.Mean)
	}
}
