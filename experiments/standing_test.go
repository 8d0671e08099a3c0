package experiments

import (
	"math"
	"testing"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

func TestStandingIsTheMeanOfAllGames(t *testing.T) {
	random := portable.NewSource(2)
	all, objective := standings{}, configs.Objective{Kind: configs.MeanScore}
	var sample stats.Moments
	for generation, games := range []int{8, 16, 100} {
		var outcomes []simulator.Outcome
		for range games {
			score := int(20000 + 5000*random.Normal())
			outcomes = append(outcomes, simulator.Outcome{Result: engine.Result{Score: score, MaxTile: 2048, Moves: 1}})
			sample.Add(float64(score))
		}
		all.add(summarize(objective, Place{Generation: generation}, outcomes))
	}
	s := all[0]
	if s.Score.N != sample.N || math.Abs(s.Score.Mean-sample.Mean) > 1e-6 || math.Abs(s.Fitness-sample.Mean) > 1e-6 ||
		math.Abs(math.Sqrt(s.variance)/sample.SE()-1) > 0.05 {
		t.Errorf("%d games, %v, %v ± %v; want %d, %v ± %v", s.Score.N, s.Score.Mean, s.Fitness, math.Sqrt(s.variance), sample.N, sample.Mean, sample.SE())
	}
	if s.Evaluations != 3 || s.Generations != 3 || s.Moves != 124 || s.Reached[4] != 124 || s.Reached[5] != 0 {
		t.Errorf("%+v", *s)
	}
	if !(s.Lower < s.Fitness) {
		t.Errorf("lower bound %v of %v", s.Lower, s.Fitness)
	}
	lone := standings{}
	lone.add(summarize(objective, Place{}, []simulator.Outcome{{Result: engine.Result{Score: 99999}}}))
	if !math.IsInf(lone[0].Lower, -1) {
		t.Errorf("one game gives the lower bound %v", lone[0].Lower)
	}
}
