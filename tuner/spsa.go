package tuner

import (
	"math"

	"tune2048/engine/portable"
)

// spsa is simultaneous perturbation stochastic approximation (J. C. Spall,
// Multivariate Stochastic Approximation Using a Simultaneous Perturbation
// Gradient Approximation, IEEE Transactions on Automatic Control 37, 1992):
// it stands at one point, theta, measures pairs of candidates on both sides of
// it, each pair in a random direction in which every parameter changes, and
// steps to the better sides. The gains and their exponents are Spall's
// (Implementation of the Simultaneous Perturbation Algorithm for Stochastic
// Optimization, IEEE Transactions on Aerospace and Electronic Systems 34, 1998)
// in the form that chess programmers tune with (fishtest, its page on SPSA):
// given by their final values, after Iterations generations,
//
//	c_k = c / k^0.101              c = c_end Iterations^0.101
//	a_k = a / (A + k)^0.602        a = a_end (A + Iterations)^0.602, A = Iterations / 10
//	a_end = R_end c_end^2
//
// with c_end FinalPerturbation and R_end FinalRate.
//
// Fishtest's differences are wins minus losses. Fitness has any unit, so here
// they are taken in units of their own root mean square over the stage. It is
// mostly noise, so that a generation's difference is of the order of 1, as one
// of fishtest's is; and it remembers the steep beginning, so that steps shrink
// towards the optimum (with a unit of each generation's own 0.846 instead of
// 0.880, see [Defaults], with the sign of the difference alone 0.811). The steps
// of a generation's pairs are added and divided by the root of their number:
// under noise a step is as long whatever the population.
//
// The answer is the mean of the last thetas, which are themselves worth 0.857.
type spsa struct {
	turns
	options Options
	random  *portable.Source
	theta   []float64 // in the unit cube
	thetas  iterates  // of this stage
	age     int       // generations told in this stage
	pairs   []pair    // of the generation that was asked
	squares float64   // of all differences told in this stage
	count   int       // how many they are
}

// pair is what two candidates were made from, the first on the side of the signs.
type pair struct {
	signs []float64 // +1 or -1 for each parameter
	reach float64   // from side to side, in units of twice the perturbation
}

var _ Optimizer = (*spsa)(nil)

const (
	rateExponent         = 0.602
	perturbationExponent = 0.101
)

func newSPSA(o Options, s *Space, seed uint64) *spsa {
	return &spsa{
		turns:   turns{space: s},
		options: o,
		random:  portable.NewSource(portable.Hash(seed, "tuner", SPSA)),
		theta:   s.Unit(s.Start()),
	}
}

// gains returns the rate a_k and the perturbation c_k of the generation.
func (p *spsa) gains() (a, c float64) {
	k, all := float64(p.age+1), float64(p.options.Iterations)
	stability := all / 10
	c = p.options.FinalPerturbation * portable.Pow(all/k, perturbationExponent)
	end := p.options.FinalRate * p.options.FinalPerturbation * p.options.FinalPerturbation
	a = end * portable.Pow((stability+all)/(stability+k), rateExponent)
	return a, c
}

// Ask returns pairs, the first side and the second. In the first pair of a stage
// theta itself is the first side.
func (p *spsa) Ask() ([]Candidate, error) {
	if err := p.mayAsk(); err != nil {
		return nil, err
	}
	seen := distinct{}
	var generation []point
	p.pairs = nil
	for len(generation) < p.options.Population {
		var one pair
		var first, second point
		for failed := 0; failed <= distinctTries; failed++ {
			one, first, second = p.draw(1 + float64(0.1*float64(failed)))
			if p.age == 0 && len(generation) == 0 {
				one.reach /= 2
				first = newPoint(p.space, p.theta, OriginCentre)
				if p.generation == 0 {
					first = startPoint(p.space)
				}
			}
			if seen.add(first) && seen.add(second) {
				break
			}
		}
		p.pairs = append(p.pairs, one)
		generation = append(generation, first, second)
	}
	return p.ask(generation), nil
}

// draw makes a pair that is wider than usual by a factor. Near an edge it is
// moved inwards: mirrored, both sides could be the same.
func (p *spsa) draw(factor float64) (one pair, first, second point) {
	_, c := p.gains()
	c = min(float64(c*factor), 0.5)
	one = pair{signs: make([]float64, len(p.theta)), reach: factor}
	up, down := make([]float64, len(p.theta)), make([]float64, len(p.theta))
	for i, at := range p.theta {
		one.signs[i] = 1
		if p.random.Uint64()>>63 == 0 {
			one.signs[i] = -1
		}
		at = min(max(at, c), 1-c)
		up[i], down[i] = at+float64(c*one.signs[i]), at-float64(c*one.signs[i])
	}
	return one, newPoint(p.space, up, OriginPair), newPoint(p.space, down, OriginPair)
}

func (p *spsa) Tell(fitness []float64) error {
	if err := p.mayTell(fitness); err != nil {
		return err
	}
	p.tell(fitness)
	differences := make([]float64, len(p.pairs))
	for k, one := range p.pairs {
		differences[k] = (fitness[2*k] - fitness[2*k+1]) / one.reach
		p.squares += float64(differences[k] * differences[k])
		p.count++
	}
	if p.squares > 0 {
		a, c := p.gains()
		unit := math.Sqrt(p.squares / float64(p.count))
		rate := a / c / math.Sqrt(float64(len(p.pairs)))
		for i := range p.theta {
			step := 0.0
			for k, one := range p.pairs {
				step += float64(differences[k] / unit * one.signs[i])
			}
			p.theta[i] = min(max(p.theta[i]+float64(rate*step), 0), 1)
		}
	}
	p.age++
	p.thetas.add(p.theta)
	return nil
}

// Centre returns the mean of the last thetas.
func (p *spsa) Centre() []float64 {
	switch {
	case p.generation == 0:
		return p.space.Start()
	case p.thetas == nil: // a stage has begun
		return p.space.Values(p.theta)
	}
	return p.space.Values(p.thetas.mean())
}

// NextStage begins the schedule again at the answer of the stage before: with
// its widest pairs and longest steps.
func (p *spsa) NextStage() error {
	if err := p.mayChangeStage(); err != nil {
		return err
	}
	if p.thetas != nil {
		p.theta = p.thetas.mean()
	}
	p.thetas, p.age, p.squares, p.count = nil, 0, 0, 0
	return nil
}

func (p *spsa) Close() { p.closed = true }
