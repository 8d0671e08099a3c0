package stats

import (
	"math"
	"testing"
)

// TestExpectedMaximum: equal errors give the tabulated means of normal order statistics (Harter
// 1961, table 1), two unequal ones the formula of C. E. Clark, The Greatest of a Finite Set of
// Random Variables, Operations Research 9, 1961.
func TestExpectedMaximum(t *testing.T) {
	for _, c := range []struct {
		errors []float64
		want   float64
	}{
		{nil, 0}, {[]float64{3}, 0}, {[]float64{0, 0}, 0}, {[]float64{1, 1}, 0.56419}, {[]float64{1, 1, 1}, 0.84628},
		{[]float64{1, 1, 1, 1}, 1.02938}, {[]float64{200, 200, 200, 200}, 205.875}, {[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1.53875},
		{[]float64{3, 4}, 5 / math.Sqrt(2*math.Pi)}, {[]float64{0, 1}, 1 / math.Sqrt(2*math.Pi)},
	} {
		if got := ExpectedMaximum(c.errors); !(math.Abs(got-c.want) <= 1e-5*math.Max(1, c.want)) {
			t.Errorf("%v: got %v, want %v", c.errors, got, c.want)
		}
	}
}
