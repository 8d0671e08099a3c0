package eval

import (
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

// MaxFeatures is the largest number of features of a heuristic, and of the numbers that they share.
// It bounds the time that tables take.
const MaxFeatures = 64

// Problems returns all reasons why the heuristic cannot be compiled with a vector: a name used
// twice, a number outside its setting's range or that no feature uses, a formula with a fault. The
// reader of configs has checked what its keys say of themselves: the number of features, their
// kinds and words, the parts of the board.
func (f *Heuristic) Problems(v Vector) (all []*Problem) {
	report := func(i int, p *Problem) {
		p.Feature = i
		all = append(all, p)
	}
	if reason := f.Dead.Refuse(); reason != "" {
		report(-1, wrong("", "dead: %s", reason))
	}
	slots, used := f.Slots(), map[string]bool{}
	for _, s := range slots {
		used[s.Shared] = true
	}
	owner, names, told := map[string]int{}, f.Names(), map[int]bool{}
	for _, n := range f.Numbers {
		owner[n.Symbol] = -1
		if !symbolForm.MatchString(n.Symbol) {
			report(-1, wrong("numbers", "want names of small letters, digits and _, with a letter first, such as p; got %q",
				n.Symbol))
		} else if !used[n.Symbol] {
			report(-1, wrong("numbers", "no feature uses the number %s: write its name in place of a number, such as power: "+
				"%[1]s", n.Symbol))
		}
	}
	for _, s := range slots {
		if s.Shared == "" {
			name := names[s.At]
			if first, twice := owner[name]; twice && !told[s.Feature] {
				by := "numbers"
				if first >= 0 {
					by = fmt.Sprintf("features[%d]", first)
				}
				report(s.Feature, wrong("name", "the name %s is taken by %s: give one of them another name", name, by))
				told[s.Feature] = true
			}
			owner[name] = s.Feature
		}
		if why := s.Refuse(v[s.At]); why != "" {
			report(s.Feature, wrong(s.Key, "%s", why))
		}
	}
	work := 0
	for i := range f.Features {
		if f.Features[i].Kind != Formula {
			continue
		}
		problems, parsed := f.Features[i].checkFormula()
		for _, p := range problems {
			report(i, p)
		}
		if parsed != nil {
			before := work
			work += parsed.work()
			if work > maxWork && before <= maxWork {
				report(i, wrong(parsed.part.key, "the formulas so far take too long to compile: they have %d million table "+
					"entries, want at most %d million; "+
					"an operation on four tiles has 65,536, on two tiles 256, each counts as %d more, and one on the board as 1,024",
					work>>20, maxWork>>20, nodeEntries))
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
	all = f.checkNames()
	if slices.ContainsFunc(all, func(p *Problem) bool { return p.Key != "numbers" }) {
		return all, nil
	}
	p, problem := f.parse()
	if problem != nil {
		all = append(all, problem)
	}
	return all, p
}

var symbolForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

// checkNames returns the faults of the names of a formula's sums, parts and numbers.
func (f *Term) checkNames() (all []*Problem) {
	if n := len(f.Sums); n > maxSums {
		all = append(all, wrong("sums", "want at most %d, got %d", maxSums, n))
	}
	taken := map[string]string{} // the key that gave each name; empty: the language has it
	for name := range functions {
		taken[name] = ""
	}
	for _, x := range append(slices.Clone(f.Sums), NamedPart{Over: f.Over}) {
		for _, q := range partOf(x.Over).quantities {
			taken[q.symbol] = ""
		}
	}
	for _, own := range f.own() {
		by, given := taken[own.name]
		taken[own.name] = own.key
		switch {
		case !symbolForm.MatchString(own.name):
			all = append(all, wrong(own.key, "want names of small letters, digits and _, with a letter first, such as p; got %q",
				own.name))
		case given && by == own.key:
			all = append(all, wrong(own.key, "the name %s comes twice", own.name))
		case given:
			all = append(all, wrong(own.key, "%s means something else in formulas: give the %s another name", own.name,
				own.what))
		}
	}
	return all
}
