package tuner

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"tune2048/engine/portable"
)

// algorithms are all algorithms, the default first. Each has a file of its own.
var algorithms = []Algorithm{auto, genetic, cmaES}

// Algorithm is one way to search.
type Algorithm struct {
	Name     string
	Settings []Setting

	// Narrow has settings for a first generation around a start that is known to be good. At depth 3
	// from a start of 51,500 the mean of genetic's first generation falls to 19,000 with its defaults.
	Narrow map[string]float64

	// Budget fits a population and its samples into a number of samples in all, for a number of
	// parameters: candidates, and samples of each in a generation. README.md has it in words.
	Budget func(samples, parameters int) (population, each int)

	start func(n map[string]float64, s *Space, random *portable.Source) (search, error)
}

// Setting is one number of an algorithm.
type Setting struct {
	Key     string
	Default float64
	Range
	Whole bool
	Doc   string // in Markdown
	below string // a setting that it is less than, by default at most half of it; empty: none
}

// Algorithms returns the names of all algorithms, the default first.
func Algorithms() (names []string) {
	for _, a := range algorithms {
		names = append(names, a.Name)
	}
	return names
}

// AlgorithmOf returns the algorithm of a name, the default for an empty one. nil: there is none.
func AlgorithmOf(name string) *Algorithm {
	i := slices.IndexFunc(algorithms, func(a Algorithm) bool { return a.Name == name || name == "" })
	if i < 0 {
		return nil
	}
	return &algorithms[i]
}

// Check returns the problem with the value of the setting in the options, or nil.
func (s Setting) Check(o Options) error {
	n := o.numbers()
	x, kind := n[s.Key], "a number "
	if s.Whole {
		kind = "a whole number "
	}
	switch {
	case !s.Contains(x) || s.Whole && x != math.Trunc(x):
		return fmt.Errorf("want %s%s, got %s", kind, s.Range, number(x))
	case s.below != "" && x >= n[s.below]:
		return fmt.Errorf("want less than %s, which is %s, got %s", s.below, number(n[s.below]), number(x))
	}
	return nil
}

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

// numbers returns the values of all settings by key: the given ones, and the algorithm's defaults.
func (o Options) numbers() map[string]float64 {
	n := map[string]float64{}
	maps.Copy(n, o.Settings)
	if a := AlgorithmOf(o.Algorithm); a != nil {
		for _, s := range a.Settings {
			if _, given := n[s.Key]; !given {
				n[s.Key] = s.Default
				if s.below != "" {
					n[s.Key] = min(s.Default, math.Floor(n[s.below]/2))
				}
			}
		}
	}
	return n
}

// The settings that several algorithms have. Lengths are shares of a parameter's range on its
// scale.

func populationOf(standard float64) Setting {
	return Setting{Key: "population", Default: standard, Range: Range{Low: 2, High: 10_000}, Whole: true,
		Doc: "candidates of a generation"}
}

func spreadOf(standard float64) Setting {
	return Setting{Key: "spread", Default: standard, Range: Range{Low: 0, High: 1, LowOut: true},
		Doc: "standard deviation of the first generation around the start"}
}

func stageSpreadOf(standard float64) Setting {
	return Setting{Key: "stage_spread", Default: standard, Range: Range{Low: 0, High: 1, LowOut: true},
		Doc: "standard deviation by which half of the population is moved when a stage begins; for `cma_es` the standard deviation of its new distribution"}
}

// fewSamples is the number of samples of a candidate that fits a budget. With few in all, few for
// many candidates lead further than many for few. Near the optimum it takes more to see a
// difference.
func fewSamples(samples int) int { return min(max(samples/2000, 2), 8) }

// Range is a range of numbers.
type Range struct {
	Low, High       float64
	LowOut, HighOut bool // the end itself is out of the range
}

// Contains reports whether the number is within the range, which NaN never is.
func (r Range) Contains(x float64) bool {
	return x >= r.Low && x <= r.High && !(r.LowOut && x == r.Low) && !(r.HighOut && x == r.High)
}

// String is the range in words: "from 0 to 1" or "more than 0 and at most 1".
func (r Range) String() string {
	if !r.LowOut && !r.HighOut {
		return "from " + number(r.Low) + " to " + number(r.High)
	}
	low, high := "at least ", "at most "
	if r.LowOut {
		low = "more than "
	}
	if r.HighOut {
		high = "less than "
	}
	return low + number(r.Low) + " and " + high + number(r.High)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
