package config

import (
	"testing"

	"tune2048/tuner"
)

// What is not given is the algorithm's own default. What is given is read into its place, written
// again, and in the hash.
func TestOptimizers(t *testing.T) {
	for _, algorithm := range tuner.Algorithms() {
		parse := func(settings string) *Config {
			return load(t, "heuristic: {family: snake}\noptimizer: {algorithm: "+algorithm+settings+"}\n")
		}
		seen := map[string]string{parse("").Hash: "the defaults"}
		for _, s := range tuner.AlgorithmOf(algorithm).Settings {
			if got := parse("").Optimizer.Get(s.Key); got != s.Default {
				t.Errorf("%s: %s is %v by default, want %v", algorithm, s.Key, got, s.Default)
			}
			value := 0.125
			if s.Whole {
				value = 6
			}
			changed := parse(", " + s.Key + ": " + decimal(value))
			if got := changed.Optimizer.Get(s.Key); got != value {
				t.Errorf("%s: %s was read as %v, want %v", algorithm, s.Key, got, value)
			}
			checkRoundTrip(t, changed)
			if twin, twice := seen[changed.Hash]; twice {
				t.Errorf("%s: another %s has the hash of %s", algorithm, s.Key, twin)
			}
			seen[changed.Hash] = s.Key
		}
	}
}
