package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLimitsAreSound draws operands within limits. No operation has a result outside of the limits
// that limits proves, but for the rounding of pow, log and exp. Where it proves none, it says so.
func TestLimitsAreSound(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 4))
	number := func() float64 {
		x := []float64{0, 0, 1, -1, 2, 0.5, 16, float64(r.IntN(40) - 20), 100 * r.NormFloat64(), math.Exp(20 * r.NormFloat64()), -math.Exp(200 * r.NormFloat64()), 7e6}
		return total(x[r.IntN(len(x))])
	}
	proven := map[string]int{}
	for range 400_000 {
		var limits [3]interval
		var x [3]float64
		for i := range limits {
			a, b := number(), number()
			limits[i] = interval{min(a, b), max(a, b)}
			x[i] = []float64{a, b, a + (b-a)*r.Float64(), 0, 1, math.Round(a)}[r.IntN(6)]
			x[i] = min(max(x[i], limits[i].low), limits[i].high)
			if r.IntN(20) == 0 {
				limits[i] = unlimited
			}
		}
		o := operations[r.IntN(len(operations))]
		got := 0.0
		if o.name == "choose" {
			if got = x[2]; x[0] != 0 {
				got = x[1]
			}
		} else {
			got = total(o.of(x[0], x[1]))
		}
		all := (&Expression{Name: o.name, of: o.of}).limits(limits)
		if slack := 1e-14 * math.Abs(got); got < all.low-slack || got > all.high+slack {
			t.Fatalf("%s of %v within %v is %v, outside of %v", o.name, x, limits, got, all)
		}
		if all.known() {
			proven[o.name]++
		}
	}
	for _, o := range operations {
		if proven[o.name] < 1000 {
			t.Errorf("%s has known limits %d times only", o.name, proven[o.name])
		}
	}
}
