package experiments

import (
	"context"
	"math"
	"testing"

	"tune2048/experiments/stats"
	"tune2048/tuner"
)

func TestEdges(t *testing.T) {
	for place, want := range map[float64]string{0: "min", 0.02: "min", 0.021: "", 0.5: "", 0.979: "", 0.98: "max", 1: "max"} {
		if got := (Effect{Place: place}).AtEdge(); got != want {
			t.Errorf("place %v: got %q, want %q", place, got, want)
		}
	}
}

// TestEffectsAreThoseOutsideTheInterval: an interval that touches 0 allows that there is none.
func TestEffectsAreThoseOutsideTheInterval(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		played    bool
		moves     bool
		largest   float64
	}{
		{-0.5, 0.25, true, false, 0.5}, {-0.25, 0.5, true, false, 0.5}, {0, 0.5, true, false, 0.5}, {-0.5, 0, true, false, 0.5},
		{0.25, 0.5, true, true, 0.5}, {-0.5, -0.25, true, true, 0.5}, {0.25, 0.5, false, false, 0},
	} {
		shift := Shift{Played: c.played}
		shift.Contrast.Difference.Interval = stats.Interval{Low: c.low, High: c.high}
		shift.Contrast.Ratio.Interval = stats.Interval{Low: 1 + c.low, High: 1 + c.high}
		for _, e := range []Effect{{Down: shift}, {Up: shift}} {
			if e.Moves() != c.moves || e.Largest() != c.largest {
				t.Errorf("%+v: moves %v, at most %v", c, e.Moves(), e.Largest())
			}
		}
	}
}

// TestShifts: by the step down and up, to the end of the range where that is nearer, and not at all where that is a quarter of
// the step away. All intervals hold together, so that each is that of a sixth of the level.
func TestShifts(t *testing.T) {
	c := synthetic(t, planted)
	l := landscape{[]string{"strong", "idle"}, func(v []float64) float64 { return math.Exp(-3 * v[0]) }, nil}
	for _, at := range []struct{ strong, down, up float64 }{{0.5, 0.2, 0.8}, {0.1, 0, 0.4}, {0.05, -1, 0.35}, {0.95, 0.65, -1}, {0.9, 0.6, 1}} {
		s, _ := newState(c, 1, l)
		numbers, err := s.register(context.Background(), []tuner.Candidate{{Values: []float64{at.strong, 0.5, 0.5}}}, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		effects, err := s.sensitivity(context.Background(), numbers[0])
		if err != nil {
			t.Fatal(err)
		}
		shifts := 0
		for _, e := range effects {
			for _, shift := range []Shift{e.Down, e.Up} {
				if shift.Played {
					shifts++
				}
			}
		}
		for i, e := range effects {
			for side, shift := range []Shift{e.Down, e.Up} {
				want, direction := [2]float64{at.down, at.up}[side], float64(2*side-1)
				if i == 0 && (shift.Played != (want >= 0) || shift.Played && math.Abs(shift.Value-want) > 1e-9) || shift.Played && (shift.Value-e.Value)*direction <= 0 {
					t.Errorf("%v: %s is moved from %v to %v: %v", at, e.Weight, e.Value, shift.Value, shift.Played)
				}
				if !shift.Played {
					continue
				}
				contrast := shift.Contrast
				if shift.Same != (e.Weight == "absent") || math.Abs(contrast.Confidence-(1-0.05/float64(shifts))) > 1e-12 {
					t.Errorf("%v, %s: the same games: %v, confidence %v", at, e.Weight, shift.Same, contrast.Confidence)
				}
				if i == 0 && (contrast.Difference.Value > 0) == (side == 1) {
					t.Errorf("%v: down is better, but side %d changes %v", at, side, contrast.Difference)
				}
				if seen := contrast.Difference.Interval.Low > 0 || contrast.Difference.Interval.High < 0; seen != (contrast.Adjusted <= 0.05) || math.Abs(contrast.Adjusted-min(1, contrast.P*float64(shifts))) > 1e-12 {
					t.Errorf("%v, %s: %v with p %v, adjusted %v", at, e.Weight, contrast.Difference, contrast.P, contrast.Adjusted)
				}
			}
		}
	}
}
