package tuner

import (
	"math"
	"slices"
	"testing"
)

// The schedule ends where the options say, and begins as Spall's formulas do.
func TestGains(t *testing.T) {
	p := newOptimizer(t, Options{Algorithm: SPSA}, cube(2, 0, 1, 0.5), 1).populations[0].(*spsaSearch)
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
	o := Options{Algorithm: SPSA}
	optimizer := newOptimizer(t, o, f, 2)
	p := optimizer.populations[0].(*spsaSearch)
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

	// The unit of the differences is that of the whole stage, though later pairs are closer.
	before := slices.Clone(p.now)
	candidates = mustAsk(t, optimizer, f)
	a, c = p.gains()
	mustTell(t, optimizer, []float64{1, 0, 0, 2, 5, 5, 4, 3})
	unit = math.Sqrt((4.0 + 1 + 9 + 0 + 1 + 4 + 0 + 1) / 8)
	for i := range f {
		step := 0.0
		for k, difference := range []float64{1, -2, 0, 1} {
			step += difference * math.Copysign(1, candidates[2*k].Values[i]-candidates[2*k+1].Values[i])
		}
		if want := before[i] + a/c*step/unit/2; math.Abs(p.now[i]-want) > 1e-5 {
			t.Errorf("theta of parameter %d in the second generation: %v, want %v", i, p.now[i], want)
		}
	}
}

// Where nothing differs nothing moves.
func TestSPSAOnAPlain(t *testing.T) {
	f := cube(3, 0, 1, 0.25)
	optimizer := newOptimizer(t, Options{Algorithm: SPSA}, f, 3)
	run(t, optimizer, f, 3, func([]float64) float64 { return 7 })
	if got, want := optimizer.Centre(), []float64{0.25, 0.25, 0.25}; !slices.Equal(got, want) {
		t.Errorf("went to %v", got)
	}
}

// The two sides of a pair are as far from theta, or from where there is room for both; in the first pair of a stage
// theta is one of them. Failed, they are further apart and further from an edge. All directions are as likely.
func TestSPSAPairs(t *testing.T) {
	const n = 3
	p := newOptimizer(t, Options{Algorithm: SPSA}, cube(n, 0, 1, 0.5), 1).populations[0].(*spsaSearch)
	_, c := p.gains()
	for _, theta := range []float64{0, 0.01, 0.5, 0.97, 1} {
		p.now = []float64{theta, theta, theta}
		up, pairs := map[[n]bool]int{}, 4000
		for range pairs {
			first, second := p.candidate(2, 0).unit, p.candidate(3, 0).unit
			var signs [n]bool
			for i := range n {
				signs[i] = first[i] > second[i]
				middle := min(max(theta, c), 1-c)
				if math.Abs((first[i]+second[i])/2-middle) > 1e-12 || math.Abs(math.Abs(first[i]-second[i])-2*c) > 1e-12 {
					t.Fatalf("from %v: %v and %v, want %v ± %v", theta, first, second, middle, c)
				}
			}
			up[signs]++
		}
		for signs, count := range up {
			if len(up) != 1<<n || math.Abs(float64(count)/float64(pairs)-1.0/(1<<n)) > 0.03 {
				t.Errorf("direction %v: %d of %d pairs in %d directions", signs, count, pairs, len(up))
			}
		}

		start := p.candidate(0, 0)
		moved := map[float64]int{}
		for range 200 {
			for i, u := range p.candidate(1, 0).unit {
				if math.Abs(math.Abs(u-theta)-c) > 1e-12 || start.unit[i] != theta {
					t.Fatalf("from %v: the first pair is %v and %v, want them %v apart", theta, start.unit[i], u, c)
				}
				moved[math.Copysign(1, u-theta)]++
			}
		}
		if both := theta-c >= 0 && theta+c <= 1; both != (len(moved) == 2) {
			t.Errorf("from %v: partners of theta lie %v", theta, moved)
		}

		first, second := p.candidate(2, 5).unit, p.candidate(3, 5).unit // 1.5 and 2 times as wide
		for i := range n {
			room := 0.7 * c
			if min(first[i], second[i]) < room || max(first[i], second[i]) > 1-room {
				t.Errorf("from %v, failed: %v and %v, want them %v from an edge", theta, first, second, room)
			}
			if d, e := first[i]-theta, second[i]-theta; theta == 0.5 && (d*e > 0 || math.Abs(math.Abs(d)-1.5*c) > 1e-12 || math.Abs(math.Abs(e)-2*c) > 1e-12) {
				t.Errorf("failed: %v and %v, want them %v and %v from 0.5", first, second, 1.5*c, 2*c)
			}
		}
	}
}

// At an edge, in a corner, and where the perturbation is as wide as the range, the two sides of a pair differ, theta
// moves only along what was measured, and from the edge in the right direction.
func TestSPSAAtTheEdge(t *testing.T) {
	widest := Options{SPSA, set{"population": 2, "final_perturbation": 0.5}} // 0.74 in the first generation, if there were room
	one := Options{SPSA, set{"population": 2}}
	for _, o := range []Options{Options{Algorithm: SPSA}, one, widest} {
		for n := 1; n <= 3; n++ {
			for _, start := range []float64{0, 0.01, 1} {
				parameters := append(cube(n, 0, 1, start), Parameter{Name: "constant", Min: 3, Max: 3, Start: 3})
				for seed := range uint64(100) {
					optimizer := newOptimizer(t, o, parameters, seed)
					p := optimizer.populations[0].(*spsaSearch)
					candidates := mustAsk(t, optimizer, parameters) // no vector is there twice
					if o.Population() > 2 {
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
