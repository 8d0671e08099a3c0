package experiments

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
)

// TestStopIsAskedOnceAGeneration, and the answer is stored. A replay ends where the run did,
// without asking, also after an interruption behind the stop.
func TestStopIsAskedOnceAGeneration(t *testing.T) {
	c, l := synthetic(t, whole), hill(1.5, 0.7, 0.4, 0.6)
	var next []PlannedPart
	stop := func(p PlannedPart) bool {
		next = append(next, p)
		return len(next)%3 == 0
	}
	peace := newMemory()
	if _, err := (Experiment{Config: c, Simulator: l, Store: peace, Stop: stop}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, generations := Fold(c.Objective, slices.Values(peace.evaluations))
	if len(next) != 3 || next[0].Generations != 1 || next[0].Games != 2*48 || next[1].Stage != "refine" || peace.run.StoppedAfter != 3 || len(generations) != 3 {
		t.Errorf("asked %+v, stopped after %d generations of %d", next, peace.run.StoppedAfter, len(generations))
	}
	store := newMemory()
	ctx, interrupt := context.WithCancel(context.Background())
	l.begins = func() {
		if store.run.StoppedAfter > 0 {
			interrupt()
		}
	}
	if _, err := (Experiment{Config: c, Simulator: l, Store: store, Stop: stop}).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for range 2 { // to the end, and read back
		if _, err := (Experiment{Config: c, Simulator: l, Store: store, Stop: stop}).Run(context.Background()); err != nil || len(next) != 6 {
			t.Fatalf("the replay asks %d times: %v", len(next)-6, err)
		}
		if !reflect.DeepEqual(store.findings(), peace.findings()) {
			t.Error("a stopped and resumed run has other findings than a stopped one")
		}
	}
}
