package tuner

import (
	"math/rand"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// differentialEvolution is differential evolution (R. Storn, K. Price,
// Differential Evolution - A Simple and Efficient Heuristic for Global
// Optimization over Continuous Spaces, Journal of Global Optimization 11, 1997)
// with the strategy current-to-pbest/1/bin (J. Zhang, A. C. Sanderson, JADE,
// IEEE Transactions on Evolutionary Computation 13, 2009): a trial vector is
// made for each member of the population, from it, one of the best and the
// difference of two others, and replaces the member if it does at least as well.
//
// For noise, a generation is both members and trials: half of Population each,
// so that a member has to hold its place against every trial anew, and a trial
// meets the mean of all that its member was measured in this stage. Members that
// are measured once, as in the original, are ahead at first, there being twice
// as many trials (0.767 against 0.733 after 3,000 samples, see [Defaults]), but
// stop at 0.895 instead of 0.957: the lucky ones stay. The weight of the
// difference is drawn anew for each trial, which keeps a small population from
// running out of different steps.
type differentialEvolution struct {
	turns
	options Options
	random  *rand.Rand
	members []member
	staged  bool // the next generation begins a stage
}

// member is a vector of the population, and its fitness in this stage.
type member struct {
	point
	fitness stats.Moments
}

var _ Optimizer = (*differentialEvolution)(nil)

// leastDifferential is the smallest population: a trial's difference is that of
// two members which are neither its own nor each other.
const leastDifferential = 6

func newDifferentialEvolution(o Options, s *Space, seed uint64) *differentialEvolution {
	return &differentialEvolution{
		turns:   turns{space: s},
		options: o,
		random:  rand.New(portable.NewSource(portable.Hash(seed, "tuner", DifferentialEvolution))),
	}
}

func (d *differentialEvolution) Ask() ([]Candidate, error) {
	if err := d.mayAsk(); err != nil {
		return nil, err
	}
	switch {
	case d.generation == 0:
		return d.ask(d.first()), nil
	case d.staged:
		return d.ask(carryOver(d.options, d.space, d.random, d.told, d.fitness)), nil
	default:
		return d.ask(d.next()), nil
	}
}

func (d *differentialEvolution) first() []point {
	seen := distinct{}
	var generation []point
	for place := range d.options.Population {
		generation = seen.draw(generation, place+1, func(failed int) point {
			return founder(d.options, d.space, d.random, place, failed)
		})
	}
	return generation
}

// next returns the members and a trial for each.
func (d *differentialEvolution) next() []point {
	seen := distinct{}
	var generation []point
	pooled := make([]float64, len(d.members))
	for k, m := range d.members {
		pooled[k] = m.fitness.Mean
		generation = append(generation, m.called(OriginMember))
		seen.add(m.point)
	}
	best := ranked(pooled)
	best = best[:max(1, len(best)/bestShare)]
	for k := range d.options.Population - len(d.members) {
		generation = seen.draw(generation, len(generation)+1, func(failed int) point {
			return d.trial(k%len(d.members), best, failed)
		})
	}
	return generation
}

const (
	bestShare = 5    // one in so many is among the best: JADE's p of 0.2
	apart     = 0.01 // by how much trials that are there already are moved, times the failures
)

// trial makes a trial for the member with the index.
func (d *differentialEvolution) trial(index int, best []int, failed int) point {
	from := func(k int) []float64 { return d.members[k].unit }
	own, towards := from(index), from(best[d.random.Intn(len(best))])
	a := d.other(index, index)
	plus, minus := from(a), from(d.other(index, a))
	difference := d.options.DifferenceWeight * (0.5 + float64(d.random.Float64()))

	unit := append([]float64(nil), own...)
	certain := d.random.Intn(len(unit)) // one number at least is the mutant's
	for i := range unit {
		if d.random.Float64() >= d.options.CrossoverRate && i != certain {
			continue
		}
		unit[i] += float64(d.options.BestWeight*(towards[i]-own[i])) + float64(difference*(plus[i]-minus[i]))
	}
	if failed > 0 { // the members agree
		return around(d.space, d.random, unit, apart*float64(failed), OriginTrial)
	}
	return newPoint(d.space, unit, OriginTrial)
}

// other draws a member that is neither of two.
func (d *differentialEvolution) other(a, b int) int {
	for {
		if k := d.random.Intn(len(d.members)); k != a && k != b {
			return k
		}
	}
}

func (d *differentialEvolution) Tell(fitness []float64) error {
	if err := d.mayTell(fitness); err != nil {
		return err
	}
	d.tell(fitness)
	if d.members == nil || d.staged {
		d.settle()
	} else {
		d.compete()
	}
	d.staged = false
	return nil
}

// settle makes the better half of the generation the members.
func (d *differentialEvolution) settle() {
	d.members = nil
	for _, k := range ranked(d.fitness)[:len(d.told)/2] {
		d.members = append(d.members, member{d.told[k], stats.Summarize(d.fitness[k : k+1])})
	}
}

// compete adds to what is known of the members, and replaces those whose trial
// did at least as well.
func (d *differentialEvolution) compete() {
	size := len(d.members)
	for k := range d.members {
		d.members[k].fitness.Add(d.fitness[k])
	}
	for k := size; k < len(d.told); k++ {
		if m := &d.members[(k-size)%size]; d.fitness[k] >= m.fitness.Mean {
			*m = member{d.told[k], stats.Summarize(d.fitness[k : k+1])}
		}
	}
}

func (d *differentialEvolution) NextStage() error {
	if err := d.mayChangeStage(); err != nil {
		return err
	}
	d.staged = d.generation > 0
	return nil
}

func (d *differentialEvolution) Close() { d.closed = true }
