package stats

import "tune2048/engine/portable"

// ExpectedMaximum returns the mean of the largest of independent normal errors with mean 0 and
// these standard errors: by how much the highest of several equally good figures is too high on
// average. Equal standard errors make it the expected largest order statistic of normal numbers (H.
// L. Harter, Expected Values of Normal Order Statistics, Biometrika 48, 1961) times the standard
// error. The mean is the integral of the probability that the maximum is above x, less 1 below 0,
// which the midpoint rule takes to six digits.
func ExpectedMaximum(errors []float64) float64 {
	const end, steps = 9, 4000 // in standard errors, from -end to end
	largest := 0.0
	for _, se := range errors {
		largest = max(largest, se)
	}
	sum := 0.0
	for i := range steps {
		x := float64(largest * end * (float64(2*i+1)/steps - 1))
		below := 1.0 // probability that all are
		for _, se := range errors {
			if se > 0 {
				below *= portable.NormalTail(-x / se)
			} else if x < 0 {
				below = 0
			}
		}
		if x > 0 {
			sum += 1 - below
		} else {
			sum -= below
		}
	}
	return sum * (2 * end * largest / steps)
}
