package configs

import (
	"fmt"
	"strings"

	"tune2048/tuner"
)

// options writes the settings that the algorithm uses; if not in full, without those at their default.
func options(o tuner.Options, full bool) string {
	standard := tuner.Defaults(o.Algorithm)
	var texts []string
	if full || o.Algorithm != tuner.DefaultOptions().Algorithm {
		texts = append(texts, "algorithm: "+o.Algorithm)
	}
	if full || o.Population != standard.Population {
		texts = append(texts, fmt.Sprintf("population: %d", o.Population))
	}
	standard.Elites = min(standard.Elites, o.Population/2)
	defaults := optimizerSettings(&standard)
	for i, s := range optimizerSettings(&o) {
		if tuner.Uses(o.Algorithm, s.field) && (full || s.String() != defaults[i].String()) {
			texts = append(texts, s.key+": "+s.String())
		}
	}
	return strings.Join(texts, ", ")
}
