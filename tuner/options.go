package tuner

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Options say which algorithm searches, and with which settings. The zero value is the first
// algorithm with its defaults.
type Options struct {
	Algorithm string             // one of [Algorithms]; empty: the first
	Settings  map[string]float64 // by key; a setting that is left out has its default
}

// Get returns the value of a setting, or 0 if there is none of this key.
func (o Options) Get(key string) float64 { return o.numbers()[key] }

// Candidates returns how many candidates a generation has.
func (o Options) Candidates() int { return int(o.Get("population")) }

// numbers returns the values of all settings of the algorithm, by key.
func (o Options) numbers() map[string]float64 {
	if a := AlgorithmOf(o.Algorithm); a != nil {
		return withDefaults(o.Settings, a.Settings)
	}
	return o.Settings
}

// withDefaults returns the values of all settings by key: the given ones, and the defaults of the
// others.
func withDefaults(given map[string]float64, settings []Setting) map[string]float64 {
	n := map[string]float64{}
	maps.Copy(n, given)
	for _, s := range settings {
		if _, given := n[s.Key]; !given {
			n[s.Key] = s.Default
			if s.below != "" {
				n[s.Key] = min(s.Default, math.Floor(n[s.below]/2))
			}
		}
	}
	return n
}

// Validate reports everything that is wrong with the options. Each problem has the setting's key,
// the wanted values and the value.
func (o Options) Validate() error {
	a := AlgorithmOf(o.Algorithm)
	if a == nil {
		return fmt.Errorf("tuner: algorithm: want one of %s, got %q", strings.Join(Algorithms(), ", "), o.Algorithm)
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(o.Settings)) {
		if a.Setting(key) == nil {
			errs = append(errs, fmt.Errorf("tuner: %s: %s has no such setting", key, a.Name))
		}
	}
	for _, s := range a.Settings {
		if err := s.Check(o); err != nil {
			errs = append(errs, fmt.Errorf("tuner: %s: %w", s.Key, err))
		}
	}
	return errors.Join(errs...)
}
