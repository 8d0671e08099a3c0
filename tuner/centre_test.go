package tuner

import (
	"math"
	"testing"
)

// Where CMA-ES stood in the last quarter of a stage is its answer, rounded up to whole generations.
func TestCentreOfTheLastQuarter(t *testing.T) {
	for n, want := range map[int]float64{0: 7, 1: 1, 2: 2, 4: 4, 5: 4.5, 8: 7.5, 9: 8, 40: 35.5} {
		search := cmaSearch{now: []float64{7}}
		for k := range n {
			search.remember([]float64{float64(k + 1)})
		}
		if len(search.past) > (n+3)/4 {
			t.Errorf("after %d generations %d means are kept", n, len(search.past))
		}
		if got := search.centre()[0]; math.Abs(got-want) > 1e-12 {
			t.Errorf("after %d generations: %v, want %v", n, got, want)
		}
	}
}

// Whoever is better weighs as much or more. The better half counts, by ln((n+1)/2) - ln(rank).
func TestRankWeights(t *testing.T) {
	got := rankShares([]float64{-3, 8, 1, 5, 2, -9, 7})
	for i, rank := range []float64{6, 1, 5, 3, 4, 7, 2} {
		if want := max(0, math.Log(4/rank)); math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("rank %v weighs %v, want %v", rank, got[i], want)
		}
	}
	for i, w := range rankShares([]float64{2, 2, 2, 2, 2}) {
		if want := (math.Log(3) + math.Log(3.0/2)) / 5; math.Abs(w-want) > 1e-12 {
			t.Errorf("of five equals %d weighs %v, want %v", i, w, want)
		}
	}
	// Of four, ln(2.5) for the best and ln(2.5) - ln(2) for the second.
	g := geneticSearch{space: NewSpace(cube(1, 0, 1, 0)),
		points:  []Candidate{{unit: []float64{0}}, {unit: []float64{1}}, {unit: []float64{0}}, {unit: []float64{0.5}}},
		fitness: []float64{1, 4, 2, 3}}
	w1, w2 := math.Log(2.5), math.Log(1.25)
	if got, want := g.centre()[0], (w1+0.5*w2)/(w1+w2); math.Abs(got-want) > 1e-12 {
		t.Errorf("the centre is %v, want %v", got, want)
	}
}
