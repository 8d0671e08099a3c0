//go:build cgo

package experiments_test

import (
	"path/filepath"
	"strings"
	"testing"

	"tune2048/experiments"
)

// TestSensitivity plants a feature without effect beside those that matter.
func TestSensitivity(t *testing.T) {
	c := parse(t, small,
		"    - {feature: empty,", "    - {feature: position, name: planted, matrix: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], weight: {min: 0, max: 1000, start: 500}}\n    - {feature: empty,",
		"sensitivity: {games: 20}", "sensitivity: {games: 200, step: 0.5}")
	result, _, err := carryOut(t, filepath.Join(t.TempDir(), "tune.db"), c, 2, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]string{}
	for _, e := range result.Effects {
		verdicts[e.Weight] = e.Verdict()
		if e.Weight == "planted" && e.Largest() != 0 {
			t.Errorf("planted: largest effect %v", e.Largest())
		}
	}
	if verdicts["planted"] != experiments.NoEffect {
		t.Errorf("verdicts %v: want no effect of planted", verdicts)
	}
	if !strings.Contains(strings.Join([]string{verdicts["empty"], verdicts["merges"]}, " "), experiments.Matters) {
		t.Errorf("verdicts %v: want empty or merges to matter", verdicts)
	}
}

func TestEffect(t *testing.T) {
	shift := func(low, high float64) experiments.Shift {
		s := experiments.Shift{Played: true}
		s.Contrast.Difference.Interval.Low, s.Contrast.Difference.Interval.High = 1000*low, 1000*high
		s.Contrast.Ratio.Interval.Low, s.Contrast.Ratio.Interval.High = 1+low, 1+high
		return s
	}
	same := experiments.Shift{Played: true, Same: true}
	for _, c := range []struct {
		down, up experiments.Shift
		want     string
		largest  float64
	}{
		{same, same, experiments.NoEffect, 0},
		{experiments.Shift{}, same, experiments.NoEffect, 0},
		{experiments.Shift{}, experiments.Shift{}, "", 0},
		{shift(-0.125, 0.0625), same, experiments.NotSeen, 0.125},
		{shift(-0.125, 0.0625), shift(-0.0625, 0.25), experiments.NotSeen, 0.25},
		{shift(-0.5, -0.25), shift(-0.125, 0.125), experiments.Matters, 0.5},
		{experiments.Shift{}, shift(0.125, 0.25), experiments.Matters, 0.25},
	} {
		e := experiments.Effect{Down: c.down, Up: c.up}
		if got := e.Verdict(); got != c.want || e.Largest() != c.largest {
			t.Errorf("%v %v: got %q, at most %v; want %q, %v", c.down, c.up, got, e.Largest(), c.want, c.largest)
		}
	}
	for place, want := range map[float64]string{0: "min", 0.02: "min", 0.021: "", 0.5: "", 0.979: "", 0.98: "max", 1: "max"} {
		if got := (experiments.Effect{Place: place}).AtEdge(); got != want {
			t.Errorf("place %v: got %q, want %q", place, got, want)
		}
	}
}
