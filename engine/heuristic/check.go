package heuristic

import (
	"fmt"
	"slices"
	"strings"
)

// Problem describes a fault of a family, and its place.
type Problem struct {
	Feature int    // index in Family.Features; -1: the family as a whole
	Key     string // "feature", "name" or a setting's key; empty: the feature as a whole
	Reason  string
	// Symbol is unknown to a formula, and Known are its known symbols, if that is the fault.
	Symbol string
	Known  []string
}

// Error implements error.
func (p *Problem) Error() string {
	switch {
	case p.Feature < 0:
		return p.Reason
	case p.Key == "":
		return fmt.Sprintf("features[%d]: %s", p.Feature, p.Reason)
	default:
		return fmt.Sprintf("features[%d].%s: %s", p.Feature, p.Key, p.Reason)
	}
}

// Check reports the first reason why some vector within the family's ranges cannot be compiled: an
// unknown kind or word, a name used twice, a range that is invalid or leaves a setting's domain, or
// tables that would overflow. The error is a *Problem.
func (f *Family) Check() error {
	if len(f.Features) == 0 {
		return &Problem{Feature: -1, Key: "", Reason: "want at least one feature"}
	}
	if f.Symmetry != SymmetryNone && f.Symmetry != SymmetryBest {
		return &Problem{Feature: -1, Key: "", Reason: fmt.Sprintf("symmetry: want none or best, got %q", f.Symmetry)}
	}
	owner, limits := map[string]int{}, make([]formulaBounds, len(f.Features))
	for i := range f.Features {
		feature := &f.Features[i]
		kind := KindOf(feature.Kind)
		if kind == nil {
			return &Problem{Feature: i, Key: "feature", Reason: fmt.Sprintf("there is no feature %q", feature.Kind)}
		}
		taken := ""
		feature.each(func(name string, _ *Setting, _ *Weight) {
			if first, twice := owner[name]; twice && taken == "" {
				taken = fmt.Sprintf("the name %s is taken by features[%d]: give one of them another name", name, first)
			}
			owner[name] = i
		})
		if taken != "" {
			return &Problem{Feature: i, Key: "name", Reason: taken}
		}
		for _, s := range kind.Settings {
			if s.Word != nil && !slices.Contains(s.Choices, *s.Word(feature)) {
				return &Problem{Feature: i, Key: s.Key, Reason: fmt.Sprintf("want one of %v, got %q", s.Choices, *s.Word(feature))}
			}
		}
		if _, key, reason := feature.outside(); reason != "" {
			return &Problem{Feature: i, Key: key, Reason: reason}
		}
		if kind.Line != nil && kind.bounds == nil {
			found, problem := feature.checkFormula(f.Symmetry)
			if problem != nil {
				problem.Feature = i
				return problem
			}
			limits[i] = found
		}
	}
	_, largest := bounds(f.Features, f.Dead, limits)
	_, err := fractionBits(largest)
	if err == nil {
		return nil
	}
	for i := range f.Features { // the first that overflows alone is to blame
		_, alone := bounds(f.Features[i:i+1], Dead{Worst: true}, limits[i:])
		if _, err := fractionBits(alone); err != nil {
			return &Problem{Feature: i, Key: "", Reason: err.Error()}
		}
	}
	return &Problem{Feature: -1, Key: "", Reason: err.Error()}
}

// outside returns the first weight with an invalid range or a value outside its setting's domain,
// and why. The reason is empty if there is none.
func (f *Feature) outside() (name, key, reason string) {
	f.each(func(n string, s *Setting, w *Weight) {
		for _, end := range [2]float64{w.bounds().low, w.bounds().high} {
			if why := s.domain.refuse(end); why != "" && reason == "" {
				name, key, reason = n, s.Key, why
			}
		}
		if part, why := w.Validate(); why != "" && reason == "" {
			name, key, reason = n, s.Key, strings.TrimPrefix(part+": "+why, ": ")
		}
	})
	return name, key, reason
}
