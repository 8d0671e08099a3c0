package stats

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

// relative returns the relative difference, 0 for equal values, infinities and NaN included.
func relative(got, want float64) float64 {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return 0
	}
	if d := math.Abs(got-want) / math.Abs(want); !math.IsNaN(d) {
		return d
	}
	return math.Inf(1) // one of them is NaN, or an infinity or 0 that the other is not
}

// The outputs are the same on every compiler and processor, forever. Run this
// also with GOAMD64=v3, GODEBUG=cpu.fma=off and on arm64.
func TestGoldenBits(t *testing.T) {
	hash := func(f func(float64) float64, inputs ...float64) uint64 {
		parts := make([]any, 0, 2*len(inputs))
		for _, x := range inputs {
			parts = append(parts, math.Float64bits(x), math.Float64bits(f(x)))
		}
		return portable.Hash(0, parts...)
	}
	var unit []float64
	random := portable.NewSource(7)
	for range 2000 {
		random.Float64()
		unit = append(unit, random.Float64())
	}
	tail := func(t float64) float64 {
		if t < 0 {
			return 1 - studentTail(-t, 12.5)
		}
		return studentTail(t, 12.5)
	}
	design := Plan{Looks: 10}.withDefaults().Design()
	looks := []float64{0, 1, 5, 9}
	for _, c := range []struct {
		name string
		got  uint64
		want uint64
	}{
		{"studentQuantile(0.975, 7.5)", math.Float64bits(studentQuantile(0.975, 7.5)), 0x4002aa10ae0d41b8},
		{"200 studentTail", hash(func(x float64) float64 { return tail(20 * (x - 0.4)) }, unit[:200]...), 0x72d87a4b46384355},
		{"boundaries of a race", hash(func(x float64) float64 { return NewRace(8, x).boundary(2)[4] }, unit[:20]...),
			0xf68e06f929011a22},
		{"efficacy", hash(func(k float64) float64 { return design.Boundaries[int(k)].Efficacy }, looks...),
			0x0bfe89d5fa2f09fd},
		{"futility", hash(func(k float64) float64 { return design.Boundaries[int(k)].Futility }, looks...),
			0x30673ba11868a6c3},
		{"p-values", hash(func(k float64) float64 { return design.PValue(int(k)+1, 2.2) }, looks...), 0x9ca5c6c7ccfd9c8d},
		{"200 studentQuantile", hash(func(x float64) float64 { return studentQuantile(x, 12.5) }, unit[:200]...),
			0x03b4525eaad1749a},
	} {
		if c.got != c.want {
			t.Errorf("{%q, 0x%016x}, want 0x%016x", c.name, c.got, c.want)
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
		{1, 3, math.Inf(1)},
	} {
		if got := studentQuantile(c.p, c.df); relative(got, c.want) > 1e-11 {
			t.Errorf("studentQuantile(%v, %v) = %.12g, want %v", c.p, c.df, got, c.want)
		}
	}
	for p := 1e-9; p < 0.5; p = min(p*1.9, p+0.03) {
		for _, c := range []struct {
			df, want float64
		}{
			{1, -1 / math.Tan(math.Pi*p)},
			{2, (2*p - 1) / math.Sqrt(2*p*(1-p))},
			{math.Inf(1), portable.NormalQuantile(p)},
		} {
			if got := studentQuantile(p, c.df); relative(got, c.want) > 1e-12 {
				t.Errorf("studentQuantile(%v, %v) = %v, want %v", p, c.df, got, c.want)
			}
			if got, mirror := studentQuantile(1-p, c.df), studentQuantile(p, c.df); relative(got, -mirror) > 1e-6 {
				t.Errorf("studentQuantile(1-%v, %v) = %v, want %v", p, c.df, got, -mirror)
			}
		}
	}
	// The two methods meet.
	for _, p := range []float64{1e-12, 1e-4, 0.025, 0.3, 0.49} {
		exact := studentQuantile(p, studentSeriesFrom*(1-1e-13))
		series := studentQuantile(p, studentSeriesFrom)
		if relative(series, exact) > 1e-9 {
			t.Errorf("at %v the expansion gives %v, the inversion %v", p, series, exact)
		}
	}
}

// The inverse of the quantile, which is compared with tables above.
func TestStudentTail(t *testing.T) {
	for _, df := range []float64{1, 2, 3.3, 10, 57.5, 1000, 99_999, 100_000, 1e7, math.Inf(1)} {
		for p := 1e-9; p < 0.5; p *= 1.7 {
			x := studentQuantile(p, df)
			if got := studentTail(-x, df); relative(got, p) > 1e-8 {
				t.Errorf("studentTail(%v, %v) = %v, want %v", -x, df, got, p)
			}
		}
	}
	for _, c := range []struct{ t, df, want float64 }{
		{0, 5, 0.5},
		{math.Inf(1), 5, 0},
		{1e200, 5, 0},
	} {
		if got := studentTail(c.t, c.df); got != c.want {
			t.Errorf("studentTail(%v, %v) = %v, want %v", c.t, c.df, got, c.want)
		}
	}
}
