package stats

import (
	"encoding/json"
	"math"

	"tune2048/engine/portable"
)

// Interval is a confidence interval. An unbounded one, from -Inf to +Inf, means that the sample is
// too small. It is never NaN. JSON and SQL know no infinity, so ask [Interval.Bounded] before
// writing one.
type Interval struct {
	Low, High float64
}

// Unbounded is the interval that excludes nothing.
func Unbounded() Interval {
	return Interval{Low: math.Inf(-1), High: math.Inf(1)}
}

// Bounded reports whether both ends are finite.
func (i Interval) Bounded() bool {
	return !math.IsInf(i.Low, 0) && !math.IsInf(i.High, 0)
}

// Contains reports whether x lies in the interval, its ends included.
func (i Interval) Contains(x float64) bool {
	return i.Low <= x && x <= i.High
}

// Within returns the interval cut to the values from low to high that its quantity can have. An end
// that is open stays open.
func (i Interval) Within(low, high float64) Interval {
	if !math.IsInf(i.Low, 0) {
		i.Low = max(i.Low, low)
	}
	if !math.IsInf(i.High, 0) {
		i.High = min(i.High, high)
	}
	return i
}

// Estimate is a figure and the interval that says how well it is known.
type Estimate struct {
	Value    float64
	Interval Interval
}

// MarshalJSON writes an estimate with the keys value, low and high. An open end, which too few
// numbers leave, is null. The error is json's own for a value that is not finite.
func (e Estimate) MarshalJSON() ([]byte, error) {
	end := func(x float64) *float64 {
		if math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return json.Marshal(struct {
		Value float64  `json:"value"`
		Low   *float64 `json:"low"`
		High  *float64 `json:"high"`
	}{e.Value, end(e.Interval.Low), end(e.Interval.High)})
}

// Margin returns the distance from the value to the farther end, as the nearer one may be cut.
func (e Estimate) Margin() float64 { return max(e.Value-e.Interval.Low, e.Interval.High-e.Value) }

// critical returns how many standard errors an interval with the confidence, in [0, 1], reaches to
// each side: +Inf at 1.
func critical(confidence, df float64) float64 { return studentQuantile(0.5+float64(confidence/2), df) }

// Around returns the interval around an estimate with this standard error, which is known by that
// many degrees of freedom, 1 or more. confidence lies in (0, 1). A standard error of 0 gives a
// point.
func Around(centre, se, confidence, freedom float64) Interval {
	quantile := critical(confidence, freedom)
	if math.IsInf(quantile, 1) || math.IsInf(se, 1) {
		return Unbounded()
	}
	half := float64(quantile * se)
	return Interval{Low: centre - half, High: centre + half}
}

// MeanInterval returns Student's interval for the mean of the distribution that the sample comes
// from. confidence lies in (0, 1), 0.95 for 95%. It is unbounded for fewer than two numbers.
func MeanInterval(m Moments, confidence float64) Interval {
	if m.N < 2 {
		return Unbounded()
	}
	return Around(m.Mean, m.SE(), confidence, float64(m.N-1))
}

// MeanDifference estimates the mean of a minus the mean of b. The interval is Student's for the
// mean of the pairs' differences. If there are no pairs, the variances may differ (B. L. Welch,
// The Generalization of "Student's" Problem, Biometrika 34, 1947, with Satterthwaite's degrees of
// freedom). confidence lies in (0, 1). The mean of an empty sample counts as 0. The interval is
// unbounded when a sample has fewer than two numbers.
func MeanDifference(a, b Moments, pairs Pairs, confidence float64) Estimate {
	d := Estimate{Value: a.Mean - b.Mean, Interval: Unbounded()}
	if a.N < 2 || b.N < 2 {
		return d
	}
	se, df := differenceSE(a, b, pairs)
	d.Interval = Around(d.Value, se, confidence, df)
	return d
}

// differenceSE returns the standard error of the difference of the means, with its degrees of
// freedom. Both samples have at least two numbers.
func differenceSE(a, b Moments, pairs Pairs) (se, df float64) {
	if pairs.N > 0 {
		return math.Sqrt(pairs.meanVariance()), pairs.freedom()
	}
	va, vb := a.Variance()/float64(a.N), b.Variance()/float64(b.N)
	return math.Sqrt(va + vb), satterthwaite(va, a.N, vb, b.N)
}

// satterthwaite returns the degrees of freedom of the sum of two independent
// variance estimates, v1 from n1 numbers and v2 from n2, both at least 2.
func satterthwaite(v1 float64, n1 int, v2 float64, n2 int) float64 {
	total := v1 + v2
	if total == 0 {
		return float64(n1 + n2 - 2)
	}
	// Shares instead of squares: they cannot overflow.
	s1, s2 := v1/total, v2/total
	return 1 / (float64(s1*s1)/float64(n1-1) + float64(s2*s2)/float64(n2-1))
}

// MeanRatio estimates the mean of a divided by the mean of b, with Fieller's interval (E. C.
// Fieller, Some Problems in Interval Estimation, JRSS B 16, 1954): all ratios r at which the mean
// of a - r*b does not differ from 0. pairs is as for [MeanDifference]. For independent samples the
// degrees of freedom are Satterthwaite's at the estimated ratio. Unlike an interval by logarithms
// or the delta method it is right for noisy denominators. The interval is unbounded when the mean
// of b does not differ from 0 at this confidence, in (0, 1). So it is when a sample has fewer than
// two numbers. Value is 0 when the mean of b is 0.
func MeanRatio(a, b Moments, pairs Pairs, confidence float64) Estimate {
	r := Estimate{Interval: Unbounded()}
	if b.Mean == 0 {
		return r
	}
	r.Value = a.Mean / b.Mean
	if a.N < 2 || b.N < 2 {
		return r
	}
	// Everything in units of the mean of b.
	scale := float64(b.Mean * b.Mean)
	va, vb, covariance := a.Variance()/float64(a.N)/scale, b.Variance()/float64(b.N)/scale, 0.0
	ratio2 := float64(r.Value * r.Value)
	df := satterthwaite(va, a.N, float64(ratio2*vb), b.N)
	if pairs.N > 0 {
		covariance, df = (va+vb-pairs.meanVariance()/scale)/2, pairs.freedom()
	}
	quantile := critical(confidence, df)
	quantile2 := float64(quantile * quantile)
	g := float64(quantile2 * vb)
	if math.IsInf(quantile, 1) || !(g < 1) {
		return r
	}
	centre := r.Value - float64(quantile2*covariance)
	squares := float64(ratio2*vb) - float64(2*r.Value*covariance) + float64(va*(1-g)) +
		float64(quantile2*float64(covariance*covariance))
	half := float64(quantile * math.Sqrt(max(0, squares)))
	r.Interval = Interval{Low: (centre - half) / (1 - g), High: (centre + half) / (1 - g)}
	return r
}

// Wilson estimates a probability from successes out of n trials, with the score interval (E. B.
// Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22, 1927),
// which stays within [0, 1] and is sensible at 0 and n successes. confidence lies in (0, 1).
// Without trials the interval is [0, 1]. successes is taken as at least 0 and at most n.
func Wilson(successes, n int, confidence float64) Interval {
	z := critical(confidence, math.Inf(1))
	if n <= 0 || math.IsInf(z, 1) {
		return Interval{Low: 0, High: 1}
	}
	successes = min(max(successes, 0), n)
	trials := float64(n)
	p, z2 := float64(successes)/trials, float64(z*z)
	centre := p + z2/(2*trials)
	half := float64(z * math.Sqrt(float64(p*(1-p))/trials+z2/(4*float64(trials*trials))))
	i := Interval{Low: (centre - half) / (1 + z2/trials), High: (centre + half) / (1 + z2/trials)}
	// The ends are exact where the algebra says so and rounding would not.
	if successes == 0 {
		i.Low = 0
	}
	if successes == n {
		i.High = 1
	}
	return i
}

// MeanZ returns the t of the difference of the means (see [MeanDifference]) as the normal number
// with the same tail probability: 0 when a sample has fewer than two numbers, infinite when the
// means of samples without pairs differ without any spread.
func MeanZ(a, b Moments, pairs Pairs) float64 {
	if a.N < 2 || b.N < 2 || a.Mean == b.Mean {
		return 0
	}
	se, df := differenceSE(a, b, pairs)
	t := (a.Mean - b.Mean) / se
	tail := studentTail(math.Abs(t), df)
	return math.Copysign(portable.NormalQuantile(tail), t)
}

// MeanP returns the two-sided p-value of the test that two samples have the same mean: 1 when a
// sample has fewer than two numbers.
func MeanP(a, b Moments, pairs Pairs) float64 {
	return 2 * portable.NormalTail(math.Abs(MeanZ(a, b, pairs)))
}
