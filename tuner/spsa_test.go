package tuner

import (
	"math"
	"testing"
)

// The schedule ends where the options say, and begins as Spall's formulas do.
func TestGains(t *testing.T) {
	o := Defaults(SPSA)
	p := newSPSA(o, mustSpace(t, cube(2, 0, 1, 0.5)), 1)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	a, c := p.gains()
	near("the first c", c, 0.05*math.Pow(50, 0.101))
	near("the first a", a, 0.4*0.05*0.05*math.Pow(55.0/6, 0.602))
	p.age = o.Iterations - 1
	a, c = p.gains()
	near("the last c", c, o.FinalPerturbation)
	near("the last rate", a/(c*c), o.FinalRate)
}

// Each pair is on both sides of theta, in a random direction; theta moves by the
// formula.
func TestSPSAStep(t *testing.T) {
	f := cube(12, 0, 1, 0.5)
	o := Defaults(SPSA)
	p := newSPSA(o, mustSpace(t, f), 2)
	candidates := mustAsk(t, p, f)
	_, c := p.gains()
	for k := 2; k < len(candidates); k += 2 {
		for i := range f {
			up, down := candidates[k].Values[i], candidates[k+1].Values[i]
			if math.Abs((up+down)/2-0.5) > 1e-5 || math.Abs(math.Abs(up-down)/2-c) > 1e-5 {
				t.Errorf("parameter %d of pair %d: %v and %v, want 0.5 +- %v", i, k/2, up, down, c)
			}
		}
	}
	// The start stands for one side of the first pair, at half the distance.
	for i := range f {
		if d := math.Abs(candidates[1].Values[i] - 0.5); math.Abs(d-c) > 1e-5 {
			t.Errorf("the start's partner is %v away in parameter %d, want %v", d, i, c)
		}
	}

	// Differences 1 (2 with the start's distance made up for), -1, 3 and 0.
	mustTell(t, p, []float64{5, 4, 0, 1, 3, 0, 7, 7})
	a, c := p.options.FinalRate*0.05*0.05*math.Pow(55.0/6, 0.602), c
	unit := math.Sqrt((4.0 + 1 + 9 + 0) / 4)
	for i := range f {
		step := 0.0
		for k, difference := range []float64{2, -1, 3, 0} {
			sign := 1.0
			if candidates[2*k+1].Values[i] > 0.5 {
				sign = -1
			}
			step += sign * difference
		}
		want := 0.5 + a/c*step/unit/2
		if math.Abs(p.theta[i]-want) > 1e-9 {
			t.Errorf("theta of parameter %d: %v, want %v", i, p.theta[i], want)
		}
	}
}

// At the edge the pair lies inside, with its two sides apart in every parameter.
func TestPairsAtTheEdge(t *testing.T) {
	f := cube(3, 0, 1, 1)
	p := newSPSA(Defaults(SPSA), mustSpace(t, f), 3)
	for range 5 {
		candidates := mustAsk(t, p, f)
		_, c := p.gains()
		fitness := make([]float64, len(candidates))
		for k := 2; k < len(candidates); k += 2 {
			for i := range f {
				if d := math.Abs(candidates[k].Values[i] - candidates[k+1].Values[i]); d < 2*c-1e-5 {
					t.Errorf("pair %d: %v apart in parameter %d, want %v", k/2, d, i, 2*c)
				}
			}
		}
		for i, one := range candidates { // further out is better
			fitness[i] = one.Values[0] + one.Values[1] + one.Values[2]
		}
		mustTell(t, p, fitness)
	}
	if p.theta[0] < 0.95 || p.theta[0] > 1 {
		t.Errorf("theta went to %v, want the edge", p.theta)
	}
}
