package fitness

import (
	"math"
	"testing"

	"tune2048/experiments/stats"
)

// binomial returns the probabilities of 0 to n successes.
func binomial(n int, p float64) []float64 {
	choose := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	all := make([]float64, n+1)
	for k := range all {
		all[k] = math.Exp(choose(n) - choose(k) - choose(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	return all
}

// reached is a sample of n games of which k reached the tile.
func reached(k, n int) Sample {
	share := float64(k) / float64(n)
	return Sample{Fitness: stats.Moments{N: n, Mean: share, M2: float64(k) * (1 - share)}}
}

// both are pairs of n games, of which only the first player reached the tile in some, and only the
// second in some.
func both(n, first, second int) stats.Pairs {
	mean := float64(first-second) / float64(n)
	return stats.Pairs{Moments: stats.Moments{N: n, Mean: mean, M2: float64(first+second) - float64(n)*mean*mean},
		Differ: first + second}
}

// TestSharesAreCovered calculates exactly how often the intervals of shares, of their differences
// and ratios hold the truth: at least 93% do, be a tile rare or common, with few games or many. p
// finds a difference of equals in at most 6%. The same holds for games that a bot wins or loses.
func TestSharesAreCovered(t *testing.T) {
	for _, o := range shared(t) {
		sharesAreCovered(t, o)
	}
}

// shared are the objectives whose figures are 0 and 1.
func shared(t *testing.T) []Objective {
	reach, err := Kinds[2].New(2048)
	if err != nil {
		t.Fatal(err)
	}
	return []Objective{reach, bounded(0, 1)[0]}
}

func sharesAreCovered(t *testing.T, o Objective) {
	shares := []float64{0.002, 0.01, 0.03, 0.1, 0.3, 0.5, 0.8, 0.97}
	for _, n := range []int{20, 60} {
		intervals := make([]stats.Interval, n+1)
		for k := range intervals {
			intervals[k] = o.Interval(reached(k, n), 0.95)
		}
		type found struct {
			difference, ratio stats.Interval
			p                 float64
		}
		compared := make([]found, (n+1)*(n+1))
		for i := range compared {
			d, r, p := o.Compare(reached(i/(n+1), n), reached(i%(n+1), n), stats.Pairs{}, 0.95)
			compared[i] = found{d.Interval, r.Interval, p}
		}
		for _, p := range shares {
			first, single := binomial(n, p), 0.0
			for k, weight := range first {
				if intervals[k].Contains(p) {
					single += weight
				}
			}
			if single < 0.93 {
				t.Errorf("%v, %d games, share %v: its interval holds in %.4f", o, n, p, single)
			}
			for _, q := range shares {
				second, difference, ratio, wrong := binomial(n, q), 0.0, 0.0, 0.0
				for i, c := range compared {
					weight := first[i/(n+1)] * second[i%(n+1)]
					if c.difference.Contains(p - q) {
						difference += weight
					}
					if c.ratio.Contains(p / q) {
						ratio += weight
					}
					if c.p <= 0.05 {
						wrong += weight
					}
				}
				if difference < 0.93 || ratio < 0.93 {
					t.Errorf("%v, %d games, shares %v and %v: the difference holds in %.4f, the ratio in %.4f", o, n, p, q, difference,
						ratio)
				}
				if p == q && wrong > 0.06 {
					t.Errorf("%v, %d games, shares %v: p calls equals different in %.4f", o, n, p, wrong)
				}
			}
		}
	}
}

// TestPairedSharesAreCovered does the same for players of whose games few differ, or many.
func TestPairedSharesAreCovered(t *testing.T) {
	for _, o := range shared(t) {
		pairedSharesAreCovered(t, o)
	}
}

func pairedSharesAreCovered(t *testing.T, o Objective) {
	const n = 40
	for _, p := range []float64{0.01, 0.05, 0.2, 0.4} { // only the first reached it
		for _, q := range []float64{0.01, 0.05, 0.2, 0.4} {
			rest := (1 - p - q) / 2 // half of the other games reached it with both
			held, ratio, all, wrong := 0.0, 0.0, 0.0, 0.0
			for first, weight := range binomial(n, p) {
				for second, next := range binomial(n-first, min(1, q/(1-p))) {
					a, b := (n-first-second)/2+first, (n-first-second)/2+second
					d, r, value := o.Compare(reached(a, n), reached(b, n), both(n, first, second), 0.95)
					all += weight * next
					if d.Interval.Contains(p - q) {
						held += weight * next
					}
					if r.Interval.Contains((p + rest) / (q + rest)) {
						ratio += weight * next
					}
					if value <= 0.05 {
						wrong += weight * next
					}
				}
			}
			if math.Abs(all-1) > 1e-9 || rest < 0 || held < 0.93 || ratio < 0.93 || p == q && wrong > 0.06 {
				t.Errorf("%v: only one reached it in %v and %v: the difference holds in %.4f, the ratio in %.4f, p finds one in "+
					"%.4f", o, p, q, held, ratio, wrong)
			}
		}
	}
}

// TestZerosBoundNothing: games of two players that all end with 0 do not show how far others would
// differ, whatever a score counts as.
func TestZerosBoundNothing(t *testing.T) {
	for i := range Kinds[:2] { // a share lies between 0 and 1
		o, err := Kinds[i].New(0)
		if err != nil {
			t.Fatal(err)
		}
		zeros := make([]float64, 4)
		s := o.Sample(zeros, make([]byte, 4))
		difference, ratio, p := o.Compare(s, s, stats.PairsOf(zeros, zeros), 0.95)
		if difference.Interval.Bounded() || ratio.Interval.Bounded() || p != 1 {
			t.Errorf("%v: difference %+v, ratio %+v, p %v", o, difference, ratio, p)
		}
	}
}
