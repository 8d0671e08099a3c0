package stats

import (
	"math"
	"slices"
)

// Quantile returns the q quantile of the values by linear interpolation between order statistics (type 7 of
// Hyndman and Fan, The American Statistician 50, 1996) and its standard error: half the distance between the
// order statistics one binomial standard deviation below and above (the sign test's interval). The error is +Inf for
// fewer than two values.
func Quantile(values []float64, q float64) (value, se float64) {
	if len(values) == 0 {
		return 0, math.Inf(1)
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	at := func(position float64) float64 {
		position = math.Max(0, math.Min(position, float64(len(sorted)-1)))
		i := int(position)
		if i+1 == len(sorted) {
			return sorted[i]
		}
		part := position - float64(i)
		return sorted[i] + float64(part*(sorted[i+1]-sorted[i]))
	}
	centre := float64(q * float64(len(sorted)-1))
	value = at(centre)
	if len(sorted) < 2 {
		return value, math.Inf(1)
	}
	spread := math.Sqrt(float64(len(sorted)) * float64(q*(1-q)))
	return value, (at(centre+spread) - at(centre-spread)) / 2
}
