package experiments

import (
	"context"
	"testing"

	"tune2048/tuner"
)

// TestFirstOfEqualsIsChampion, whatever its number: the centre of a population comes before the
// start weights.
func TestFirstOfEqualsIsChampion(t *testing.T) {
	f := newFinalists(t)
	f.landscape.numbers = f.landscape.numbers[:1] // the label has no say in the games
	s, _ := stateOf(f.config, 1, f.landscape)
	var asked []tuner.Candidate
	for label := range 4 {
		asked = append(asked, tuner.Candidate{Values: []float64{1, float64(label)}})
	}
	numbers, err := s.register(context.Background(), asked, "", 0)
	must(t, err)
	for _, order := range [][]int{{0, 1, 2, 3}, {2, 0, 3, 1}, {3, 2, 1, 0}} {
		s, _ := stateOf(f.config, 1, f.landscape)
		if _, err := s.register(context.Background(), asked, "", 0); err != nil {
			t.Fatal(err)
		}
		if ranked, err := s.playoff(context.Background(), order); err != nil || ranked[0] != order[0] {
			t.Errorf("of %v, equals of %d, the champion is %d: %v", order, len(numbers), ranked[0], err)
		}
	}
}

// TestCentreIsFinalist: the centre of the last stage, before the start.
func TestCentreIsFinalist(t *testing.T) {
	s, store := stateOf(synthetic(t, whole), 5, hill(1.5, 0.7, 0.4, 0.6))
	finalists, err := s.finish(context.Background())
	if err != nil || len(finalists) != 6 {
		t.Fatal(finalists, err)
	}
	if c := store.candidates[finalists[0]]; c.Origin != tuner.OriginCentre || c.Stage != "refine" || c.Generation != 2 {
		t.Errorf("the first finalist: %s of generation %d of %s", c.Origin, c.Generation, c.Stage)
	}
	if finalists[1] != StartNumber {
		t.Errorf("the second finalist is candidate %d, want the start", finalists[1])
	}
}
