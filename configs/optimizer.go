package configs

import (
	"slices"
	"strconv"
	"strings"

	"tune2048/tuner"
)

// optimizerKeys are the keys of all algorithms.
var optimizerKeys = keysOf(func(string) bool { return true })

const (
	maxPopulation = 10_000
	maxIterations = 1_000_000
)

// optimizerSetting is a setting that some algorithms use.
type optimizerSetting struct {
	key   string
	field string   // of [tuner.Options]
	whole *int     // its place, if it is a whole number
	place *float64 // its place otherwise
	interval
}

// optimizerSettings are the settings in the order of [tuner.Options].
func optimizerSettings(o *tuner.Options) []optimizerSetting {
	share := interval{low: 0, high: 1}
	upTo := func(high float64) interval { return interval{low: 0, high: high, lowOut: true} }
	stage := share
	if o.Algorithm == tuner.CMAES {
		stage = upTo(1)
	}
	return []optimizerSetting{
		{"elites", "Elites", &o.Elites, nil, interval{low: 0, high: float64(o.Population - 1)}},
		{"spread", "Spread", nil, &o.Spread, upTo(1)},
		{"uniform", "Uniform", nil, &o.Uniform, share},
		{"parents", "Parents", nil, &o.Parents, upTo(1)},
		{"blend", "Blend", nil, &o.Blend, interval{low: 0, high: 2}},
		{"mutation_rate", "MutationRate", nil, &o.MutationRate, share},
		{"mutation_spread", "MutationSpread", nil, &o.MutationSpread, interval{low: 0, high: 10}},
		{"mutation_floor", "MutationFloor", nil, &o.MutationFloor, share},
		{"stage_spread", "StageSpread", nil, &o.StageSpread, stage},
		{"learning_rate", "LearningRate", nil, &o.LearningRate, upTo(1)},
		{"step_floor", "StepFloor", nil, &o.StepFloor, interval{low: 1e-6, high: 0.5}},
		{"difference_weight", "DifferenceWeight", nil, &o.DifferenceWeight, upTo(2)},
		{"best_weight", "BestWeight", nil, &o.BestWeight, interval{low: 0, high: 2}},
		{"crossover_rate", "CrossoverRate", nil, &o.CrossoverRate, share},
		{"iterations", "Iterations", &o.Iterations, nil, interval{low: 1, high: maxIterations}},
		{"final_rate", "FinalRate", nil, &o.FinalRate, upTo(100)},
		{"final_perturbation", "FinalPerturbation", nil, &o.FinalPerturbation, upTo(0.5)},
	}
}

// keysOf returns the keys of an optimizer: those of every one, and those of the fields that it uses.
func keysOf(uses func(field string) bool) []string {
	keys := []string{"algorithm", "population"}
	for _, s := range optimizerSettings(&tuner.Options{}) {
		if uses(s.field) {
			keys = append(keys, s.key)
		}
	}
	return keys
}

// String returns the setting's value.
func (s optimizerSetting) String() string {
	if s.whole != nil {
		return strconv.Itoa(*s.whole)
	}
	return number(*s.place)
}

// read reads the setting if it is given and right.
func (s optimizerSetting) read(f fields) {
	if s.whole != nil {
		f.whole(s.key, s.whole, int(s.low), int(s.high))
		return
	}
	f.within(s.key, s.place, s.interval)
}

// optimizer reads the settings of the optimizer; what is not given is [tuner.Defaults], with fewer elites if the
// population is tiny.
func (v value) optimizer(o *tuner.Options) {
	f, ok := v.fields(optimizerKeys...)
	if !ok {
		return
	}
	before := v.doc.found
	f.choice("algorithm", &o.Algorithm, tuner.Algorithms()...)
	known := v.doc.found == before
	*o = tuner.Defaults(o.Algorithm)
	f.population(o)
	for _, s := range optimizerSettings(o) {
		switch {
		case !known || tuner.Uses(o.Algorithm, s.field):
			s.read(f)
		case f.has(s.key):
			f.entries[s.key].problem("%s does not use it, only %s; want %s", o.Algorithm, either(usersOf(s.field)),
				either(keysOf(func(field string) bool { return tuner.Uses(o.Algorithm, field) })))
		}
	}
	if v.doc.found > before {
		return
	}
	// The tuner has the last word, so that its rules and these cannot drift apart.
	if err := o.Validate(); err != nil {
		v.problem("%v", err)
	}
}

// population reads the size of the population, for which algorithms have rules of their own.
func (f fields) population(o *tuner.Options) {
	f.whole("population", &o.Population, 2, maxPopulation)
	o.Elites = min(o.Elites, o.Population/2)
	if err := o.Validate(); err != nil { // all else is a default
		f.entries["population"].problem("%s", strings.TrimPrefix(err.Error(), "tuner: Population: "))
	}
}

// usersOf returns the algorithms that use an option.
func usersOf(field string) []string {
	return slices.DeleteFunc(tuner.Algorithms(), func(algorithm string) bool { return !tuner.Uses(algorithm, field) })
}
