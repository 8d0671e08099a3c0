package stats

import (
	"math"
	"slices"
	"testing"
)

// The definition, by hand; as R's p.adjust(p, "holm").
func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.04}, []float64{0.04}},
		{[]float64{0.01, 0.02, 0.03, 0.04}, []float64{0.04, 0.06, 0.06, 0.06}},
		{[]float64{0.03, 0.5, 0.001, 0.04}, []float64{0.09, 0.5, 0.004, 0.09}},
		{[]float64{0.6, 0.7, 0.8}, []float64{1, 1, 1}},
		{[]float64{0.02, 0.02}, []float64{0.04, 0.04}},
	} {
		got := Holm(c.p)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
			t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
		}
	}
	p := []float64{0.5, 0.1}
	if Holm(p); p[0] != 0.5 {
		t.Error("Holm sorts its argument")
	}
}

func TestAskShares(t *testing.T) {
	sum := 0.0
	for ask := 1; ask <= 1_000_000; ask++ {
		share := AskShare(ask)
		sum += share
		if !(share > 0 && sum <= 1) {
			t.Fatalf("question %d has %v, all up to it %v", ask, share, sum)
		}
	}
	if AskShare(1) != 0.8 || math.Abs(AskShare(3)-1.0/30) > 1e-15 || sum < 0.9999 {
		t.Errorf("question 1 has %v, question 3 %v, all together %v", AskShare(1), AskShare(3), sum)
	}
}
