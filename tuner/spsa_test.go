package tuner

import (
	"math"
	"testing"
)

// The schedule ends where the options say, and begins as Spall's formulas do.
func TestGains(t *testing.T) {
	p := newSPSA(Defaults(SPSA), mustSpace(t, cube(2, 0, 1, 0.5)), nil)
	for past, want := range map[int][2]float64{
		0:  {0.4 * 0.05 * 0.05 * math.Pow(55.0/6, 0.602), 0.05 * math.Pow(50, 0.101)},
		49: {0.4 * 0.05 * 0.05, 0.05},
	} {
		p.past = make([][]float64, past)
		if a, c := p.gains(); math.Abs(a/want[0]-1) > 1e-12 || math.Abs(c/want[1]-1) > 1e-12 {
			t.Errorf("after %d generations: got %v and %v, want %v", past, a, c, want)
		}
	}
}

// Each pair is on both sides of theta, in a random direction; theta moves by the formula.
func TestSPSAStep(t *testing.T) {
	f := cube(12, 0, 1, 0.5)
	o := Defaults(SPSA)
	optimizer := newOptimizer(t, o, f, 2)
	p := optimizer.algorithm.(*spsa)
	candidates := mustAsk(t, optimizer, f)
	a, c := p.gains()
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
	mustTell(t, optimizer, []float64{5, 4, 0, 1, 3, 0, 7, 7})
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
		if want := 0.5 + a/c*step/unit/2; math.Abs(p.now[i]-want) > 1e-5 {
			t.Errorf("theta of parameter %d: %v, want %v", i, p.now[i], want)
		}
	}
}

// At an edge, in a corner, and where the perturbation is as wide as the range, the two sides of a pair differ, theta
// moves only along what was measured, and from the edge in the right direction.
func TestSPSAAtTheEdge(t *testing.T) {
	widest := Defaults(SPSA)
	widest.Population, widest.FinalPerturbation = 2, 0.5 // 0.74 in the first generation, if there were room
	one := Defaults(SPSA)
	one.Population = 2
	for _, o := range []Options{Defaults(SPSA), one, widest} {
		for n := 1; n <= 3; n++ {
			for _, start := range []float64{0, 0.01, 1} {
				parameters := append(cube(n, 0, 1, start), Parameter{Name: "constant", Min: 3, Max: 3, Start: 3})
				for seed := range uint64(100) {
					optimizer := newOptimizer(t, o, parameters, seed)
					p := optimizer.algorithm.(*spsa)
					candidates := mustAsk(t, optimizer, parameters) // no vector is there twice
					if o.Population > 2 {
						continue
					}
					// One pair whose difference in fitness is that of f(x) = sum of x: the step is a/c by the
					// perturbation, whatever the difference's size, along the way between the two.
					fitness := func(x []float64) (sum float64) {
						for _, v := range x[:n] {
							sum += v
						}
						return sum
					}
					first, second := candidates[0].Values, candidates[1].Values
					a, c := p.gains()
					mustTell(t, optimizer, []float64{fitness(first), fitness(second)})
					for i := range n {
						want := start + a/c*math.Copysign(1, (first[i]-second[i])*(fitness(first)-fitness(second)))
						if want = min(max(want, 0), 1); math.Abs(p.now[i]-want) > 1e-5 {
							t.Fatalf("seed %d: from %v, with %v and %v, theta went to %v, want %v", seed, start, first, second, p.now[i], want)
						}
					}
				}
			}
		}
	}
}
