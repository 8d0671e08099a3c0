package stats

import (
	"math"
	"testing"
)

// TestQuantile compares with R: Quantile(c(...), type = 7).
func TestQuantile(t *testing.T) {
	values := []float64{1, 7, 15, 20, 35, 40, 50}
	for q, want := range map[float64]float64{0.25: 11, 0.5: 20, 0.4: 17, 0.75: 37.5, 0.9: 44} {
		if got := Quantile(values, q); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v quantile: got %v, want %v", q, got, want)
		}
	}
	if got := Quantile([]float64{3}, 0.5); got != 3 {
		t.Errorf("of one value: got %v", got)
	}
}
