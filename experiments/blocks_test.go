package experiments

import (
	"context"
	"slices"
	"testing"

	"tune2048/engine/portable"
	"tune2048/tuner/fitness"
)

// finishing is a store that keeps only the last block's result.
type finishing struct {
	Store
	result BlockResult
}

func (f *finishing) FinishBlock(_ context.Context, _ int64, _ Block, r BlockResult) error {
	f.result = r
	return nil
}

// TestStandingsOfABlock: a block of tuning changes the prior of earlier candidates, so it records
// their standings too. Any other block records its own candidates, and nothing is shrunk.
func TestStandingsOfABlock(t *testing.T) {
	for phase, want := range map[string][]int{PhaseTuning: {0, 1, 2, 3}, PhasePlayoff: {2, 3}, PhaseValidation: {2, 3}} {
		random, store := portable.NewSource(3), &finishing{}
		p := blockPlayer{store: store, objective: fitness.MeanScore}
		for generation, candidates := range [][]int{{0, 1}, {2, 3}} {
			b := playedBlock{Block: Block{Phase: phase, Generation: generation, Candidates: candidates, Seeds: make([]uint64, 5)}}
			b.games = drawn(random, typicalMean, b.Games())
			must(t, p.finish(t.Context(), &b))
		}
		var got []int
		for _, s := range store.result.Standings {
			got = append(got, s.Candidate)
			if shrunk := s.Shrunk != 0; shrunk != (phase == PhaseTuning) {
				t.Errorf("%s: candidate %d is shrunk: %v", phase, s.Candidate, shrunk)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s records the standings of %v, want %v", phase, got, want)
		}
	}
}
