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

// Check returns the first of the family's [Family.Problems], or nil. The error is a *Problem.
func (f *Family) Check() error {
	if all := f.Problems(nil); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Problems returns all reasons why some vector within the family's ranges cannot be compiled: an
// unknown kind or word, a name used twice, a range that is invalid or leaves a setting's domain, or
// tables that would overflow. unread reports whether the value of a feature's key is a default in
// place of one that could not be read, and for an empty key whether that is so anywhere in the
// feature. Faults that may come from such a default are left out. nil: there is none.
func (f *Family) Problems(unread func(feature int, key string) bool) (all []*Problem) {
	if unread == nil {
		unread = func(int, string) bool { return false }
	}
	wrong := func(i int, key, format string, args ...any) {
		if i < 0 || !unread(i, key) {
			all = append(all, &Problem{Feature: i, Key: key, Reason: fmt.Sprintf(format, args...)})
		}
	}
	if len(f.Features) == 0 && f.Bot == nil {
		wrong(-1, "", "want at least one feature")
	}
	if f.Bot == nil && f.Symmetry != SymmetryNone && f.Symmetry != SymmetryBest {
		wrong(-1, "", "symmetry: want none or best, got %q", f.Symmetry)
	}
	owner, limits := map[string]int{}, make([]formulaBounds, len(f.Features))
	var sound []int
	for i := range f.Features {
		feature, before := &f.Features[i], len(all)
		kind := KindOf(feature.Kind)
		if kind == nil {
			wrong(i, "feature", "there is no feature %q", feature.Kind)
			continue
		}
		if taken := ""; !unread(i, "name") && !(unread(i, "feature") && feature.Name == kind.Name) {
			feature.each(func(name string, _ *Setting, _ *Weight) {
				if first, twice := owner[name]; twice && taken == "" {
					taken = name
					wrong(i, "name", "the name %s is taken by features[%d]: give one of them another name", name, first)
				}
				owner[name] = i
			})
		}
		for _, s := range kind.Settings {
			if s.Word != nil && !slices.Contains(s.Choices, *s.Word(feature)) {
				wrong(i, s.Key, "want one of %v, got %q", s.Choices, *s.Word(feature))
			}
		}
		feature.outside(func(_, key, reason string) { wrong(i, key, "%s", reason) })
		if numbers := unread(i, "numbers"); kind.Line != nil && kind.bounds == nil && !(numbers && len(feature.Numbers) == 0) {
			found, problems := feature.checkFormula(!numbers && !unread(i, "tile"))
			for limits[i] = found; len(problems) > 0; problems = problems[1:] {
				if p := problems[0]; p.Key == "numbers" || !unread(i, p.Key) {
					p.Feature = i
					all = append(all, p)
				}
			}
		}
		if len(all) == before && !unread(i, "") {
			sound = append(sound, i)
		}
	}
	if f.Bot != nil {
		return all
	}
	var overflow error
	if len(all) == 0 && len(sound) == len(f.Features) {
		_, largest := bounds(f.Features, f.Dead, limits)
		if _, overflow = fractionBits(largest); overflow == nil {
			return nil
		}
	}
	for _, i := range sound { // each that overflows alone is to blame
		_, alone := bounds(f.Features[i:i+1], Dead{Worst: true}, limits[i:])
		if _, err := fractionBits(alone); err != nil {
			wrong(i, "", "%v", err)
		}
	}
	if len(all) == 0 && overflow != nil {
		wrong(-1, "", "%v", overflow)
	}
	return all
}

// outside reports each weight with an invalid range or a value outside its setting's domain.
func (f *Feature) outside(report func(name, key, reason string)) {
	f.each(func(name string, s *Setting, w *Weight) {
		for _, end := range [2]float64{w.bounds().low, w.bounds().high} {
			if why := s.domain.refuse(end); why != "" {
				report(name, s.Key, why)
				return
			}
		}
		for _, p := range w.Validate() {
			report(name, s.Key, strings.TrimPrefix(p.Key+": "+p.Reason, ": "))
		}
	})
}
