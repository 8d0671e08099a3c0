package stats

import (
	"math"

	"tune2048/engine/portable"
)

// Difference estimates a - b from two independent estimates and their intervals of one confidence:
// the distance from the value to an end stands for the standard error on that side, so it holds for
// lopsided intervals too (G. Y. Zou, A. Donner, Construction of Confidence Limits about Effect
// Measures: A General Approach, Statistics in Medicine 27, 2008; with Wilson's intervals of shares
// it is Newcombe's method 10 of 1998).
func Difference(a, b Estimate) Estimate {
	d := a.Value - b.Value
	return Estimate{Value: d, Interval: Interval{
		Low:  d - hypotenuse(a.Value-a.Interval.Low, b.Interval.High-b.Value),
		High: d + hypotenuse(a.Interval.High-a.Value, b.Value-b.Interval.Low),
	}}
}

// Ratio estimates a / b likewise, of numbers that are not negative, from the difference of the
// logarithms. Where a is 0 the interval goes from 0 to the ratio of the ends. Where b is 0 the
// ratio is +Inf, and it is 1 where both are.
func Ratio(a, b Estimate) Estimate {
	switch {
	case a.Value <= 0 && b.Value <= 0:
		return Estimate{Value: 1, Interval: Interval{Low: 0, High: math.Inf(1)}}
	case b.Value <= 0:
		return Estimate{Value: math.Inf(1), Interval: Interval{Low: ratioOfEnds(a.Interval.Low, b.Interval.High), High: math.Inf(1)}}
	case a.Value <= 0:
		return Estimate{Interval: Interval{High: ratioOfEnds(a.Interval.High, b.Interval.Low)}}
	}
	r := Estimate{Value: a.Value / b.Value}
	d := Difference(logarithm(a), logarithm(b))
	r.Interval = Interval{Low: portable.Exp(d.Interval.Low), High: portable.Exp(d.Interval.High)}
	return r
}

// ratioOfEnds is +Inf for a divisor that is not positive.
func ratioOfEnds(a, b float64) float64 {
	if b <= 0 {
		return math.Inf(1)
	}
	return math.Max(0, a) / b
}

// logarithm is the estimate of the logarithm of a number that is not negative.
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
