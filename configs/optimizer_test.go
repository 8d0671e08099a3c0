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
			checkRoundTrip(t, changed)
			if twin, twice := seen[changed.Hash]; twice {
				t.Errorf("%s: another %s has the hash of %s", algorithm, s.Key, twin)
			}
			seen[changed.Hash] = s.Key
		}
	}
}
