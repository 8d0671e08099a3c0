package results

import (
	"context"
	"testing"

	"tune2048/experiments"
)

// TestEvaluationsOfOthersNeedAKnownObjective: runs of older versions do not say what their fitness is.
func TestEvaluationsOfOthersNeedAKnownObjective(t *testing.T) {
	ctx := context.Background()
	for objective, want := range map[string]int{"mean_score": 1, "": 0} {
		s, _ := open(t)
		block := experiments.Block{Phase: "tuning", Stage: "tune", Search: "depth 1", Candidates: []int{0}, Seeds: []uint64{1, 2}}
		var found map[int]experiments.Evaluation
		for _, name := range []string{"first", "second"} {
			one := spec(name, name)
			one.Objective = objective
			run := begin(t, s, one)
			must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Origin: "start", Play: "p"}}))
			var err error
			found, err = s.EvaluationsOfOthers(ctx, run.ID, block)
			must(t, err)
			e := experiments.Evaluation{GamesHash: "h"}
			e.Score.Add(10)
			e.Score.Add(20)
			must(t, s.FinishBlock(ctx, run.ID, block, []experiments.Evaluation{e}, false))
		}
		if len(found) != want || want == 1 && found[0].Score.Mean != 15 {
			t.Errorf("objective %q: got %v", objective, found)
		}
	}
}
