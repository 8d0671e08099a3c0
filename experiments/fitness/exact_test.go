package fitness

import (
	"math"
	"testing"

	"tune2048/engine/bot"
	"tune2048/experiments/stats"
)

// won has the scores of n games of which k are won.
func won(k, n int) []float64 {
	scores := make([]float64, n)
	for i := range k {
		scores[i] = 1
	}
	return scores
}

// equal has the scores of n games that are all the same.
func equal(n int, score float64) []float64 {
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = score
	}
	return scores
}

// bounded are the objectives of one score, with bounds of the scores.
func bounded(min, max float64) []Objective {
	var all []Objective
	for _, k := range Kinds[:2] {
		o, _ := k.New(0)
		all = append(all, o.Within(bot.Bounds{Min: min, Max: max}))
	}
	return all
}

// TestBoundedScoresAreCovered calculates exactly how often the 95% interval of a mean holds the
// truth where games are won or lost and the bounds say so: 95% at least, with any number of games,
// also where nearly all are won.
func TestBoundedScoresAreCovered(t *testing.T) {
	for kind, o := range bounded(0, 1) {
		win, least := o.Figures([]float64{1}, nil)[0], 1.0
		for n := 2; n <= 400; n += 1 + 10*kind {
			first := max(0, n-75) // fewer won games are too unlikely to count
			var intervals []stats.Interval
			for k := first; k <= n; k++ {
				intervals = append(intervals, o.Interval(o.Sample(won(k, n), nil), 0.95))
			}
			for _, p := range []float64{0.9, 0.95, 0.99, 0.999} {
				held := 0.0
				for i, weight := range binomial(n, p)[first:] {
					if intervals[i].Contains(p * win) {
						held += weight
					}
				}
				least = min(least, held)
				if held < 0.95 {
					t.Errorf("%v, %d games, %v of all won: the interval holds in %.4f", o, n, p, held)
				}
			}
		}
		t.Logf("%v: the intervals hold in %.4f at least", o, least)
	}
}

// TestEqualScoresHaveNoInterval: forty games that all score the same say nothing of how far other
// games would be, unless bounds of the scores are known. Then other scores come in less than 8.8%
// of the games.
func TestEqualScoresHaveNoInterval(t *testing.T) {
	for _, score := range []float64{0, 1, 1234.5} {
		for _, o := range []Objective{MeanScore, bounded(0, 0)[1]} {
			s := o.Sample(equal(40, score), nil)
			if i := o.Interval(s, 0.95); i != stats.Unbounded() {
				t.Errorf("%v: 40 games that score %v have the interval %v", o, score, i)
			}
			if i := o.ScoreInterval(s, 0.95); i != stats.Unbounded() {
				t.Errorf("%v: 40 games that score %v have the interval %v of points", o, score, i)
			}
		}
	}
	for _, c := range []struct{ score, min, max, low, high float64 }{
		{1, 0, 1, 0.911903, 1},
		{0, 0, 1, 0, 0.088097},
		{0, -1, 1, -0.088097, 0.088097},
		{-1, -1, 1, -1, -0.823806},
		{50, 0, 200, 45.595, 63.215},
	} {
		o := bounded(c.min, c.max)[0]
		i := o.Interval(o.Sample(equal(40, c.score), nil), 0.95)
		if math.Abs(i.Low-c.low) > 1e-3 || math.Abs(i.High-c.high) > 1e-3 || i.Low < c.min || i.High > c.max {
			t.Errorf("40 games that score %v of %v to %v: %v, want %v to %v", c.score, c.min, c.max, i, c.low, c.high)
		}
	}
	// A share of tiles has its bounds anyway, its mean score has none.
	o, _ := Kinds[2].New(2048)
	s := o.Sample(equal(40, 20000), []byte{39: 11})
	if i := o.Interval(s, 0.95); !i.Bounded() || o.ScoreInterval(s, 0.95).Bounded() {
		t.Errorf("one of 40 games reached the tile: %v", i)
	}
}

// TestEqualPlayersAreCompared: no verdict rests on scores that are all equal, unless bounds of the
// scores are known.
func TestEqualPlayersAreCompared(t *testing.T) {
	mixed := won(20, 40)
	for name, c := range map[string]struct {
		a, b           []float64
		low, high      float64 // of the difference, with bounds
		ratio, differs bool    // the ratio has an interval; the players differ
		minP, mostP    float64
	}{
		"1 and 0":         {a: equal(40, 1), b: equal(40, 0), low: 0.8238, high: 1, differs: true, mostP: 1e-9},
		"0 and 1":         {a: equal(40, 0), b: equal(40, 1), low: -1, high: -0.8238, differs: true, mostP: 1e-9},
		"both 1":          {a: equal(40, 1), b: equal(40, 1), low: -0.0881, high: 0.0881, ratio: true, minP: 1, mostP: 1},
		"1 and half":      {a: equal(40, 1), b: mixed, low: 0.2141, high: 0.6821, ratio: true, differs: true, mostP: 1e-3},
		"1 and 0, unlike": {a: equal(40, 1), b: equal(30, 0), low: 0.7603, high: 1, differs: true, mostP: 1e-9},
		"1 and 1, unlike": {a: equal(40, 1), b: equal(30, 1), low: -0.1037, high: 0.1359, ratio: true, minP: 1, mostP: 1},
		"1 and 0, twice":  {a: equal(2, 1), b: equal(2, 0), low: -0.6838, high: 1, minP: 0.4, mostP: 0.6},
	} {
		for kind, o := range bounded(0, 1) {
			unit := o.Figures([]float64{1}, nil)[0]
			a, b, pairs := o.Sample(c.a, nil), o.Sample(c.b, nil), stats.PairsOf(o.Figures(c.a, nil), o.Figures(c.b, nil))
			difference, ratio, p := o.Compare(a, b, pairs, 0.95)
			i := difference.Interval
			if math.Abs(i.Low/unit-c.low) > 1e-3 || math.Abs(i.High/unit-c.high) > 1e-3 {
				t.Errorf("%s: the difference is %v, want %v to %v", name, i, c.low, c.high)
			}
			if kind == 0 && ratio.Interval.Bounded() != c.ratio {
				t.Errorf("%s: the ratio is %+v", name, ratio)
			}
			if p < c.minP || p > c.mostP || i.Contains(0) != (p > 0.05) {
				t.Errorf("%s: p is %v, the interval %v", name, p, i)
			}
			if z := o.Z(a, b, pairs); c.differs != (math.Abs(z) > 3) || z*difference.Value < 0 {
				t.Errorf("%s: z is %v", name, z)
			}
			o = o.Within(bot.Bounds{})
			a, b = o.Sample(c.a, nil), o.Sample(c.b, nil)
			difference, ratio, p = o.Compare(a, b, pairs, 0.95)
			if difference.Interval != stats.Unbounded() || ratio.Interval != stats.Unbounded() || p != 1 ||
				o.Z(a, b, pairs) != 0 {
				t.Errorf("%s without bounds: difference %+v, ratio %+v, p %v", name, difference, ratio, p)
			}
		}
	}
}
