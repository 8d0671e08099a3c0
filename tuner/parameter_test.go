package tuner_test

import (
	"math"
	"testing"

	"tune2048/tuner"
)

// TestScale: places in the unit interval and the numbers there, both ways.
func TestScale(t *testing.T) {
	ratio := func(low, high float64) tuner.Parameter {
		return tuner.Parameter{Min: low, Max: high, Scale: tuner.RatioScale}
	}
	full := math.Asinh(100) // of an end that is farther from 0
	for _, test := range []struct {
		of   tuner.Parameter
		unit float64
		want float64
	}{
		{tuner.Parameter{Min: -10, Max: 30}, 0.25, 0}, {tuner.Parameter{Min: -10, Max: 30}, 1, 30},
		{tuner.Parameter{Min: 1, Max: 10000, Scale: tuner.LogScale}, 0, 1},
		{tuner.Parameter{Min: 1, Max: 10000, Scale: tuner.LogScale}, 0.75, 1000},
		{tuner.Parameter{Min: -1000, Max: -1, Scale: tuner.LogScale}, 0, -1000},
		{tuner.Parameter{Min: -1000, Max: -1, Scale: tuner.LogScale}, 1.0 / 3, -100},
		{tuner.Parameter{Min: -1000, Max: -1, Scale: tuner.LogScale}, 2.0 / 3, -10},
		{tuner.Parameter{Min: -1000, Max: -1, Scale: tuner.LogScale}, 1, -1},
		{tuner.Parameter{Min: -3, Max: -3, Scale: tuner.LogScale}, 0, -3},
		{tuner.Parameter{Min: -0x1p1000, Max: -0x1p-20, Scale: tuner.LogScale}, 0.5, -0x1p490},
		{ratio(0, 100), 0, 0}, {ratio(0, 100), 1, 100}, {ratio(0, 100), math.Asinh(1) / full, 1},
		{ratio(0, 100), math.Asinh(10) / full, 10},
		{ratio(-50, 100), 0, -50}, {ratio(-50, 100), 1, 100},
		{ratio(-50, 100), (math.Asinh(50) + math.Asinh(10)) / (math.Asinh(50) + full), 10},
		{ratio(-3, 0), 0, -3}, {ratio(-3, 0), 1, 0}, {ratio(-3, 0), 1 - math.Asinh(1)/full, -0.03},
		{ratio(20, 100), 0, 20}, {ratio(20, 100), (math.Asinh(50) - math.Asinh(20)) / (full - math.Asinh(20)), 50},
		{ratio(-100, -20), (full - math.Asinh(50)) / (full - math.Asinh(20)), -50}, {ratio(-3, -3), 0, -3},
		{ratio(0, 0), 0, 0},
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
	for of, want := range map[tuner.Parameter]float64{
		{Min: -10, Max: 30}: 10, {Min: 1, Max: 10000, Scale: tuner.LogScale}: 100,
		{Min: -10000, Max: -1, Scale: tuner.LogScale}: -100, {Min: -2, Max: -2, Scale: tuner.LogScale}: -2,
		ratio(-7, 7): 0, ratio(5, 5): 5, ratio(0, 5e-324): 0, ratio(-1.7e308/4, 1.7e308/4): 0,
	} {
		if got := of.Middle(); got != want {
			t.Errorf("the middle of %v is %v, want %v", of, got, want)
		}
	}
	across := ratio(-50, 100)
	if zero := across.Unit(0); math.Abs(zero-math.Asinh(50)/(math.Asinh(50)+full)) > 1e-12 ||
		math.Abs(across.At(zero)) > 1e-12 {
		t.Errorf("0 of %v is at %v, where the number is %v", across, zero, across.At(zero))
	}
	// A range from 0 has its middle at 7% of its end, whatever its unit.
	for _, end := range []float64{-100, 100, 1e-9, 1e9} {
		if got := ratio(min(end, 0), max(end, 0)).Middle() / end; math.Abs(got-math.Sinh(full/2)/100) > 1e-12 {
			t.Errorf("the middle from 0 to %v is %v of it", end, got)
		}
	}
	penalty := tuner.Parameter{Min: -1000, Max: -1, Scale: tuner.LogScale}
	if penalty.Unit(-5000) != 0 || penalty.Unit(0) != 1 || penalty.Unit(7) != 1 {
		t.Error("numbers outside a range below 0 are not at its ends")
	}
}

// TestWholeScale: each whole number has the places whose numbers round to it.
func TestWholeScale(t *testing.T) {
	for _, of := range []tuner.Parameter{
		{Min: 1, Max: 6}, {Min: -3, Max: 0}, {Min: 0, Max: 1}, {Min: 10, Max: 10_000, Scale: tuner.LogScale},
		{Min: 1, Max: 3, Scale: tuner.LogScale},
		{Min: -500, Max: -1, Scale: tuner.LogScale}, {Min: -40, Max: 70, Scale: tuner.RatioScale},
		{Min: 0, Max: 90, Scale: tuner.RatioScale, Near: 5},
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
	for of, want := range map[tuner.Parameter]float64{
		{Min: 1, Max: 6}: 3, {Min: 10, Max: 10_000, Scale: tuner.LogScale}: 316,
		{Min: -1000, Max: -1, Scale: tuner.LogScale}: -32, {Min: 4, Max: 4}: 4,
	} {
		of.Whole = true
		if of.Middle() != want || of.At(of.Unit(want)) != want {
			t.Errorf("the middle of %v is %v, want %v", of, of.Middle(), want)
		}
	}
}

// TestEdge: within 2% of an end of the range or beyond it, on the range's scale.
func TestEdge(t *testing.T) {
	linear, log := tuner.Parameter{Tunable: true, Min: -10, Max: 90},
		tuner.Parameter{Tunable: true, Min: 0.01, Max: 100, Scale: "log"}
	below := tuner.Parameter{Tunable: true, Min: -100, Max: -0.01, Scale: "log"}
	ratio := tuner.Parameter{Tunable: true, Min: 0, Max: 1000, Scale: "ratio"}
	levels := tuner.Parameter{Tunable: true, Min: 1, Max: 6, Whole: true}
	rollouts := tuner.Parameter{Tunable: true, Min: 10, Max: 10_000, Scale: "log", Whole: true}
	for _, test := range []struct {
		of   tuner.Parameter
		x    float64
		want string
	}{
		{linear, -8.1, "min"}, {linear, -7.9, ""}, {linear, 87.9, ""}, {linear, 88.1, "max"}, {linear, 100, "max"},
		{log, 0.012, "min"}, {log, 0.0121, ""}, {log, 82, ""}, {log, 84, "max"}, {log, 0, "min"}, // 10^-1.92 is 2% of four powers of ten
		{below, -84, "min"}, {below, -82, ""}, {below, -0.0121, ""}, {below, -0.012, "max"}, {below, 0, "max"},
		{below, 5, "max"}, {below, -101, "min"},
		{ratio, 1, "min"}, {ratio, 1.1, ""}, {ratio, 895, ""}, {ratio, 905, "max"}, {ratio, -1, "min"},
		{tuner.Fixed(3), 3, ""},
		{levels, 1, "min"}, {levels, 2, ""}, {levels, 5, ""}, {levels, 6, "max"},
		{rollouts, 10, "min"}, {rollouts, 12, ""}, {rollouts, 9_000, "max"}, {rollouts, 8_000, ""},
		{tuner.Parameter{Tunable: true, Max: 1, Whole: true}, 1, ""},
		{tuner.Parameter{Tunable: true, Max: 1, Whole: true}, 0, ""},
	} {
		if got := test.of.Edge(test.x); got != test.want {
			t.Errorf("%v at %v: got %q, want %q", test.of, test.x, got, test.want)
		}
	}
}

// TestValidate: ranges and starts that are wrong, and the limits themselves, which are right.
func TestValidate(t *testing.T) {
	for _, test := range []struct {
		of   tuner.Parameter
		want string
	}{
		{tuner.Parameter{Min: 2, Max: 1, Value: 1}, "min: want at most max, which is 1, got 2"},
		{tuner.Parameter{Min: 1, Max: 2, Value: 3}, "start: want a number within the range from 1 to 2, got 3"},
		{tuner.Parameter{Min: 1, Max: 2, Value: math.NaN()}, "start: want a number within the range from 1 to 2, got NaN"},
		{tuner.Parameter{Max: 1, Scale: "log"}, ": want a range above 0 or below 0 with scale: log, got 0 to 1; move one " +
			"end or write scale: ratio"},
		{tuner.Parameter{Min: -5, Scale: "log"}, ": want a range above 0 or below 0 with scale: log, got -5 to 0; move one " +
			"end or write scale: ratio"},
		{tuner.Parameter{Min: -1.7e308, Max: 1.7e308}, ": the range is too wide: want a smaller max or a larger min"},
		{tuner.Parameter{Min: 1e-300, Max: 1e300, Value: 1, Scale: "log"},
			": the range is too wide: want a smaller max or a larger min"},
		{tuner.Parameter{Min: -1e300, Max: -1e-300, Value: -1, Scale: "log"},
			": the range is too wide: want a smaller max or a larger min"},
		{tuner.Parameter{Min: -2, Max: 3, Value: -2, Scale: "linear"}, ""},
		{tuner.Parameter{Min: -2, Max: 3, Value: 3, Scale: "ratio"}, ""},
		{tuner.Parameter{Min: 4, Max: 4, Value: 4}, ""}, {tuner.Parameter{Min: 0, Max: 0.5}, ""},
		{tuner.Parameter{Min: 1e-9, Max: 1e9, Value: 1, Scale: "log"}, ""},
		{tuner.Parameter{Min: -1e9, Max: -1e-9, Value: -1, Scale: "log"}, ""},
	} {
		test.of.Tunable = true
		got := ""
		test.of.Validate(func(key, reason string) { got += key + ": " + reason })
		if got != test.want {
			t.Errorf("%+v: got %q, want %q", test.of, got, test.want)
		}
	}
}
