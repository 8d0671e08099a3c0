package tuner

import (
	"fmt"
	"math"
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// random asks for vectors drawn uniformly from the space, whatever their fitness is: the baseline
// that an algorithm has to beat (J. Bergstra, Y. Bengio, Random Search for Hyper-Parameter
// Optimization, JMLR 13, 2012).
type random struct {
	measured
	space *Space
	drawn *portable.Source
}

func (r *random) candidate(int, int) Candidate { return uniformCandidate(r.space, r.drawn.Float64) }

func (*random) nextStage() {}

func (*random) selected() int { return 0 }

// newSearch returns an optimizer with the default settings of an algorithm, or of random search.
func newSearch(t testing.TB, name string, parameters []Parameter, seed uint64) *Optimizer {
	if name != "random" {
		return newOptimizer(t, options(name, nil), parameters, seed)
	}
	space := NewSpace(parameters)
	baseline := &random{space: space, drawn: portable.NewSource(portable.Hash(seed, "tuner", "random"))}
	return &Optimizer{search: baseline, space: space, size: 40, untold: true}
}

// average runs the optimizer with this number of candidates and returns the true mean at its
// centre, averaged over seeds. noise is the standard deviation of one sample as a share of the
// mean; fitness is the mean of the samples.
func average(t testing.TB, name string, f objective, candidates, samples int, noise float64, repeats int) float64 {
	t.Helper()
	var m stats.Moments
	for seed := range uint64(repeats) {
		optimizer := newSearch(t, name, f.space, seed)
		random := portable.NewSource(portable.Hash(seed, "noise"))
		run(t, optimizer, f.space, candidates/optimizer.size, func(x []float64) float64 {
			return f.mean(x) * (1 + noise/math.Sqrt(float64(samples))*random.Normal())
		})
		m.Add(f.mean(optimizer.Centre()))
	}
	return m.Mean
}

// searching are the algorithms that learn from fitness.
var searching = []string{"genetic", "cma_es"}

// Without noise the optimum, 1, is reached or nearly, with 2,400 candidates (Rosenbrock's with
// 6,000). With the noise of 2048 scores (a standard deviation of 0.55 of the mean) the search is
// clearly better than the start and than random search, with 10,000 samples in all and 8 for each
// candidate.
func TestFindsOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	for _, c := range []struct {
		exact      objective
		candidates int
		least      []float64 // of searching
		noisy      objective
		leastNoisy []float64
	}{
		{sphere(7), 2400, []float64{0.999, 0.999}, sphere(7), []float64{0.95, 0.95}},
		{ellipsoid(7), 2400, []float64{0.999, 0.999}, ellipsoid(7), []float64{0.92, 0.92}},
		{rosenbrock(3), 6000, []float64{0.998, 0.999}, rosenbrock(7), []float64{0.72, 0.88}},
		{rastrigin(4), 2400, []float64{0.9, 0.9}, rastrigin(7), []float64{0.65, 0.6}},
		{weights(7), 2400, []float64{0.98, 0.999}, weights(7), []float64{0.92, 0.93}},
		{edge(7), 2400, []float64{0.98, 0.99}, edge(7), []float64{0.8, 0.9}},
	} {
		noisy := func(name string) float64 { return average(t, name, c.noisy, 10000/8, 8, 0.55, 5) }
		least := max(noisy("random")+0.05, c.noisy.mean(NewSpace(c.noisy.space).Start())+0.15)
		for i, name := range searching {
			if got := average(t, name, c.exact, c.candidates, 1, 0, 2); got < c.least[i] {
				t.Errorf("%s: %s: %.5f after %d candidates, want at least %v", name, c.exact.name, got, c.candidates, c.least[i])
			}
			if got := noisy(name); got < max(least, c.leastNoisy[i]) {
				t.Errorf("%s: %s with noise: %.3f, want at least %.3f", name, c.noisy.name, got, max(least, c.leastNoisy[i]))
			}
		}
	}
}

// BenchmarkNoisy reports how good the answers of the default settings are, and of random search:
// the true value at the centre, averaged over the functions and 30 repeats, for an optimum of 1.
func BenchmarkNoisy(b *testing.B) {
	const samples = 8
	for _, name := range append(Algorithms(), "random") {
		for _, all := range []int{3000, 10000, 40000} {
			b.Run(fmt.Sprintf("%s/%d", name, all), func(b *testing.B) {
				for b.Loop() {
					value := 0.0
					for _, f := range functions(7) {
						value += average(b, name, f, all/samples, samples, 0.55, 30) / 6
					}
					b.ReportMetric(value, "value")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
