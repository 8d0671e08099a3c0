package stats

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

// Two players that play nearly alike differ at few seeds, and there by a lot. The interval of their
// difference holds the truth all the same.
func TestFewPairsDiffer(t *testing.T) {
	const samples = 1000
	random := portable.NewSource(1)
	for _, c := range []struct {
		games        int
		differ, gain float64
	}{{400, 0.01, 1.3}, {400, 0.02, 1.3}, {400, 0.05, 1.3}, {2000, 0.002, 1.3}, {50, 0.1, 1.3}, {50, 0.5, 1.3},
		{50, 0.5, 1}} {
		missed, truth := 0, float64(c.differ*(1-c.gain)*typicalMean)
		for range samples {
			var a, b Moments
			var pairs Pairs
			for range c.games {
				x := score(random, typicalMean)
				y := x
				if random.Float64() < c.differ {
					y = score(random, c.gain*typicalMean)
				}
				a.Add(x)
				b.Add(y)
				pairs.Add(x, y)
			}
			if pairs.Differ > 0 && !MeanDifference(a, b, pairs, 0.95).Interval.Contains(truth) {
				missed++
			}
		}
		t.Logf("%+v: %d of %d", c, missed, samples)
		if most := 0.05*samples + 3*math.Sqrt(0.05*0.95*samples); float64(missed) > most {
			t.Errorf("%+v: the interval misses the truth in %d of %d samples", c, missed, samples)
		}
	}
}

// Two pairs of one difference decide nothing: any luck makes them. Twelve decide by the sign test.
func TestPairsWithoutSpread(t *testing.T) {
	for n, decides := range map[int]bool{2: false, 5: false, 6: true, 12: true, 2000: true} {
		var one, other []float64
		for i := range n {
			one, other = append(one, float64(100+i%2)), append(other, float64(80+i%2))
		}
		a, b, pairs := momentsOf(one...), momentsOf(other...), PairsOf(one, other)
		p := MeanP(a, b, pairs)
		if want := 2 * math.Pow(0.5, float64(n)); n <= 12 && math.Abs(p/want-1) > 1e-6 || p > want+4e-15 && n > 12 {
			t.Errorf("%d pairs: p = %v, by the sign test %v", n, p, want)
		}
		difference, ratio := MeanDifference(a, b, pairs, 0.95).Interval, MeanRatio(a, b, pairs, 0.95).Interval
		if decides == difference.Contains(0) || decides == ratio.Contains(1) || difference.Low == difference.High {
			t.Errorf("%d pairs: the difference %v, the ratio %v, p = %v", n, difference, ratio, p)
		}
	}
}
