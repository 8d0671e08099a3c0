package stats

import (
	"math"
	"slices"
	"testing"

	"tune2048/engine/portable"
)

// crossing returns the probability that the absolute value of the statistic
// reaches a boundary at any look.
func crossing(fractions, boundaries []float64, drift float64) float64 {
	w, sum := newWalk(), 0.0
	for k, t := range fractions {
		c := boundaries[k]
		sum += w.above(c, t, drift) + w.above(c, t, -drift)
		if k+1 < len(fractions) {
			w = w.advance(t, fractions[k+1], drift, region{-c, c})
		}
	}
	return sum
}

// C. Jennison, B. W. Turnbull, Group Sequential Methods with Applications to Clinical Trials, 1999,
// tables 2.1 and 2.3: the constants of Pocock's test, |Z| >= C at every look, and of O'Brien's and
// Fleming's, |Z| >= C sqrt(K/k), for two-sided tests with K equally spaced looks.
func TestPublishedConstants(t *testing.T) {
	for _, c := range []struct {
		level float64
		looks int
		// Pocock, O'Brien and Fleming
		constant, scaled float64
	}{
		{0.05, 1, 1.960, 1.960},
		{0.05, 2, 2.178, 1.977},
		{0.05, 3, 2.289, 2.004},
		{0.05, 5, 2.413, 2.040},
		{0.05, 10, 2.555, 2.087},
		{0.01, 2, 2.772, 2.580},
		{0.01, 5, 2.986, 2.621},
		{0.10, 2, 1.875, 1.678},
		{0.10, 5, 2.122, 1.751},
	} {
		fractions, _ := evenly(c.looks, 1, 1)
		solve := func(boundary func(c, t float64) float64) float64 {
			return root(1, 5, func(constant float64) float64 {
				var boundaries []float64
				for _, t := range fractions {
					boundaries = append(boundaries, boundary(constant, t))
				}
				return crossing(fractions, boundaries, 0) - c.level
			})
		}
		if got := solve(func(c, t float64) float64 { return c }); math.Abs(got-c.constant) > 0.00051 {
			t.Errorf("level %v, %d looks: Pocock's constant %.4f, want %v", c.level, c.looks, got, c.constant)
		}
		if got := solve(func(c, t float64) float64 { return c / math.Sqrt(t) }); math.Abs(got-c.scaled) > 0.00051 {
			t.Errorf("level %v, %d looks: O'Brien's and Fleming's constant %.4f, want %v", c.level, c.looks, got, c.scaled)
		}
	}
}

func TestPublishedSpending(t *testing.T) {
	// Each of the two sides spends half the level by the one-sided function.
	normal := func(t float64) float64 { return 4 * portable.NormalTail(-portable.NormalQuantile(0.05/4)/math.Sqrt(t)) }
	for _, c := range []struct {
		name  string
		looks int
		sides float64
		spent func(t float64) float64
		want  []float64
		tol   float64
	}{
		// D. M. Reboussin, D. L. DeMets, K. Kim, K. K. G. Lan, Computations for Group
		// Sequential Boundaries Using the Lan-DeMets Spending Function Method,
		// Controlled Clinical Trials 21, 2000.
		{"Lan-DeMets, like O'Brien and Fleming", 5, 2, normal, []float64{4.8769, 3.3569, 2.6803, 2.2898, 2.0310}, 2e-4},
		{"Lan-DeMets, like Pocock", 5, 2, func(t float64) float64 { return 0.05 * math.Log(1+(math.E-1)*t) },
			[]float64{2.4380, 2.4268, 2.4101, 2.3966, 2.3859}, 1e-4},
		// The default of the R package gsDesign: one-sided 2.5%, Hwang-Shih-DeCani -4.
		{"Hwang-Shih-DeCani -4", 3, 1, func(t float64) float64 { return 0.025 * spending(t, -4) },
			[]float64{3.0107, 2.5465, 1.9992}, 1e-4},
	} {
		fractions, _ := evenly(c.looks, 1, 1)
		var spent []float64
		before := 0.0
		for _, t := range fractions {
			spent = append(spent, c.spent(t)-before)
			before = c.spent(t)
		}
		for k, got := range bounds(fractions, spent, c.sides) {
			if !(math.Abs(got-c.want[k]) <= c.tol) {
				t.Errorf("%s: boundary %d is %.5f, want %v", c.name, k+1, got, c.want[k])
			}
		}
	}
}

// The unit tests of the R package rpact (test-f_design_group_sequential_beta_spending.R)
// publish two-sided designs with non-binding futility: fractions, what is spent on
// either error, boundaries, the inflation of the games and their mean without a
// difference, with half of it and with all of it, in units of the fixed size.
func TestPublishedFutility(t *testing.T) {
	for _, c := range []struct {
		level, power                   float64
		fractions, spent, missed       []float64
		efficacy, futility             []float64
		inflation, none, half, planned float64
	}{
		{
			0.05, 0.9,
			[]float64{0.3, 0.4, 0.8, 1},
			[]float64{0.0024647515, 0.0050596443, 0.028621671, 0.05}, []float64{0, 0.010609935, 0.065960997, 0.1},
			[]float64{3.0276355, 2.8984727, 2.2289649, 2.0639032}, []float64{0, 0.13460523, 1.5007674, 2.0639032},
			1.1067068, 0.85810726, 0.89600313, 0.78930804,
		},
		{
			0.025, 0.93,
			[]float64{0.15, 0.25, 0.8, 1},
			[]float64{2.2511015e-10, 1.1742122e-06, 0.01045986, 0.025}, []float64{0, 0, 0.051333333, 0.07},
			[]float64{6.3431527, 4.8600403, 2.560259, 2.292451}, []float64{0, 0, 1.8509555, 2.292451},
			1.0974644, 0.88976115, 0.93283887, 0.90470787,
		},
	} {
		increments := func(cumulative []float64) []float64 {
			list := slices.Clone(cumulative)
			for k := len(list) - 1; k > 0; k-- {
				list[k] -= list[k-1]
			}
			return list
		}
		p := Plan{Difference: math.E - 1, Level: c.level, Power: c.power}
		d := newDesign(p, c.fractions, increments(c.spent), increments(c.missed))
		// rpact integrates with a tolerance of about 1e-5.
		for k, b := range d.Boundaries {
			if !(math.Abs(b.Efficacy-c.efficacy[k]) < 1e-4 && math.Abs(b.Futility-c.futility[k]) < 1e-4) {
				t.Errorf("look %d: got %+v, want %v and %v", k+1, b, c.efficacy[k], c.futility[k])
			}
		}
		for name, want := range map[string][2]float64{
			"inflation":       {d.inflation(), c.inflation},
			"games, none":     {d.inflation() * d.characteristics(0).games, c.none},
			"games, half":     {d.inflation() * d.characteristics(half(math.E-1)).games, c.half},
			"games, planned":  {d.inflation() * d.characteristics(math.E-1).games, c.planned},
			"power":           {d.characteristics(math.E - 1).power, c.power},
			"games, negative": {d.inflation() * d.characteristics(1/math.E-1).games, c.planned},
		} {
			if !(math.Abs(want[0]-want[1]) < 1e-5) {
				t.Errorf("%s: got %.7f, want %v", name, want[0], want[1])
			}
		}
	}
}

// The boundaries' own property, where no table reaches: they spend the given probability, on one
// side and on two, down to the smallest ones.
func TestBoundsSpendTheLevel(t *testing.T) {
	for _, looks := range []int{1, 2, 7, 15} {
		for _, level := range []float64{1e-9, 0.001, 0.05, 0.5} {
			for _, shape := range []float64{-4, 1} {
				fractions, spent := evenly(looks, level, shape)
				if got := crossing(fractions, bounds(fractions, spent, 2), 0); relative(got, level) > 1e-7 {
					t.Errorf("level %v, shape %v, %d looks: crossed with probability %v", level, shape, looks, got)
				}
			}
		}
	}
}

func TestRoot(t *testing.T) {
	line := func(x float64) float64 { return 3 - 2*x }
	for _, c := range []struct{ low, high, want float64 }{{0, 10, 1.5}, {-1e6, 1.6, 1.5}, {2, 3, 2}, {0, 1, 1},
		{1.5, 9, 1.5}} {
		if got := root(c.low, c.high, line); !(math.Abs(got-c.want) <= 1e-10) {
			t.Errorf("root between %v and %v: got %v, want %v", c.low, c.high, got, c.want)
		}
	}
	if got := root(0, 1000, func(x float64) float64 { return portable.Log(portable.Exp(-x) * 20) }); !(math.Abs(got-portable.Log(20)) <= 1e-9) {
		t.Errorf("root of a logarithm that is -Inf at its end: %v", got)
	}
	cliff := func(x float64) float64 {
		if x > 5 {
			return math.Inf(-1)
		}
		return 1 - x
	}
	if got := root(-100, 10, cliff); !(math.Abs(got-1) <= 1e-9) {
		t.Errorf("root of a line with a cliff: %v, want 1", got)
	}
	// Curves that are so bent that secants always end on the same side, to which halving is the
	// answer.
	for name, curve := range map[string]func(x float64) float64{
		"concave": func(x float64) float64 { return 1 - portable.Pow(x, 12) },
		"convex":  func(x float64) float64 { return portable.Exp(9*(1-x)) - 1 },
	} {
		calls := 0
		got := root(0, 2.5, func(x float64) float64 { calls++; return curve(x) })
		if !(math.Abs(got-1) <= 1e-10) || calls > 60 {
			t.Errorf("%s: root %v after %d calls, want 1 within 60", name, got, calls)
		}
	}
}
