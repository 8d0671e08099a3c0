package tuner

import (
	"cmp"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// rankWeight returns ln((n+1)/2) - ln(rank) for the better half of n candidates, as the CMA-ES has
// it (N. Hansen, The CMA Evolution Strategy: A Tutorial, 2016, equation 49). The rest gets 0.
func rankWeight(rank, n int) float64 {
	return max(0, portable.Log(float64(n+1)/2)-portable.Log(float64(rank)))
}

// rankShares returns the weight of each candidate in the centre. Candidates with equal fitness
// share theirs. The weights do not add up to 1.
func rankShares(fitness []float64) []float64 {
	n := len(fitness)
	order := stats.Order(n, func(a, b int) int { return cmp.Compare(fitness[b], fitness[a]) })
	weights := make([]float64, n)
	for first := 0; first < n; {
		last, sum := first, 0.0
		for ; last < n && fitness[order[last]] == fitness[order[first]]; last++ {
			sum += rankWeight(last+1, n)
		}
		for _, i := range order[first:last] {
			weights[i] = sum / float64(last-first)
		}
		first = last
	}
	return weights
}
