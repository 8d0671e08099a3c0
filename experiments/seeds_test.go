package experiments

import "testing"

// TestSeedsNeverChange pins the seeds of the games: stored runs are resumed and replayed from them.
func TestSeedsNeverChange(t *testing.T) {
	for _, c := range []struct {
		phase, stage string
		generation   int
		want         [2]uint64
	}{
		{PhaseTuning, "explore", 0, [2]uint64{2229603395242648, 1679023698887600}},
		{PhasePlayoff, "", 0, [2]uint64{2792468432287903, 3170637667033492}},
		{PhaseValidation, "", 0, [2]uint64{6408999731940667, 6718474110990427}},
	} {
		s := Stream{2048, c.phase, c.stage, c.generation}
		if got := [2]uint64{s.At(0), s.At(1)}; got != c.want {
			t.Errorf("%s: got %v, want %v", c.phase, got, c.want)
		}
	}
}

func TestSeedsAreDisjoint(t *testing.T) {
	seen := map[uint64]string{}
	for _, phase := range []string{PhaseTuning, PhasePlayoff, PhaseValidation, PhaseComparison, PhaseAblation,
		PhaseTrend} {
		for generation := range 20 {
			for i := range 500 {
				seed := Stream{1, phase, []string{"", "s"}[generation%2], generation / 2}.At(i)
				if seed >= 1<<53 {
					t.Fatalf("seed %d is not below 2^53", seed)
				}
				for other, part := range phaseSeeds {
					if within := seed >= part.first && seed < part.first+1<<part.bits; within != (other == phase) {
						t.Fatalf("%s: seed %d lies among those of %s: %v", phase, seed, other, within)
					}
				}
				if other, twice := seen[seed]; twice {
					t.Fatalf("%s, generation %d, game %d: same seed as %s", phase, generation, i, other)
				}
				seen[seed] = phase
			}
		}
	}
}
