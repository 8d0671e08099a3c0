package stats

import "math"

// Quantile returns the q quantile of the sorted values, 0 of none, by linear interpolation between
// order statistics (type 7 of Hyndman and Fan, The American Statistician 50, 1996). Below 0 it is
// the least value, above 1 the largest.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	position := float64(math.Max(0, math.Min(q, 1)) * float64(len(sorted)-1))
	i := int(position)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + float64((position-float64(i))*(sorted[i+1]-sorted[i]))
}

// QuantileError returns the standard error of the q quantile of n values from the distribution that
// the sorted values come from. It is made of the distance between the order statistics that
// [QuantileInterval] has at 95%, as far as there are any. It is +Inf for fewer than two values.
func QuantileError(sorted []float64, q float64, n int) float64 {
	if len(sorted) < 2 {
		return math.Inf(1)
	}
	reach := critical(0.95, math.Inf(1))
	half := float64(reach*binomialSpread(n, q)) / float64(n)
	return (Quantile(sorted, q+half) - Quantile(sorted, q-half)) / (2 * reach)
}

// QuantileInterval returns the interval of the q quantile of the distribution that the sorted
// values come from, whatever that is: between two order statistics, as the number of values below
// the quantile is binomial, here by the normal approximation (W. J. Conover, Practical
// Nonparametric Statistics, 1999, section 3.2). An end beyond the values is open: they are too few.
// confidence lies in (0, 1).
func QuantileInterval(sorted []float64, q, confidence float64) Interval {
	i := Unbounded()
	centre := float64(q * float64(len(sorted)))
	half := float64(critical(confidence, math.Inf(1)) * binomialSpread(len(sorted), q))
	if low := math.Round(centre - half); low >= 1 {
		i.Low = sorted[int(low)-1]
	}
	if high := math.Round(centre + half + 1); high <= float64(len(sorted)) {
		i.High = sorted[int(high)-1]
	}
	return i
}

// binomialSpread returns the standard deviation of how many of n values are below the q quantile.
func binomialSpread(n int, q float64) float64 { return math.Sqrt(float64(n) * float64(q*(1-q))) }
