package heuristic

import (
	"fmt"
	"math"
	"strings"

	"tune2048/engine/portable"
)

// Problem is what is wrong with a family, and where.
type Problem struct {
	Feature int    // index in Family.Features; -1: the family as a whole
	Setting string // "weight", "power", "decay", "matrix_0_3", "name", ...; empty: the feature as a whole
	Reason  string
}

// Error implements error.
func (p *Problem) Error() string {
	switch {
	case p.Feature < 0:
		return p.Reason
	case p.Setting == "":
		return fmt.Sprintf("feature %d: %s", p.Feature+1, p.Reason)
	default:
		return fmt.Sprintf("feature %d: %s: %s", p.Feature+1, p.Setting, p.Reason)
	}
}

// Check reports the first reason why not every value within the family's ranges can be compiled: an unknown
// kind or setting, a name used twice, a range that leaves a feature's domain, or one whose tables would
// overflow. The error is a *Problem.
func (f *Family) Check() error {
	if len(f.Features) == 0 {
		return &Problem{-1, "", "want at least one feature"}
	}
	if f.Symmetry != SymmetryNone && f.Symmetry != SymmetryBest {
		return &Problem{-1, "", fmt.Sprintf("symmetry: want none or best, got %q", f.Symmetry)}
	}
	seen := map[string]int{}
	low, high := 0.0, 0.0
	for i := range f.Features {
		feature := f.Features[i]
		if _, ok := uses[feature.Kind]; !ok {
			return &Problem{i, "feature", fmt.Sprintf("there is no feature %q", feature.Kind)}
		}
		var problem *Problem
		feature.each(func(name string, n *Number) {
			if first, twice := seen[name]; twice && problem == nil {
				problem = &Problem{i, "name", fmt.Sprintf("the number %q of feature %d has the same name: give one of them a name of its own", name, first+1)}
			}
			seen[name] = i
		})
		if problem == nil {
			problem = feature.checkSettings(i)
		}
		if problem != nil {
			return problem
		}
		// Bounds grow with every magnitude, so the extremes of the ranges bound them all.
		for _, weight := range feature.Weight.extremes() {
			extreme := feature
			extreme.each(func(_ string, n *Number) { *n = Fixed(n.farthest()) })
			extreme.Weight = Fixed(weight)
			l, h := extreme.bounds()
			if _, err := fractionBits(math.Max(-l, h)); err != nil {
				return &Problem{i, "", err.Error()}
			}
			low, high = math.Min(low, low+l), math.Max(high, high+h)
		}
	}
	dead := 0.0
	if !f.Dead.Worst {
		dead = math.Abs(f.Dead.Value)
	}
	if _, err := fractionBits(math.Max(math.Max(-low, high), dead)); err != nil {
		return &Problem{-1, "", err.Error()}
	}
	return nil
}

// checkSettings reports what is wrong with feature i's own settings, over the whole of its ranges.
func (f *Feature) checkSettings(i int) *Problem {
	for _, s := range uses[f.Kind] {
		var got string
		var want []string
		switch s {
		case "tile":
			got, want = f.Tile, []string{Face, Rank}
		case "count":
			got, want = f.Count, []string{Pairs, Runs}
		case "blanks":
			got, want = f.Blanks, []string{Skip, Keep}
		case "corner":
			got, want = f.Corner, []string{UpperLeft, UpperRight, LowerLeft, LowerRight}
		case "first":
			got, want = f.First, []string{Column, Row}
		default:
			continue
		}
		ok := false
		for _, w := range want {
			ok = ok || got == w
		}
		if !ok {
			return &Problem{i, s, fmt.Sprintf("want one of %v, got %q", want, got)}
		}
	}
	var problem *Problem
	f.each(func(name string, n *Number) {
		for _, v := range n.extremes() {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				setting := strings.TrimPrefix(name[len(f.Name):], "_")
				if setting == "" {
					setting = "weight"
				}
				problem = &Problem{i, setting, "want finite numbers"}
			}
		}
	})
	if problem != nil {
		return problem
	}
	for _, extreme := range []func(Number) float64{Number.nearest, Number.farthest} {
		g := *f
		g.each(func(_ string, n *Number) { *n = Fixed(extreme(*n)) })
		if setting, reason := g.domain(); reason != "" {
			return &Problem{i, setting, reason}
		}
	}
	return nil
}

// domain reports the setting of a fixed feature's number that its definition does not allow, and why.
func (f *Feature) domain() (setting, reason string) {
	for _, s := range uses[f.Kind] {
		switch {
		case s == "power" && !(f.Power.Value > 0):
			return s, fmt.Sprintf("want more than 0, got %v", f.Power.Value)
		case s == "decay" && !(f.Decay.Value >= 0):
			return s, fmt.Sprintf("want at least 0, got %v", f.Decay.Value)
		}
	}
	return "", ""
}

// extremes returns the ends of the number's range.
func (n Number) extremes() []float64 {
	if n.Tunable {
		return []float64{n.Min, n.Max}
	}
	return []float64{n.Value}
}

// nearest returns the smallest value of the range, farthest the largest in magnitude.
func (n Number) nearest() float64 {
	if n.Tunable {
		return n.Min
	}
	return n.Value
}

func (n Number) farthest() float64 {
	if n.Tunable {
		if math.Abs(n.Min) > math.Abs(n.Max) {
			return n.Min
		}
		return n.Max
	}
	return n.Value
}

// bounds returns limits of weight x feature over all boards with tiles up to 65536, for fixed numbers.
func (f *Feature) bounds() (low, high float64) {
	least, most := 0.0, 0.0 // of the feature
	var largest float64     // tile^power
	if f.Kind != Line && f.Kind != Empty && f.Kind != Merges {
		largest = f.tileValues()[maxTileRank]
	}
	switch f.Kind {
	case Line:
		least, most = 8, 8
	case Empty:
		most = 2 * 16
	case Merges:
		most = 8 * 3
		if f.Count == Runs {
			most = 8 * 4
		}
	case Sum:
		most = 2 * 16 * largest
	case Monotonicity:
		most = 8 * 1.5 * largest // three steps in all, the smaller of rise and fall has at most half
	case Difference:
		most = 24 * largest
	case Position, Snake:
		weights, _ := f.cellWeights()
		for r := range weights {
			for _, w := range weights[r] {
				if v := float64(w * largest); v > 0 {
					most += v
				} else {
					least += v
				}
			}
		}
	case Corner, Largest:
		most = portable.Pow(f.tileOf(maxTileRank), f.Power.Value)
	}
	a, b := float64(f.Weight.Value*least), float64(f.Weight.Value*most)
	return math.Min(a, b), math.Max(a, b)
}
