package tuner

import (
	"cmp"
	"fmt"
	"math"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"tune2048/engine/portable"
)

// genetic is a genetic algorithm for real numbers and noisy fitness: truncation
// selection and recombination as in the breeder genetic algorithm (H.
// Muehlenbein, D. Schlierkamp-Voosen, Predictive Models for the Breeder Genetic
// Algorithm, Evolutionary Computation 1, 1993), blend crossover, mutations that
// scale with the population, and few elites that are measured again in every
// generation.
//
// It runs eaopt's GA with a model of its own, because the library's models keep
// fitness that was measured once, or for another genome, and its hall of fame
// keeps the luckiest. eaopt calls the model for each generation; the model hands
// the generation out and waits until its fitness is told. So eaopt runs in a
// goroutine of its own, which takes turns with the caller and never runs at the
// same time. It is started by the first Ask and ended by Close.
type genetic struct {
	turns
	options  Options
	breeding breeding
	random   *rand.Rand // the only source of random numbers, eaopt's included
	ga       *eaopt.GA
	started  bool
	staged   bool  // the next generation begins a stage
	err      error // of eaopt, once finished is closed

	generations chan []point  // from the model to Ask
	resume      chan struct{} // from Ask to the model: the fitness is known
	quit        chan struct{} // closed by Close
	finished    chan struct{} // closed when eaopt has returned
}

var _ Optimizer = (*genetic)(nil)

func newGenetic(o Options, s *Space, seed uint64) (*genetic, error) {
	g := &genetic{
		turns:       turns{space: s},
		options:     o,
		breeding:    breeding{options: o},
		random:      rand.New(portable.NewSource(portable.Hash(seed, "tuner", Genetic))),
		generations: make(chan []point),
		resume:      make(chan struct{}),
		quit:        make(chan struct{}),
		finished:    make(chan struct{}),
	}
	var err error
	g.ga, err = eaopt.GAConfig{
		NPops:        1,
		PopSize:      uint(o.Population),
		NGenerations: math.MaxInt, // Close ends it
		HofSize:      1,           // the least that eaopt allows; never read
		Model:        model{g},
		RNG:          g.random,
	}.NewGA()
	if err != nil {
		return nil, fmt.Errorf("tuner: eaopt: %w", err)
	}
	return g, nil
}

func (g *genetic) Ask() ([]Candidate, error) {
	if err := g.mayAsk(); err != nil {
		return nil, err
	}
	if g.started {
		g.resume <- struct{}{}
	} else {
		g.started = true
		go func() {
			defer close(g.finished)
			g.err = g.ga.Minimize(g.founders())
		}()
	}
	select {
	case generation := <-g.generations:
		return g.ask(generation), nil
	case <-g.finished:
		return nil, fmt.Errorf("tuner: Ask: eaopt: %w", g.err)
	}
}

func (g *genetic) Tell(fitness []float64) error {
	if err := g.mayTell(fitness); err != nil {
		return err
	}
	g.tell(fitness)
	return nil
}

func (g *genetic) NextStage() error {
	if err := g.mayChangeStage(); err != nil {
		return err
	}
	g.staged = g.told != nil
	return nil
}

// Close waits until eaopt's goroutines have ended.
func (g *genetic) Close() {
	if g.closed {
		return
	}
	g.closed = true
	close(g.quit)
	if g.started {
		<-g.finished
	}
}

// founders returns the function that makes the individuals of the first
// generation, one after the other.
func (g *genetic) founders() func(*rand.Rand) eaopt.Genome {
	seen := distinct{}
	place := -1
	return func(*rand.Rand) eaopt.Genome {
		place++
		p := seen.draw(nil, 1, func(failed int) point { return founder(g.options, g.space, g.random, place, failed) })[0]
		return &individual{point: p, place: place, breeding: &g.breeding}
	}
}

// model is what eaopt calls for each generation. Its first population is that
// of founders, which nobody has measured yet.
type model struct{ g *genetic }

var _ eaopt.Model = model{}

func (model) Validate() error { return nil }

// Apply makes the next generation, hands it out and sets its fitness, that of
// survivors included.
func (m model) Apply(population *eaopt.Population) error {
	g, individuals := m.g, population.Individuals
	population.RNG = g.random
	// eaopt minimizes, and its sort is not stable.
	slices.SortFunc(individuals, func(a, b eaopt.Individual) int {
		return cmp.Or(cmp.Compare(a.Fitness, b.Fitness), cmp.Compare(a.Genome.(*individual).place, b.Genome.(*individual).place))
	})
	var generation []point
	switch {
	case population.Generations == 0:
		for _, i := range individuals {
			generation = append(generation, i.Genome.(*individual).point)
		}
	case g.staged:
		generation = carryOver(g.options, g.space, g.random, g.told, g.fitness)
		g.staged = false
	default:
		generation = g.breed(individuals)
	}

	select {
	case g.generations <- generation:
	case <-g.quit:
		return ErrClosed
	}
	select {
	case <-g.resume:
	case <-g.quit:
		return ErrClosed
	}
	for i, p := range generation {
		individuals[i] = eaopt.NewIndividual(&individual{point: p, place: i, breeding: &g.breeding}, g.random)
		individuals[i].Fitness, individuals[i].Evaluated = -g.fitness[i], true
	}
	return nil
}

// breed makes the next generation from individuals that are sorted, best first.
func (g *genetic) breed(individuals eaopt.Individuals) []point {
	seen := distinct{}
	var generation []point
	for _, i := range individuals[:g.options.Elites] {
		p := i.Genome.(*individual).called(OriginElite)
		seen.add(p)
		generation = append(generation, p)
	}
	share := g.options.Parents * float64(len(individuals))
	parents := individuals[:min(max(2, int(share)), len(individuals))]
	g.breeding.steps = mutationSteps(g.options, g.space, parents)
	return seen.draw(generation, len(individuals), func(failed int) point {
		a := g.random.Intn(len(parents))
		b := g.random.Intn(len(parents) - 1)
		if b >= a {
			b++ // any other one
		}
		child := parents[a].Clone(g.random)
		child.Crossover(parents[b], g.random)
		child.Mutate(g.random)
		for range failed { // parents that are alike have children that are alike
			child.Mutate(g.random)
		}
		genome := child.Genome.(*individual)
		return newPoint(g.space, genome.unit, genome.origin)
	})
}
