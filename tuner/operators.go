package tuner

import (
	"math/rand"

	"github.com/MaxHalford/eaopt"

	"tune2048/experiments/stats"
)

// individual is a point as eaopt's operators handle it. They change its
// coordinates in place, even out of the unit cube; newPoint then makes a point
// of them.
type individual struct {
	point
	place    int       // in its generation: eaopt sorts, and ties must not depend on how
	breeding *breeding // what the operators need
}

// breeding holds what the operators share.
type breeding struct {
	options Options
	steps   []float64 // standard deviation of mutations for each parameter, 0 for a constant
}

var _ eaopt.Genome = (*individual)(nil)

// Evaluate does nothing: the model measures whole generations.
func (i *individual) Evaluate() (float64, error) { return 0, nil }

// Clone copies the coordinates.
func (i *individual) Clone() eaopt.Genome {
	c := *i
	c.unit = append([]float64(nil), i.unit...)
	return &c
}

// Crossover makes the individual a child of itself and its mate by blend
// crossover: each number is uniform between the parents' and Blend times their
// distance beyond on both sides (L. J. Eshelman, J. D. Schaffer, Real-Coded
// Genetic Algorithms and Interval-Schemata, FOGA 2, 1993). The mate is left
// alone.
func (i *individual) Crossover(mate eaopt.Genome, random *rand.Rand) {
	other := mate.(*individual)
	alpha := i.breeding.options.Blend
	for k, a := range i.unit {
		distance := other.unit[k] - a
		at := float64(random.Float64()*(1+float64(2*alpha))) - alpha
		i.unit[k] = a + float64(at*distance)
	}
	i.origin = OriginCrossover
}

// Mutate moves each number with the probability MutationRate by a normal
// random step.
func (i *individual) Mutate(random *rand.Rand) {
	for k, step := range i.breeding.steps {
		if random.Float64() < i.breeding.options.MutationRate && step > 0 {
			i.unit[k] += float64(step * normal(random))
			i.origin = OriginMutation
		}
	}
}

// mutationSteps returns the standard deviation of mutations for each parameter: the
// parents' own, times MutationSpread, and at least MutationFloor. Under noise
// this adapts better than a schedule: it shrinks only as selection agrees.
func mutationSteps(o Options, s *Space, parents eaopt.Individuals) []float64 {
	steps := make([]float64, s.Dim())
	for k, p := range s.parameters {
		if p.constant() {
			continue
		}
		var m stats.Moments
		for _, parent := range parents {
			m.Add(parent.Genome.(*individual).unit[k])
		}
		steps[k] = max(o.MutationFloor, o.MutationSpread*m.SD())
	}
	return steps
}
