package report

import "testing"

// TestWeightsInFull: people copy weights from tables and pages, so none is rounded.
func TestWeightsInFull(t *testing.T) {
	for value, want := range map[float64]string{1234567890: "1234567890", 12345678.5: "12345678.5", -171.874: "-171.874",
		1<<53 - 1: "9007199254740991", 0.000147915: "0.000147915", 2e-9: "2e-09", 1e300: "1e+300", 214.65610695432224: "214.65610695432224"} {
		if got := weight(value); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
