package tuner

import (
	"math"

	"tune2048/engine/portable"
)

// Mean returns the mean of vectors of natural values, taken in the unit cube. If scales names parameters of which
// only the ratios to one another matter, the vectors are first brought to one scale: that of the first one, by the
// geometric mean of those scales that are not 0 in any vector. Otherwise scales is nil. vectors has at least one.
func (s *Space) Mean(vectors [][]float64, scales []bool) []float64 {
	mean := make([]float64, s.Dim())
	for _, values := range vectors {
		factor := portable.Exp(logScale(vectors, vectors[0], scales) - logScale(vectors, values, scales))
		scaled := append([]float64(nil), values...)
		for i := range scaled {
			if scales != nil && scales[i] {
				scaled[i] *= factor
			}
		}
		for i, u := range s.Unit(scaled) {
			mean[i] += u / float64(len(vectors))
		}
	}
	return s.Values(mean)
}

// logScale returns the mean of the logarithms of those scales of a vector that are not 0 in any of the vectors.
func logScale(vectors [][]float64, values []float64, scales []bool) float64 {
	sum, n := 0.0, 0
scales:
	for i, is := range scales {
		if !is {
			continue
		}
		for _, v := range vectors {
			if v[i] == 0 {
				continue scales
			}
		}
		sum += portable.Log(math.Abs(values[i]))
		n++
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
