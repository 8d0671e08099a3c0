package portable

import "math"

// The coefficients of routine PPND16 of algorithm AS 241 (M. J. Wichura, The
// Percentage Points of the Normal Distribution, Applied Statistics 37, 1988),
// lowest power first: numerator and denominator for the centre, the shoulders
// and the far tails.
var (
	normalCentreNum = []float64{
		3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3,
	}
	normalCentreDen = []float64{
		1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3,
	}
	normalShoulderNum = []float64{
		1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
	}
	normalShoulderDen = []float64{
		1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
	}
	normalTailNum = []float64{
		6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
	}
	normalTailDen = []float64{
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
	}
)

// The coefficients of J. F. Hart et al., Computer Approximations, 1968,
// algorithm 5666, lowest power first, as given by G. West, Better
// Approximations to Cumulative Normal Functions, Wilmott, 2005.
var (
	normalRatioNum = []float64{
		220.206867912376, 221.213596169931, 112.079291497871, 33.912866078383, 6.37396220353165, 0.700383064443688,
		3.52624965998911e-2,
	}
	normalRatioDen = []float64{
		440.413735824752, 793.826512519948, 637.333633378831, 296.564248779674, 86.7807322029461, 16.064177579207,
		1.75566716318264, 8.83883476483184e-2,
	}
)

// NormalTail returns the probability that a standard normal number is above z,
// with a relative error below 4e-13 for z < 30 and the same bits on every
// machine.
func NormalTail(z float64) float64 {
	x := math.Abs(z)
	tail := Exp(-float64(x*x) / 2)
	if x < 3 {
		tail *= Horner(x, normalRatioNum) / Horner(x, normalRatioDen)
	} else {
		// Laplace's continued fraction of Mills' ratio. It begins with the rest that unchanging
		// terms would have.
		const terms = 24
		fraction := (x + math.Sqrt(float64(x*x)+4*terms)) / 2
		for k := float64(terms); k > 0; k-- {
			fraction = x + k/fraction
		}
		const sqrtTwoPi = 2.50662827463100050241576528481104525
		tail /= fraction * sqrtTwoPi
	}
	if z < 0 {
		return 1 - tail
	}
	return tail
}

// NormalQuantile returns the z below which a standard normal number falls with
// probability p, with a relative error of about 1e-15 (algorithm AS 241) and
// the same bits on every machine. It is -Inf for p = 0, +Inf for p = 1 and NaN
// for any other p outside (0, 1).
func NormalQuantile(p float64) float64 {
	switch {
	case math.IsNaN(p) || p < 0 || p > 1:
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	}
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return q * Horner(r, normalCentreNum) / Horner(r, normalCentreDen)
	}
	r := math.Sqrt(-Log(min(p, 1-p)))
	var z float64
	if r <= 5 {
		r -= 1.6
		z = Horner(r, normalShoulderNum) / Horner(r, normalShoulderDen)
	} else {
		r -= 5
		z = Horner(r, normalTailNum) / Horner(r, normalTailDen)
	}
	return math.Copysign(z, q)
}
