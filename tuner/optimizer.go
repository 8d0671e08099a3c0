package tuner

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tune2048/engine/portable"
)

// The origins of candidates.
const (
	OriginStart     = "start"     // the start vector
	OriginInitial   = "initial"   // drawn around the start
	OriginRandom    = "random"    // drawn uniformly from the whole space
	OriginElite     = "elite"     // among the best of the generation before
	OriginCrossover = "crossover" // between two parents
	OriginMutation  = "mutation"  // between two parents, then moved at random
	OriginCarried   = "carried"   // kept from the stage before
	OriginWidened   = "widened"   // drawn around a candidate of the stage before
	OriginCentre    = "centre"    // the centre of the stage before
	OriginSampled   = "sampled"   // drawn from the distribution of the CMA-ES
	OriginPair      = "pair"      // one side of a pair of SPSA
	OriginMean      = "mean"      // the mean of several searches' centres
)

// Candidate is a vector whose fitness is wanted.
type Candidate struct {
	Values []float64 // natural values, one for each parameter
	Origin string    // how it came about, one of the Origin constants
}

var (
	// ErrTurn is wrapped by the error of a method that is called out of turn.
	ErrTurn = errors.New("out of turn")
	// ErrClosed is wrapped by the error of a method that is called after Close.
	ErrClosed = errors.New("the optimizer is closed")
)

// Optimizer searches in turns: Ask, Tell, Ask, Tell and so on. It is not safe for concurrent use.
type Optimizer struct {
	algorithm
	space      *Space
	population int
	asked      []point // the generation whose fitness is awaited, or nil
	generation int     // how many generations have been told
	untold     bool    // nothing has been told in this stage
	stop       func()  // ends the algorithm; nil once it has been called
}

// algorithm proposes candidates and learns from their fitness. The Optimizer calls it in the right order, with
// fitness that has been checked.
type algorithm interface {
	// candidate proposes the one at a place of the next generation, from 0. failed is how often the generation
	// already had what it proposed for the place. The first place of all is the start vector's, and not asked for.
	candidate(place, failed int) point
	// learn is told the fitness of a whole generation, higher being better. Both are its to keep.
	learn(generation []point, fitness []float64)
	// nextStage begins another stage. Something has been told in the one before.
	nextStage()
	// centre returns the answer in the unit cube. Something has been told.
	centre() []float64
}

// New returns an optimizer of the space. Its random numbers all come from the seed.
func New(o Options, s *Space, seed uint64) (*Optimizer, error) {
	if err := errors.Join(o.Validate(), o.Fits(s)); err != nil {
		return nil, err
	}
	optimizer := &Optimizer{space: s, population: o.Population, untold: true, stop: func() {}}
	random := portable.NewSource(portable.Hash(seed, "tuner", o.Algorithm))
	switch o.Algorithm {
	case Genetic:
		g, err := newGenetic(o, s, random)
		if err != nil {
			return nil, err
		}
		optimizer.algorithm, optimizer.stop = g, g.stop
	case CMAES:
		optimizer.algorithm = newCMAES(o, s, random)
	case SPSA:
		optimizer.algorithm = newSPSA(o, s, random)
	case Random:
		optimizer.algorithm = &randomSearch{space: s, random: random}
	}
	return optimizer, nil
}

// Ask returns one whole generation. Survivors of the generation before are in it again: their fitness is to be
// measured afresh, lest a lucky one live for ever. The first candidate of all is the start vector. No vector is there
// twice, unless the space has too few of them. Asking twice without telling is an error wrapping [ErrTurn].
func (o *Optimizer) Ask() ([]Candidate, error) {
	if err := o.turn("Ask", false); err != nil {
		return nil, err
	}
	seen := distinct{}
	candidates := make([]Candidate, o.population)
	for place := range candidates {
		var p point
		for failed := 0; failed <= distinctTries; failed++ {
			if place == 0 && o.generation == 0 {
				p = startPoint(o.space)
			} else {
				p = o.candidate(place, failed)
			}
			if seen.add(p) {
				break
			}
		}
		o.asked = append(o.asked, p)
		candidates[place] = Candidate{Values: slices.Clone(p.values), Origin: p.origin}
	}
	return candidates, nil
}

// Tell reports the fitness of the last asked generation, in its order; higher is better, and the unit and the zero of
// the numbers do not matter, mostly only their order. It refuses another number of values, NaN and infinities (the
// generation can then be told again), and, with an error wrapping [ErrTurn], a generation that was not asked for or
// has been told.
func (o *Optimizer) Tell(fitness []float64) error {
	if err := o.turn("Tell", true); err != nil {
		return err
	}
	if len(fitness) != len(o.asked) {
		return fmt.Errorf("tuner: Tell: want the fitness of %d candidates, got %d", len(o.asked), len(fitness))
	}
	for i, f := range fitness {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("tuner: Tell: fitness of candidate %d: want a finite number, got %v", i, f)
		}
	}
	o.learn(o.asked, slices.Clone(fitness))
	o.asked, o.untold = nil, false
	o.generation++
	return nil
}

// Centre returns the answer of the search in natural values: where the algorithm stands, averaged over its last
// generations, or the mean of the last told generation in the unit cube, weighted by the rank of fitness; and the
// start values before any Tell. It is a better answer than the fittest candidate, which is mostly the luckiest.
func (o *Optimizer) Centre() []float64 {
	if o.generation == 0 {
		return o.space.Start()
	}
	return o.space.Values(o.centre())
}

// NextStage says that fitness will mean something else from now on. The population, or where the algorithm stands, is
// carried over, its spread is widened, and what was told does not rank it any more. It is called between Tell and
// Ask, and is an error wrapping [ErrTurn] between Ask and Tell.
func (o *Optimizer) NextStage() error {
	if err := o.turn("NextStage", false); err != nil {
		return err
	}
	if !o.untold { // a stage without a generation is none
		o.nextStage()
		o.untold = true
	}
	return nil
}

// Close ends the search and frees what it holds. It may be called at any time and more than once; Ask, Tell and
// NextStage then fail with [ErrClosed], and Centre goes on answering.
func (o *Optimizer) Close() {
	if o.stop != nil {
		o.stop()
		o.stop = nil
	}
}

// turn returns the error of a method that is called after Close or out of turn. asked says whether it wants a
// generation whose fitness is awaited, or none.
func (o *Optimizer) turn(method string, asked bool) error {
	switch {
	case o.stop == nil:
		return fmt.Errorf("tuner: %s: %w", method, ErrClosed)
	case asked && o.asked == nil:
		return fmt.Errorf("tuner: %s: %w: call Ask first", method, ErrTurn)
	case !asked && o.asked != nil:
		return fmt.Errorf("tuner: %s: %w: generation %d has not been told", method, ErrTurn, o.generation)
	}
	return nil
}
