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

func BenchmarkStudentQuantile(b *testing.B) {
	for b.Loop() {
		StudentQuantile(0.975, 12.5)
	}
}
