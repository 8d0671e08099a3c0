package tuner

import "tune2048/engine/portable"

var random = Algorithm{
	Name:     "random",
	Doc:      "the baseline to beat",
	Source:   "Bergstra and Bengio 2012",
	Settings: []Setting{populationOf(40)},
	// It learns nothing, and has to see its best among its luckiest.
	Budget:    func(int, int) (population, each int) { return 40, 8 },
	BudgetDoc: "8 samples of a candidate",
	start: func(_ map[string]float64, s *Space, random *portable.Source) (search, error) {
		return &randomSearch{space: s, random: random}, nil
	},
}

// randomSearch asks for vectors drawn uniformly from the space, whatever their fitness is: the
// baseline that an algorithm has to beat (J. Bergstra, Y. Bengio, Random Search for Hyper-Parameter
// Optimization, JMLR 13, 2012).
type randomSearch struct {
	measured
	space  *Space
	random *portable.Source
}

func (r *randomSearch) candidate(int, int) point { return uniformPoint(r.space, r.random.Float64) }

func (r *randomSearch) nextStage() {}
