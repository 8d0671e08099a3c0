package configs

import (
	"slices"

	"tune2048/tuner"
)

// maxPopulation of a generation, and of finalists.
var maxPopulation = int(tuner.AlgorithmOf("").Setting("population").High)

// describeOptimizer describes the optimizer: its algorithm, which says which settings there are.
func (c *Config) describeOptimizer(s *section, b budget) {
	o, standard := &c.Optimizer, tuner.Algorithms()[0]
	if s.by == writer { // the identity is silent about it, as it was made when genetic was the default
		standard = "genetic"
	}
	entry(s, "algorithm", &o.Algorithm, standard, word(tuner.Algorithms()...))
	if given, ok := s.entries["algorithm"]; ok && given.yaml.Value != o.Algorithm {
		o.Algorithm = Nearest(given.yaml.Value, tuner.Algorithms()) // which the message names
	}
	if o.Algorithm == "" { // nobody knows which settings it has: any
		*o = tuner.Options{Algorithm: tuner.Algorithms()[0]}
		s.known = append(s.known, optimizerKeys()...)
		return
	}
	population := 0
	if b > 0 { // otherwise the family may be unsound
		population = b.standard(s, 0, b.population(o.Algorithm, len(c.Family.Tunable())))
	}
	describeSettings(s, o, population)
}

// optimizerKeys are the settings of all algorithms.
func optimizerKeys() (keys []string) {
	for _, algorithm := range tuner.Algorithms() {
		o := &tuner.Options{Algorithm: algorithm}
		keys = append(keys, keysOf(func(s *section) { describeSettings(s, o, 0) })...)
	}
	return keys
}

// describeSettings describes the settings of the algorithm. population is the default that fits the
// budget, or 0.
func describeSettings(s *section, o *tuner.Options, population int) {
	before := tuner.Options{Algorithm: o.Algorithm, Settings: map[string]float64{}} // settings before
	for _, setting := range tuner.AlgorithmOf(o.Algorithm).Settings {
		s.doc = setting.Doc
		x, standard := o.Get(setting.Key), before.Get(setting.Key)
		if setting.Key == "population" && population != 0 {
			standard = float64(population)
		}
		if setting.Whole {
			n := int(x)
			entry(s, setting.Key, &n, int(standard), whole(int(setting.Low), int(setting.High)))
			x = float64(n)
		} else {
			entry(s, setting.Key, &x, standard, within(setting.Range))
		}
		before.Settings[setting.Key] = x
		if err := setting.Check(before); err != nil && s.has(setting.Key) {
			s.refuse(setting.Key, "%v", err)
			before.Settings[setting.Key] = standard
		}
	}
	if s.by == reader {
		*o = before
	}
	s.chosen, s.users = o.Algorithm, func(key string) []string {
		return slices.DeleteFunc(tuner.Algorithms(), func(name string) bool { return tuner.AlgorithmOf(name).Setting(key) == nil })
	}
}

// optimizerSchema has the settings of each algorithm.
func optimizerSchema() object {
	return variants("algorithm", tuner.Algorithms(), tuner.Algorithms()[0], func(algorithm string) object {
		return schemaOf(func(s *section) { describeSettings(s, &tuner.Options{Algorithm: algorithm}, 0) })
	})
}
