package tuner

import (
	"math"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"tune2048/engine/portable"
)

// individual is a point as eaopt's operators handle it. They change its coordinates in place, even
// out of the unit cube. newPoint then makes a point of them.
type individual struct {
	point
	place   int // in its generation: eaopt sorts, and ties must not depend on how
	genetic *geneticSearch
}

var _ eaopt.Genome = (*individual)(nil)

// Evaluate does nothing: whole generations are measured.
func (i *individual) Evaluate() (float64, error) { return 0, nil }

// Clone copies the coordinates.
func (i *individual) Clone() eaopt.Genome {
	c := *i
	c.unit = slices.Clone(i.unit)
	return &c
}

// Crossover makes the individual a child of itself and its mate by blend crossover. Each number is
// uniform between the parents' numbers and blend times their distance beyond on both sides (L. J.
// Eshelman, J. D. Schaffer, Real-Coded Genetic Algorithms and Interval-Schemata, FOGA 2, 1993). The
// mate stays as it is.
func (i *individual) Crossover(mate eaopt.Genome, random *rand.Rand) {
	other := mate.(*individual)
	alpha := i.genetic.numbers["blend"]
	for k, a := range i.unit {
		distance := other.unit[k] - a
		at := float64(random.Float64()*(1+float64(2*alpha))) - alpha
		i.unit[k] = a + float64(at*distance)
	}
	i.origin = originCrossover
}

// Mutate moves each number with the probability mutation_rate by a normal random step.
func (i *individual) Mutate(random *rand.Rand) {
	for k, step := range i.genetic.steps {
		if random.Float64() < i.genetic.numbers["mutation_rate"] && step > 0 {
			i.unit[k] += float64(step * normal(random))
			i.origin = originMutation
		}
	}
}

// mutationSteps returns the standard deviation of mutations for each parameter: the parents' own
// times mutation_spread, and at least mutation_floor or half a whole number. Under noise this
// adapts better than a schedule: it shrinks only as selection agrees.
func (g *geneticSearch) mutationSteps() []float64 {
	steps := make([]float64, g.space.Dim())
	for k := range steps {
		steps[k] = max(g.numbers["mutation_floor"], g.space.leastStep(k), g.numbers["mutation_spread"]*g.parentsSD(k))
	}
	return steps
}

// parentsSD returns the sample standard deviation of one coordinate of the parents, by Welford's
// method.
func (g *geneticSearch) parentsSD(k int) float64 {
	mean, squares := 0.0, 0.0
	for i, parent := range g.parents {
		x := parent.Genome.(*individual).unit[k]
		delta := x - mean
		mean += delta / float64(i+1)
		squares += float64(delta * (x - mean))
	}
	return math.Sqrt(squares / float64(len(g.parents)-1))
}

// normal returns a standard normal number. rand's own NormFloat64 differs between processors.
func normal(random *rand.Rand) float64 {
	return portable.NormalQuantile((float64(random.Int63n(1<<52)) + 0.5) / (1 << 52))
}
