package configs

import (
	"slices"

	"tune2048/tuner"
)

var optimizerKeys = []string{"algorithm", "population", "elites", "spread", "uniform", "parents", "blend",
	"mutation_rate", "mutation_spread", "mutation_floor", "stage_spread"}

// randomKeys are the keys that random search uses; it has no descent.
var randomKeys = []string{"algorithm", "population"}

const maxPopulation = 10_000

// geneticNumber is a setting of the genetic algorithm, in the order of [tuner.Options].
type geneticNumber struct {
	key   string
	place *float64
	interval
}

func geneticNumbers(o *tuner.Options) []geneticNumber {
	share := interval{low: 0, high: 1}
	positive := interval{low: 0, high: 1, lowOut: true}
	return []geneticNumber{
		{"spread", &o.Spread, positive},
		{"uniform", &o.Uniform, share},
		{"parents", &o.Parents, positive},
		{"blend", &o.Blend, interval{low: 0, high: 2}},
		{"mutation_rate", &o.MutationRate, share},
		{"mutation_spread", &o.MutationSpread, interval{low: 0, high: 10}},
		{"mutation_floor", &o.MutationFloor, share},
		{"stage_spread", &o.StageSpread, share},
	}
}

// optimizer reads the settings of the optimizer; what is not given is [tuner.DefaultOptions], with fewer elites
// if the population is tiny.
func (v value) optimizer(o *tuner.Options) {
	f, ok := v.fields(optimizerKeys...)
	if !ok {
		return
	}
	before := v.doc.found
	f.choice("algorithm", &o.Algorithm, tuner.Genetic, tuner.Random)
	f.whole("population", &o.Population, 2, maxPopulation)
	o.Elites = min(o.Elites, o.Population/2)
	if o.Algorithm == tuner.Random {
		for _, key := range f.keys {
			if !slices.Contains(randomKeys, key) {
				f.entries[key].problem("%s does not use it; want %s", tuner.Random, either(randomKeys))
			}
		}
		return
	}
	f.whole("elites", &o.Elites, 0, o.Population-1)
	for _, n := range geneticNumbers(o) {
		f.within(n.key, n.place, n.interval)
	}
	if v.doc.found > before {
		return
	}
	// The tuner has the last word, so that its rules and these cannot drift apart.
	if err := o.Validate(); err != nil {
		v.problem("%v", err)
	}
}
