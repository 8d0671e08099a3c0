package tuner

import (
	"testing"

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

// Without noise the optimum, 1, is reached or nearly.
func TestFindsOptimum(t *testing.T) {
	for _, c := range []struct {
		f           objective
		generations int
		least       float64
	}{
		{sphere(7), 60, 0.999},
		{ellipsoid(7), 60, 0.999},
		{rosenbrock(3), 150, 0.999},
		{rastrigin(4), 60, 0.9},
		{weights(7), 60, 0.98},
	} {
		if got := average(t, DefaultOptions(), c.f, c.generations, 1, 0, 5); got < c.least {
			t.Errorf("%s: %.5f after %d generations, want at least %v", c.f.name, got, c.generations, c.least)
		}
	}
}

// With the noise of 2048 scores (a standard deviation of 0.55 of the mean) and
// few samples, 20 generations of 40 candidates and 12 samples each.
func TestNoisySearch(t *testing.T) {
	for _, c := range []struct {
		f     objective
		least float64
	}{
		{sphere(7), 0.93},
		{ellipsoid(7), 0.93},
		{rosenbrock(7), 0.6},
		{rastrigin(7), 0.65},
		{weights(7), 0.88},
	} {
		genetic := average(t, DefaultOptions(), c.f, 20, 12, 0.55, 8)
		random := average(t, algorithm(Random), c.f, 20, 12, 0.55, 8)
		start := c.f.mean(mustSpace(t, c.f.space).Start())
		t.Logf("%s: start %.3f, random %.3f, genetic %.3f", c.f.name, start, random, genetic)
		if genetic < c.least {
			t.Errorf("%s: genetic reaches %.3f, want at least %v", c.f.name, genetic, c.least)
		}
		if genetic < random+0.15 || genetic < start+0.15 {
			t.Errorf("%s: genetic reaches %.3f, want clearly more than random search, %.3f, and the start, %.3f", c.f.name, genetic, random, start)
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
	var before, after stats.Moments
	for seed := range uint64(6) {
		optimizer := newOptimizer(t, DefaultOptions(), f.space, seed)
		random := stats.NewSource(seed)
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
		stage(10, shifted)
		before.Add(f.mean(optimizer.Centre()))
		if err := optimizer.NextStage(); err != nil {
			t.Fatal(err)
		}
		stage(8, f.mean)
		after.Add(f.mean(optimizer.Centre()))
	}
	if after.Mean < before.Mean+0.3 || after.Mean < 0.8 {
		t.Errorf("the second stage went from %.3f to %.3f", before.Mean, after.Mean)
	}
}

// BenchmarkNoisy reports how good the answers of the default options are: the
// true value at the centre after 10,000 samples, for an optimum of 1.
func BenchmarkNoisy(b *testing.B) {
	for _, f := range []objective{sphere(7), ellipsoid(7), rosenbrock(7), rastrigin(7), weights(7)} {
		b.Run(f.name, func(b *testing.B) {
			var m stats.Moments
			for b.Loop() {
				m.Add(search(b, DefaultOptions(), f, 20, 12, 0.55, uint64(m.N)))
			}
			b.ReportMetric(m.Mean, "value")
			b.ReportMetric(0, "ns/op")
		})
	}
}
