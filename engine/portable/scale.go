package portable

import "math"

// Scale maps a range of numbers to the unit interval, Min to 0 and Max to 1: linearly, or with Log
// by the logarithm of the absolute value, so equal steps are equal ratios. A Log range excludes 0:
// it is above or below it. All numbers are finite, and Min <= Max.
type Scale struct {
	Min, Max float64
	Log      bool
}

// Unit returns the place of x in the unit interval. x outside the range gives the nearest end. A
// range of one number gives 0.
func (s Scale) Unit(x float64) float64 {
	x = min(max(x, s.Min), s.Max)
	switch {
	case x == s.Min:
		return 0
	case x == s.Max: // the logarithm of Max/Min may be 0
		return 1
	case s.Log:
		return min(Log(x/s.Min)/Log(s.Max/s.Min), 1)
	}
	return min((x-s.Min)/(s.Max-s.Min), 1)
}

// Value returns the number at a place of the unit interval. Rounding may put it outside the range.
func (s Scale) Value(unit float64) float64 {
	if s.Log {
		return float64(s.Min * Pow(s.Max/s.Min, unit))
	}
	return s.Min + float64(unit*(s.Max-s.Min))
}

// Middle returns the number halfway, with exact square roots in place of a power.
func (s Scale) Middle() float64 {
	m := s.Min/2 + s.Max/2
	if s.Log {
		m = math.Copysign(math.Sqrt(math.Abs(s.Min))*math.Sqrt(math.Abs(s.Max)), s.Min)
	}
	return min(max(m, s.Min), s.Max)
}
