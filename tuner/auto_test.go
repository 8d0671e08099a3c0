package tuner

import (
	"slices"
	"testing"
)

// TestRelay: auto asks for what a genetic algorithm asks for, for 30 generations, and then for
// samples of a distribution. It has no distribution of more parameters than the CMA-ES can hold.
func TestRelay(t *testing.T) {
	for _, parameters := range []int{2, maxDimensions + 1} {
		space := cube(parameters, 0, 1, 0.5)
		optimizer := newOptimizer(t, options("auto", set{"population": 4}), space, 1)
		for generation := range 33 {
			candidates := mustAsk(t, optimizer, space)
			var fitness []float64
			for _, c := range candidates {
				fitness = append(fitness, c.Values[0])
			}
			sampled := slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Origin == originSampled })
			if want := generation >= 30 && parameters == 2; sampled != want {
				t.Errorf("%d parameters, generation %d: %v", parameters, generation, candidates[1].Origin)
			}
			mustTell(t, optimizer, fitness)
		}
	}
}
