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
		if got, se := Quantile(values, q); math.Abs(got-want) > 1e-12 || !(se > 0) {
			t.Errorf("%v quantile: got %v ± %v, want %v", q, got, se, want)
		}
	}
	if got, se := Quantile([]float64{3}, 0.5); got != 3 || !math.IsInf(se, 1) {
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
			v, se := Quantile(values, q)
			spread.Add(v)
			meanSE += se / 2000
		}
		if ratio := meanSE / spread.SD(); ratio < 0.9 || ratio > 1.15 {
			t.Errorf("%v quantile: standard error %v, spread %v", q, meanSE, spread.SD())
		}
	}
}
