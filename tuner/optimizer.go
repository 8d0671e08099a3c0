package tuner

import (
	"errors"
	"fmt"
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
	OriginMember    = "member"    // of the population of differential evolution, which trials have to beat
	OriginTrial     = "trial"     // of differential evolution, to replace a member
	OriginPair      = "pair"      // one side of a pair of SPSA
	OriginSobol     = "sobol"     // of a Sobol sequence
	OriginMean      = "mean"      // the mean of several searches' centres
)

// Candidate is a vector whose fitness is wanted.
type Candidate struct {
	Values []float64 // natural values, one for each parameter
	Origin string    // how it came about, one of the Origin constants
}

// Optimizer searches in turns: Ask, Tell, Ask, Tell and so on. It is not safe
// for concurrent use.
type Optimizer interface {
	// Ask returns one whole generation. Survivors of the generation before are
	// in it again: their fitness is to be measured afresh, lest a lucky one live
	// for ever. The first candidate of all is the start vector. Asking twice
	// without telling is an error wrapping [ErrTurn].
	Ask() ([]Candidate, error)

	// Tell reports the fitness of the last asked generation, in its order; higher
	// is better, and the unit and the zero of the numbers do not matter, mostly
	// only their order. It refuses another number of values, NaN and infinities
	// (the generation can then be told again), and, with an error wrapping
	// [ErrTurn], a generation that was not asked for or has been told.
	Tell(fitness []float64) error

	// Centre returns the answer of the search in natural values: where the
	// algorithm stands, averaged over its last generations, or the mean of the
	// last told generation in the unit cube, weighted by the rank of fitness; and
	// the start values before any Tell. It is a better answer than the fittest
	// candidate, which is mostly the luckiest.
	Centre() []float64

	// NextStage says that fitness will mean something else from now on. The
	// population, or where the algorithm stands, is carried over, its spread is
	// widened, and what was told does not rank it any more. It is called between
	// Tell and Ask, and is an error wrapping [ErrTurn] between Ask and Tell.
	NextStage() error

	// Close ends the search and frees what it holds. It may be called at any
	// time and more than once; Ask, Tell and NextStage then fail with
	// [ErrClosed].
	Close()
}

var (
	// ErrTurn is wrapped by the error of a method that is called out of turn.
	ErrTurn = errors.New("out of turn")
	// ErrClosed is wrapped by the error of a method that is called after Close.
	ErrClosed = errors.New("the optimizer is closed")
)

// The algorithms.
const (
	Genetic               = "genetic"                // a genetic algorithm, see genetic.go
	CMAES                 = "cma_es"                 // covariance matrix adaptation, see cma_es.go
	DifferentialEvolution = "differential_evolution" // see differential_evolution.go
	SPSA                  = "spsa"                   // simultaneous perturbation, see spsa.go
	Sobol                 = "sobol"                  // a Sobol sequence, see sobol.go
	Random                = "random"                 // random search, see random.go
)

// Algorithms returns the names of all algorithms, the default first.
func Algorithms() []string {
	return []string{Genetic, CMAES, DifferentialEvolution, SPSA, Sobol, Random}
}

// cmaesDimensions is for how many parameters [CMAES] is given: its matrix has their number squared, and each generation
// takes that cubed, a second for 300 of them.
const cmaesDimensions = 256

// Fits reports why the algorithm cannot search the space.
func (o Options) Fits(s *Space) error {
	limit := map[string]int{CMAES: cmaesDimensions, Sobol: sobolDimensions}[o.Algorithm]
	if n := len(s.varying()); limit > 0 && n > limit {
		return fmt.Errorf("tuner: %s: want at most %d parameters that vary, got %d; %s has no such limit", o.Algorithm, limit, n,
			map[string]string{CMAES: Genetic, Sobol: Random + " search"}[o.Algorithm])
	}
	return nil
}

// New returns an optimizer of the space. Its random numbers all come from the
// seed.
func New(o Options, s *Space, seed uint64) (Optimizer, error) {
	if err := errors.Join(o.Validate(), o.Fits(s)); err != nil {
		return nil, err
	}
	switch o.Algorithm {
	case CMAES:
		return newCMAES(o, s, seed), nil
	case DifferentialEvolution:
		return newDifferentialEvolution(o, s, seed), nil
	case SPSA:
		return newSPSA(o, s, seed), nil
	case Sobol:
		return newSobol(o, s, seed), nil
	case Random:
		return newRandom(o, s, seed), nil
	default:
		return newGenetic(o, s, seed)
	}
}
