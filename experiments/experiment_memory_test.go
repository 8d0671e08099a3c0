package experiments

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"tune2048/configs/config"
)

// TestRunsEndAsTheyDid: finished, interrupted where the context is done, and failed otherwise. The
// error is the run's own, if it has one.
func TestRunsEndAsTheyDid(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	broken := errors.New("broken")
	for _, c := range []struct {
		ctx    context.Context
		err    error
		status string
	}{{context.Background(), nil, Finished}, {done, nil, Finished}, {done, context.Canceled, Interrupted},
		{context.Background(), broken, Failed}} {
		store := newMemory()
		if err := finish(c.ctx, store, 1, c.err); err != c.err || store.run.Status != c.status {
			t.Errorf("%v: %s with %v, want %s", c.err, store.run.Status, err, c.status)
		}
		if err := finish(c.ctx, mute{}, 1, c.err); err == nil || c.err != nil && err != c.err {
			t.Errorf("%v: the store cannot write and the error is %v", c.err, err)
		}
	}
}

// mute is a store that cannot write.
type mute struct{ Store }

func (mute) Finish(context.Context, int64, string) error { return errors.New("cannot write") }

// TestKeepsWhatIsAskedFor: rows of games, by phase.
func TestKeepsWhatIsAskedFor(t *testing.T) {
	for _, phase := range []string{PhaseTuning, PhaseCentre, PhasePlayoff, PhaseValidation, PhaseAblation} {
		for asked, want := range map[string]bool{config.StoreNone: false, config.StoreValidation: phase != PhaseTuning &&
			phase != PhaseCentre, config.StoreAll: true} {
			if got := Keeps(asked, phase); got != want {
				t.Errorf("%s: keeps those of %s: %v", asked, phase, got)
			}
		}
	}
}

// TestCandidatesSayHowTheyDiffer: the tunable weights, then the fixed ones that are not as in the
// config.
func TestCandidatesSayHowTheyDiffer(t *testing.T) {
	c := synthetic(t, "heuristic:\n  features:\n    - {feature: line, weight: 1000}\n    - {feature: empty, weight: "+
		"{min: 0, max: 9, start: 3}}\n    - {feature: merges, weight: 5}\n"+
		"references: {same: {weights: {empty: 3}}, other: {weights: {empty: 4, merges: 6}}}\n")
	r := newRegistry(c)
	r.add(Candidate{Dead: c.Heuristic.Dead}, r.start)
	numbers := r.addReferences(nil)
	if numbers[0] != 1 || numbers[1] != StartNumber {
		t.Errorf("references are candidates %v", numbers)
	}
	for number, want := range [][]Weight{{{"empty", 3}}, {{"empty", 4}, {"merges", 6}}} {
		if got := r.candidate(number).Weights; !reflect.DeepEqual(got, want) {
			t.Errorf("candidate %d has %v, want %v", number, got, want)
		}
	}
}
