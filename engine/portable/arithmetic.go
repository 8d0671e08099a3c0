package portable

import (
	"math"
	"strconv"
)

// ln 2 in two parts, split as in FreeBSD's e_log.c and e_exp.c. The low 32 bits of ln2High are
// zero, so that k*ln2High is exact for |k| < 2^21, which covers every exponent of a float64.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
	log2E   = 1.44269504088896338700e+00
)

// Horner returns c[0] + c[1]x + c[2]x^2 + ...
func Horner(x float64, c []float64) float64 {
	sum := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		sum = float64(sum*x) + c[i]
	}
	return sum
}

// logSeries are the coefficients of 2 atanh(s)/s in powers of s*s. With
// |s| <= 0.1716 the first term left out is below 2^-58 of the sum.
var logSeries = []float64{
	2, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23,
}

// reduce splits a positive finite x into 2^e * m with sqrt(1/2) <= m < sqrt(2)
// and returns e and ln m.
func reduce(x float64) (e int, lnM float64) {
	m, e := math.Frexp(x)
	if m < 1/math.Sqrt2 {
		m *= 2 // exact
		e--
	}
	// ln m = 2 atanh((m-1)/(m+1)), and m-1 is exact in this range.
	s := (m - 1) / (m + 1)
	return e, float64(s * Horner(float64(s*s), logSeries))
}

// Log returns the natural logarithm of x, with a relative error below 1e-15
// and the same bits on every machine. Log(0) is -Inf, Log(+Inf) is +Inf, and
// the result is NaN for x < 0 and for NaN.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	e, lnM := reduce(x)
	k := float64(e)
	return float64(k*ln2High) + (float64(k*ln2Low) + lnM)
}

// expSeries are the coefficients 1/k! of the exponential series. With
// |r| <= ln(2)/2 the first term left out is below 2^-62.
var expSeries = []float64{
	1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
	1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200,
}

// Exp returns e to the power x, with a relative error below 1e-15 (for results
// that are not subnormal) and the same bits on every machine. It overflows to
// +Inf and underflows to 0; Exp(NaN) is NaN.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 710: // ln of the largest float64 is 709.78
		return math.Inf(1)
	case x < -746: // ln of half the smallest subnormal is -745.13
		return 0
	}
	k := math.Floor(float64(x*log2E) + 0.5)
	// x - k*ln2High is exact, or nearly: the two are within a factor of two
	// whenever k is not 0.
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	return math.Ldexp(Horner(r, expSeries), int(k))
}

// Pow returns x to the power y for x >= 0, within one unit in the last place
// (for results that are not subnormal) and with the same bits on every machine.
// Powers that a float64 can represent are exact: Pow(3, 4) is 81, and
// Pow(x, 0.5) is the correctly rounded square root.
//
// The integer part of y is taken by repeated squaring, its fraction by repeated
// square roots, one for each binary digit.
//
// Special cases: Pow(x, 0) = Pow(1, y) = 1 for any x and y, NaN included, as
// in package math; Pow(0, y) is 0 for y > 0 and +Inf for y < 0; Pow(x, y) is
// NaN for x < 0 and for other NaN arguments; results that are too large are
// +Inf, and results that are too small are 0.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case math.IsNaN(x) || math.IsNaN(y) || x < 0:
		return math.NaN()
	case x == 0 || math.IsInf(x, 1):
		if (x == 0) == (y > 0) {
			return 0
		}
		return math.Inf(1)
	}
	// The limit is reached when the remaining factors can only move the result
	// further beyond the range of a float64.
	limit := 0.0
	if (x > 1) == (y > 0) {
		limit = math.Inf(1)
	}
	whole, fraction := math.Modf(math.Abs(y))
	if whole >= 1<<63 {
		return limit // the x nearest to 1 gives e^(+-1024) and beyond
	}

	power := scaled{hi: 0.5, exp: 1}
	for base, n := newScaled(x), uint64(whole); n != 0; n >>= 1 {
		if base.exp > 4096 || base.exp < -4096 {
			return limit
		}
		if n&1 != 0 {
			power = power.times(base)
		}
		base = base.times(base)
	}
	for root := newScaled(x); fraction != 0; {
		root = root.sqrt()
		fraction *= 2 // exact, as is the subtraction
		if fraction >= 1 {
			fraction--
			power = power.times(root)
		}
	}
	if y < 0 {
		power = power.inverse()
	}
	return power.float()
}

// scaled is the positive number (hi + lo) * 2^exp, with 1/2 <= hi < 1 and
// |lo| at most half a unit in the last place of hi: about 106 significant bits
// and an exponent of its own, so that no step of Pow can overflow and its
// roundings stay far below the last bit of the result.
//
// The rounding error of a product of two float64 is a float64, which math.FMA gives: it rounds
// once, on every processor (in software where there is no such instruction).
type scaled struct {
	hi, lo float64
	exp    int
}

func newScaled(x float64) scaled {
	m, e := math.Frexp(x)
	return scaled{hi: m, exp: e}
}

// normalize brings hi back into its range, by exact steps: it is one or two
// away. |lo| must be far below hi.
func (s scaled) normalize() scaled {
	hi := s.hi + s.lo
	lo := s.lo - (hi - s.hi)
	for ; hi < 0.5; s.exp-- {
		hi, lo = hi*2, lo*2
	}
	for ; hi >= 1; s.exp++ {
		hi, lo = hi/2, lo/2
	}
	return scaled{hi: hi, lo: lo, exp: s.exp}
}

// product returns x*y as an unevaluated sum of its rounded value and the
// rounding error.
func product(x, y float64) (p, err float64) {
	p = float64(x * y)
	return p, math.FMA(x, y, -p)
}

func (s scaled) times(t scaled) scaled {
	p, err := product(s.hi, t.hi)
	err += float64(s.hi*t.lo) + float64(s.lo*t.hi)
	return scaled{hi: p, lo: err, exp: s.exp + t.exp}.normalize()
}

func (s scaled) sqrt() scaled {
	if s.exp%2 != 0 {
		s.hi, s.lo, s.exp = s.hi*2, s.lo*2, s.exp-1 // exact
	}
	root := math.Sqrt(s.hi)
	p, err := product(root, root)
	rest := ((s.hi - p) - err) + s.lo
	return scaled{hi: root, lo: rest / (2 * root), exp: s.exp / 2}.normalize()
}

func (s scaled) inverse() scaled {
	q := 1 / s.hi
	p, err := product(q, s.hi)
	rest := ((1 - p) - err) - float64(q*s.lo)
	return scaled{hi: q, lo: rest / s.hi, exp: -s.exp}.normalize()
}

// float returns the nearest float64, beyond its range +Inf or 0. It is hi alone, as lo is at most
// half of hi's last place.
func (s scaled) float() float64 {
	return math.Ldexp(s.hi, s.exp)
}

// Rounded returns x with this number of significant decimal digits, and 0 without a sign. A number
// that would become infinite stays.
func Rounded(x float64, digits int) float64 {
	if short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64); err == nil {
		return short + 0
	}
	return x
}
