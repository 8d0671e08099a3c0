package tuner

import (
	"testing"

	"tune2048/engine/portable"
)

// TestCMAESStaysInScale: a night has tens of thousands of generations. While a floor holds the
// spread, the shape shrinks and the step size grows, until neither is a number.
func TestCMAESStaysInScale(t *testing.T) {
	space := NewSpace([]Parameter{{Name: "a", Max: 1, Value: 0.3}, {Name: "b", Max: 1, Value: 0.7}, {Name: "c", Max: 1, Value: 0.5}})
	settings := CMAES{Population: 40, Spread: 0.4, StepFloor: 0.02, LearningRate: 1}
	c := newCMASearch(settings, space, portable.NewSource(1), []float64{0.3, 0.7, 0.5}, 0.4, false)
	noise := portable.NewSource(2)
	points, fitness := make([]Candidate, 40), make([]float64, 40)
	for range 5000 {
		for i := range points {
			points[i], fitness[i] = c.candidate(i, 0), noise.Normal()
		}
		c.learn(points, fitness)
	}
	if !(c.sigma > 1e-40 && c.sigma < 1e40 && c.lengths[0] > 1e-40) {
		t.Errorf("after 5,000 generations: step size %v, lengths of the axes %v", c.sigma, c.lengths)
	}
}
