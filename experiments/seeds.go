package experiments

import "tune2048/engine/portable"

// The phases of an experiment. Seeds of different phases are disjoint.
const (
	PhaseTuning     = "tuning"
	PhasePlayoff    = "playoff"
	PhaseValidation = "validation"
	PhaseComparison = "comparison"
	PhaseAblation   = "ablation"
	PhaseTrend      = "trend"
	PhaseEval       = "eval"
)

// phaseSeeds are the parts of [0, 2^53) that the seeds of each phase fill, so that seeds of
// different phases cannot meet: from first, 2^bits of them.
var phaseSeeds = map[string]struct {
	first uint64
	bits  int
}{
	PhaseTuning:     {0, 51},
	PhasePlayoff:    {1 << 51, 51},
	PhaseValidation: {2 << 51, 51},
	PhaseComparison: {6 << 50, 50},
	PhaseAblation:   {28 << 48, 48},
	PhaseTrend:      {29 << 48, 48},
	PhaseEval:       {31 << 48, 48},
}

// gameSeed returns the seed of a generation's game by its index: a hash of the experiment's seed,
// phase, stage, generation and index. It is the same for every candidate. Held-out games have the
// run's salt for a stage, which is its configs.Config.PlayedHash. So a run of another config or
// length is judged by games that judged no run before it. Runs made before there was a salt have an
// empty one.
func gameSeed(seed uint64, phase, stage string, generation, index int) uint64 {
	part := phaseSeeds[phase]
	return part.first + portable.Hash(seed, "game", phase, stage, generation, index)>>(64-part.bits)
}

// gameSeeds returns the seeds of games first, first+1, ... of a generation.
func gameSeeds(seed uint64, phase, stage string, generation, first, games int) []uint64 {
	seeds := make([]uint64, games)
	for i := range seeds {
		seeds[i] = gameSeed(seed, phase, stage, generation, first+i)
	}
	return seeds
}
