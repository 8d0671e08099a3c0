package stats

import "tune2048/engine/portable"

// Exact limits of probabilities. They hold with any number of trials, and also where the trials
// show no spread at all.

// Others returns how often numbers other than the ones seen may come, where n numbers were all the
// same: with the confidence in fewer than this share of all. Of 40 numbers it is 8.8% with 95%. The
// confidence counts as two-sided, so that the share fits to [ClopperPearson]. Without numbers it is
// 1.
func Others(n int, confidence float64) float64 {
	if n < 1 {
		return 1
	}
	return 1 - portable.Pow(float64((1-confidence)/2), 1/float64(n))
}

// ClopperPearson estimates a probability from successes out of n trials, with the exact interval
// (C. J. Clopper, E. S. Pearson, The Use of Confidence or Fiducial Limits Illustrated in the Case
// of the Binomial, Biometrika 26, 1934). It holds the probability at least as often as the
// confidence says, whatever the probability is. confidence lies in (0, 1). successes is taken as at
// least 0 and at most n. Without trials the interval is [0, 1].
func ClopperPearson(successes, n int, confidence float64) Interval {
	if n < 1 {
		return Interval{Low: 0, High: 1}
	}
	successes = min(max(successes, 0), n)
	tail := float64((1 - confidence) / 2)
	return Interval{Low: leastShare(successes, n, tail), High: 1 - leastShare(n-successes, n, tail)}
}

// leastShare returns the probability at which at least these successes out of n come with the
// probability tail.
func leastShare(successes, n int, tail float64) float64 {
	switch successes {
	case 0:
		return 0
	case n:
		return portable.Pow(tail, 1/float64(n))
	}
	a, b := float64(successes), float64(n-successes+1)
	norm := logFactorial(n) - logFactorial(successes-1) - logFactorial(n-successes)
	low, high := 0.0, a/float64(n)
	for range 100 { // at the mean of the share about half of the probability is above
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if betaTail(middle, a, b, norm) < tail {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// betaTail is the regularized incomplete beta function I_x(a, b), where norm is -log B(a, b). For
// whole numbers it is the probability of at least a successes out of a+b-1.
func betaTail(x, a, b, norm float64) float64 {
	front := portable.Exp(norm + float64(a*portable.Log(x)) + float64(b*portable.Log(1-x)))
	if x < (a+1)/(a+b+2) {
		return front * betaFraction(x, a, b) / a
	}
	return 1 - float64(front*betaFraction(1-x, b, a))/b
}

// logFactorial returns the logarithm of n!, by Stirling's series (M. Abramowitz, I. A. Stegun,
// Handbook of Mathematical Functions, 6.1.41) from n = 16 on, where its first term left out is
// below 1e-14.
func logFactorial(n int) float64 {
	if n < 16 {
		product := 1.0
		for i := 2; i <= n; i++ {
			product *= float64(i)
		}
		return portable.Log(product)
	}
	x := float64(n)
	inverse := 1 / float64(x*x)
	series := portable.Horner(inverse, []float64{1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188})
	const halfLogTwoPi = 0.918938533204672741780329736405617639
	return float64((x+0.5)*portable.Log(x)) - x + halfLogTwoPi + series/x
}
