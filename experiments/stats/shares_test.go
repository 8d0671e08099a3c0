package stats

import (
	"math"
	"testing"
)

// R. G. Newcombe, Interval Estimation for the Difference between Independent Proportions,
// Statistics in Medicine 17, 1998, table II, method 10: of Wilson's intervals.
func TestPublishedDifferences(t *testing.T) {
	for _, c := range []struct {
		a, m, b, n int
		low, high  float64
	}{
		{56, 70, 48, 80, 0.0524, 0.3339},
		{9, 10, 3, 10, 0.1705, 0.8090},
		{6, 7, 2, 7, 0.0582, 0.8062},
		{5, 56, 0, 29, -0.0381, 0.1926},
		{0, 10, 0, 10, -0.2775, 0.2775},
		{10, 10, 0, 20, 0.6791, 1},
	} {
		share := func(k, n int) Estimate {
			return Estimate{Value: float64(k) / float64(n), Interval: Wilson(k, n, 0.95)}
		}
		d := Difference(share(c.a, c.m), share(c.b, c.n), 0)
		if want := float64(c.a)/float64(c.m) - float64(c.b)/float64(c.n); d.Value != want {
			t.Errorf("%+v: difference %v, want %v", c, d.Value, want)
		}
		wantInterval(t, "Newcombe", d.Interval, c.low, c.high, 5e-5)
	}
}

// Pairs of successes, by how many have both, only the first, only the second, and none. The first
// table is 6.2 of D. G. Altman et al., Statistics with Confidence, 2000. The intervals are of
// Newcombe's formula for pairs, as biostatUZH's confIntPairedProportion writes it.
func TestPublishedDifferencesOfPairs(t *testing.T) {
	for _, c := range []struct {
		both, first, second, none int
		low, high                 float64
	}{
		{14, 5, 0, 22, 0.0114832, 0.2264927},
		{36, 12, 2, 0, 0.0569296, 0.3404276},
		{1, 1, 7, 12, -0.5069202, -0.0255591},
		{59, 6, 16, 80, -0.1186212, -0.0046251},
	} {
		var a, b []float64
		for i, n := range []int{c.both, c.first, c.second, c.none} {
			for range n {
				a, b = append(a, float64(1-i/2)), append(b, float64(1-i%2))
			}
		}
		share := func(k int) Estimate {
			return Estimate{Value: float64(k) / float64(len(a)), Interval: Wilson(k, len(a), 0.95)}
		}
		phi := PhiCoefficient(momentsOf(a...), momentsOf(b...), PairsOf(a, b))
		wantInterval(t, "Newcombe, paired", Difference(share(c.both+c.first), share(c.both+c.second), phi).Interval, c.low, c.high, 1e-7)
	}
}

// With a known denominator the ratio's ends are the numerator's ends divided by it. Logarithms of
// both add like the sides of a right triangle. A denominator that may be 0 has no upper end.
func TestRatio(t *testing.T) {
	estimate := func(value, low, high float64) Estimate { return Estimate{value, Interval{low, high}} }
	e, inf := math.Exp, math.Inf(1)
	for name, c := range map[string]struct{ a, b, want Estimate }{
		"to what is known":      {estimate(6, 3, 24), estimate(2, 2, 2), estimate(3, 1.5, 12)},
		"of what is known":      {estimate(6, 6, 6), estimate(2, 1, 8), estimate(3, 0.75, 6)},
		"3, 4, 5 and 5, 12, 13": {estimate(1, e(-3), e(5)), estimate(1, e(-12), e(4)), estimate(1, e(-5), e(13))},
		"of what may be 0":      {estimate(0.5, 0, 0.6), estimate(0.5, 0.5, 0.5), estimate(1, 0, 1.2)},
		"to what may be 0":      {estimate(0.5, 0.5, 0.5), estimate(0.5, 0, 1), estimate(1, 0.5, inf)},
		"of 0":                  {estimate(0, 0, 0.2), estimate(0.5, 0.4, 0.6), estimate(0, 0, 0.5)},
		"of 0, to what may be":  {estimate(0, 0, 0.2), estimate(0.5, 0, 0.6), estimate(0, 0, inf)},
		"to 0":                  {estimate(0.5, 0.4, 0.6), estimate(0, 0, 0.2), estimate(inf, 2, inf)},
		"to 0, of what may be":  {estimate(0.5, -0.1, 0.6), estimate(0, 0, 0.2), estimate(inf, 0, inf)},
		"to nothing but 0":      {estimate(0.5, 0.4, 0.6), estimate(0, 0, 0), estimate(inf, inf, inf)},
		"of 0 to 0":             {estimate(0, 0, 0.2), estimate(0, 0, 0.1), estimate(1, 0, inf)},
	} {
		got := Ratio(c.a, c.b, 0)
		for i, pair := range [][2]float64{{got.Value, c.want.Value}, {got.Interval.Low, c.want.Interval.Low}, {got.Interval.High, c.want.Interval.High}} {
			if pair[0] != pair[1] && !(math.Abs(pair[0]-pair[1]) <= 1e-12*math.Abs(pair[1])) {
				t.Errorf("%s: got %+v, want %+v (%d)", name, got, c.want, i)
			}
		}
	}
}
