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

// TestQuantile compares with R: quantile(c(...), type = 7).
func TestQuantile(t *testing.T) {
	values := []float64{15, 20, 35, 40, 50, 1, 7}
	for q, want := range map[float64]float64{0.25: 11, 0.5: 20, 0.4: 17, 0.75: 37.5, 0.9: 44} {
		if got, se := quantile(values, q); math.Abs(got-want) > 1e-12 || !(se > 0) {
			t.Errorf("%v quantile: got %v ± %v, want %v", q, got, se, want)
		}
	}
	if got, se := quantile([]float64{3}, 0.5); got != 3 || !math.IsInf(se, 1) {
		t.Errorf("of one value: got %v ± %v", got, se)
	}
}

// TestQuantileError checks the standard error against the spread of many samples.
func TestQuantileError(t *testing.T) {
	random := portable.NewSource(1)
	for _, q := range []float64{0.25, 0.5, 0.9} {
		var spread stats.Moments
		meanSE := 0.0
		for range 2000 {
			values := make([]float64, 100)
			for i := range values {
				values[i] = random.Normal()
			}
			v, se := quantile(values, q)
			spread.Add(v)
			meanSE += se / 2000
		}
		if ratio := meanSE / spread.SD(); ratio < 0.9 || ratio > 1.15 {
			t.Errorf("%v quantile: standard error %v, spread %v", q, meanSE, spread.SD())
		}
	}
}

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

// TestSeedsNeverChange pins the seeds of the games: stored runs are resumed and replayed from them.
func TestSeedsNeverChange(t *testing.T) {
	for _, c := range []struct {
		phase, stage string
		generation   int
		want         [2]uint64
	}{
		{PhaseTuning, "explore", 0, [2]uint64{2229603395242648, 1679023698887600}},
		{PhasePlayoff, "", 0, [2]uint64{2792468432287903, 3170637667033492}},
		{PhaseValidation, "", 0, [2]uint64{6408999731940667, 6718474110990427}},
	} {
		got := gameSeeds(2048, c.phase, c.stage, c.generation, 0, 2)
		if [2]uint64(got) != c.want {
			t.Errorf("%s: got %v, want %v", c.phase, got, c.want)
		}
	}
}

func TestSeedsAreDisjoint(t *testing.T) {
	seen := map[uint64]string{}
	for _, phase := range []string{PhaseTuning, PhasePlayoff, PhaseValidation, PhaseComparison, PhaseSensitivity} {
		for generation := range 20 {
			for i, seed := range gameSeeds(1, phase, "s", generation, 0, 500) {
				if seed >= 1<<53 {
					t.Fatalf("seed %d is not below 2^53", seed)
				}
				if part := phaseSeeds[phase]; seed>>part.bits != part.first>>part.bits {
					t.Fatalf("%s: seed %d lies among another phase's", phase, seed)
				}
				if other, twice := seen[seed]; twice {
					t.Fatalf("%s, generation %d, game %d: same seed as %s", phase, generation, i, other)
				}
				seen[seed] = phase
			}
		}
	}
}
