package tuner

import (
	"math"
	"reflect"
	"testing"
)

// The distribution that the Python library cmaes 0.9.1 (Debian python3-cmaes, with its negative
// weights set to 0) came to with the same candidates and fitness: 20 generations of 9
// on Rosenbrock's function.
func TestCMAESAgainstReference(t *testing.T) {
	f := rosenbrock(3)
	f.space = cube(3, -3*(1-2*strip), 3*(1-2*strip), 1) // from -3 to 3 with the strips
	o := options("cma_es", set{"population": 9, "spread": 0.1, "learning_rate": 1, "step_floor": leastStepFloor})
	optimizer := newOptimizer(t, o, f.space, 5)
	run(t, optimizer, f.space, 20, f.mean)
	c := optimizer.search.(*cmaSearch)
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

// The tutorial's table 1, computed elsewhere, for many candidates and few parameters, where two of
// its constants are capped, and for the usual case.
func TestCMARates(t *testing.T) {
	for _, c := range []struct {
		population, parameters int
		want                   cmaRates
	}{
		{100, 2, cmaRates{2, 26.96665506465105, 0.8527968093860535, 5.736860605171078, 0.5303336810494997, 0.05283086940947183, 0.9471691305905282, 1.254272742818995}},
		{16, 7, cmaRates{7, 4.840914500901174, 0.4062080180108455, 1.4062080180108456, 0.37886734600648914, 0.02712566382145653, 0.07100313545624294, 2.553831379703503}},
	} {
		got, want := reflect.ValueOf(newCMARates(c.population, c.parameters)), reflect.ValueOf(c.want)
		for i := range want.NumField() {
			if g, w := got.Field(i).Float(), want.Field(i).Float(); math.Abs(g/w-1) > 1e-12 {
				t.Errorf("population %d, %d parameters: %s is %v, want %v", c.population, c.parameters, want.Type().Field(i).Name, g, w)
			}
		}
	}
}

// While the path of the step size is long, the path of the shape is not lengthened (the tutorial's
// h_sigma, which expects shorter paths of the first generations), and the shape keeps what it loses
// by that (equation 47).
func TestCMAESStalls(t *testing.T) {
	const n = 3
	f := sphere(n)
	for _, generations := range []int{0, 1, 30} {
		stalls := map[bool]int{}
		for length := 0.0; length < 8; length += 0.1 {
			optimizer := newOptimizer(t, options("cma_es", nil), f.space, 6)
			c := optimizer.search.(*cmaSearch)
			c.past = make([][]float64, generations)
			c.stepPath[0] = length
			generation := make([]Candidate, 16)
			for k := range generation {
				generation[k] = c.candidate(1, 0)
			}
			fitness := make([]float64, len(generation))
			for k := range fitness {
				fitness[k] = -float64(k)
			}
			weights, total, sum := rankShares(fitness), 0.0, 0.0 // sum of the squared steps in the first parameter
			for k, w := range weights {
				step := (generation[k].unit[0] - c.now[0]) / c.sigma
				total += w
				sum += w * step * step
			}
			c.learn(generation, fitness)

			r := c.rates
			usual := math.Sqrt(1-math.Pow(1-r.step, 2*float64(generations+2))) * (1.4 + 2.0/(n+1)) * r.expected
			stalled := c.shapePath[0] == 0
			stalls[stalled]++
			if want := norm(c.stepPath) >= usual; stalled != want {
				t.Errorf("generation %d, a path of %v, usual at most %v: stalled %v", generations, norm(c.stepPath), usual, stalled)
			}
			want := 1 - r.one - r.mu + r.one*c.shapePath[0]*c.shapePath[0] + r.mu*sum/total
			if stalled {
				want += r.one * r.path * (2 - r.path)
			}
			if got := c.shape[0][0]; math.Abs(got-want) > 1e-12 {
				t.Errorf("generation %d, a path of %v: variance %v, want %v", generations, norm(c.stepPath), got, want)
			}
		}
		if len(stalls) < 2 {
			t.Errorf("generation %d: %v", generations, stalls)
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
			if sd := state.sigma * math.Sqrt(trace/4); !(sd > 0.999*o.(*CMAES).StepFloor && sd < 1.001*mostSpread) {
				t.Fatalf("%s: standard deviation %v, want %v to %v", c.name, sd, o.(*CMAES).StepFloor, mostSpread)
			}
		}
	}
}

// A distribution that is narrower than values are rounded still asks for different vectors.
func TestCMAESNarrow(t *testing.T) {
	f := sphere(1)
	o := options("cma_es", set{"step_floor": leastStepFloor})
	run(t, newOptimizer(t, o, f.space, 4), f.space, 200, f.mean)
}
