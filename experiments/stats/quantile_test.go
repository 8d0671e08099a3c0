package stats

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

func TestStudentQuantile(t *testing.T) {
	for _, c := range []struct{ p, df, want float64 }{
		// As in the published tables, with more digits by numerical integration.
		{0.975, 1, 12.7062047362},
		{0.975, 2, 4.30265272975},
		{0.995, 3, 5.84090930973},
		{0.975, 5, 2.57058183564},
		{0.025, 10, -2.22813885199},
		{0.975, 30, 2.04227245630},
		{0.995, 120, 2.61742114511},
		{0.975, 1000, 1.96233908082},
		{0.9995, 1, 636.619248769},
		{0.5, 3, 0},
		{0, 3, math.Inf(-1)},
		{1, 3, math.Inf(1)},
		{2, 3, math.NaN()},
		{0.9, 0, math.NaN()},
		{0.9, math.NaN(), math.NaN()},
	} {
		if got := StudentQuantile(c.p, c.df); relative(got, c.want) > 1e-11 {
			t.Errorf("StudentQuantile(%v, %v) = %.12g, want %v", c.p, c.df, got, c.want)
		}
	}
	for p := 1e-9; p < 0.5; p = min(p*1.9, p+0.03) {
		for _, c := range []struct {
			df, want float64
		}{
			{1, -1 / math.Tan(math.Pi*p)},
			{2, (2*p - 1) / math.Sqrt(2*p*(1-p))},
			{math.Inf(1), NormalQuantile(p)},
		} {
			if got := StudentQuantile(p, c.df); relative(got, c.want) > 1e-12 {
				t.Errorf("StudentQuantile(%v, %v) = %v, want %v", p, c.df, got, c.want)
			}
			if got, mirror := StudentQuantile(1-p, c.df), StudentQuantile(p, c.df); relative(got, -mirror) > 1e-6 {
				t.Errorf("StudentQuantile(1-%v, %v) = %v, want %v", p, c.df, got, -mirror)
			}
		}
	}
	// The two methods meet.
	for _, p := range []float64{1e-12, 1e-4, 0.025, 0.3, 0.49} {
		exact := StudentQuantile(p, studentSeriesFrom*(1-1e-13))
		series := StudentQuantile(p, studentSeriesFrom)
		if relative(series, exact) > 1e-9 {
			t.Errorf("at %v the expansion gives %v, the inversion %v", p, series, exact)
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

// The inverse of the quantile, which is compared with tables above.
func TestStudentTail(t *testing.T) {
	for _, df := range []float64{1, 2, 3.3, 10, 57.5, 1000, 99_999, 100_000, 1e7, math.Inf(1)} {
		for p := 1e-9; p < 0.5; p *= 1.7 {
			x := StudentQuantile(p, df)
			if got := StudentTail(-x, df); relative(got, p) > 1e-8 {
				t.Errorf("StudentTail(%v, %v) = %v, want %v", -x, df, got, p)
			}
			if got := StudentTail(x, df); relative(got, 1-p) > 1e-9 {
				t.Errorf("StudentTail(%v, %v) = %v, want %v", x, df, got, 1-p)
			}
		}
	}
	for _, c := range []struct{ t, df, want float64 }{
		{0, 5, 0.5},
		{math.Inf(1), 5, 0},
		{math.Inf(-1), 5, 1},
		{1, 0, math.NaN()},
		{math.NaN(), 5, math.NaN()},
		{1, math.NaN(), math.NaN()},
		{1e200, 5, 0},
	} {
		if got := StudentTail(c.t, c.df); relative(got, c.want) > 1e-15 && got != c.want {
			t.Errorf("StudentTail(%v, %v) = %v, want %v", c.t, c.df, got, c.want)
		}
	}
}

func BenchmarkStudentQuantile(b *testing.B) {
	for b.Loop() {
		StudentQuantile(0.975, 12.5)
	}
}
