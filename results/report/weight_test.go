package report

import (
	"testing"

	"tune2048/experiments/stats"
)

// TestWeightsInFull: people copy weights from tables and pages, so none is rounded.
func TestWeightsInFull(t *testing.T) {
	for value, want := range map[float64]string{1234567890: "1234567890", 12345678.5: "12345678.5", -171.874: "-171.874",
		1<<53 - 1: "9007199254740991", 0.000147915: "0.000147915", 2e-9: "2e-09", 1e300: "1e+300",
		214.65610695432224: "214.65610695432224"} {
		if got := weight(value); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestLate: how far the search still looks is of the values that it asked for last, not of all.
func TestLate(t *testing.T) {
	var values []float64
	for i := range 1000 {
		values = append(values, float64(1000-i)) // it comes closer
	}
	if got, want := late(values),
		(stats.Estimate{Value: 50.5, Interval: stats.Interval{Low: 10.9, High: 90.1}}); got == nil || *got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := late(values[:latest-1]); got != nil {
		t.Errorf("of few values: %+v", got)
	}
}
