package tuner

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The algorithms.
const (
	Genetic = "genetic" // a genetic algorithm, see genetic.go
	CMAES   = "cma_es"  // covariance matrix adaptation, see cma_es.go
	SPSA    = "spsa"    // simultaneous perturbation, see spsa.go
	Random  = "random"  // random search, see random.go
)

// Algorithms returns the names of all algorithms, the default first.
func Algorithms() []string { return []string{Genetic, CMAES, SPSA, Random} }

// Options are the settings of an optimizer. Start from [Defaults]: the zero value is not valid. What each number
// means, which algorithms use it, its range and its defaults: [Settings], and the table in README.md. A number that
// the algorithm does not use is ignored.
type Options struct {
	Algorithm               string // one of [Algorithms]
	Population, Populations int

	// Of the first generation, and of the first one of a stage.
	Spread, Uniform, StageSpread float64

	// Of the genetic algorithm.
	Elites                                      int
	Parents, Blend                              float64
	MutationRate, MutationSpread, MutationFloor float64

	// Of the CMA-ES.
	LearningRate, StepFloor float64

	// Of SPSA.
	Iterations                   int
	FinalRate, FinalPerturbation float64
}

// Setting is one number of [Options].
type Setting struct {
	Key string // its name in a config, such as mutation_rate for MutationRate
	Range
	Defaults map[string]float64 // by algorithm, for those that use it
	Doc      string             // what it means, in Markdown
	field    func(*Options) any // where the options keep it, an *int or a *float64
}

// Range is a range of numbers.
type Range struct {
	Low, High       float64
	LowOut, HighOut bool // the end itself is out of the range
}

// Contains reports whether the number is within the range, which NaN never is.
func (r Range) Contains(x float64) bool {
	return x >= r.Low && x <= r.High && !(r.LowOut && x == r.Low) && !(r.HighOut && x == r.High)
}

// String is the range in words: "from 0 to 1" or "more than 0 and at most 1".
func (r Range) String() string {
	if !r.LowOut && !r.HighOut {
		return "from " + decimal(r.Low) + " to " + decimal(r.High)
	}
	low, high := "at least ", "at most "
	if r.LowOut {
		low = "more than "
	}
	if r.HighOut {
		high = "less than "
	}
	return low + decimal(r.Low) + " and " + high + decimal(r.High)
}

// settings is the one list of what there is to set. Lengths are shares of a parameter's range (of its logarithm's
// range for a Log parameter).
var settings = []Setting{
	{Key: "population", Range: Range{Low: 2, High: 10_000}, Defaults: map[string]float64{Genetic: 40, CMAES: 16, SPSA: 8, Random: 40},
		Doc:   "candidates of a population in a generation; even for `spsa`, which asks for pairs",
		field: func(o *Options) any { return &o.Population }},
	{Key: "populations", Range: Range{Low: 1, High: 100}, Defaults: map[string]float64{Genetic: 1, CMAES: 1, SPSA: 1, Random: 1},
		Doc:   "how many populations search side by side, each with random numbers of its own; a generation has the candidates of all",
		field: func(o *Options) any { return &o.Populations }},
	{Key: "elites", Range: Range{Low: 0, High: 9_999}, Defaults: map[string]float64{Genetic: 2},
		Doc:   "how many of the best live on into the next generation, where they are measured again; less than `population`",
		field: func(o *Options) any { return &o.Elites }},
	{Key: "spread", Range: Range{Low: 0, High: 1, LowOut: true}, Defaults: map[string]float64{Genetic: 0.3, CMAES: 0.4},
		Doc:   "standard deviation of the first generation around the start",
		field: func(o *Options) any { return &o.Spread }},
	{Key: "uniform", Range: Range{Low: 0, High: 1}, Defaults: map[string]float64{Genetic: 0.5},
		Doc:   "share of the first generation that is drawn from the whole space instead",
		field: func(o *Options) any { return &o.Uniform }},
	{Key: "parents", Range: Range{Low: 0, High: 1, LowOut: true}, Defaults: map[string]float64{Genetic: 0.25},
		Doc:   "share of a generation, best first, that has children; each of them is as likely a parent",
		field: func(o *Options) any { return &o.Parents }},
	{Key: "blend", Range: Range{Low: 0, High: 2}, Defaults: map[string]float64{Genetic: 0.4},
		Doc: "how far a child may lie outside its parents, as a multiple of their distance: the alpha of BLX-alpha; with 0.37 and no selection " +
			"the spread of a population stays what it is",
		field: func(o *Options) any { return &o.Blend }},
	{Key: "mutation_rate", Range: Range{Low: 0, High: 1}, Defaults: map[string]float64{Genetic: 0.5},
		Doc:   "probability that a number of a child is moved by mutation",
		field: func(o *Options) any { return &o.MutationRate }},
	{Key: "mutation_spread", Range: Range{Low: 0, High: 10}, Defaults: map[string]float64{Genetic: 0.5},
		Doc:   "standard deviation of mutations, as a multiple of the parents' own, so that steps shrink as the population agrees",
		field: func(o *Options) any { return &o.MutationSpread }},
	{Key: "mutation_floor", Range: Range{Low: 0, High: 1}, Defaults: map[string]float64{Genetic: 0.01},
		Doc:   "the least standard deviation of mutations: a population that agrees by chance is not stuck",
		field: func(o *Options) any { return &o.MutationFloor }},
	{Key: "stage_spread", Range: Range{Low: 0, High: 1, LowOut: true}, Defaults: map[string]float64{Genetic: 0.1, CMAES: 0.15},
		Doc:   "standard deviation by which half of the population is moved when a stage begins; for `cma_es` that of its new distribution",
		field: func(o *Options) any { return &o.StageSpread }},
	{Key: "learning_rate", Range: Range{Low: 0, High: 1, LowOut: true}, Defaults: map[string]float64{CMAES: 0.7},
		Doc:   "share of its step that the distribution's mean makes: the tutorial's c_m",
		field: func(o *Options) any { return &o.LearningRate }},
	{Key: "step_floor", Range: Range{Low: leastStepFloor, High: mostSpread}, Defaults: map[string]float64{CMAES: 0.01},
		Doc:   "the least standard deviation of the distribution, over all parameters",
		field: func(o *Options) any { return &o.StepFloor }},
	{Key: "iterations", Range: Range{Low: 1, High: 1_000_000}, Defaults: map[string]float64{SPSA: 50},
		Doc:   "generations of a stage that the schedule is made for; more may follow, with gains that go on falling",
		field: func(o *Options) any { return &o.Iterations }},
	{Key: "final_rate", Range: Range{Low: 0, High: 100, LowOut: true}, Defaults: map[string]float64{SPSA: 0.4},
		Doc:   "rate at the end of the schedule: the R_end of fishtest, whose own default is 0.002 for pairs of single games",
		field: func(o *Options) any { return &o.FinalRate }},
	{Key: "final_perturbation", Range: Range{Low: 0, High: 0.5, LowOut: true}, Defaults: map[string]float64{SPSA: 0.05},
		Doc:   "distance of a candidate from where the search stands, in every parameter, at the end of the schedule: c_end",
		field: func(o *Options) any { return &o.FinalPerturbation }},
}

// Candidates returns how many candidates a generation has, of all populations together.
func (o Options) Candidates() int { return o.Population * o.Populations }

// Settings returns all settings, population first.
func Settings() []Setting { return slices.Clone(settings) }

// Uses reports whether the algorithm uses the setting.
func (s Setting) Uses(algorithm string) bool {
	_, used := s.Defaults[algorithm]
	return used
}

// Whole reports whether the setting is a whole number.
func (s Setting) Whole() bool {
	_, whole := s.field(new(Options)).(*int)
	return whole
}

// Get returns the setting's value.
func (s Setting) Get(o Options) float64 {
	if whole, ok := s.field(&o).(*int); ok {
		return float64(*whole)
	}
	return *s.field(&o).(*float64)
}

// Set gives the setting a value, which is whole if [Setting.Whole] is true.
func (s Setting) Set(o *Options, x float64) {
	if whole, ok := s.field(o).(*int); ok {
		*whole = int(x)
	} else {
		*s.field(o).(*float64) = x
	}
}

// Check returns what is wrong with the setting's value, beside the others.
func (s Setting) Check(o Options) error {
	x, kind := s.Get(o), "a number "
	if s.Whole() {
		kind = "a whole number "
	}
	switch {
	case !s.Contains(x):
		return fmt.Errorf("want %s%s, got %s", kind, s.Range, decimal(x))
	case s.Key == "population" && o.Algorithm == SPSA && o.Population%2 != 0:
		return fmt.Errorf("want an even number for %s, got %d", SPSA, o.Population)
	case s.Key == "elites" && o.Elites >= o.Population:
		return fmt.Errorf("want less than population, which is %d, got %d", o.Population, o.Elites)
	}
	return nil
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Validate reports everything that is wrong with the options, each with the setting's key, what was wanted and what
// was got.
func (o Options) Validate() error {
	if !slices.Contains(Algorithms(), o.Algorithm) {
		return fmt.Errorf("tuner: algorithm: want one of %s, got %q", strings.Join(Algorithms(), ", "), o.Algorithm)
	}
	var errs []error
	for _, s := range settings {
		if err := s.Check(o); err != nil && s.Uses(o.Algorithm) {
			errs = append(errs, fmt.Errorf("tuner: %s: %w", s.Key, err))
		}
	}
	return errors.Join(errs...)
}

// cmaesDimensions is for how many parameters [CMAES] is given: its matrix has their number squared, and each
// generation takes that cubed, a second for 300 of them.
const cmaesDimensions = 256

// Fits reports why the algorithm cannot search the space.
func (o Options) Fits(s *Space) error {
	if n := len(s.varying()); o.Algorithm == CMAES && n > cmaesDimensions {
		return fmt.Errorf("tuner: %s: want at most %d parameters that vary, got %d; %s has no such limit", CMAES, cmaesDimensions, n, Genetic)
	}
	return nil
}

// Defaults returns the settings of an algorithm that gave the best answers for the noisy functions of the tests.
// BenchmarkNoisy reports these figures: the value at the centre, averaged over six functions of 7 parameters and 30
// repeats; the noise is 0.55 of the mean and a candidate gets 8 samples, 3,000, 10,000 or 40,000 in all. The optimum
// is 1, the standard error about 0.003.
//
//	         3,000  10,000  40,000  together
//	cma_es   0.816   0.915   0.947   0.893
//	spsa     0.767   0.903   0.967   0.879
//	genetic  0.760   0.900   0.940   0.867
//	random   0.466   0.460   0.459   0.462
//
// Together, with another value of one setting:
//
//	cma_es   population 12: 0.889, 24: 0.877; learning_rate 1: 0.890
//	spsa     population 4: 0.892, 16: 0.850; final_rate 0.2: 0.834
//	genetic  population 30: 0.849, 50: 0.870; mutation_floor 0: 0.845
//
// The differences between functions are larger than these, so each default is the middle of a plateau rather than a
// peak. SPSA with fewer pairs is better still, but a generation of 4 candidates keeps few processors busy. How many
// samples a candidate gets, which is the caller's choice, matters more than any setting: with 32 for each, cma_es
// comes to 0.750 and genetic to 0.732.
//
// stage_spread was chosen by how well the search recovered when the optimum moved between two stages, by up to 0.24
// of the range.
func Defaults(algorithm string) Options {
	o := Options{Algorithm: algorithm}
	for _, s := range settings {
		if x, used := s.Defaults[algorithm]; used {
			s.Set(&o, x)
		}
	}
	return o
}
