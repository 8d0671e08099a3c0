package experiments_test

import (
	"testing"

	"tune2048/experiments"
)

func TestEdges(t *testing.T) {
	for place, want := range map[float64]string{0: "min", 0.02: "min", 0.021: "", 0.5: "", 0.979: "", 0.98: "max", 1: "max"} {
		if got := (experiments.Effect{Place: place}).AtEdge(); got != want {
			t.Errorf("place %v: got %q, want %q", place, got, want)
		}
	}
}
