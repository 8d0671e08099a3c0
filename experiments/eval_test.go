package experiments

import (
	"context"
	"errors"
	"io"
	"testing"
)

// failingStore cannot read blocks, as on a disk that fails.
type failingStore struct {
	*memory
	failure error
}

func (s failingStore) Recall(context.Context, int64, Block, bool) (Recalled, error) {
	return Recalled{}, s.failure
}

// TestEvalEndsWhenTheStoreFails: a store that fails, or an interruption while it reads, ends the
// run. It is no candidate's error: an optimizer would mark a good candidate as failed.
func TestEvalEndsWhenTheStoreFails(t *testing.T) {
	c := synthetic(t, `
name: eval
heuristic: {dead: 0, features: [{feature: empty, weight: {min: 0, max: 1000, start: 270}}]}
search: {depth: 1}
stages: [{games: 5}]
`)
	for _, failure := range []error{errors.New("the disk is full"), context.Canceled} {
		store := failingStore{newMemory(), failure}
		asked := false
		err := Eval{
			Config: c, Store: store, Archive: &archive{}, Begun: func(Run) {},
			Next: func(context.Context) ([]Question, error) {
				if asked {
					return nil, io.EOF
				}
				asked = true
				return []Question{{ID: "good", Weights: c.Family.Values(), Games: 5, Search: c.Stages[0].Search}}, nil
			},
			Answer: func(_ []Question, answers []Answer) error {
				t.Errorf("%v: the candidate is answered: %+v", failure, answers)
				return nil
			},
		}.Run(context.Background())
		if !errors.Is(err, failure) {
			t.Errorf("got the error %v, want %v", err, failure)
		}
		if store.run.Status == Finished {
			t.Errorf("%v: the run is %s", failure, store.run.Status)
		}
	}
}
