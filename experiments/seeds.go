package experiments

import "tune2048/engine/portable"

// The phases of an experiment. Seeds of different phases are disjoint.
const (
	PhaseTuning     = "tuning"
	PhaseCentre     = "centre" // of tuning: looks at the centre of the search, see centre.go
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
	PhaseCentre:     {30 << 48, 48},
	PhaseEval:       {31 << 48, 48},
}

// Stream is the seeds of one purpose, in order. They are the same for every candidate.
type Stream struct {
	Seed  uint64 // of the experiment
	Phase string
	// Salt is the stage of a tuning, also of its centre. Of held-out games it is the hash of
	// config.Played, so a run of another config or length is judged by games that judged no run
	// before it. Of a comparison it is the config's Set. Otherwise it is empty, also of runs that
	// were made before there was a salt.
	Salt       string
	Generation int // of the stage, or an instance of eval; otherwise 0
}

// Stream returns the stream of the seeds of a place's games, by the run's seed and the salt of its
// held-out games. The salt of a comparison is the config's Set.
func (p Place) Stream(seed uint64, heldOutSalt string) Stream {
	s := Stream{Seed: seed, Phase: p.Phase, Salt: p.Stage, Generation: p.Generation}
	switch {
	case p.Phase == PhaseValidation:
		s.Salt = heldOutSalt
	case p.Phase == PhaseComparison && heldOutSalt != "":
		s.Salt = heldOutSalt + " " + p.Search
	}
	return s
}

// At returns the seed of the stream's game with that index: a hash of all that the stream is, and
// of the index.
func (s Stream) At(index int) uint64 {
	part := phaseSeeds[s.Phase]
	return part.first + portable.Hash(s.Seed, "game", s.Phase, s.Salt, s.Generation, index)>>(64-part.bits)
}
