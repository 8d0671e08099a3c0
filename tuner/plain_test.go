package tuner

import (
	"errors"
	"testing"
)

// TestPlain: the baseline finds a better place than the first it tries, keeps to its budget, and stops on an error.
func TestPlain(t *testing.T) {
	s, err := NewSpace([]Parameter{{Name: "a", Min: -1, Max: 1, Start: 0}, {Name: "b", Min: 1, Max: 100, Start: 1, Log: true}})
	if err != nil {
		t.Fatal(err)
	}
	calls, first := 0, 0.0
	fitness := func(v []float64) float64 { return -(v[0]-0.5)*(v[0]-0.5) - (v[1]-20)*(v[1]-20)/1000 }
	best, err := Plain(s, 200, 1, func(v []float64) (float64, error) {
		calls++
		if calls == 1 {
			first = fitness(v)
		}
		return fitness(v), nil
	})
	if err != nil || fitness(best) <= first || fitness(best) < -0.05 {
		t.Errorf("got %v of %v, first %v, error %v", fitness(best), best, first, err)
	}
	if calls < 200 || calls > 260 {
		t.Errorf("%d evaluations, asked for 200", calls)
	}
	broken := errors.New("broken")
	if _, err := Plain(s, 200, 1, func([]float64) (float64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got error %v", err)
	}
}
