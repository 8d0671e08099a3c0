package tuner

import (
	"reflect"
	"slices"

	"tune2048/engine/key"
	"tune2048/engine/portable"
)

// Algorithm is one way to search, with its settings. Each is a struct in a file of its own, whose
// Keys are the settings.
type Algorithm interface {
	key.Section

	// Name is the algorithm's name in a config.
	Name() string
	// Candidates returns the number of candidates of a generation.
	Candidates() int
	// Fit returns the number of candidates that suits a number of parameters.
	Fit(parameters int) (population int)
	// HandOver returns the number of generations after which CMA-ES takes over from the genetic
	// algorithm, or earlier if a stage ends before. It is 0 if it does not.
	HandOver(parameters int) (generations int)
	// Narrow returns settings by their keys for a first generation around a start that is known to
	// be good. At depth 3 from a start of 51,500 the mean of genetic's first generation falls to
	// 19,000 with its defaults.
	Narrow() map[string]float64

	start(s *Space, random *portable.Source) (search, error)
}

// algorithms are all algorithms, the default first.
var algorithms = []Algorithm{&Auto{}, &Genetic{}, &CMAES{}}

// Algorithms returns the names of all algorithms, the default first.
func Algorithms() (names []string) {
	for _, a := range algorithms {
		names = append(names, a.Name())
	}
	return names
}

// NewAlgorithm returns the algorithm of a name with its default settings, the default one for an
// empty name. nil: there is none.
func NewAlgorithm(name string) Algorithm {
	i := slices.IndexFunc(algorithms, func(a Algorithm) bool { return a.Name() == name || name == "" })
	if i < 0 {
		return nil
	}
	a := Copy(algorithms[i])
	key.SetDefaults(a)
	return a
}

// Copy returns a copy of an algorithm: its settings can change without the other one's.
func Copy(a Algorithm) Algorithm {
	c := reflect.New(reflect.TypeOf(a).Elem())
	c.Elem().Set(reflect.ValueOf(a).Elem())
	return c.Interface().(Algorithm)
}

// The settings that several algorithms have. Lengths are shares of a parameter's range on its
// scale.

func populationKey(to *int, standard int) key.Key {
	return key.Key{Name: "population", Doc: "candidates of a generation; left out in a config, it follows from the " +
		"number of weights", To: to, Default: standard, Auto: 0,
		Range: key.Between(2, 10_000)}
}

func spreadKey(to *float64, standard float64) key.Key {
	return key.Key{Name: "spread", Doc: "standard deviation of the first generation around the start; `cma_es` keeps " +
		"later ones at 0.5 or less",
		To: to, Default: standard, Range: share}
}

func stageSpreadKey(to *float64, standard float64) key.Key {
	return key.Key{Name: "stage_spread", Doc: "standard deviation by which half of the population is moved when a stage " +
		"begins; for `cma_es` the standard deviation of its new distribution",
		To: to, Default: standard, Range: share}
}

// share is a range of shares above 0.
var share = key.Range{Low: 0, High: 1, LowOut: true}
