package configs

import (
	"slices"

	"tune2048/tuner"
)

// maxPopulation of a generation, and of finalists.
var maxPopulation = int(tuner.Settings()[0].High)

// describeOptimizer describes the settings of the optimizer. The defaults are [tuner.Defaults], or
// fit the budget.
func (c *Config) describeOptimizer(s *section, b budget) {
	o := &c.Optimizer
	entry(s, "algorithm", &o.Algorithm, tuner.Genetic, word(tuner.Algorithms()...))
	standard := tuner.Defaults(o.Algorithm)
	if given, ok := s.entries["algorithm"]; ok && given.yaml.Value != o.Algorithm {
		*o, s.known = standard, s.keys // nobody knows which settings it has
		return
	}
	if b > 0 {
		standard.Population = b.standard(s, 0, b.population(o.Algorithm, len(c.Family.Tunable())))
		standard.Iterations = 0 // until the stages are known
	}
	describeSettings(s, o, standard)
}

// describeSettings describes the settings of the algorithm, with fewer elites by default if the
// population is tiny.
func describeSettings(s *section, o *tuner.Options, standard tuner.Options) {
	for _, setting := range tuner.Settings() {
		if !setting.Uses(standard.Algorithm) {
			continue
		}
		s.doc = setting.Doc
		x, normal := setting.Get(*o), setting.Get(standard)
		if setting.Whole() {
			n := int(x)
			entry(s, setting.Key, &n, int(normal), whole(int(setting.Low), int(setting.High)))
			x = float64(n)
		} else {
			entry(s, setting.Key, &x, normal, within(setting.Range))
		}
		setting.Set(o, x)
		if err := setting.Check(*o); err != nil && s.has(setting.Key) { // beside the others
			s.refuse(setting.Key, "%v", err)
			setting.Set(o, normal)
		}
		if setting.Key == "population" {
			standard.Elites = min(standard.Elites, o.Population/2)
		}
	}
	s.chosen, s.users = standard.Algorithm, func(key string) []string {
		return slices.DeleteFunc(tuner.Algorithms(), func(algorithm string) bool {
			return !slices.ContainsFunc(tuner.Settings(), func(x tuner.Setting) bool { return x.Key == key && x.Uses(algorithm) })
		})
	}
}

// optimizerSchema has the settings of each algorithm.
func optimizerSchema() object {
	return variants("algorithm", tuner.Algorithms(), tuner.Genetic, func(algorithm string) object {
		return schemaOf(func(s *section) { describeSettings(s, new(tuner.Options), tuner.Defaults(algorithm)) })
	})
}
