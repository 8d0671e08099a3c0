package stats

import "slices"

// Holm returns the adjusted p-values of several tests, in their order (S. Holm,
// A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal
// of Statistics 6, 1979): rejecting where they are at most 5% makes a single
// false rejection among all tests, however they depend on each other, with a
// probability of at most 5%. p-values that are valid at any look, as those of
// [Design.PValue], stay so; sequential comparisons of m pairs are planned with
// the level/m, so that a verdict on one pair outlasts the correction.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	adjusted, least := make([]float64, len(p)), 0.0
	for rank, i := range order {
		least = min(1, max(least, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}
