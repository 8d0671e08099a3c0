package stats

import "cmp"

// Holm returns the adjusted p-values of several tests, in their order (S. Holm, A Simple
// Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979).
// Rejecting where they are at most 5% makes a single false rejection among all tests with a
// probability of at most 5%, however they depend on each other. p-values that are valid at any
// look, such as from [Design.PValue], stay so. p-values that are divided by their [AskShare]
// beforehand are corrected for earlier questions about the same samples, too.
func Holm(p []float64) []float64 {
	order := Order(len(p), func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted, least := make([]float64, len(p)), 0.0
	for rank, i := range order {
		least = min(1, max(least, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}
