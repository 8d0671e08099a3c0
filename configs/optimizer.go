package configs

import (
	"slices"

	"tune2048/tuner"
)

// maxPopulation of a generation, and of finalists.
var maxPopulation = int(tuner.AlgorithmOf("").Setting("population").High)

// describeOptimizer describes the settings of the optimizer. The defaults are the algorithm's, or
// fit the budget.
func (c *Config) describeOptimizer(s *section, b budget) {
	o := &c.Optimizer
	entry(s, "algorithm", &o.Algorithm, tuner.Algorithms()[0], word(tuner.Algorithms()...))
	if given, ok := s.entries["algorithm"]; ok && given.yaml.Value != o.Algorithm {
		o.Settings, s.known = nil, s.keys // nobody knows which settings it has
		return
	}
	fitting := map[string]float64{}
	if b > 0 {
		fitting["population"] = float64(b.standard(s, 0, b.population(o.Algorithm, len(c.Family.Tunable()))))
		fitting["iterations"] = 0 // until the stages are known
	}
	describeSettings(s, o, fitting)
}

// describeSettings describes the settings of the algorithm. fitting has other defaults for some.
func describeSettings(s *section, o *tuner.Options, fitting map[string]float64) {
	before := tuner.Options{Algorithm: o.Algorithm, Settings: map[string]float64{}} // the settings before each
	for _, setting := range tuner.AlgorithmOf(o.Algorithm).Settings {
		s.doc = setting.Doc
		x, normal := o.Get(setting.Key), before.Get(setting.Key)
		if fits, ok := fitting[setting.Key]; ok {
			normal = fits
		}
		if setting.Whole {
			n := int(x)
			entry(s, setting.Key, &n, int(normal), whole(int(setting.Low), int(setting.High)))
			x = float64(n)
		} else {
			entry(s, setting.Key, &x, normal, within(setting.Range))
		}
		before.Settings[setting.Key] = x
		if err := setting.Check(before); err != nil && s.has(setting.Key) { // beside the others
			s.refuse(setting.Key, "%v", err)
			before.Settings[setting.Key] = normal
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
		return schemaOf(func(s *section) { describeSettings(s, &tuner.Options{Algorithm: algorithm}, nil) })
	})
}
