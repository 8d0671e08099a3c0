package tuner

import (
	"cmp"
	"slices"

	"tune2048/engine/portable"
)

// ranked returns the indices of the generation by their fitness, best first. Equals keep their
// order.
func ranked(fitness []float64) []int {
	order := make([]int, len(fitness))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fitness[b], fitness[a]) })
	return order
}

// rankShares returns the weight of each candidate in the centre. The better half of n gets
// ln((n+1)/2) - ln(rank), the weights of the CMA-ES (N. Hansen, The CMA Evolution Strategy: A
// Tutorial, 2016, equation 49). The rest gets none. Candidates with equal fitness share theirs. The
// weights do not add up to 1.
func rankShares(fitness []float64) []float64 {
	order, n := ranked(fitness), len(fitness)
	top := portable.Log(float64(n+1) / 2)
	weights := make([]float64, n)
	for first := 0; first < n; {
		last, sum := first, 0.0
		for ; last < n && fitness[order[last]] == fitness[order[first]]; last++ {
			sum += max(0, top-portable.Log(float64(last+1)))
		}
		for _, i := range order[first:last] {
			weights[i] = sum / float64(last-first)
		}
		first = last
	}
	return weights
}
