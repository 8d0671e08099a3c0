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
