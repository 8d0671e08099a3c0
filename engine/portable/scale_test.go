package portable_test

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

// TestScale: places in the unit interval and the numbers there, both ways.
func TestScale(t *testing.T) {
	ratio := func(low, high float64) portable.Parameter {
		return portable.Parameter{Min: low, Max: high, Scale: portable.RatioScale}
	}
	full := math.Asinh(100) // of an end that is farther from 0
	for _, test := range []struct {
		of   portable.Parameter
		unit float64
		want float64
	}{
		{portable.Parameter{Min: -10, Max: 30}, 0.25, 0}, {portable.Parameter{Min: -10, Max: 30}, 1, 30},
		{portable.Parameter{Min: 1, Max: 10000, Scale: portable.LogScale}, 0, 1}, {portable.Parameter{Min: 1, Max: 10000, Scale: portable.LogScale}, 0.75, 1000},
		{portable.Parameter{Min: -1000, Max: -1, Scale: portable.LogScale}, 0, -1000}, {portable.Parameter{Min: -1000, Max: -1, Scale: portable.LogScale}, 1.0 / 3, -100},
		{portable.Parameter{Min: -1000, Max: -1, Scale: portable.LogScale}, 2.0 / 3, -10}, {portable.Parameter{Min: -1000, Max: -1, Scale: portable.LogScale}, 1, -1},
		{portable.Parameter{Min: -3, Max: -3, Scale: portable.LogScale}, 0, -3},
		{portable.Parameter{Min: -0x1p1000, Max: -0x1p-20, Scale: portable.LogScale}, 0.5, -0x1p490},
		{ratio(0, 100), 0, 0}, {ratio(0, 100), 1, 100}, {ratio(0, 100), math.Asinh(1) / full, 1}, {ratio(0, 100), math.Asinh(10) / full, 10},
		{ratio(-50, 100), 0, -50}, {ratio(-50, 100), 1, 100},
		{ratio(-50, 100), (math.Asinh(50) + math.Asinh(10)) / (math.Asinh(50) + full), 10},
		{ratio(-3, 0), 0, -3}, {ratio(-3, 0), 1, 0}, {ratio(-3, 0), 1 - math.Asinh(1)/full, -0.03},
		{ratio(20, 100), 0, 20}, {ratio(20, 100), (math.Asinh(50) - math.Asinh(20)) / (full - math.Asinh(20)), 50},
		{ratio(-100, -20), (full - math.Asinh(50)) / (full - math.Asinh(20)), -50}, {ratio(-3, -3), 0, -3}, {ratio(0, 0), 0, 0},
		{ratio(-1.4, 5e-14), 1, 5e-14}, {ratio(-5e-14, 1.4), 0, -5e-14},
		{ratio(0, 5e-324), 0, 0}, {ratio(0, 5e-324), 1, 5e-324}, {ratio(-5e-324, 1e-322), 0, -5e-324},
		{ratio(-1.7e308/4, 1.7e308/4), 0, -1.7e308 / 4}, {ratio(-1.7e308/4, 1.7e308/4), 1, 1.7e308 / 4},
		{ratio(-1.7e308/4, 1.7e308/4), 0.5, 0}, {ratio(-1.7e308/4, 1.7e308/4), 0.5 + math.Asinh(10)/full/2, 1.7e308 / 40},
	} {
		if got := test.of.At(test.unit); math.Abs(got/test.want-1) > 1e-12 && got != test.want {
			t.Errorf("%v at %v: got %v, want %v", test.of, test.unit, got, test.want)
		}
		if got := test.of.Unit(test.want); math.Abs(got-test.unit) > 1e-12 || math.Signbit(got) {
			t.Errorf("%v of %v: got %v, want %v", test.of, test.want, got, test.unit)
		}
	}
	for of, want := range map[portable.Parameter]float64{
		{Min: -10, Max: 30}: 10, {Min: 1, Max: 10000, Scale: portable.LogScale}: 100, {Min: -10000, Max: -1, Scale: portable.LogScale}: -100, {Min: -2, Max: -2, Scale: portable.LogScale}: -2,
		ratio(-7, 7): 0, ratio(5, 5): 5, ratio(0, 5e-324): 0, ratio(-1.7e308/4, 1.7e308/4): 0,
	} {
		if got := of.Middle(); got != want {
			t.Errorf("the middle of %v is %v, want %v", of, got, want)
		}
	}
	across := ratio(-50, 100)
	if zero := across.Unit(0); math.Abs(zero-math.Asinh(50)/(math.Asinh(50)+full)) > 1e-12 || math.Abs(across.At(zero)) > 1e-12 {
		t.Errorf("0 of %v is at %v, where the number is %v", across, zero, across.At(zero))
	}
	// A range from 0 has its middle at 7% of its end, whatever its unit.
	for _, end := range []float64{-100, 100, 1e-9, 1e9} {
		if got := ratio(min(end, 0), max(end, 0)).Middle() / end; math.Abs(got-math.Sinh(full/2)/100) > 1e-12 {
			t.Errorf("the middle from 0 to %v is %v of it", end, got)
		}
	}
	penalty := portable.Parameter{Min: -1000, Max: -1, Scale: portable.LogScale}
	if penalty.Unit(-5000) != 0 || penalty.Unit(0) != 1 || penalty.Unit(7) != 1 {
		t.Error("numbers outside a range below 0 are not at its ends")
	}
}

// TestWholeScale: each whole number has the places whose numbers round to it.
func TestWholeScale(t *testing.T) {
	for _, of := range []portable.Parameter{
		{Min: 1, Max: 6}, {Min: -3, Max: 0}, {Min: 0, Max: 1}, {Min: 10, Max: 10_000, Scale: portable.LogScale}, {Min: 1, Max: 3, Scale: portable.LogScale},
		{Min: -500, Max: -1, Scale: portable.LogScale}, {Min: -40, Max: 70, Scale: portable.RatioScale}, {Min: 0, Max: 90, Scale: portable.RatioScale, Near: 5},
		{Min: 9_999_000, Max: 10_000_000}, {Min: 0, Max: 1 << 52},
	} {
		every := of
		every.Min, every.Max = of.Min-0.5, of.Max+0.5
		of.Whole = true
		sum := 0.0
		for x := of.Min; x <= min(of.Max, of.Min+20_000); x++ {
			low, high := every.Unit(x-0.5), every.Unit(x+0.5)
			at, share := of.Unit(x), of.Share(x)
			sum += share
			if !(at > low && at < high) || math.Abs(share-(high-low)) > 1e-12 {
				t.Fatalf("%v: %v is at %v with a share of %v, want it between %v and %v", of, x, at, share, low, high)
			}
			for _, u := range []float64{low + 0.01*(high-low), at, high - 0.01*(high-low)} {
				if got := of.At(u); got != x {
					t.Fatalf("%v at %v: got %v, want %v", of, u, got, x)
				}
			}
		}
		if of.Max < 1<<30 && math.Abs(sum-1) > 1e-9 {
			t.Errorf("%v: the shares add up to %v", of, sum)
		}
		if of.At(0) != of.Min || of.At(1) != of.Max {
			t.Errorf("%v: the ends are %v and %v", of, of.At(0), of.At(1))
		}
	}
	for of, want := range map[portable.Parameter]float64{
		{Min: 1, Max: 6}: 3, {Min: 10, Max: 10_000, Scale: portable.LogScale}: 316, {Min: -1000, Max: -1, Scale: portable.LogScale}: -32, {Min: 4, Max: 4}: 4,
	} {
		if of.Whole = true; of.Middle() != want || of.At(of.Unit(want)) != want {
			t.Errorf("the middle of %v is %v, want %v", of, of.Middle(), want)
		}
	}
}
