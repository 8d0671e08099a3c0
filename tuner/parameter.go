package tuner

import (
	"cmp"
	"fmt"
	"math"

	"tune2048/engine/key"
	"tune2048/engine/portable"
)

// The kinds of scales.
const (
	LinearScale = "linear" // equal steps are equal differences
	LogScale    = "log"    // equal steps are equal ratios
	RatioScale  = "ratio"  // equal steps are equal ratios far from 0, and equal differences near it
)

// Parameter is a number that is fixed, or tunable within a range: Min <= Value <= Max. Its scale
// maps the range to the unit interval, Min to 0 and Max to 1.
//
// A log scale is linear in the logarithm of the absolute value. It excludes 0: the range is above
// or below it. A ratio scale is linear in asinh(x / Near). So it may contain 0 and both signs. All
// numbers are finite.
type Parameter struct {
	Name    string  // unique in its list
	Value   float64 // the fixed value, or where a tunable one starts
	Min     float64
	Max     float64
	Tunable bool    // whether an optimizer may change it
	Scale   string  // one of the kinds; empty: linear
	Near    float64 // of a ratio scale: below it steps are differences; 0: nearZero of the end
	Whole   bool    // whole numbers only: each has the places that round to it, and is at their middle
}

// Keys returns the keys of a range in a config.
func (p *Parameter) Keys() []key.Key {
	scale := cmp.Or(p.Scale, LinearScale)
	return []key.Key{
		{Name: "min", To: &p.Min, Example: "0"},
		{Name: "max", To: &p.Max, Example: "1000"},
		{Name: "whole", Doc: "whole numbers only", To: &p.Whole, Default: false, Quiet: true},
		{Name: "scale", Doc: "by default ratio for the weight of a feature and the cells of a matrix, otherwise linear, as " +
			"for whole numbers",
			To: &p.Scale, Default: scale, Choices: []string{LinearScale, LogScale, RatioScale}},
		{Name: "start", Doc: "by default the middle, on the scale", To: &p.Value, Default: p.Middle()},
	}
}

// Fixed returns a parameter that is not tuned.
func Fixed(x float64) Parameter { return Parameter{Value: x} }

// Validate calls wrong for each fault of a tunable range, whose numbers are finite. The key is min,
// max or start, or empty for the range as a whole.
func (p Parameter) Validate(wrong func(key, reason string)) {
	switch {
	case !p.Tunable:
		return
	case p.Min > p.Max:
		wrong("min", fmt.Sprintf("want at most max, which is %v, got %v", p.Max, p.Min))
		return
	case p.Scale == LogScale && p.Min <= 0 && p.Max >= 0:
		wrong("", fmt.Sprintf("want a range above 0 or below 0 with scale: log, got %v to %v; move one end or write scale: "+
			"ratio", p.Min, p.Max))
	case math.IsInf(p.Max-p.Min, 0) || p.Scale == LogScale &&
		(math.IsInf(p.Max/p.Min, 0) || math.IsInf(p.Min/p.Max, 0)):
		wrong("", "the range is too wide: want a smaller max or a larger min")
	}
	if !(p.Value >= p.Min && p.Value <= p.Max) { // NaN, too
		wrong("start", fmt.Sprintf("want a number within the range from %v to %v, got %v", p.Min, p.Max, p.Value))
	}
	for i, x := range []float64{p.Min, p.Max, p.Value} {
		if p.Whole && x != math.Trunc(x) {
			wrong([]string{"min", "max", "start"}[i], fmt.Sprintf("want a whole number, got %v", x))
			break // a start in the middle of such ends may not be whole either
		}
	}
}

// nearEdge is the share of its range, on its scale, within which a number is at its edge.
const nearEdge = 0.02

// Edge returns the end of the range, min or max, that x lies within 2% of or beyond. It returns ""
// if there is none. A range of two whole numbers is a switch, which has no edges.
func (p Parameter) Edge(x float64) string {
	exact := p
	exact.Whole = false // its last number lies half a share from the end
	switch unit := exact.Unit(x); {
	case p.Min >= p.Max, p.Whole && p.Max-p.Min == 1:
	case unit <= nearEdge:
		return "min"
	case unit >= 1-nearEdge:
		return "max"
	}
	return ""
}

// nearZero is the default of Near, as a share of the end that is farther from 0.
const nearZero = 0.01

// rounding returns the parameter of all numbers that round to a whole one of the range.
func (p Parameter) rounding() Parameter {
	p.Min, p.Max, p.Whole = p.Min-0.5, p.Max+0.5, false
	return p
}

// Share returns the part of the unit interval whose numbers round to x, or 0 if not Whole.
func (p Parameter) Share(x float64) float64 {
	all := p.rounding()
	switch {
	case !p.Whole:
		return 0
	case p.Scale == LogScale || p.Scale == RatioScale:
		return all.Unit(x+0.5) - all.Unit(x-0.5)
	}
	return 1 / (all.Max - all.Min)
}

// Unit returns the place of x in the unit interval. x outside the range gives the nearest end. A
// range of one number gives 0.
func (p Parameter) Unit(x float64) float64 {
	x = min(max(x, p.Min), p.Max)
	switch {
	case p.Whole && p.Min < p.Max:
		return p.rounding().Unit(x)
	case x == p.Min:
		return 0
	case x == p.Max: // the logarithm of Max/Min may be 0
		return 1
	case p.Scale == LogScale:
		return min(portable.Log(x/p.Min)/portable.Log(p.Max/p.Min), 1)
	case p.ratio():
		low := p.asinh(p.Min)
		return min(max((p.asinh(x)-low)/(p.asinh(p.Max)-low), 0), 1)
	}
	return min((x-p.Min)/(p.Max-p.Min), 1)
}

// At returns the number at a place of the unit interval. Rounding may put it outside the range.
func (p Parameter) At(unit float64) float64 {
	switch {
	case p.Whole:
		return min(max(math.Floor(p.rounding().At(unit)+0.5), p.Min), p.Max)
	case p.Scale == LogScale:
		return float64(p.Min * portable.Pow(p.Max/p.Min, unit))
	case p.ratio() && unit == 0:
		return p.Min // exactly, also where it is nearly 0
	case p.ratio() && unit == 1:
		return p.Max
	case p.ratio():
		low := p.asinh(p.Min)
		return p.sinh(low + float64(unit*(p.asinh(p.Max)-low)))
	}
	return p.Min + float64(unit*(p.Max-p.Min))
}

// Middle returns the number halfway, with exact square roots in place of a power.
func (p Parameter) Middle() float64 {
	m := p.Min/2 + p.Max/2
	switch {
	case p.Scale == LogScale:
		m = math.Copysign(math.Sqrt(math.Abs(p.Min))*math.Sqrt(math.Abs(p.Max)), p.Min)
	case p.ratio():
		m = p.sinh((p.asinh(p.Min) + p.asinh(p.Max)) / 2)
	}
	if p.Whole {
		m = math.Floor(m)
	}
	return min(max(m, p.Min), p.Max)
}

// Turn returns the number about which a ratio scale turns from differences to ratios.
func (p Parameter) Turn() float64 {
	if p.Near > 0 {
		return p.Near
	}
	return nearZero * max(math.Abs(p.Min), math.Abs(p.Max))
}

// ratio reports whether the scale is a ratio scale. The least numbers of all have no hundredth.
func (p Parameter) ratio() bool { return p.Scale == RatioScale && p.Turn() > 0 }

// asinh returns asinh(x / size).
func (p Parameter) asinh(x float64) float64 {
	y := math.Abs(x / p.Turn())
	return math.Copysign(portable.Log(y+math.Sqrt(float64(y*y)+1)), x)
}

// sinh returns size x sinh(y).
func (p Parameter) sinh(y float64) float64 {
	e := portable.Exp(math.Abs(y))
	return math.Copysign(float64(p.Turn()*((e-1/e)/2)), y)
}
