package stats

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

func wantInterval(t *testing.T, name string, got Interval, low, high, tolerance float64) {
	t.Helper()
	if !(math.Abs(got.Low-low) <= tolerance && math.Abs(got.High-high) <= tolerance) {
		t.Errorf("%s: got [%.6g, %.6g], want [%v, %v]", name, got.Low, got.High, low, high)
	}
}

// Student's own example: the additional hours of sleep of two groups of ten
// (The Probable Error of a Mean, 1908). R's t.test(extra ~ group, data = sleep)
// publishes difference -1.58, df 17.776, interval -3.3654832 to 0.2054832.
var (
	sleepers = [2][]float64{{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
		{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}}
	sleep1 = momentsOf(sleepers[0]...)
	sleep2 = momentsOf(sleepers[1]...)
)

func TestPublishedExamples(t *testing.T) {
	d := MeanDifference(sleep1, sleep2, Pairs{}, 0.95)
	if math.Abs(d.Value+1.58) > 1e-12 {
		t.Errorf("difference = %v, want -1.58", d.Value)
	}
	wantInterval(t, "Welch, sleep", d.Interval, -3.3654832, 0.2054832, 1e-7)
	// The groups are the same ten patients. R's t.test(extra1, extra2, paired = TRUE) publishes df = 9
	// and -2.4598858 to -0.7001142. One patient slept as long both times, so here df is 8.
	pairs := PairsOf(sleepers[0], sleepers[1])
	wantInterval(t, "paired, sleep", MeanDifference(sleep1, sleep2, pairs, 0.95).Interval,
		-1.58-0.8798858*2.306004/2.262157, -1.58+0.8798858*2.306004/2.262157, 1e-6)
	// 95% for the mean: 0.75 +- 2.262157 * 1.789010 / sqrt(10).
	wantInterval(t, "mean, sleep", MeanInterval(sleep1, 0.95), -0.5297804, 2.0297804, 1e-6)
	// R publishes p-value = 0.07939 with it. With t = 5 of one degree of freedom it is 1 - 2
	// atan(5)/pi.
	two, five := momentsOf(9, 11), momentsOf(5, 5, 5)
	for name, c := range map[string][2]float64{
		"sleep":   {MeanP(sleep1, sleep2, Pairs{}), 0.07939414},
		"paired":  {MeanP(sleep1, sleep2, pairs), 0.00362274}, // Student's t of 4.0621 with df = 8
		"two":     {MeanP(two, five, Pairs{}), 0.1256659},
		"of two":  {MeanP(five, two, Pairs{}), 0.1256659},
		"itself":  {MeanP(sleep1, sleep1, Pairs{}), 1},
		"too few": {MeanP(sleep1, momentsOf(99), Pairs{}), 1},
	} {
		if !(math.Abs(c[0]-c[1]) <= 1e-7) {
			t.Errorf("%s: p-value %v, want %v", name, c[0], c[1])
		}
	}
	// Two numbers are enough: t of one degree of freedom is 12.706205, and a sample without spread
	// adds none.
	wantInterval(t, "mean of two", MeanInterval(two, 0.95), 10-12.7062047, 10+12.7062047, 1e-6)
	wantInterval(t, "difference from two", MeanDifference(five, two, Pairs{}, 0.95).Interval, -5-12.7062047, -5+12.7062047,
		1e-6)
	wantInterval(t, "difference of two", MeanDifference(two, five, Pairs{}, 0.95).Interval, 5-12.7062047, 5+12.7062047,
		1e-6)
	wantInterval(t, "ratio of two", MeanRatio(two, five, Pairs{}, 0.95).Interval, 2-12.7062047/5, 2+12.7062047/5, 1e-6)
	// Fieller: (100 - 5r)^2 = (12.7062 x 0.01 r)^2 of a numerator without spread.
	wantInterval(t, "ratio to two", MeanRatio(momentsOf(100, 100), momentsOf(4.99, 5.01), Pairs{}, 0.95).Interval,
		100/(5+0.127062047), 100/(5-0.127062047), 1e-6)
	// R. G. Newcombe, Two-sided Confidence Intervals for the Single Proportion,
	// Statistics in Medicine 17, 1998, table I, method 3.
	wantInterval(t, "Wilson 81/263", Wilson(81, 263, 0.95), 0.2553, 0.3662, 5e-5)
	wantInterval(t, "Wilson 15/148", Wilson(15, 148, 0.95), 0.0624, 0.1605, 5e-5)
	wantInterval(t, "Wilson 0/20", Wilson(0, 20, 0.95), 0, 0.1611, 5e-5)
	wantInterval(t, "Wilson 1/29", Wilson(1, 29, 0.95), 0.0061, 0.1718, 5e-5)
}

// The ends of Fieller's interval are the ratios r at which a - r*b is on the edge of differing from
// 0.
func TestRatioEnds(t *testing.T) {
	random := portable.NewSource(5)
	a, b := sample(random, 40, 3), sample(random, 60, 2)
	r := MeanRatio(a, b, Pairs{}, 0.9)
	va, vb := a.Variance()/40, b.Variance()/60
	df := satterthwaite(va, 40, r.Value*r.Value*vb, 60)
	for _, end := range []float64{r.Interval.Low, r.Interval.High} {
		statistic := math.Abs(a.Mean-end*b.Mean) / math.Sqrt(va+end*end*vb)
		if want := studentQuantile(0.95, df); relative(statistic, want) > 1e-9 {
			t.Errorf("t statistic at %v is %v, want %v", end, statistic, want)
		}
	}
	if !r.Interval.Contains(r.Value) {
		t.Errorf("%+v does not contain its value", r)
	}
}

// The same holds for pairs. Here a - r*b is worked out pair by pair.
func TestRatioEndsOfPairs(t *testing.T) {
	random := portable.NewSource(6)
	for range 20 {
		shared := 2*random.Float64() - 1
		var a, b []float64
		for range 40 {
			luck := random.Normal()
			a, b = append(a, 3+luck), append(b, 2+float64(shared*luck)+random.Normal())
		}
		r := MeanRatio(momentsOf(a...), momentsOf(b...), PairsOf(a, b), 0.9)
		for _, end := range []float64{r.Interval.Low, r.Interval.High} {
			var residuals Moments
			for i := range a {
				residuals.Add(a[i] - end*b[i])
			}
			if statistic, want := math.Abs(residuals.Mean)/residuals.SE(),
				studentQuantile(0.95, 39); relative(statistic, want) > 1e-9 {
				t.Errorf("t statistic at %v is %v, want %v", end, statistic, want)
			}
		}
	}
}

func sample(random *portable.Source, n int, mean float64) Moments {
	var m Moments
	for range n {
		m.Add(mean * (1 + 0.5*random.Normal()))
	}
	return m
}

func TestTooFewToTell(t *testing.T) {
	empty, one, many := Moments{}, momentsOf(3), momentsOf(1, 2, 3)
	constant := momentsOf(2, 2, 2)
	for name, got := range map[string]Interval{
		"mean of none":           MeanInterval(empty, 0.95),
		"mean of one":            MeanInterval(one, 0.95),
		"mean, confidence 1":     MeanInterval(many, 1),
		"constant, confidence 1": MeanInterval(constant, 1),
		"difference from none":   MeanDifference(many, empty, Pairs{}, 0.95).Interval,
		"difference from one":    MeanDifference(one, many, Pairs{}, 0.95).Interval,
		"ratio to none":          MeanRatio(many, empty, Pairs{}, 0.95).Interval,
		"ratio to one":           MeanRatio(many, one, Pairs{}, 0.95).Interval,
		"ratio to about 0":       MeanRatio(many, momentsOf(-1, 1.1), Pairs{}, 0.95).Interval,
		"ratio, confidence 1":    MeanRatio(many, many, Pairs{}, 1).Interval,
	} {
		if got.Bounded() || got != Unbounded() {
			t.Errorf("%s: got %+v, want an unbounded interval", name, got)
		}
	}
	point := Interval{Low: 2, High: 2}
	if got := MeanInterval(constant, 0.95); got != point {
		t.Errorf("equal numbers: got %+v, want %+v", got, point)
	}
	if got := MeanDifference(constant, constant, Pairs{}, 0.95); got != (Estimate{}) {
		t.Errorf("difference of equal numbers: got %+v, want all 0", got)
	}
	if got, want := MeanRatio(constant, constant, Pairs{}, 0.95), (Estimate{1, Interval{1, 1}}); got != want {
		t.Errorf("ratio of equal numbers: got %+v, want %+v", got, want)
	}
	if got := MeanRatio(many, empty, Pairs{}, 0.95).Value; got != 0 {
		t.Errorf("ratio to none: got %v, want 0", got)
	}
	if got, want := Wilson(0, 0, 0.95), (Interval{0, 1}); got != want {
		t.Errorf("no trials: got %+v, want %+v", got, want)
	}
	for n := 1; n < 100; n++ {
		if i := Wilson(0, n, 0.95); i.Low != 0 || i.High <= 0 || i.High >= 1 {
			t.Errorf("0 of %d: %+v", n, i)
		}
		if i := Wilson(n, n, 0.95); i.High != 1 || i.Low <= 0 || i.Low >= 1 {
			t.Errorf("%d of %d: %+v", n, n, i)
		}
	}
}
