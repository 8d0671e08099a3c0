package stats

import (
	"math"

	"tune2048/engine/portable"
)

// Difference estimates a - b from two estimates and their intervals of one confidence: the distance
// from the value to an end stands for the standard error on that side, so it holds for lopsided
// intervals too. The correlation of the two estimates lies in [-1, 1]; it is 0 of independent ones
// (G. Y. Zou, A. Donner, Construction of Confidence Limits about Effect Measures: A General
// Approach, Statistics in Medicine 27, 2008; with Wilson's intervals of shares it is Newcombe's
// method 10 of 1998, for independent and for paired ones).
func Difference(a, b Estimate, correlation float64) Estimate {
	d := a.Value - b.Value
	return Estimate{Value: d, Interval: Interval{
		Low:  d - side(a.Value-a.Interval.Low, b.Interval.High-b.Value, correlation),
		High: d + side(a.Interval.High-a.Value, b.Value-b.Interval.Low, correlation),
	}}
}

// Ratio estimates a / b likewise, of numbers that are not negative, from the difference of the
// logarithms. Where a is 0 the interval goes from 0 to the ratio of the ends. Where b is 0 the
// ratio is +Inf, and it is 1 where both are.
func Ratio(a, b Estimate, correlation float64) Estimate {
	switch {
	case a.Value <= 0 && b.Value <= 0:
		return Estimate{Value: 1, Interval: Interval{Low: 0, High: math.Inf(1)}}
	case b.Value <= 0:
		return Estimate{Value: math.Inf(1), Interval: Interval{Low: ratioOfEnds(a.Interval.Low, b.Interval.High),
			High: math.Inf(1)}}
	case a.Value <= 0:
		return Estimate{Interval: Interval{High: ratioOfEnds(a.Interval.High, b.Interval.Low)}}
	}
	r := Estimate{Value: a.Value / b.Value}
	d := Difference(logarithm(a), logarithm(b), correlation)
	r.Interval = Interval{Low: portable.Exp(d.Interval.Low), High: portable.Exp(d.Interval.High)}
	return r
}

// PhiCoefficient returns the correlation of two samples of zeros and ones by their pairs. It is 0
// without any. A positive one is corrected for
// continuity, lest few pairs that agree seem to agree for ever (R. G. Newcombe, Improved Confidence
// Intervals for the Difference between Binomial Proportions Based on Paired Data, Statistics in
// Medicine 17, 1998).
func PhiCoefficient(a, b Moments, pairs Pairs) float64 {
	if pairs.N == 0 || a.M2 == 0 || b.M2 == 0 {
		return 0
	}
	together := (a.M2 + b.M2 - pairs.M2) / 2
	if together > 0 {
		together = max(0, together-0.5)
	}
	return max(-1, min(1, together/math.Sqrt(float64(a.M2*b.M2))))
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

// side is the third side of a triangle by two sides and the cosine of their angle, with the same
// bits on every processor.
func side(x, y, cosine float64) float64 {
	if math.IsInf(x, 1) || math.IsInf(y, 1) {
		return math.Inf(1)
	}
	return math.Sqrt(max(0, float64(x*x)+float64(y*y)-float64(2*cosine*float64(x*y))))
}
