package configs

import (
	"slices"
	"strings"

	"tune2048/tuner"
)

// optimizerKeys are the keys of all algorithms.
var optimizerKeys = keysOf(tuner.Algorithms()...)

// maxPopulation of a generation, and of finalists.
var maxPopulation = int(tuner.Settings()[0].High)

// keysOf returns the keys of an optimizer that any of the algorithms uses.
func keysOf(algorithms ...string) []string {
	keys := []string{"algorithm"}
	for _, s := range tuner.Settings() {
		if slices.ContainsFunc(algorithms, s.Uses) {
			keys = append(keys, s.Key)
		}
	}
	return keys
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
	for _, s := range tuner.Settings() {
		entry, given := f.get(s.Key)
		switch {
		case !given:
		case known && !s.Uses(o.Algorithm):
			users := slices.DeleteFunc(tuner.Algorithms(), func(algorithm string) bool { return !s.Uses(algorithm) })
			entry.problem("%s does not use it, only %s; want %s", o.Algorithm, either(users), either(keysOf(o.Algorithm)))
		default:
			entry.setting(s, o)
		}
		if s.Key == "population" {
			o.Elites = min(o.Elites, o.Population/2)
		}
	}
}

// setting reads a setting whose value has to be right beside those before it.
func (v value) setting(s tuner.Setting, o *tuner.Options) {
	x, ok := 0.0, false
	if s.Whole() {
		const most = 1 << 53
		n, whole := v.whole(-most, most)
		x, ok = float64(n), whole
	} else {
		x, ok = v.number()
	}
	if !ok {
		return
	}
	changed := *o
	s.Set(&changed, x)
	if err := s.Check(changed); err != nil {
		v.problem("%v", err)
		return
	}
	*o = changed
}

// options writes the optimizer's settings: all that the algorithm uses, or only those that differ from its defaults.
func options(o tuner.Options, full bool) string {
	var texts []string
	if full || o.Algorithm != tuner.Genetic {
		texts = append(texts, "algorithm: "+o.Algorithm)
	}
	for _, s := range tuner.Settings() {
		if x := s.Get(o); s.Uses(o.Algorithm) && (full || x != s.Defaults[o.Algorithm]) {
			texts = append(texts, s.Key+": "+number(x))
		}
	}
	return strings.Join(texts, ", ")
}
