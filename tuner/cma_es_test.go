package tuner

import (
	"math"
	"testing"
)

// The distribution that the Python library cmaes 0.9.1 (Debian python3-cmaes, with its negative weights set to 0)
// came to when it was told the same candidates and fitness: 20 generations of 9 on Rosenbrock's function.
func TestCMAESAgainstReference(t *testing.T) {
	f := rosenbrock(3)
	o := Defaults(CMAES)
	o.Population, o.Spread, o.LearningRate, o.StepFloor = 9, 0.1, 1, leastStepFloor
	optimizer := newOptimizer(t, o, f.space, 5)
	run(t, optimizer, f.space, 20, f.mean)
	c := optimizer.algorithm.(*cmaES)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%s: got %.17g, want %.17g", what, got, want)
		}
	}
	near("sigma", c.sigma, 0.015075512441668895)
	mean := []float64{0.4651054354230019, 0.5268589292828597, 0.7141627873699822}
	shape := [][]float64{
		{0.08320092931497776, 0.02572263746016712, -0.012335612286988047},
		{0.025722637460167116, 0.11644520744842062, 0.136031802894972},
		{-0.012335612286988047, 0.13603180289497196, 0.48208259127653447},
	}
	for i := range mean {
		near("mean", c.now[i], mean[i])
		for j := range mean {
			near("covariance", c.shape[i][j], shape[i][j])
		}
	}
}

// Whatever it is told, the distribution stays within the floor and the cap, and its mean in the cube.
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
		o := Defaults(CMAES)
		o.Spread = 1 // beyond the cap
		optimizer := newOptimizer(t, o, f.space, 3)
		state := optimizer.algorithm.(*cmaES)
		for range 400 {
			run(t, optimizer, f.space, 1, c.fitness)
			trace := 0.0
			for i, m := range state.now {
				if !(m >= 0 && m <= 1) {
					t.Fatalf("%s: mean %v", c.name, state.now)
				}
				trace += state.lengths[i] * state.lengths[i]
			}
			if sd := state.sigma * math.Sqrt(trace/4); !(sd > 0.999*o.StepFloor && sd < 1.001*mostSpread) {
				t.Fatalf("%s: standard deviation %v, want %v to %v", c.name, sd, o.StepFloor, mostSpread)
			}
		}
	}
}

// A distribution that is narrower than values are rounded still asks for different vectors.
func TestCMAESNarrow(t *testing.T) {
	f := sphere(1)
	o := Defaults(CMAES)
	o.StepFloor = leastStepFloor
	run(t, newOptimizer(t, o, f.space, 4), f.space, 200, f.mean)
}

// The covariance matrix learns a valley that is 300 times as long as it is wide and lies across all parameters; a
// round distribution goes nowhere in it.
func TestCMAESLearnsTheShape(t *testing.T) {
	const n = 6
	parameters := cube(n, -1, 1, 0.5)
	fitness := func(x []float64) float64 {
		sum := 0.0
		for k := range n { // along the axes of the cosine transform
			along := 0.0
			for i, v := range x {
				along += (v + 0.3) * math.Cos(math.Pi*(float64(i)+0.5)*float64(k)/n)
			}
			sum += along * along * math.Pow(300, 2*float64(k)/(n-1))
		}
		return -sum
	}
	o := Defaults(CMAES)
	o.StepFloor = leastStepFloor
	for seed := range uint64(3) {
		optimizer := newOptimizer(t, o, parameters, seed)
		run(t, optimizer, parameters, 350, fitness)
		if got := fitness(optimizer.Centre()); got < -1e-4 {
			t.Errorf("seed %d: reached %v, want nearly 0", seed, got)
		}
	}
}
