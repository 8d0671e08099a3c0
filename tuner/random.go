package tuner

import "tune2048/engine/portable"

// randomSearch asks for the start vector, and from then on for vectors drawn
// uniformly from the space, whatever it is told: the baseline that an algorithm
// has to beat (J. Bergstra, Y. Bengio, Random Search for Hyper-Parameter
// Optimization, JMLR 13, 2012).
type randomSearch struct {
	turns
	size   int
	random *portable.Source
}

var _ Optimizer = (*randomSearch)(nil)

func newRandom(o Options, s *Space, seed uint64) *randomSearch {
	return &randomSearch{
		turns:  turns{space: s},
		size:   o.Population,
		random: portable.NewSource(portable.Hash(seed, "tuner", Random)),
	}
}

func (r *randomSearch) Ask() ([]Candidate, error) {
	if err := r.mayAsk(); err != nil {
		return nil, err
	}
	seen := distinct{}
	var generation []point
	if r.generation == 0 {
		generation = append(generation, startPoint(r.space))
		seen.add(generation[0])
	}
	generation = seen.draw(generation, r.size, func(int) point { return uniformPoint(r.space, r.random.Float64) })
	return r.ask(generation), nil
}

func (r *randomSearch) Tell(fitness []float64) error {
	if err := r.mayTell(fitness); err != nil {
		return err
	}
	r.tell(fitness)
	return nil
}

// NextStage has nothing to change: no draw depends on what was told.
func (r *randomSearch) NextStage() error { return r.mayChangeStage() }

func (r *randomSearch) Close() { r.closed = true }
