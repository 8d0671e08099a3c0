package stats

import "math"

// Moments is the count, mean and spread of a sample, gathered one number at a time by Welford's
// method (B. P. Welford, Note on a Method for Calculating Corrected Sums of Squares and Products,
// Technometrics 4, 1962). The zero value is the empty sample. Two samples with the same numbers in
// another order may differ in the last bits, so a result that must be reproducible adds its numbers
// in a fixed order.
type Moments struct {
	N         int     // how many numbers
	Mean      float64 // their mean, 0 for none
	M2        float64 // the sum of their squared deviations from the mean
	Low, High float64 // the least and the largest of them, 0 for none
}

// Add takes one more number into the sample.
func (m *Moments) Add(x float64) {
	m.N++
	if m.N == 1 {
		m.Low, m.High = x, x
	}
	m.Low, m.High = min(m.Low, x), max(m.High, x)
	delta := x - m.Mean
	m.Mean += delta / float64(m.N)
	m.M2 += float64(delta * (x - m.Mean))
}

// Equal reports whether all numbers are the same, so that they show no spread.
func (m Moments) Equal() bool { return m.M2 == 0 }

// WithEnds returns the sample with two more numbers, the ends of the range as far as they are
// known. A few numbers of a skewed distribution mostly miss its tail, and show too small a
// spread. So the least and the largest number count twice: experiments/README.md says how often
// intervals hold then (TestScoresAreCovered). For zeros and ones, whose ends are known, these are
// the one success and the one failure more of A. Agresti and B. Caffo (Simple and Effective
// Confidence Intervals for Proportions and Differences of Proportions, The American Statistician
// 54, 2000).
func (m Moments) WithEnds(low, high float64) Moments {
	m.Add(low)
	m.Add(high)
	return m
}

// Variance returns the unbiased sample variance, and 0 for fewer than two numbers.
func (m Moments) Variance() float64 {
	if m.N < 2 {
		return 0
	}
	return m.M2 / float64(m.N-1)
}

// SD returns the sample standard deviation, and 0 for fewer than two numbers.
func (m Moments) SD() float64 {
	return math.Sqrt(m.Variance())
}

// SE returns the standard error of the mean. It is +Inf for fewer than two
// numbers: nothing is known of their spread.
func (m Moments) SE() float64 {
	if m.N < 2 {
		return math.Inf(1)
	}
	return math.Sqrt(m.Variance() / float64(m.N))
}
