package configs

import (
	"slices"

	"tune2048/engine/heuristic"
	"tune2048/tuner"
)

// maxPopulation of a generation, and of finalists.
var maxPopulation = int(tuner.Settings()[0].High)

// describeOptimizer describes the settings of the optimizer, of which the algorithm says which there are. What is not given
// is [tuner.Defaults], with fewer elites if the population is tiny, or fits the budget.
func describeOptimizer(s *section, o *tuner.Options, b budget, family *heuristic.Family) {
	s.word("algorithm", &o.Algorithm, tuner.Genetic, tuner.Algorithms()...)
	algorithm, given := s.get("algorithm")
	known := !given || algorithm.yaml.Value == o.Algorithm // otherwise nobody knows which settings it has
	standard := tuner.Defaults(o.Algorithm)
	if b > 0 {
		standard.Population = b.standard(s, 0, b.population(o.Algorithm, len(family.Tunable())))
		standard.Iterations = 0 // until the stages are known
	}
	if s.reading {
		*o = standard
	}
	for _, setting := range tuner.Settings() {
		if known && !setting.Uses(o.Algorithm) {
			s.unused(setting, o.Algorithm)
			continue
		}
		x := setting.Get(*o)
		entry(s, setting.Key, &x, setting.Get(standard),
			func(n node) (float64, bool) { return n.setting(setting, *o) }, func(x float64, _ bool) string { return number(x) })
		if s.reading {
			setting.Set(o, x)
			if setting.Key == "population" {
				standard.Elites = min(standard.Elites, o.Population/2)
			}
		}
	}
}

// unused notes a problem if a setting is given that the algorithm does not use.
func (s *section) unused(setting tuner.Setting, algorithm string) {
	s.known = append(s.known, setting.Key)
	if n, given := s.get(setting.Key); given {
		users := slices.DeleteFunc(tuner.Algorithms(), func(algorithm string) bool { return !setting.Uses(algorithm) })
		keys := []string{"algorithm"}
		for _, other := range tuner.Settings() {
			if other.Uses(algorithm) {
				keys = append(keys, other.Key)
			}
		}
		n.problem("%s does not use it, only %s; want %s", algorithm, either(users), either(keys))
	}
}

// setting reads a setting whose value has to be right beside those before it.
func (n node) setting(setting tuner.Setting, o tuner.Options) (x float64, ok bool) {
	if setting.Whole() {
		const most = 1 << 53
		i, whole := n.whole(-most, most)
		x, ok = float64(i), whole
	} else {
		x, ok = n.number()
	}
	if !ok {
		return 0, false
	}
	setting.Set(&o, x)
	if err := setting.Check(o); err != nil {
		n.problem("%v", err)
		return 0, false
	}
	return x, true
}
