package stats

import "math"

// Pairs are the differences of two samples that were drawn in pairs: here of games of the same
// seeds. Luck that both numbers of a pair share does not count. The zero value has no pairs: the
// samples are independent.
type Pairs struct {
	Moments     // of the differences, each of the first sample's number less the second's
	Differ  int // how many of them are not 0
}

// PairsOf returns the pairs a[i], b[i], or none where the samples differ in size.
func PairsOf(a, b []float64) (p Pairs) {
	if len(a) != len(b) {
		return p
	}
	for i, x := range a {
		p.Add(x, b[i])
	}
	return p
}

// Add takes one more pair.
func (p *Pairs) Add(a, b float64) {
	if p.Moments.Add(a - b); a != b {
		p.Differ++
	}
}

// freedom returns the degrees of freedom of the spread of the differences. Pairs of equals tell
// nothing of it: where 4 of 400 differ, 399 degrees would miss the truth in up to 13% of samples
// instead of 5%, and 3 degrees in at most 3% (TestFewPairsDiffer).
func (p Pairs) freedom() float64 { return float64(max(1, p.Differ-1)) }

// meanVariance returns the variance of the mean of the differences. N differences that are all the
// same number show no spread. Then it is so large that Student's tail probability is the sign
// test's: 1/2^N, the probability that all go this way, and at least 1/2^50.
func (p Pairs) meanVariance() float64 {
	if v := p.Variance() / float64(p.N); v > 0 || p.Mean == 0 {
		return v
	}
	se := p.Mean / studentQuantile(1-math.Ldexp(1, -min(p.N, 50)), p.freedom())
	return float64(se * se)
}
