package stats

import (
	"math"
	"slices"
)

// Order returns the places from 0 to n-1 in the order of compare. Equals keep theirs.
func Order(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

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
