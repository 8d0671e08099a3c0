package eval

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// Problem describes a fault of a heuristic, and its place.
type Problem struct {
	Feature int    // index in Heuristic.Features; -1: the heuristic as a whole
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

// MaxFeatures is the largest number of features of a heuristic. It bounds the time that tables
// take.
const MaxFeatures = 64

// Check returns the first of the heuristic's [Heuristic.Problems], or nil. The error is a *Problem.
func (f *Heuristic) Check() error {
	if all := f.Problems(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Problems returns all reasons why the heuristic cannot be compiled: an unknown kind or word, a
// name used twice, a number outside its setting's range, a formula with a fault.
func (f *Heuristic) Problems() (all []*Problem) {
	report := func(i int, p *Problem) {
		p.Feature = i
		all = append(all, p)
	}
	if n := len(f.Features); n == 0 && f.Bot == nil {
		report(-1, wrong("", "want at least one feature"))
	} else if n > MaxFeatures && f.Bot == nil {
		report(-1, wrong("", "want at most %d features, got %d", MaxFeatures, n))
	}
	if f.Bot == nil && f.Symmetry != SymmetryNone && f.Symmetry != SymmetryBest {
		report(-1, wrong("", "symmetry: want none or best, got %q", f.Symmetry))
	}
	if reason := f.Dead.Refuse(); reason != "" && f.Bot == nil {
		report(-1, wrong("", "dead: %s", reason))
	}
	owner, work := map[string]int{}, 0
	slots := f.Slots()
	for i := range f.Features {
		feature := &f.Features[i]
		kind := KindOf(feature.Kind)
		if kind == nil || (kind == botWeight) != (f.Bot != nil) {
			report(i, wrong("feature", "there is no feature %q", feature.Kind))
			continue
		}
		taken := ""
		for ; len(slots) > 0 && slots[0].Feature == i; slots = slots[1:] {
			s := slots[0]
			if first, twice := owner[s.Name]; twice && taken == "" {
				taken = s.Name
				report(i, wrong("name", "the name %s is taken by features[%d]: give one of them another name",
					s.Name, first))
			}
			owner[s.Name] = i
			if why := s.Refuse(*s.Value); why != "" {
				report(i, wrong(s.Key, "%s", why))
			}
		}
		for _, k := range feature.settings() {
			if word, ok := k.To.(*string); ok && k.Choices != nil && !slices.Contains(k.Choices, *word) {
				report(i, wrong(k.Name, "want one of %v, got %q", k.Choices, *word))
			}
		}
		if kind.Name != Formula {
			continue
		}
		problems, parsed := feature.checkFormula()
		for _, p := range problems {
			report(i, p)
		}
		if parsed != nil {
			before := work
			if work += parsed.work(); work > maxWork && before <= maxWork {
				report(i, wrong(parsed.part.key, "the formulas so far take too long to compile: they have %d million table entries, want at most %d million; "+
					"an operation on four tiles has 65,536, on two tiles 256, and one on the board counts as 1,024", work>>20, maxWork>>20))
			}
		}
	}
	return all
}

// Refuse returns the fault of the value of a position without a legal move, or nothing.
func (d Dead) Refuse() string {
	if !d.Worst && !(d.Value >= -MostEntry && d.Value <= MostEntry) {
		return fmt.Sprintf("want worst, or a number from %d to %d, got %v", -int64(MostEntry), int64(MostEntry),
			d.Value)
	}
	return ""
}

// checkFormula returns the faults of a feature's formula: of the names that it gives, and of its
// texts. Without a fault it returns the formula as it is parsed.
func (f *Term) checkFormula() (all []*Problem, p *parsed) {
	if all = f.checkNames(); slices.ContainsFunc(all, func(p *Problem) bool { return p.Key != "numbers" }) {
		return all, nil
	}
	p, err := f.parse()
	if problem := (*Problem)(nil); errors.As(err, &problem) {
		return append(all, problem), nil
	}
	return all, p
}

var symbolForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

// checkNames returns the faults of the names of a formula's sums, parts and numbers.
func (f *Term) checkNames() (all []*Problem) {
	for _, x := range []struct {
		key       string
		got, most int
	}{{"sums", len(f.Sums), maxSums}, {"let", len(f.Let), maxParts}, {"numbers", len(f.Numbers), maxNumbers}} {
		if x.got > x.most {
			all = append(all, wrong(x.key, "want at most %d, got %d", x.most, x.got))
		}
	}
	taken := map[string]string{} // the key that gave each name; empty: the language has it
	for name := range functions {
		taken[name] = ""
	}
	for _, x := range append(slices.Clone(f.Sums), NamedPart{Over: f.Over}) {
		if part := partOf(x.Over); part != nil {
			for _, q := range part.quantities {
				taken[q.symbol] = ""
			}
		}
	}
	for _, own := range f.own() {
		by, given := taken[own.name]
		switch taken[own.name] = own.key; {
		case !symbolForm.MatchString(own.name):
			all = append(all, wrong(own.key, "want names of small letters, digits and _, with a letter first, such as p; got %q", own.name))
		case given && by == own.key:
			all = append(all, wrong(own.key, "the name %s comes twice", own.name))
		case given:
			all = append(all, wrong(own.key, "%s means something else in formulas: give the %s another name", own.name, own.what))
		}
	}
	return all
}
