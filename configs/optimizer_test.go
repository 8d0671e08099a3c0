package configs

import (
	"testing"

	"tune2048/tuner"
)

// What is not given is the algorithm's own default; what is given is read into its place, written again, and in the hash.
func TestOptimizers(t *testing.T) {
	for _, algorithm := range tuner.Algorithms() {
		parse := func(settings string) *Config {
			return load(t, "heuristic: {family: snake}\noptimizer: {algorithm: "+algorithm+settings+"}\n")
		}
		c := parse("")
		if c.Optimizer != tuner.Defaults(algorithm) {
			t.Errorf("%s: got %+v, want %+v", algorithm, c.Optimizer, tuner.Defaults(algorithm))
		}
		seen := map[string]string{c.Hash: "the defaults"}
		for _, s := range tuner.Settings() {
			if !s.Uses(algorithm) {
				continue
			}
			value := 0.125
			if s.Whole() {
				value = 6
			}
			changed := parse(", " + s.Key + ": " + decimal(value))
			if got := s.Get(changed.Optimizer); got != value {
				t.Errorf("%s: %s was read as %v, want %v", algorithm, s.Key, got, value)
			}
			again := load(t, "heuristic: {family: snake}\noptimizer: "+options(changed.Optimizer, false)+"\n")
			if again.Hash != changed.Hash {
				t.Errorf("%s: written and read again it is %s", algorithm, options(again.Optimizer, true))
			}
			if twin, twice := seen[changed.Hash]; twice {
				t.Errorf("%s: another %s has the hash of %s", algorithm, s.Key, twin)
			}
			seen[changed.Hash] = s.Key
		}
	}
}

func options(o tuner.Options, full bool) string {
	return flow(full, func(s *section) { (&Config{Optimizer: o}).describeOptimizer(s, 0) })
}

func TestOptionsWritten(t *testing.T) {
	changed := func(algorithm string, change func(*tuner.Options)) tuner.Options {
		o := tuner.Defaults(algorithm)
		change(&o)
		return o
	}
	for _, c := range []struct {
		o    tuner.Options
		full bool
		want string
	}{
		{tuner.Defaults(tuner.Genetic), false, "{}"},
		{changed(tuner.Genetic, func(o *tuner.Options) { o.Population, o.Blend, o.FinalRate = 24, 0.5, 7 }), false, "{population: 24, blend: 0.5}"},
		{tuner.Defaults(tuner.Random), false, "{algorithm: random}"},
		{changed(tuner.CMAES, func(o *tuner.Options) { o.StepFloor = 1e-6 }), false, "{algorithm: cma_es, step_floor: 0.000001}"},
		{tuner.Defaults(tuner.SPSA), true, "{algorithm: spsa, population: 8, iterations: 50, final_rate: 0.4, final_perturbation: 0.05}"},
	} {
		if got := options(c.o, c.full); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
