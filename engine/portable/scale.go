package portable

import "math"

// The kinds of scales.
const (
	LinearScale = "linear" // equal steps are equal differences
	LogScale    = "log"    // equal steps are equal ratios
	RatioScale  = "ratio"  // equal steps are equal ratios far from 0, and equal differences near it
)

// Scale maps a range of numbers to the unit interval, Min to 0 and Max to 1.
//
// A log scale is linear in the logarithm of the absolute value. It excludes 0: the range is above
// or below it. A ratio scale is linear in asinh(x / Near). So it may contain 0 and both signs. All
// numbers are finite, and Min <= Max. If Whole, Min and Max are whole.
type Scale struct {
	Min, Max float64
	By       string  // one of the kinds; empty: linear
	Near     float64 // of a ratio scale: below it steps are differences; 0: nearZero of the end
	Whole    bool    // whole numbers only: each has the places that round to it, and is at their middle
}

// nearZero is the default of Near, as a share of the end that is farther from 0.
const nearZero = 0.01

// rounding returns the scale of all numbers that round to a whole one of the range.
func (s Scale) rounding() Scale {
	s.Min, s.Max, s.Whole = s.Min-0.5, s.Max+0.5, false
	return s
}

// Share returns the part of the unit interval whose numbers round to x, or 0 if not Whole.
func (s Scale) Share(x float64) float64 {
	all := s.rounding()
	switch {
	case !s.Whole:
		return 0
	case s.By == LogScale || s.By == RatioScale:
		return all.Unit(x+0.5) - all.Unit(x-0.5)
	}
	return 1 / (all.Max - all.Min)
}

// Unit returns the place of x in the unit interval. x outside the range gives the nearest end. A
// range of one number gives 0.
func (s Scale) Unit(x float64) float64 {
	x = min(max(x, s.Min), s.Max)
	switch {
	case s.Whole && s.Min < s.Max:
		return s.rounding().Unit(x)
	case x == s.Min:
		return 0
	case x == s.Max: // the logarithm of Max/Min may be 0
		return 1
	case s.By == LogScale:
		return min(Log(x/s.Min)/Log(s.Max/s.Min), 1)
	case s.ratio():
		low := s.asinh(s.Min)
		return min(max((s.asinh(x)-low)/(s.asinh(s.Max)-low), 0), 1)
	}
	return min((x-s.Min)/(s.Max-s.Min), 1)
}

// Value returns the number at a place of the unit interval. Rounding may put it outside the range.
func (s Scale) Value(unit float64) float64 {
	switch {
	case s.Whole:
		return min(max(math.Floor(s.rounding().Value(unit)+0.5), s.Min), s.Max)
	case s.By == LogScale:
		return float64(s.Min * Pow(s.Max/s.Min, unit))
	case s.ratio() && unit == 0:
		return s.Min // exactly, also where it is nearly 0
	case s.ratio() && unit == 1:
		return s.Max
	case s.ratio():
		low := s.asinh(s.Min)
		return s.sinh(low + float64(unit*(s.asinh(s.Max)-low)))
	}
	return s.Min + float64(unit*(s.Max-s.Min))
}

// Middle returns the number halfway, with exact square roots in place of a power.
func (s Scale) Middle() float64 {
	m := s.Min/2 + s.Max/2
	switch {
	case s.By == LogScale:
		m = math.Copysign(math.Sqrt(math.Abs(s.Min))*math.Sqrt(math.Abs(s.Max)), s.Min)
	case s.ratio():
		m = s.sinh((s.asinh(s.Min) + s.asinh(s.Max)) / 2)
	}
	if s.Whole {
		m = math.Floor(m)
	}
	return min(max(m, s.Min), s.Max)
}

// size is the number about which a ratio scale turns from differences to ratios.
func (s Scale) size() float64 {
	if s.Near > 0 {
		return s.Near
	}
	return nearZero * max(math.Abs(s.Min), math.Abs(s.Max))
}

// ratio reports whether the scale is a ratio scale. The least numbers of all have no hundredth.
func (s Scale) ratio() bool { return s.By == RatioScale && s.size() > 0 }

// asinh returns asinh(x / size).
func (s Scale) asinh(x float64) float64 {
	y := math.Abs(x / s.size())
	return math.Copysign(Log(y+math.Sqrt(float64(y*y)+1)), x)
}

// sinh returns size x sinh(y).
func (s Scale) sinh(y float64) float64 {
	e := Exp(math.Abs(y))
	return math.Copysign(float64(s.size()*((e-1/e)/2)), y)
}
