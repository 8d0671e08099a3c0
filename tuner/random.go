package tuner

import "tune2048/engine/portable"

// randomSearch asks for vectors drawn uniformly from the space, whatever it is told: the baseline that an algorithm
// has to beat (J. Bergstra, Y. Bengio, Random Search for Hyper-Parameter Optimization, JMLR 13, 2012).
type randomSearch struct {
	measured
	space  *Space
	random *portable.Source
}

func (r *randomSearch) candidate(int, int) point { return uniformPoint(r.space, r.random.Float64) }

func (r *randomSearch) nextStage() {}
