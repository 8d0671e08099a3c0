package tuner

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"tune2048/engine/portable"
)

// genetic is a genetic algorithm for real numbers and noisy fitness: truncation selection and recombination as in the
// breeder genetic algorithm (H. Muehlenbein, D. Schlierkamp-Voosen, Predictive Models for the Breeder Genetic
// Algorithm, Evolutionary Computation 1, 1993), blend crossover, mutations that scale with the population, and few
// elites that are measured again in every generation.
//
// It runs eaopt's GA with a model of its own, because the library's models keep fitness that was measured once, or
// for another genome, and its hall of fame keeps the luckiest. eaopt calls the model for each generation; iter.Pull
// stops it there until the fitness of the next one is known. So eaopt takes turns with the caller and never runs at
// the same time.
type genetic struct {
	measured
	options Options
	space   *Space
	random  *rand.Rand // the only source of random numbers, eaopt's included

	next func() (eaopt.Individuals, bool) // lets eaopt go on until it wants another generation measured
	end  func()                           // ends eaopt and its goroutines

	ranked  eaopt.Individuals // the last generation, best first
	parents eaopt.Individuals // the best of them, at least two
	steps   []float64         // standard deviation of mutations for each parameter, 0 for a constant
	carried []point           // where a stage begins: what its first generation takes over from the one before
}

func newGenetic(o Options, s *Space, random *portable.Source) (*genetic, error) {
	g := &genetic{options: o, space: s, random: rand.New(random)}
	m := &model{genetic: g}
	ga, err := eaopt.GAConfig{
		NPops:        1,
		PopSize:      uint(o.Population),
		NGenerations: math.MaxInt, // end ends it
		HofSize:      1,           // the least that eaopt allows; never read
		Model:        m,
		RNG:          g.random,
	}.NewGA()
	if err != nil {
		return nil, fmt.Errorf("tuner: eaopt: %w", err)
	}
	g.next, g.end = iter.Pull(func(yield func(eaopt.Individuals) bool) {
		m.yield = yield
		// The individuals that it begins with are blank: it evaluates them before it calls the model. It ends when it is stopped.
		_ = ga.Minimize(func(*rand.Rand) eaopt.Genome { return &individual{genetic: g} })
	})
	g.next()
	return g, nil
}

// model is what eaopt calls for each generation.
type model struct {
	*genetic
	yield func(eaopt.Individuals) bool
}

var _ eaopt.Model = (*model)(nil)

func (*model) Validate() error { return nil }

// Apply hands out the last generation, best first, waits for the next one to be measured, and gives it to eaopt with
// its fitness, that of survivors included.
func (m *model) Apply(population *eaopt.Population) error {
	individuals := population.Individuals
	population.RNG = m.random
	// eaopt minimizes, and its sort is not stable.
	slices.SortFunc(individuals, func(a, b eaopt.Individual) int {
		return cmp.Or(cmp.Compare(a.Fitness, b.Fitness), cmp.Compare(a.Genome.(*individual).place, b.Genome.(*individual).place))
	})
	if !m.yield(individuals) {
		return ErrClosed
	}
	for i, p := range m.points {
		individuals[i] = eaopt.NewIndividual(&individual{point: p, place: i, genetic: m.genetic}, m.random)
		individuals[i].Fitness, individuals[i].Evaluated = -m.fitness[i], true
	}
	return nil
}

// learn lets eaopt rank the generation, and chooses the parents of the next one.
func (g *genetic) learn(generation []point, fitness []float64) {
	g.measured.learn(generation, fitness)
	g.ranked, _ = g.next()
	share := g.options.Parents * float64(len(g.ranked))
	g.parents = g.ranked[:min(max(2, int(share)), len(g.ranked))]
	g.steps = g.mutationSteps()
	g.carried = nil
}

func (g *genetic) candidate(place, failed int) point {
	switch {
	case g.ranked == nil: // the first generation
		// Place 0 is the start vector's and not asked for: so places 1 to Uniform x Population are drawn from everywhere.
		if place <= int(g.options.Uniform*float64(g.options.Population)) {
			return uniformPoint(g.space, g.random.Float64)
		}
		return g.around(g.space.Unit(g.space.Start()), g.options.Spread, OriginInitial)
	case place < len(g.carried):
		return g.carried[place]
	case g.carried != nil:
		return g.around(g.points[g.random.Intn(len(g.points))].unit, g.options.StageSpread, OriginWidened)
	case place < g.options.Elites:
		return g.ranked[place].Genome.(*individual).called(OriginElite)
	default:
		return g.child(failed)
	}
}

// child makes a child of two parents, which is mutated once more for each time that it was there already: parents
// that are alike have children that are alike.
func (g *genetic) child(failed int) point {
	a := g.random.Intn(len(g.parents))
	b := g.random.Intn(len(g.parents) - 1)
	if b >= a {
		b++ // any other one
	}
	child := g.parents[a].Clone(g.random)
	child.Crossover(g.parents[b], g.random)
	for range 1 + failed {
		child.Mutate(g.random)
	}
	genome := child.Genome.(*individual)
	return newPoint(g.space, genome.unit, genome.origin)
}

// around draws a point around a centre, with the standard deviation in each parameter.
func (g *genetic) around(centre []float64, spread float64, origin string) point {
	unit := make([]float64, len(centre))
	for i, u := range centre {
		unit[i] = u + float64(spread*normal(g.random))
	}
	return newPoint(g.space, unit, origin)
}

func (g *genetic) stop() { g.end() }

// nextStage keeps the centre, the start vector for comparison and half of the population as they are; the rest is
// moved at random, whatever its fitness was.
func (g *genetic) nextStage() {
	seen := distinct{}
	list := []point{newPoint(g.space, g.centre(), OriginCentre), startPoint(g.space)}
	for _, p := range g.points[:len(g.points)/2] {
		list = append(list, p.called(OriginCarried))
	}
	for _, p := range list {
		if seen.add(p) {
			g.carried = append(g.carried, p)
		}
	}
}
