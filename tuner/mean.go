package tuner

import (
	"math"
	"slices"

	"tune2048/engine/portable"
)

// mean returns the mean of vectors of natural values, taken in the unit cube. The parameters with
// Scale of each vector are first brought to the scale of the first vector. That is the geometric
// mean of those that are not 0 in any vector. vectors has at least one.
func (s *Space) mean(vectors [][]float64) []float64 {
	mean := make([]float64, s.Dim())
	for _, values := range vectors {
		factor := portable.Exp(s.logScale(vectors, vectors[0]) - s.logScale(vectors, values))
		scaled := slices.Clone(values)
		for i, p := range s.parameters {
			if p.Scale {
				scaled[i] *= factor
			}
		}
		for i, u := range s.Unit(scaled) {
			mean[i] += u / float64(len(vectors))
		}
	}
	return s.Values(mean)
}

// logScale returns the mean logarithm of the parameters with Scale that are not 0 in any vector.
func (s *Space) logScale(vectors [][]float64, values []float64) float64 {
	sum, n := 0.0, 0
	for i, p := range s.parameters {
		if p.Scale && !slices.ContainsFunc(vectors, func(v []float64) bool { return v[i] == 0 }) {
			sum += portable.Log(math.Abs(values[i]))
			n++
		}
	}
	return sum / float64(max(n, 1))
}
