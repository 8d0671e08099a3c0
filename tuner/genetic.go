package tuner

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"tune2048/engine/key"
	"tune2048/engine/portable"
)

// Genetic is a genetic algorithm.
type Genetic struct {
	Population, Elites                          int
	Spread, Uniform, Parents, Blend             float64
	MutationRate, MutationSpread, MutationFloor float64
	StageSpread                                 float64
}

func (g *Genetic) Keys() []key.Key {
	return []key.Key{
		populationKey(&g.Population, 40),
		{Name: "elites", Doc: "how many of the best live on into the next generation, which measures them again; less than `population`",
			To: &g.Elites, Default: min(2, g.Population/2), Auto: -1, Range: key.Between(0, float64(cmp.Or(g.Population, 10_000)-1))},
		spreadKey(&g.Spread, 0.3),
		{Name: "uniform", Doc: "share of the first generation that is drawn from the whole space instead",
			To: &g.Uniform, Default: 0.5, Range: key.Between(0, 1)},
		{Name: "parents", Doc: "share of a generation, best first, that has children; each of them is as likely a parent",
			To: &g.Parents, Default: 0.25, Range: share},
		{Name: "blend", Doc: "how far a child may lie outside its parents, as a multiple of their distance: the alpha of BLX-alpha; with 0.37 and no selection the spread of a population stays the same",
			To: &g.Blend, Default: 0.4, Range: key.Between(0, 2)},
		{Name: "mutation_rate", Doc: "probability that a number of a child is moved by mutation",
			To: &g.MutationRate, Default: 0.5, Range: key.Between(0, 1)},
		{Name: "mutation_spread", Doc: "standard deviation of mutations, as a multiple of the parents' own, so that steps shrink as the population agrees",
			To: &g.MutationSpread, Default: 0.5, Range: key.Between(0, 10)},
		{Name: "mutation_floor", Doc: "the least standard deviation of mutations: a population that agrees by chance is not stuck",
			To: &g.MutationFloor, Default: 0.01, Range: key.Between(0, 1)},
		stageSpreadKey(&g.StageSpread, 0.1),
	}
}

func (*Genetic) Name() string               { return "genetic" }
func (g *Genetic) Candidates() int          { return g.Population }
func (*Genetic) Narrow() map[string]float64 { return map[string]float64{"spread": 0.05, "uniform": 0} }

func (*Genetic) Fit(parameters int) (population int) { return min(max(40, 4*parameters), 100) }

func (g *Genetic) Clone() Algorithm {
	c := *g
	return &c
}

// geneticSearch is a genetic algorithm for real numbers and noisy fitness. Truncation selection and
// recombination are as in the breeder genetic algorithm (H. Muehlenbein, D. Schlierkamp-Voosen,
// Predictive Models for the Breeder Genetic Algorithm, Evolutionary Computation 1, 1993). Crossover
// blends, mutations scale with the population, and every generation measures a few elites again.
//
// It runs eaopt's GA with a model of its own. The library's models keep fitness that was measured
// once, or for another genome, and its hall of fame keeps the luckiest. eaopt calls Apply for each
// generation; iter.Pull stops it there until the fitness of the next one is known. So eaopt takes
// turns with the caller and never runs at the same time.
type geneticSearch struct {
	measured
	settings Genetic
	space    *Space
	random   *rand.Rand // the only source of random numbers, eaopt's included

	yield func(struct{}) bool     // waits until a generation is measured, false if none will be
	next  func() (struct{}, bool) // lets eaopt take the generation that was measured
	end   func()                  // ends eaopt and its goroutines

	ranked  eaopt.Individuals // the last generation, best first
	parents eaopt.Individuals // the best of them, at least two
	steps   []float64         // standard deviation of mutations for each parameter
	carried []point           // in the first generation of a stage: what it takes over; otherwise nil
}

var _ eaopt.Model = (*geneticSearch)(nil)

func (settings *Genetic) start(s *Space, random *portable.Source) (search, error) {
	g := &geneticSearch{settings: *settings, space: s, random: rand.New(random)}
	ga, err := eaopt.GAConfig{
		NPops:        1,
		PopSize:      uint(settings.Population),
		NGenerations: math.MaxInt, // end ends it
		HofSize:      1,           // the least that eaopt allows; never read
		Model:        g,
		RNG:          g.random,
	}.NewGA()
	if err != nil {
		return nil, fmt.Errorf("tuner: eaopt: %w", err)
	}
	g.next, g.end = iter.Pull(func(yield func(struct{}) bool) {
		g.yield = yield
		// The individuals that it begins with are blank: it evaluates them before it calls the
		// model. It ends with the search.
		_ = ga.Minimize(func(*rand.Rand) eaopt.Genome { return &individual{genetic: g} })
	})
	g.next()
	return g, nil
}

// Validate is for eaopt, as Apply is.
func (*geneticSearch) Validate() error { return nil }

// Apply waits until the next generation is measured. It gives eaopt all of it with its fitness,
// best first, and keeps a copy, because eaopt's sort is not stable.
func (g *geneticSearch) Apply(population *eaopt.Population) error {
	population.RNG = g.random // its hall of fame draws from it, too
	if !g.yield(struct{}{}) {
		return errors.New("the optimizer is closed")
	}
	for place, i := range ranked(g.fitness) {
		next := eaopt.NewIndividual(&individual{point: g.points[i], genetic: g}, g.random)
		next.Fitness, next.Evaluated = -g.fitness[i], true // eaopt minimizes
		population.Individuals[place] = next
	}
	g.ranked = slices.Clone(population.Individuals)
	return nil
}

// learn hands the generation to eaopt, and chooses the parents of the next one.
func (g *geneticSearch) learn(generation []point, fitness []float64) {
	g.measured.learn(generation, fitness)
	g.next()
	g.parents = g.ranked[:g.breeding()]
	g.steps = g.mutationSteps()
	g.carried = nil
}

// breeding returns the number of parents.
func (g *geneticSearch) breeding() int {
	return max(2, int(g.settings.Parents*float64(g.settings.Population)))
}

func (g *geneticSearch) selected() int { return max(g.breeding(), g.settings.Elites) }

func (g *geneticSearch) stop() { g.end() }

func (g *geneticSearch) candidate(place, failed int) point {
	switch {
	case g.ranked == nil: // the first generation
		// Place 0 has the start vector. So places 1 to uniform x population are drawn from
		// everywhere.
		if place <= int(g.settings.Uniform*float64(g.settings.Population)) {
			return uniformPoint(g.space, g.random.Float64)
		}
		return g.around(g.space.Unit(g.space.Start()), g.settings.Spread, originInitial)
	case place < len(g.carried):
		return g.carried[place]
	case g.carried != nil:
		return g.around(g.points[g.random.Intn(len(g.points))].unit, g.settings.StageSpread, originWidened)
	case place < g.settings.Elites:
		return g.ranked[place].Genome.(*individual).called(originElite)
	default:
		return g.child(failed)
	}
}

// child makes a child of two parents. It mutates once more for each time that the generation
// already had it: parents that are alike have children that are alike.
func (g *geneticSearch) child(failed int) point {
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

// around draws a point around a centre, with this standard deviation in each parameter.
func (g *geneticSearch) around(centre []float64, spread float64, origin string) point {
	unit := make([]float64, len(centre))
	for i, u := range centre {
		unit[i] = u + float64(spread*normal(g.random))
	}
	return newPoint(g.space, unit, origin)
}

// nextStage keeps the centre, the start vector for comparison and half of the population as they
// are. It moves the rest at random, whatever their fitness was.
func (g *geneticSearch) nextStage() {
	seen := distinct{}
	list := []point{newPoint(g.space, g.centre(), OriginCentre), startPoint(g.space, g.space.Start())}
	for _, p := range g.points[:len(g.points)/2] {
		list = append(list, p.called(originCarried))
	}
	for _, p := range list {
		if seen.add(p) {
			g.carried = append(g.carried, p)
		}
	}
}

// individual is a point as eaopt's operators handle it. They change its coordinates in place, even
// out of the unit cube. newPoint then makes a point of them.
type individual struct {
	point
	genetic *geneticSearch
}

var _ eaopt.Genome = (*individual)(nil)

// Evaluate does nothing: whole generations are measured.
func (i *individual) Evaluate() (float64, error) { return 0, nil }

// Clone copies the coordinates.
func (i *individual) Clone() eaopt.Genome {
	c := *i
	c.unit = slices.Clone(i.unit)
	return &c
}

// Crossover makes the individual a child of itself and its mate by blend crossover. Each number is
// uniform between the parents' numbers and blend times their distance beyond on both sides (L. J.
// Eshelman, J. D. Schaffer, Real-Coded Genetic Algorithms and Interval-Schemata, FOGA 2, 1993). The
// mate stays as it is.
func (i *individual) Crossover(mate eaopt.Genome, random *rand.Rand) {
	other := mate.(*individual)
	alpha := i.genetic.settings.Blend
	for k, a := range i.unit {
		distance := other.unit[k] - a
		at := float64(random.Float64()*(1+float64(2*alpha))) - alpha
		i.unit[k] = a + float64(at*distance)
	}
	i.origin = originCrossover
}

// Mutate moves each number with the probability mutation_rate by a normal random step of at least
// half a whole number.
func (i *individual) Mutate(random *rand.Rand) {
	for k, step := range i.genetic.steps {
		step = max(step, i.genetic.space.leastStep(k, i.unit[k]))
		if random.Float64() < i.genetic.settings.MutationRate && step > 0 {
			i.unit[k] += float64(step * normal(random))
			i.origin = originMutation
		}
	}
}

// mutationSteps returns the standard deviation of mutations for each parameter: the parents' own
// times mutation_spread, and at least mutation_floor. Under noise this adapts better than a
// schedule: it shrinks only as selection agrees.
func (g *geneticSearch) mutationSteps() []float64 {
	steps := make([]float64, g.space.Dim())
	for k := range steps {
		steps[k] = max(g.settings.MutationFloor, g.settings.MutationSpread*g.parentsSD(k))
	}
	return steps
}

// parentsSD returns the sample standard deviation of one coordinate of the parents, by Welford's
// method.
func (g *geneticSearch) parentsSD(k int) float64 {
	mean, squares := 0.0, 0.0
	for i, parent := range g.parents {
		x := parent.Genome.(*individual).unit[k]
		delta := x - mean
		mean += delta / float64(i+1)
		squares += float64(delta * (x - mean))
	}
	return math.Sqrt(squares / float64(len(g.parents)-1))
}

// normal returns a standard normal number. rand's own NormFloat64 differs between processors.
func normal(random *rand.Rand) float64 {
	return portable.NormalQuantile((float64(random.Int63n(1<<52)) + 0.5) / (1 << 52))
}
