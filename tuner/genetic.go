package tuner

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"tune2048/engine/key"
	"tune2048/engine/portable"
	"tune2048/experiments/stats"
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
		{Name: "elites", Doc: "how many of the best live on into the next generation, which measures them again; less than " +
			"`population`",
			To: &g.Elites, Default: min(2, g.Population/2), Auto: -1,
			Range: key.Between(0, float64(cmp.Or(g.Population, 10_000)-1))},
		spreadKey(&g.Spread, 0.3),
		{Name: "uniform", Doc: "share of the first generation that is drawn from the whole space instead",
			To: &g.Uniform, Default: 0.9, Range: key.Between(0, 1)},
		{Name: "parents", Doc: "share of a generation, best first, that has children; each of them is as likely a parent",
			To: &g.Parents, Default: 0.25, Range: share},
		{Name: "blend", Doc: "how far a child may lie outside its parents, as a multiple of their distance: the alpha of " +
			"BLX-alpha; with 0.37 and no selection the spread of a population stays the same",
			To: &g.Blend, Default: 0.4, Range: key.Between(0, 2)},
		{Name: "mutation_rate", Doc: "probability that a number of a child is moved by mutation",
			To: &g.MutationRate, Default: 0.5, Range: key.Between(0, 1)},
		{Name: "mutation_spread", Doc: "standard deviation of mutations, as a multiple of the parents' own, so that steps " +
			"shrink as the population agrees",
			To: &g.MutationSpread, Default: 0.5, Range: key.Between(0, 10)},
		{Name: "mutation_floor", Doc: "the least standard deviation of mutations: a population that agrees by chance is " +
			"not stuck",
			To: &g.MutationFloor, Default: 0.01, Range: key.Between(0, 1)},
		stageSpreadKey(&g.StageSpread, 0.1),
	}
}

func (*Genetic) Name() string               { return "genetic" }
func (g *Genetic) Candidates() int          { return g.Population }
func (*Genetic) HandOver(int) int           { return 0 }
func (*Genetic) Narrow() map[string]float64 { return map[string]float64{"spread": 0.05, "uniform": 0} }

func (*Genetic) Fit(parameters int) (population int) { return min(max(40, 4*parameters), 100) }

// geneticSearch is a genetic algorithm for real numbers and noisy fitness. Truncation selection and
// recombination are as in the breeder genetic algorithm (H. Muehlenbein, D. Schlierkamp-Voosen,
// Predictive Models for the Breeder Genetic Algorithm, Evolutionary Computation 1, 1993). Crossover
// blends, mutations scale with the population, and every generation measures a few elites again.
//
// It is a Model of eaopt: Apply makes the next generation of a measured one. eaopt carries one
// generation out for each that was measured. The library's own models keep fitness that was
// measured once, or for another genome. Its hall of fame keeps the luckiest, and nobody reads it.
type geneticSearch struct {
	settings Genetic
	space    *Space
	random   *rand.Rand // eaopt draws its own numbers, for identities, from another source

	points  []Candidate // the last generation whose fitness is known
	fitness []float64

	generation []*individual     // to be measured, by place
	parents    eaopt.Individuals // its own: the best of the generation before, at least two
	steps      []float64         // standard deviation of mutations for each parameter
}

var _ eaopt.Model = (*geneticSearch)(nil)

// start draws the first generation. Place 0 has the start vector. So places 1 to uniform x
// population are drawn from everywhere.
func (settings *Genetic) start(s *Space, random *portable.Source) (search, error) {
	g := &geneticSearch{settings: *settings, space: s, random: rand.New(random)}
	g.steps = slices.Repeat([]float64{settings.Spread}, s.Dim())
	for place := range settings.Population {
		c := g.around(s.Unit(s.Start()), settings.Spread, originInitial)
		if place > 0 && place <= int(settings.Uniform*float64(settings.Population)) {
			c = g.anywhere()
		}
		g.add(c)
	}
	return g, nil
}

// add adds an individual to the generation.
func (g *geneticSearch) add(c Candidate) eaopt.Individual {
	i := &individual{Candidate: c, genetic: g, place: len(g.generation)}
	g.generation = append(g.generation, i)
	return eaopt.Individual{Genome: i}
}

// Validate is for eaopt.
func (*geneticSearch) Validate() error { return nil }

// learn lets eaopt make the next generation of this one.
func (g *geneticSearch) learn(generation []Candidate, fitness []float64) {
	g.points, g.fitness, g.generation = generation, fitness, nil
	ga, err := eaopt.GAConfig{
		NPops:        1,
		PopSize:      uint(len(generation)),
		NGenerations: 1,
		HofSize:      1, // the least that eaopt allows
		Model:        g,
		RNG:          rand.New(portable.NewSource(0)),
	}.NewGA()
	if err == nil {
		err = ga.Minimize(func(*rand.Rand) eaopt.Genome { return g.add(generation[len(g.generation)]).Genome })
	}
	if err != nil {
		panic(fmt.Sprint("tuner: eaopt: ", err)) // of a fixed configuration
	}
}

// Apply makes the next generation of a measured one: the elites live on, and the best have children
// by crossover and mutation.
func (g *geneticSearch) Apply(population *eaopt.Population) error {
	ranked := slices.SortedStableFunc(slices.Values(population.Individuals), func(a, b eaopt.Individual) int {
		return cmp.Or(cmp.Compare(a.Fitness, b.Fitness), // eaopt minimizes
			cmp.Compare(a.Genome.(*individual).place, b.Genome.(*individual).place))
	})
	g.parents, g.generation = ranked[:g.breeding()], nil
	g.steps = g.mutationSteps()
	for place := range population.Individuals {
		if place < g.settings.Elites {
			population.Individuals[place] = g.add(ranked[place].Genome.(*individual).called(originElite))
			continue
		}
		first, second := g.mates()
		child := g.add(first.Genome.Clone().(*individual).Candidate)
		child.Crossover(second, g.random)
		child.Mutate(g.random)
		population.Individuals[place] = child
	}
	return nil
}

// mates draws two parents. Each is as likely.
func (g *geneticSearch) mates() (first, second eaopt.Individual) {
	a := g.random.Intn(len(g.parents))
	b := g.random.Intn(len(g.parents) - 1)
	if b >= a {
		b++ // any other one
	}
	return g.parents[a], g.parents[b]
}

// breeding returns the number of parents.
func (g *geneticSearch) breeding() int {
	return max(2, int(g.settings.Parents*float64(g.settings.Population)))
}

func (g *geneticSearch) selected() int { return max(g.breeding(), g.settings.Elites) }

// candidate is the individual at the place. It mutates once more each time that the generation
// already had it: parents that are alike have children that are alike.
func (g *geneticSearch) candidate(place, failed int) Candidate {
	i := g.generation[place]
	if failed > 0 {
		i = i.Clone().(*individual) // an elite has the coordinates of a candidate, which never changes
		g.generation[place] = i
		i.mutate(g.random, 1)
	}
	if i.Values == nil { // it was moved
		return newCandidate(g.space, i.unit, i.Origin)
	}
	return i.Candidate
}

// around draws a candidate around a centre, with this standard deviation in each parameter.
func (g *geneticSearch) around(centre []float64, spread float64, origin string) Candidate {
	unit := make([]float64, len(centre))
	for i, u := range centre {
		unit[i] = u + float64(spread*normal(g.random))
	}
	return newCandidate(g.space, unit, origin)
}

// anywhere draws a candidate from the whole space.
func (g *geneticSearch) anywhere() Candidate {
	unit := make([]float64, g.space.Dim())
	for i := range unit {
		unit[i] = strip + float64((1-2*strip)*g.random.Float64())
	}
	return newCandidate(g.space, unit, originRandom)
}

// centre returns the rank-weighted mean of the last generation in the unit cube.
func (g *geneticSearch) centre() []float64 {
	mean := make([]float64, g.space.Dim())
	total := 0.0
	for k, w := range rankShares(g.fitness) {
		total += w
		for i, u := range g.points[k].unit {
			mean[i] += float64(w * u)
		}
	}
	for i := range mean {
		mean[i] /= total
	}
	return mean
}

// nextStage keeps the centre, the start vector for comparison and half of the population as they
// are. It moves the rest at random, whatever their fitness was.
func (g *geneticSearch) nextStage() {
	seen := distinct{}
	list := []Candidate{newCandidate(g.space, g.centre(), OriginCentre), startCandidate(g.space, g.space.Start())}
	for _, p := range g.points[:len(g.points)/2] {
		list = append(list, p.called(originCarried))
	}
	list = slices.DeleteFunc(list, func(c Candidate) bool { return !seen.add(c) })
	for place, i := range g.generation {
		if place < len(list) {
			i.Candidate = list[place]
		} else {
			i.Candidate = g.around(g.points[g.random.Intn(len(g.points))].unit, g.settings.StageSpread, originWidened)
		}
	}
}

// individual is a candidate as eaopt's operators handle it. They change its coordinates in place,
// even out of the unit cube. newCandidate then makes a candidate of them.
type individual struct {
	Candidate
	genetic *geneticSearch
	place   int // in its generation
}

var _ eaopt.Genome = (*individual)(nil)

// Evaluate returns the fitness for eaopt, which minimizes. eaopt also asks the children, and nobody
// uses what they answer.
func (i *individual) Evaluate() (float64, error) { return -i.genetic.fitness[i.place], nil }

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
	i.Origin, i.Values = originCrossover, nil
}

// Mutate moves each number with the probability mutation_rate by a normal random step of at least
// half a whole number.
func (i *individual) Mutate(random *rand.Rand) { i.mutate(random, i.genetic.settings.MutationRate) }

func (i *individual) mutate(random *rand.Rand, rate float64) {
	for k, step := range i.genetic.steps {
		step = max(step, i.genetic.space.leastStep(k, i.unit[k]))
		if random.Float64() < rate && step > 0 {
			i.unit[k] += float64(step * normal(random))
			i.Origin, i.Values = originMutation, nil
		}
	}
}

// mutationSteps returns the standard deviation of mutations for each parameter: the parents' own
// times mutation_spread, and at least mutation_floor. Under noise this adapts better than a
// schedule: it shrinks only as selection agrees.
func (g *geneticSearch) mutationSteps() []float64 {
	steps := make([]float64, g.space.Dim())
	for k := range steps {
		var places stats.Moments
		for _, parent := range g.parents {
			places.Add(parent.Genome.(*individual).unit[k])
		}
		steps[k] = max(g.settings.MutationFloor, g.settings.MutationSpread*places.SD())
	}
	return steps
}

// normal returns a standard normal number. rand's own NormFloat64 differs between processors.
func normal(random *rand.Rand) float64 {
	return portable.NormalQuantile((float64(random.Int63n(1<<52)) + 0.5) / (1 << 52))
}
