package stats

import (
	"math"

	"tune2048/engine/portable"
)

// studentSeriesFrom is the number of degrees of freedom from which the quantile is taken from its
// expansion around the normal quantile: there the first term left out is below 1e-9 of the result
// at any p, and below 1e-16 for |z| < 8.
const studentSeriesFrom = 1e5

// studentQuantile returns the t below which a number from Student's distribution with df degrees of
// freedom falls with probability p. The relative error is below 1e-9, and the bits are the same on
// every machine. df is positive and need not be an integer; df = +Inf is the normal distribution. p
// lies in (0, 1]. The result is +Inf for p = 1.
func studentQuantile(p, df float64) float64 {
	switch {
	case p == 1:
		return math.Inf(1)
	case p == 0.5:
		return 0
	case df >= studentSeriesFrom:
		return studentSeries(portable.NormalQuantile(p), df)
	}
	tail := min(p, 1-p)
	norm := studentNorm(df)
	// The tail is convex, and Student's quantile lies beyond the normal one: from there Newton's
	// steps approach it from one side, at least doubling t where the tail is heavy and
	// quadratically near the end. The bound on their number is a safeguard.
	x := math.Abs(portable.NormalQuantile(p))
	for range 1000 {
		excess, density := studentExcess(x, df, norm, tail)
		step := excess / density
		if !(step > float64(1e-15*x)) || math.IsInf(step, 1) {
			break
		}
		x += step
	}
	return math.Copysign(x, p-0.5)
}

// studentTail returns the probability that a number from Student's distribution
// with df degrees of freedom is above t, which is at least 0: the inverse of
// [studentQuantile], with the same bits on every machine.
func studentTail(t, df float64) float64 {
	switch {
	case math.IsInf(t*t, 1):
		return 0
	case df >= studentSeriesFrom:
		// The inverse of the first terms of studentSeries. Those left out move the argument by less
		// than t^7/(8 df^3).
		t2 := float64(t * t)
		return portable.NormalTail(t * portable.Horner(1/df,
			[]float64{1, -portable.Horner(t2, []float64{1, 1}) / 4, portable.Horner(t2, []float64{3, 8, 13}) / 96}))
	}
	tail, _ := studentExcess(t, df, studentNorm(df), 0)
	return max(tail, 0)
}

// studentSeries is the Cornish-Fisher expansion of the quantile in powers of 1/df (M. Abramowitz,
// I. A. Stegun, Handbook of Mathematical Functions, 26.7.5).
func studentSeries(z, df float64) float64 {
	z2 := float64(z * z)
	terms := []float64{
		1,
		portable.Horner(z2, []float64{1, 1}) / 4,
		portable.Horner(z2, []float64{3, 16, 5}) / 96,
		portable.Horner(z2, []float64{-15, 17, 19, 3}) / 384,
		portable.Horner(z2, []float64{-945, -1920, 1482, 776, 79}) / 92160,
	}
	return z * portable.Horner(1/df, terms)
}

// studentNorm returns 1/B(df/2, 1/2) = Γ((df+1)/2) / (Γ(df/2) sqrt(π)).
func studentNorm(df float64) float64 {
	// Γ(a+1/2)/Γ(a) from its asymptotic series in 1/a, after raising a with Γ(a+1) = a Γ(a) until
	// the first term left out is below 1e-14. The logarithmic Stirling expansions, exponentiated,
	// give the series (F. G. Tricomi, A. Erdelyi, The Asymptotic Expansion of a Ratio of Gamma
	// Functions, 1951).
	a, factor := df/2, 1.0
	for a < 40 {
		factor *= a / (a + 0.5)
		a++
	}
	series := portable.Horner(1/a, []float64{1, -1.0 / 8, 1.0 / 128, 5.0 / 1024, -21.0 / 32768, -399.0 / 262144,
		869.0 / 4194304})
	const sqrtPi = 1.77245385090551602729816748334114518
	return factor * math.Sqrt(a) * series / sqrtPi
}

// studentExcess returns by how much the probability of a number above t > 0 exceeds tail, and the
// density at t, given norm = studentNorm(df). The probability is half the regularized incomplete
// beta function I_x(df/2, 1/2) at x = df/(df+t^2).
func studentExcess(t, df, norm, tail float64) (excess, density float64) {
	t2 := float64(t * t)
	x, y := df/(df+t2), t2/(df+t2) // y = 1-x without its cancellation
	a := float64(df / 2)
	power := norm * portable.Pow(x, a)
	density = power * math.Sqrt(x/df)
	front := power * math.Sqrt(y)
	// The continued fraction converges fast on its own side of the mean of the
	// beta distribution only. Near the centre the probability between 0 and t
	// is the one that is known to all its digits.
	if x < (a+1)/(a+2.5) {
		return front*betaFraction(x, a, 0.5)/df - tail, density
	}
	return (0.5 - tail) - float64(front*betaFraction(y, 0.5, a)), density
}

// betaFraction evaluates the continued fraction of the incomplete beta function
// by the modified Lentz method (W. H. Press et al., Numerical Recipes, 6.4).
func betaFraction(x, a, b float64) float64 {
	const tiny = 1e-300 // stands for a denominator that vanishes
	nonzero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c := 1.0
	d := 1 / nonzero(1-float64((a+b)*x)/(a+1))
	fraction := d
	for m := 1.0; m <= 10000; m++ {
		k := float64(2 * m)
		term := m * (b - m) * x / ((a + k - 1) * (a + k))
		d = 1 / nonzero(1+float64(term*d))
		c = nonzero(1 + term/c)
		fraction = float64(fraction * float64(d*c))
		term = -(a + m) * (a + b + m) * x / ((a + k) * (a + k + 1))
		d = 1 / nonzero(1+float64(term*d))
		c = nonzero(1 + term/c)
		step := float64(d * c)
		fraction = float64(fraction * step)
		if math.Abs(step-1) < 1e-15 {
			break
		}
	}
	return fraction
}
