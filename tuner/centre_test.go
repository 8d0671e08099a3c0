package tuner

import (
	"math"
	"testing"
)

// Where a search stood in the last quarter of a stage is its answer, rounded up to whole
// generations. A stage begins there, and has no past.
func TestCentreOfTheLastQuarter(t *testing.T) {
	for n, want := range map[int]float64{0: 7, 1: 1, 2: 2, 4: 4, 5: 4.5, 8: 7.5, 9: 8, 40: 35.5} {
		search := iterates{now: []float64{7, 0}}
		for k := range n {
			search.now[0], search.now[1] = float64(k+1), -float64(k+1)
			search.note()
		}
		if n == 0 {
			search.now[1] = -7
		}
		if got := search.centre(); math.Abs(got[0]-want) > 1e-12 || math.Abs(got[1]+want) > 1e-12 {
			t.Errorf("after %d generations: %v, want %v", n, got, want)
		}
		search.restart()
		if math.Abs(search.now[0]-want) > 1e-12 || len(search.past) != 0 {
			t.Errorf("after %d generations a stage begins at %v, with a past of %d", n, search.now, len(search.past))
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
	m := measured{[]Candidate{{unit: []float64{0}}, {unit: []float64{1}}, {unit: []float64{0}}, {unit: []float64{0.5}}}, []float64{1, 4, 2, 3}}
	w1, w2 := math.Log(2.5), math.Log(1.25)
	if got, want := m.centre()[0], (w1+0.5*w2)/(w1+w2); math.Abs(got-want) > 1e-12 {
		t.Errorf("the centre is %v, want %v", got, want)
	}
}
