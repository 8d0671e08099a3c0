package portable_test

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

// TestScale: places in the unit interval and the numbers there, both ways.
func TestScale(t *testing.T) {
	for _, test := range []struct {
		of   portable.Scale
		unit float64
		want float64
	}{
		{portable.Scale{Min: -10, Max: 30}, 0.25, 0}, {portable.Scale{Min: -10, Max: 30}, 1, 30},
		{portable.Scale{Min: 1, Max: 10000, Log: true}, 0, 1}, {portable.Scale{Min: 1, Max: 10000, Log: true}, 0.75, 1000},
		{portable.Scale{Min: -1000, Max: -1, Log: true}, 0, -1000}, {portable.Scale{Min: -1000, Max: -1, Log: true}, 1.0 / 3, -100},
		{portable.Scale{Min: -1000, Max: -1, Log: true}, 2.0 / 3, -10}, {portable.Scale{Min: -1000, Max: -1, Log: true}, 1, -1},
		{portable.Scale{Min: -3, Max: -3, Log: true}, 0, -3},
		{portable.Scale{Min: -0x1p1000, Max: -0x1p-20, Log: true}, 0.5, -0x1p490},
	} {
		if got := test.of.Value(test.unit); math.Abs(got/test.want-1) > 1e-12 && got != test.want {
			t.Errorf("%v at %v: got %v, want %v", test.of, test.unit, got, test.want)
		}
		if got := test.of.Unit(test.want); math.Abs(got-test.unit) > 1e-12 || math.Signbit(got) {
			t.Errorf("%v of %v: got %v, want %v", test.of, test.want, got, test.unit)
		}
	}
	for of, want := range map[portable.Scale]float64{
		{Min: -10, Max: 30}: 10, {Min: 1, Max: 10000, Log: true}: 100, {Min: -10000, Max: -1, Log: true}: -100, {Min: -2, Max: -2, Log: true}: -2,
	} {
		if got := of.Middle(); got != want {
			t.Errorf("the middle of %v is %v, want %v", of, got, want)
		}
	}
	penalty := portable.Scale{Min: -1000, Max: -1, Log: true}
	if penalty.Unit(-5000) != 0 || penalty.Unit(0) != 1 || penalty.Unit(7) != 1 {
		t.Error("numbers outside a range below 0 are not at its ends")
	}
}
