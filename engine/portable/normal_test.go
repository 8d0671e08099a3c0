package portable

import (
	"math"
	"testing"
)

func TestNormalQuantile(t *testing.T) {
	for _, c := range []struct{ p, want float64 }{
		// The examples that AS 241 publishes for PPND16, then tables.
		{0.25, -0.6744897501960817},
		{0.001, -3.090232306167814},
		{1e-20, -9.262340089798408},
		{0.975, 1.959963984540054},
		{0.995, 2.575829303548901},
		{0.5, 0},
		{0, math.Inf(-1)},
		{1, math.Inf(1)},
		{-0.1, math.NaN()},
		{1.1, math.NaN()},
		{math.NaN(), math.NaN()},
	} {
		if got := NormalQuantile(c.p); relative(got, c.want) > 2e-15 {
			t.Errorf("NormalQuantile(%v) = %v, want %v", c.p, got, c.want)
		}
	}
	// The inverse of the distribution function.
	for p := 1e-12; p < 1; p = min(p*1.7, p+0.01) {
		z := NormalQuantile(p)
		if back := math.Erfc(-z/math.Sqrt2) / 2; relative(back, p) > 1e-13 {
			t.Errorf("the normal distribution at NormalQuantile(%v) = %v is %v", p, z, back)
		}
	}
}

func TestNormalTail(t *testing.T) {
	for _, c := range []struct{ z, want float64 }{
		{0, 0.5},
		{1.6448536269514722, 0.05},
		{-1.959963984540054, 0.975},
		{9.262340089798408, 1e-20},
		{math.Inf(1), 0},
		{math.Inf(-1), 1},
		{math.NaN(), math.NaN()},
	} {
		if got := NormalTail(c.z); relative(got, c.want) > 1e-13 {
			t.Errorf("NormalTail(%v) = %v, want %v", c.z, got, c.want)
		}
	}
	for z := -9.0; z < 30; z += 0.0137 {
		if got, want := NormalTail(z), math.Erfc(z/math.Sqrt2)/2; relative(got, want) > 4e-13 {
			t.Errorf("NormalTail(%v) = %v, want %v", z, got, want)
		}
	}
}
