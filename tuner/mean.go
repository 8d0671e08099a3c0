package tuner

import (
	"math"
	"slices"

	"tune2048/engine/portable"
)

// mean returns the mean of vectors of natural values, taken in the unit cube. The parameters with
// ScaleFree of each vector are first brought to the scale of the first vector, by the geometric
// mean of their ratios. A parameter that is 0 in any vector has no ratio. vectors has at least one.
func (s *Space) mean(vectors [][]float64) []float64 {
	mean := make([]float64, s.Dim())
	for _, values := range vectors {
		sum, n := 0.0, 0
		for i, p := range s.parameters {
			if p.ScaleFree && !slices.ContainsFunc(vectors, func(v []float64) bool { return v[i] == 0 }) {
				sum += portable.Log(math.Abs(vectors[0][i] / values[i]))
				n++
			}
		}
		scaled := slices.Clone(values)
		for i, p := range s.parameters {
			if p.ScaleFree {
				scaled[i] *= portable.Exp(sum / float64(max(n, 1)))
			}
		}
		for i, u := range s.Unit(scaled) {
			mean[i] += u / float64(len(vectors))
		}
	}
	return s.Values(mean)
}
