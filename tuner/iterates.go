package tuner

// iterates are the places where a search stood after each generation of a
// stage, in the unit cube.
type iterates [][]float64

func (t *iterates) add(place []float64) { *t = append(*t, append([]float64(nil), place...)) }

// mean returns the mean of the last quarter: a search under noise wanders about
// the optimum, and the mean of where it was is nearer to it than where it
// happens to be (B. T. Polyak, A. B. Juditsky, Acceleration of Stochastic
// Approximation by Averaging, SIAM Journal on Control and Optimization 30,
// 1992). There is at least one.
func (t iterates) mean() []float64 {
	last := t[len(t)-(len(t)+3)/4:]
	mean := make([]float64, len(last[0]))
	for _, place := range last {
		for i, u := range place {
			mean[i] += u / float64(len(last))
		}
	}
	return mean
}
