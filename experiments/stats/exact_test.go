package stats

import (
	"math"
	"testing"
)

// binomial returns the probabilities of 0 to n successes.
func binomial(n int, p float64) []float64 {
	logFactorial := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	all := make([]float64, n+1)
	for k := range all {
		all[k] = math.Exp(logFactorial(n) - logFactorial(k) - logFactorial(n-k) + float64(k)*math.Log(p) +
			float64(n-k)*math.Log1p(-p))
	}
	return all
}

// TestClopperPearsonPublished: limits as R's binom.test prints them.
func TestClopperPearsonPublished(t *testing.T) {
	for _, c := range []struct {
		successes, n int
		low, high    float64
	}{
		{40, 40, 0.9119027, 1}, {0, 40, 0, 0.0880973}, {39, 40, 0.8684141, 0.9993673},
		{682, 925, 0.7076683, 0.7654066}, {1, 10, 0.002528579, 0.4450161},
	} {
		i := ClopperPearson(c.successes, c.n, 0.95)
		if math.Abs(i.Low-c.low) > 1e-6 || math.Abs(i.High-c.high) > 1e-6 {
			t.Errorf("%d of %d: %v, want %v to %v", c.successes, c.n, i, c.low, c.high)
		}
	}
	if x := Others(40, 0.95); math.Abs(x-0.0880973) > 1e-6 {
		t.Errorf("others come in up to %v of games, want 8.8%%", x)
	}
}

// TestClopperPearsonIsExact: at each limit the tail has its probability, by adding up binomial
// probabilities; also of many trials.
func TestClopperPearsonIsExact(t *testing.T) {
	for _, n := range []int{1, 2, 15, 16, 17, 100, 4000} {
		for _, k := range []int{1, 2, n / 3, n / 2, n - 1, n} {
			if k < 1 || k > n {
				continue
			}
			for _, confidence := range []float64{0.5, 0.95, 0.9999} {
				tail := 0.0
				for i, p := range binomial(n, ClopperPearson(k, n, confidence).Low) {
					if i >= k {
						tail += p
					}
				}
				if want := (1 - confidence) / 2; math.Abs(tail/want-1) > 1e-7 {
					t.Errorf("%d of %d, %v: the tail has %v, want %v", k, n, confidence, tail, want)
				}
			}
		}
	}
	if i := ClopperPearson(3_999_000, 4_000_000, 0.95); math.Abs(i.Low-0.99973402) > 1e-7 ||
		math.Abs(i.High-0.99976524) > 1e-7 {
		t.Errorf("of 4,000,000: %v", i)
	}
}
