package stats

import (
	"math"
	"slices"
	"testing"

	"tune2048/engine/portable"
)

// TestQuantile compares with R: Quantile(c(...), type = 7).
func TestQuantile(t *testing.T) {
	values := []float64{1, 7, 15, 20, 35, 40, 50}
	for q, want := range map[float64]float64{0.25: 11, 0.5: 20, 0.4: 17, 0.75: 37.5, 0.9: 44} {
		if got, se := Quantile(values, q), QuantileError(values, q, 7); math.Abs(got-want) > 1e-12 || !(se > 0) {
			t.Errorf("%v quantile: got %v ± %v, want %v", q, got, se, want)
		}
	}
	if got, se := Quantile([]float64{1, 3}, 0.5), QuantileError([]float64{1, 3}, 0.5, 2); got != 2 || math.Abs(se-1/1.96) > 1e-4 { // their distance is that of a 95% interval
		t.Errorf("of two values: got %v ± %v, want 2 ± 0.51", got, se)
	}
	if got, se := Quantile([]float64{3}, 0.5), QuantileError([]float64{3}, 0.5, 1); got != 3 || !math.IsInf(se, 1) {
		t.Errorf("of one value: got %v ± %v", got, se)
	}
}

// TestQuantileError checks the standard error against the spread of many samples.
func TestQuantileError(t *testing.T) {
	random := portable.NewSource(1)
	for _, q := range []float64{0.25, 0.5, 0.9} {
		var spread Moments
		meanSE := 0.0
		for range 2000 {
			values := make([]float64, 100)
			for i := range values {
				values[i] = random.Normal()
			}
			slices.Sort(values)
			spread.Add(Quantile(values, q))
			meanSE += QuantileError(values, q, len(values)) / 2000
		}
		if ratio := meanSE / spread.SD(); ratio < 0.9 || ratio > 1.15 {
			t.Errorf("%v quantile: standard error %v, spread %v", q, meanSE, spread.SD())
		}
	}
}

// M. J. Campbell, M. J. Gardner, Calculating Confidence Intervals for Some Non-parametric Analyses,
// BMJ 296, 1988: which of n values are the ends of the 95% interval of the median.
func TestPublishedMedianRanks(t *testing.T) {
	inf := math.Inf(1)
	for n, want := range map[int]Interval{
		5: {-inf, inf}, 6: {1, 6}, 10: {2, 9}, 20: {6, 15}, 30: {10, 21}, 50: {18, 33}, 100: {40, 61},
	} {
		ranks := make([]float64, n)
		for i := range ranks {
			ranks[i] = float64(i + 1)
		}
		if got := QuantileInterval(ranks, 0.5, 0.95); got != want {
			t.Errorf("of %d values: %v, want %v", n, got, want)
		}
	}
}
