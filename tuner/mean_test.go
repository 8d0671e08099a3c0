package tuner

import (
	"math"
	"testing"
)

func TestMeanBringsToOneScale(t *testing.T) {
	parameters := []Parameter{
		{Name: "a", Min: 1, Max: 10000, Start: 1, Scale: "log"},
		{Name: "b", Min: -1000, Max: 1000, Start: 0},
		{Name: "power", Min: 1, Max: 5, Start: 1},
	}
	without := NewSpace(parameters)
	parameters[0].ScaleFree, parameters[1].ScaleFree = true, true
	s := NewSpace(parameters)
	// The second is the first with twice the weights: only the power is between the two.
	got := s.mean([][]float64{{100, -50, 2}, {200, -100, 4}})
	for i, want := range []float64{100, -50, 3} {
		if math.Abs(got[i]-want) > 1e-3 {
			t.Errorf("with scales: got %v, want 100 -50 3", got)
			break
		}
	}
	got = without.mean([][]float64{{100, -50, 2}, {400, -100, 4}})
	for i, want := range []float64{200, -75, 3} { // a is on a log scale
		if math.Abs(got[i]-want) > 1e-3 {
			t.Errorf("without: got %v, want 200 -75 3", got)
			break
		}
	}
	// A weight of 0 has no scale; one vector is its own mean; out of range is the edge.
	if got := s.mean([][]float64{{100, 0, 2}}); got[0] != 100 || got[1] != 0 || got[2] != 2 {
		t.Errorf("of one: got %v, want 100 0 2", got)
	}
	if got := s.mean([][]float64{{10000, -1, 2}, {1, -1000, 2}}); got[0] < 1 || got[0] > 10000 || got[1] < -1000 {
		t.Errorf("out of range: got %v", got)
	}
}
