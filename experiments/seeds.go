package experiments

import "tune2048/experiments/stats"

// phaseOrder numbers the phases; a phase's seeds fill a quarter of [0, 2^53) of their own, so that seeds of
// different phases cannot meet.
var phaseOrder = map[string]uint64{PhaseTuning: 0, PhasePlayoff: 1, PhaseValidation: 2, PhaseComparison: 3}

// gameSeeds returns the seeds of games first, first+1, ... of a generation: hashes of the experiment's seed,
// phase, stage, generation and index, the same for every candidate.
func gameSeeds(seed uint64, phase, stage string, generation, first, games int) []uint64 {
	seeds := make([]uint64, games)
	for i := range seeds {
		hash := stats.Hash(seed, "game", phase, stage, generation, first+i)
		seeds[i] = phaseOrder[phase]<<51 | hash>>13
	}
	return seeds
}
