package tuner

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

// The distribution that the Python library cmaes 0.9.1 (Debian python3-cmaes, with its negative
// weights set to 0) came to with the same candidates and fitness: of generations of 9 in
// Rosenbrock's valley, and up a slope, where the path of the step size is mostly so long that the
// path of the shape stalls (h_sigma).
func TestCMAESAgainstReference(t *testing.T) {
	for _, test := range []struct {
		fitness       func(x []float64) float64
		seed          uint64
		generations   int
		start, spread float64
		sigma         float64
		mean          []float64
		shape         matrix
	}{
		{rosenbrock(3).mean, 5, 20, 1, 0.1, 0.015075512441668895,
			[]float64{0.4651054354230019, 0.5268589292828597, 0.7141627873699822}, matrix{
				{0.08320092931497776, 0.02572263746016712, -0.012335612286988047},
				{0.025722637460167116, 0.11644520744842062, 0.136031802894972},
				{-0.012335612286988047, 0.13603180289497196, 0.48208259127653447},
			}},
		{func(x []float64) float64 { return x[0] + x[1]/3 }, 4, 12, -2, 0.001, 0.049018145281786434,
			[]float64{0.3562844760971517, 0.16999379415725732, 0.05596961469050758}, matrix{
				{3.7440430630299155, -0.23521713954585138, -1.7779285825025142},
				{-0.23521713954585138, 0.4696632915963881, 0.06873600792077425},
				{-1.7779285825025142, 0.06873600792077425, 1.719590824483683},
			}},
	} {
		space := cube(3, -3*(1-2*strip), 3*(1-2*strip), test.start) // from -3 to 3 with the strips
		o := options("cma_es", set{"population": 9, "spread": test.spread, "learning_rate": 1, "step_floor": minStepFloor})
		optimizer := newOptimizer(t, o, space, test.seed)
		run(t, optimizer, space, test.generations, test.fitness)
		c := optimizer.search.(*cmaSearch)
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s: got %.17g, want %.17g", what, got, want)
			}
		}
		near("sigma", c.sigma, test.sigma)
		for i := range test.mean {
			near("mean", c.now[i], test.mean[i])
			for j := range test.mean {
				near("covariance", c.shape[i][j], test.shape[i][j])
			}
		}
	}
}

// With any fitness the distribution stays within the floor and the cap, and its mean in the
// cube.
func TestCMAESStaysSound(t *testing.T) {
	for _, c := range []struct {
		name    string
		fitness func(x []float64) float64
	}{
		{"flat", func([]float64) float64 { return 0 }},
		{"outwards", func(x []float64) float64 { return math.Abs(x[0]) + math.Abs(x[1]) }},
		{"inwards", func(x []float64) float64 { return -math.Abs(x[0]) }},
		{"a ridge", func(x []float64) float64 { return -1e9 * math.Abs(x[0]-x[1]) }},
	} {
		f := sphere(4)
		o := options("cma_es", set{"spread": 1}) // beyond the cap
		optimizer := newOptimizer(t, o, f.space, 3)
		state := optimizer.search.(*cmaSearch)
		for range 400 {
			run(t, optimizer, f.space, 1, c.fitness)
			trace := 0.0
			for i, m := range state.now {
				if !(m >= 0 && m <= 1) {
					t.Fatalf("%s: mean %v", c.name, state.now)
				}
				trace += state.lengths[i] * state.lengths[i]
			}
			if sd := state.sigma * math.Sqrt(trace/4); !(sd > 0.999*o.(*CMAES).StepFloor && sd < 1.001*maxSpread) {
				t.Fatalf("%s: standard deviation %v, want %v to %v", c.name, sd, o.(*CMAES).StepFloor, maxSpread)
			}
		}
	}
}

// A distribution that is narrower than values are rounded still asks for different vectors.
func TestCMAESNarrow(t *testing.T) {
	f := sphere(1)
	o := options("cma_es", set{"step_floor": minStepFloor})
	run(t, newOptimizer(t, o, f.space, 4), f.space, 200, f.mean)
}

// TestCMAESLeavesWholeNumbers: a distribution that is narrower than a whole number's share of its
// range still asks for others.
func TestCMAESLeavesWholeNumbers(t *testing.T) {
	space := []Parameter{{Name: "level", Max: 4, Value: 2, Whole: true}, {Name: "any", Max: 1, Value: 0.5}}
	o := options("cma_es", set{"population": 20, "spread": 0.001, "step_floor": minStepFloor})
	seen := map[float64]bool{}
	for _, c := range newOptimizer(t, o, space, 7).Ask() {
		seen[c.Values[0]] = true
	}
	if len(seen) < 2 {
		t.Errorf("all candidates have the level %v", seen)
	}
}

// TestCMAESStaysInScale: a night has tens of thousands of generations. While a floor holds the
// spread, the shape shrinks and the step size grows, until neither is a number.
func TestCMAESStaysInScale(t *testing.T) {
	settings := CMAES{Population: 40, Spread: 0.4, StepFloor: 0.02, LearningRate: 1}
	c := newCMASearch(settings, NewSpace(cube(3, 0, 1, 0.5)), portable.NewSource(1), []float64{0.3, 0.7, 0.5}, 0.4, false)
	noise := portable.NewSource(2)
	points, fitness := make([]Candidate, 40), make([]float64, 40)
	for range 5000 {
		for i := range points {
			points[i], fitness[i] = c.candidate(i, 0), noise.Normal()
		}
		c.learn(points, fitness)
	}
	if !(c.sigma > 1e-40 && c.sigma < 1e40 && c.lengths[0] > 1e-40) {
		t.Errorf("after 5,000 generations: step size %v, lengths of the axes %v", c.sigma, c.lengths)
	}
}
