package tuner

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Options are the settings of an optimizer. Start from [Defaults]: the zero
// value is not valid. Lengths are shares of a parameter's range (of its
// logarithm's range for a Log parameter). An option that the algorithm does not
// use, see [Uses], is ignored.
type Options struct {
	// Algorithm is one of [Algorithms].
	Algorithm string
	// Population is the number of candidates of a generation, at least 2; at
	// least 6 for DifferentialEvolution, half of which are its members; even for
	// SPSA, which asks for pairs.
	Population int

	// Elites is how many of the best live on into the next generation, where
	// they are measured again; at least 0, less than Population.
	Elites int
	// Spread is the standard deviation of the first generation around the start,
	// in (0, 1].
	Spread float64
	// Uniform is the share of the first generation that is drawn from the whole
	// space instead, in [0, 1].
	Uniform float64
	// Parents is the share of a generation, best first, that has children, in
	// (0, 1]. Every one of them is as likely a parent.
	Parents float64
	// Blend is by how much a child may lie outside its parents, as a multiple of
	// their distance in each parameter, in [0, 2]: the alpha of BLX-alpha. With
	// about 0.37 and no selection the spread of a population stays what it is.
	Blend float64
	// MutationRate is the probability that a number of a child is moved by
	// mutation, in [0, 1].
	MutationRate float64
	// MutationSpread is the standard deviation of mutations, as a multiple of
	// the parents' own standard deviation in that parameter, so that steps shrink
	// as the population agrees; in [0, 10].
	MutationSpread float64
	// MutationFloor is the least standard deviation of mutations, in [0, 1]: a
	// population that agrees by chance is not stuck.
	MutationFloor float64
	// StageSpread is the standard deviation by which half of the population is
	// moved when a new stage begins, in [0, 1]; for CMAES that of the distribution
	// with which it begins, more than 0.
	StageSpread float64

	// LearningRate is the share of its step that the distribution's mean makes,
	// in (0, 1]: the tutorial's c_m.
	LearningRate float64
	// StepFloor is the least standard deviation of the distribution, over all
	// parameters, in [0.000001, 0.5].
	StepFloor float64

	// DifferenceWeight is the mean weight of the difference of two members in a
	// trial, in (0, 2]: F.
	DifferenceWeight float64
	// BestWeight is how far a trial goes from its member to one of the best, as a
	// share of their distance, in [0, 2]: K.
	BestWeight float64
	// CrossoverRate is the probability that a number of a trial is new rather
	// than its member's, in [0, 1]: CR.
	CrossoverRate float64

	// Iterations is the number of generations of a stage that the schedule is
	// made for, at least 1. More may follow: its gains go on falling.
	Iterations int
	// FinalRate is the rate at the end of the schedule, in (0, 100]: the R_end of
	// fishtest, whose own default is 0.002 for pairs of single games.
	FinalRate float64
	// FinalPerturbation is the distance of a candidate from theta in every
	// parameter at the end of the schedule, in (0, 0.5]: c_end.
	FinalPerturbation float64
}

// uses lists the options that an algorithm has beside Algorithm and Population.
var uses = map[string][]string{
	Genetic: {"Elites", "Spread", "Uniform", "Parents", "Blend", "MutationRate", "MutationSpread", "MutationFloor",
		"StageSpread"},
	CMAES:                 {"Spread", "StageSpread", "LearningRate", "StepFloor"},
	DifferentialEvolution: {"Spread", "Uniform", "StageSpread", "DifferenceWeight", "BestWeight", "CrossoverRate"},
	SPSA:                  {"Iterations", "FinalRate", "FinalPerturbation"},
}

// Uses reports whether the algorithm uses the option with the field's name.
func Uses(algorithm, field string) bool {
	return field == "Algorithm" || field == "Population" || slices.Contains(uses[algorithm], field)
}

// Validate reports everything that is wrong with the options, each with the
// field, what was wanted and what was got.
func (o Options) Validate() error {
	if !slices.Contains(Algorithms(), o.Algorithm) {
		return fmt.Errorf("tuner: Algorithm: want one of %s, got %q", strings.Join(Algorithms(), ", "), o.Algorithm)
	}
	var errs []error
	check := func(ok bool, field, want string, got any) {
		if !ok && Uses(o.Algorithm, field) {
			errs = append(errs, fmt.Errorf("tuner: %s: want %s, got %v", field, want, got))
		}
	}
	// Written so that NaN fails.
	within := func(field string, got, low, high float64) {
		check(got >= low && got <= high, field, fmt.Sprintf("within [%v, %v]", low, high), got)
	}
	positive := func(field string, got, high float64) {
		check(got > 0 && got <= high, field, fmt.Sprintf("more than 0 and at most %v", high), got)
	}
	switch o.Algorithm {
	case DifferentialEvolution:
		check(o.Population >= leastDifferential, "Population", fmt.Sprintf("at least %d for %s", leastDifferential, o.Algorithm), o.Population)
	case SPSA:
		check(o.Population >= 2 && o.Population%2 == 0, "Population", "an even number of at least 2 for "+SPSA, o.Population)
	default:
		check(o.Population >= 2, "Population", "at least 2", o.Population)
	}
	check(o.Elites >= 0 && o.Elites < max(o.Population, 2), "Elites",
		fmt.Sprintf("at least 0 and less than Population, which is %d", o.Population), o.Elites)
	positive("Spread", o.Spread, 1)
	within("Uniform", o.Uniform, 0, 1)
	positive("Parents", o.Parents, 1)
	within("Blend", o.Blend, 0, 2)
	within("MutationRate", o.MutationRate, 0, 1)
	within("MutationSpread", o.MutationSpread, 0, 10)
	within("MutationFloor", o.MutationFloor, 0, 1)
	if o.Algorithm == CMAES {
		positive("StageSpread", o.StageSpread, 1)
	} else {
		within("StageSpread", o.StageSpread, 0, 1)
	}
	positive("LearningRate", o.LearningRate, 1)
	within("StepFloor", o.StepFloor, leastStepFloor, mostSpread)
	positive("DifferenceWeight", o.DifferenceWeight, 2)
	within("BestWeight", o.BestWeight, 0, 2)
	within("CrossoverRate", o.CrossoverRate, 0, 1)
	check(o.Iterations >= 1, "Iterations", "at least 1", o.Iterations)
	positive("FinalRate", o.FinalRate, 100)
	positive("FinalPerturbation", o.FinalPerturbation, 0.5)
	return errors.Join(errs...)
}
