package stats

import (
	"math"

	"tune2048/engine/portable"
)

// Difference estimates a - b from two independent estimates and their intervals of one confidence: the distance from the
// value to an end stands for the standard error on that side, so it holds for lopsided intervals too (G. Y. Zou, A. Donner,
// Construction of Confidence Limits about Effect Measures: A General Approach, Statistics in Medicine 27, 2008; with Wilson's
// intervals of shares it is Newcombe's method 10 of 1998).
func Difference(a, b Estimate) Estimate {
	d := a.Value - b.Value
	return Estimate{Value: d, Interval: Interval{
		Low:  d - hypotenuse(a.Value-a.Interval.Low, b.Interval.High-b.Value),
		High: d + hypotenuse(a.Interval.High-a.Value, b.Value-b.Interval.Low),
	}}
}

// Ratio estimates a / b likewise, from the difference of the logarithms. Where a value is not positive the ratio's interval is
// unbounded; Value is 0 where that of b is 0.
func Ratio(a, b Estimate) Estimate {
	r := Estimate{Interval: Unbounded()}
	if b.Value != 0 {
		r.Value = a.Value / b.Value
	}
	if !(a.Value > 0 && b.Value > 0) {
		return r
	}
	d := Difference(logarithm(a), logarithm(b))
	r.Interval = Interval{Low: portable.Exp(d.Interval.Low), High: portable.Exp(d.Interval.High)}
	return r
}

// logarithm is the estimate of the logarithm of what is not negative.
func logarithm(e Estimate) Estimate {
	log := func(x float64) float64 {
		if x <= 0 {
			return math.Inf(-1)
		}
		return portable.Log(x)
	}
	return Estimate{Value: log(e.Value), Interval: Interval{Low: log(e.Interval.Low), High: log(e.Interval.High)}}
}

// hypotenuse is math.Hypot with the same bits on every processor.
func hypotenuse(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }
