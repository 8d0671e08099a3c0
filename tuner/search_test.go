package tuner

import (
	"fmt"
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// average returns the mean, over seeds, of the true value at the centre.
func average(t testing.TB, o Options, f objective, generations, samples int, noise float64, repeats int) float64 {
	t.Helper()
	var m stats.Moments
	for seed := range repeats {
		m.Add(search(t, o, f, generations, samples, noise, uint64(seed)))
	}
	return m.Mean
}

// budget returns how many generations a number of candidates is.
func budget(o Options, candidates int) int { return candidates / o.Population }

// Without noise the optimum, 1, is reached or nearly, with 2,400 candidates
// (Rosenbrock's with 6,000).
func TestFindsOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	easy, valley := 2400, 6000
	for _, c := range []struct {
		f          objective
		candidates int
		least      []float64 // of searching
	}{
		{sphere(7), easy, []float64{0.999, 0.999, 0.999, 0.999}},
		{ellipsoid(7), easy, []float64{0.999, 0.999, 0.999, 0.985}},
		{rosenbrock(3), valley, []float64{0.999, 0.999, 0.99, 0.98}},
		{rastrigin(4), easy, []float64{0.9, 0.9, 0.9, 0.95}},
		{weights(7), easy, []float64{0.98, 0.999, 0.98, 0.99}},
		{edge(7), easy, []float64{0.98, 0.99, 0.999, 0.999}},
	} {
		for i, name := range searching {
			o := Defaults(name)
			if got := average(t, o, c.f, budget(o, c.candidates), 1, 0, 5); got < c.least[i] {
				t.Errorf("%s: %s: %.5f after %d candidates, want at least %v", name, c.f.name, got, c.candidates, c.least[i])
			}
		}
	}
}

// searching are the algorithms that learn from what they are told.
var searching = []string{Genetic, CMAES, DifferentialEvolution, SPSA}

// With the noise of 2048 scores (a standard deviation of 0.55 of the mean) and
// few samples, 10,000 in all and 8 for each candidate.
func TestNoisySearch(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	const samples, noise, repeats = 8, 0.55, 8
	reach := func(name string, f objective) float64 {
		o := Defaults(name)
		return average(t, o, f, budget(o, 10000/samples), samples, noise, repeats)
	}
	for _, c := range []struct {
		f     objective
		least []float64 // of searching
	}{
		{sphere(7), []float64{0.95, 0.95, 0.94, 0.965}},
		{ellipsoid(7), []float64{0.92, 0.92, 0.95, 0.91}},
		{rosenbrock(7), []float64{0.74, 0.88, 0.84, 0.87}},
		{rastrigin(7), []float64{0.65, 0.6, 0.5, 0.52}},
		{weights(7), []float64{0.92, 0.93, 0.93, 0.94}},
		{edge(7), []float64{0.8, 0.9, 0.87, 0.96}},
	} {
		start := c.f.mean(mustSpace(t, c.f.space).Start())
		baseline := max(reach(Random, c.f), reach(Sobol, c.f))
		t.Logf("%s: start %.3f, random or Sobol %.3f", c.f.name, start, baseline)
		for i, name := range searching {
			got := reach(name, c.f)
			t.Logf("%s: %s %.3f", c.f.name, name, got)
			if got < c.least[i] {
				t.Errorf("%s: %s reaches %.3f, want at least %v", c.f.name, name, got, c.least[i])
			}
			if got < baseline+0.05 || got < start+0.15 {
				t.Errorf("%s: %s reaches %.3f, want clearly more than the baselines, %.3f, and the start, %.3f", c.f.name, name, got, baseline, start)
			}
		}
	}
}

// The search pays its way when the objective changes between stages: it is
// nearer the new optimum than the answer of the first stage.
func TestStageFollowsAnotherObjective(t *testing.T) {
	f := ellipsoid(7)
	shifted := func(x []float64) float64 {
		moved := make([]float64, len(x))
		for i, v := range x {
			moved[i] = v - 1.2
		}
		return f.mean(moved)
	}
	for _, name := range searching {
		o := Defaults(name)
		var before, after stats.Moments
		for seed := range uint64(6) {
			optimizer := newOptimizer(t, o, f.space, seed)
			random := portable.NewSource(seed)
			stage := func(generations int, mean func([]float64) float64) {
				for range generations {
					candidates := mustAsk(t, optimizer, f.space)
					fitness := make([]float64, len(candidates))
					for i, c := range candidates {
						fitness[i] = mean(c.Values) * (1 + 0.15*random.Normal())
					}
					mustTell(t, optimizer, fitness)
				}
			}
			stage(budget(o, 400), shifted)
			before.Add(f.mean(optimizer.Centre()))
			if err := optimizer.NextStage(); err != nil {
				t.Fatal(err)
			}
			stage(budget(o, 320), f.mean)
			after.Add(f.mean(optimizer.Centre()))
		}
		t.Logf("%s: from %.3f to %.3f", name, before.Mean, after.Mean)
		if after.Mean < before.Mean+0.3 || after.Mean < 0.8 {
			t.Errorf("%s: the second stage went from %.3f to %.3f", name, before.Mean, after.Mean)
		}
	}
}

// BenchmarkNoisy reports how good the answers of the default options are, as
// [Defaults] has it: the true value at the centre, averaged over the functions
// and 30 repeats, for an optimum of 1.
func BenchmarkNoisy(b *testing.B) {
	const samples = 8
	for _, name := range Algorithms() {
		for _, all := range []int{3000, 10000, 40000} {
			b.Run(fmt.Sprintf("%s/%d", name, all), func(b *testing.B) {
				for b.Loop() {
					o, value := Defaults(name), 0.0
					for _, f := range functions(7) {
						value += average(b, o, f, budget(o, all/samples), samples, 0.55, 30) / 6
					}
					b.ReportMetric(value, "value")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
