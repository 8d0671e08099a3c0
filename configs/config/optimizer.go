package config

import (
	"math"
	"strings"

	"tune2048/tuner"
)

// optimizer reads the optimizer: its algorithm, which says which settings there are, and settings.
func (n node) optimizer(o *tuner.Options) {
	f, ok := n.fields()
	if !ok {
		return
	}
	o.Algorithm = tuner.Algorithms()[0]
	f.read("algorithm", &o.Algorithm, strings.Join(tuner.Algorithms(), "|"))
	if given, ok := f.entries["algorithm"]; ok && given.Value != o.Algorithm {
		o.Algorithm = Nearest(given.Value, tuner.Algorithms()) // which the message names
	}
	if o.Algorithm == "" { // nobody knows which settings it has: any
		f.known = append(f.known, optimizerKeys()...)
		f.done()
		return
	}
	o.Settings = map[string]float64{}
	for _, s := range tuner.AlgorithmOf(o.Algorithm).Settings {
		f.known = append(f.known, s.Key)
		given, ok := f.entries[s.Key]
		x, count := math.NaN(), -1
		if ok && s.Whole {
			given.whole(&count, s.Range)
			x = float64(count)
		} else if ok {
			given.number(&x, s.Range)
		}
		if s.Contains(x) {
			o.Settings[s.Key] = x
		}
	}
	f.done()
}

// optimizerKeys are the settings of all algorithms.
func optimizerKeys() (keys []string) {
	for _, name := range tuner.Algorithms() {
		for _, s := range tuner.AlgorithmOf(name).Settings {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// completeOptimizer gives each setting that was left out its default, which may fit the budget.
func (c *Config) completeOptimizer(d *document, b budget) {
	o := tuner.Options{Algorithm: c.Optimizer.Algorithm, Settings: map[string]float64{}}
	if o.Algorithm == "" {
		o.Algorithm = tuner.Algorithms()[0]
	}
	for _, s := range tuner.AlgorithmOf(o.Algorithm).Settings {
		standard := o.Get(s.Key)
		if s.Key == "population" && b > 0 {
			population, _ := tuner.AlgorithmOf(o.Algorithm).Budget(int(b), len(c.Family.Tunable()))
			standard = float64(population)
		}
		x, given := c.Optimizer.Settings[s.Key]
		if !given {
			x = standard
		}
		o.Settings[s.Key] = x
		if err := s.Check(o); given && err != nil {
			d.refuse("optimizer."+s.Key, "%v", err)
			o.Settings[s.Key] = standard
		}
	}
	c.Optimizer = o
}
