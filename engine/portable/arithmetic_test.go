package portable

import (
	"math"
	"math/big"
	"testing"
)

// relative returns the relative difference, 0 for equal values, infinities and
// NaN included.
func relative(got, want float64) float64 {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return 0
	}
	if d := math.Abs(got-want) / math.Abs(want); !math.IsNaN(d) {
		return d
	}
	return math.Inf(1) // one of them is NaN, or an infinity or 0 that the other is not
}

func TestAccuracy(t *testing.T) {
	random := NewSource(1)
	wide := func() float64 { return math.Ldexp(1+random.Float64(), int(random.Uint64()%2000)-1000) }
	worst := map[string]float64{}
	check := func(name string, got, want float64, inputs ...float64) {
		t.Helper()
		d := relative(got, want)
		worst[name] = max(worst[name], d)
		if !(d <= 2e-15) {
			t.Errorf("%s(%v) = %v, want %v", name, inputs, got, want)
		}
	}
	for range 50_000 {
		x := wide()
		check("Log", Log(x), math.Log(x), x)
		near := 0.5 + 1.5*random.Float64()
		check("Log near 1", Log(near), math.Log(near), near)
		z := 1400*random.Float64() - 700
		check("Exp", Exp(z), math.Exp(z), z)
		small := math.Ldexp(z, -20)
		check("Exp near 0", Exp(small), math.Exp(small), small)
	}
	for range 5000 {
		x, y := 100*random.Float64(), 20*random.Float64()-10
		check("Pow", Pow(x, y), math.Pow(x, y), x, y)
	}
	t.Logf("worst relative differences from package math: %v", worst)
}

// bigPow is the slow and obvious power: 200 bits, for moderate results.
func bigPow(x, y float64) float64 {
	power := func() *big.Float { return new(big.Float).SetPrec(200) }
	whole, fraction := math.Modf(math.Abs(y))
	result, root := power().SetInt64(1), power().SetFloat64(x)
	for range int(whole) {
		result.Mul(result, root)
	}
	for ; fraction != 0; _, fraction = math.Modf(2 * fraction) {
		root.Sqrt(root)
		if fraction >= 0.5 {
			result.Mul(result, root)
		}
	}
	if y < 0 {
		result.Quo(power().SetInt64(1), result)
	}
	f, _ := result.Float64()
	return f
}

// Where math.Pow is too inaccurate to compare with, arbitrary precision is not.
func TestPowWithinOneUnit(t *testing.T) {
	random := NewSource(2)
	rounded := 0
	const tries = 1000
	for range tries {
		x, y := math.Ldexp(1+random.Float64(), int(random.Uint64()%9)-4), 300*random.Float64()-150
		got, want := Pow(x, y), bigPow(x, y)
		if got == want {
			rounded++
		}
		if got != want && got != math.Nextafter(want, 0) && got != math.Nextafter(want, math.Inf(1)) {
			t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
		}
	}
	if rounded < tries*99/100 {
		t.Errorf("%d of %d powers are correctly rounded, want nearly all", rounded, tries)
	}
}

func TestPowExact(t *testing.T) {
	for base := range 33 {
		want := 1.0
		for exponent := 0; want < 1<<53 && exponent < 60; exponent++ {
			if got := Pow(float64(base), float64(exponent)); got != want {
				t.Errorf("Pow(%d, %d) = %v, want %v", base, exponent, got, want)
			}
			want *= float64(base)
		}
		if got, want := Pow(float64(base), 0.5), math.Sqrt(float64(base)); got != want {
			t.Errorf("Pow(%d, 0.5) = %v, want %v", base, got, want)
		}
	}
	for e := -1074; e <= 1023; e++ {
		want := math.Ldexp(1, e)
		if got := Pow(2, float64(e)); got != want {
			t.Errorf("Pow(2, %d) = %v, want %v", e, got, want)
		}
	}
}

func TestSpecialCases(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	values := []float64{0, 1e-300, 0.25, 0.5, 1, 1 + 0x1p-52, 1 - 0x1p-53, 1.5, 2, 1e300, math.MaxFloat64, inf, nan}
	for _, x := range values {
		if d := relative(Log(x), math.Log(x)); d > 1e-15 {
			t.Errorf("Log(%v) = %v, want %v", x, Log(x), math.Log(x))
		}
		for _, sign := range []float64{1, -1} {
			if d := relative(Exp(sign*x), math.Exp(sign*x)); d > 2e-15 {
				t.Errorf("Exp(%v) = %v, want %v", sign*x, Exp(sign*x), math.Exp(sign*x))
			}
			for _, y := range values {
				got, want := Pow(x, sign*y), math.Pow(x, sign*y)
				if d := relative(got, want); d > 1e-14 && math.Abs(got-want) > 5e-324 {
					t.Errorf("Pow(%v, %v) = %v, want %v", x, sign*y, got, want)
				}
			}
		}
	}
	for _, got := range []float64{Pow(-1, 2), Pow(-1, 0.5), Log(-1), Log(-inf)} {
		if !math.IsNaN(got) {
			t.Errorf("a negative argument gave %v, want NaN", got)
		}
	}
	if got := Pow(-1, 0); got != 1 {
		t.Errorf("Pow(-1, 0) = %v, want 1", got)
	}
	// Subnormal arguments, where math.Log and math.Pow are wrong on amd64.
	const least = 5e-324
	for _, c := range []struct{ got, want float64 }{
		{Log(least), -1074 * math.Ln2},
		{Pow(least, 0.5), 0x1p-537},
		{Pow(least, -0.25), math.Sqrt(0x1p537)},
		{Pow(least, -1), inf},
		{Pow(2, -1074), least},
		{Exp(709.78), 1.7928227943945156e308}, // math.Exp is +Inf here on amd64
	} {
		if relative(c.got, c.want) > 1e-15 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	for _, x := range []float64{709, 709.79, 710, 711, -745, -745.2, -746, -747} {
		if got, want := Exp(x), math.Exp(x); relative(got, want) > 1e-14 && math.Abs(got-want) > 5e-324 {
			t.Errorf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
}

// The outputs are the same on every compiler and processor, forever. Run this
// also with GOAMD64=v3, GODEBUG=cpu.fma=off and on arm64.
func TestGoldenBits(t *testing.T) {
	hash := func(f func(float64) float64, inputs ...float64) uint64 {
		parts := make([]any, 0, 2*len(inputs))
		for _, x := range inputs {
			parts = append(parts, math.Float64bits(x), math.Float64bits(f(x)))
		}
		return Hash(0, parts...)
	}
	var spread, unit []float64
	random := NewSource(7)
	for i := range 2000 {
		spread = append(spread, math.Ldexp(1+random.Float64(), i%60-30))
		unit = append(unit, random.Float64())
	}
	for _, c := range []struct {
		name string
		got  uint64
		want uint64
	}{
		{"Log(0.1)", math.Float64bits(Log(0.1)), 0xc0026bb1bbb55515},
		{"Exp(1)", math.Float64bits(Exp(1)), 0x4005bf0a8b14576a},
		{"Exp(-33.3)", math.Float64bits(Exp(-33.3)), 0x3cef165bb9b59d94},
		{"Pow(11, 3.5)", math.Float64bits(Pow(11, 3.5)), 0x40b13e6d76edd525},
		{"Pow(0.1, -2.7)", math.Float64bits(Pow(0.1, -2.7)), 0x407f52fee8b01d8b},
		{"NormalQuantile(0.975)", math.Float64bits(NormalQuantile(0.975)), 0x3fff5c0331eeff82},
		{"2000 Log", hash(Log, spread...), 0x3afdc595a31b1995},
		{"2000 Exp", hash(func(x float64) float64 { return Exp(700 * (x - 0.5)) }, unit...), 0xf29207a3d85630bb},
		{"2000 Pow", hash(func(x float64) float64 { return Pow(x, 3.7) }, spread...), 0xdee74b50babb5cab},
		{"2000 NormalQuantile", hash(NormalQuantile, unit...), 0x22f85888ef82f7df},
		{"2000 NormalTail", hash(func(x float64) float64 { return NormalTail(20 * (x - 0.4)) }, unit...), 0x7672c800c2391009},
	} {
		if c.got != c.want {
			t.Errorf("{%q, 0x%016x}, want 0x%016x", c.name, c.got, c.want)
		}
	}
}
