package stats

import (
	"math"

	"tune2048/engine/portable"
)

// This file is the distribution of a statistic that is looked at several times
// while its sample grows: the floor of sequential.go and race.go.
//
// The canonical joint distribution (C. Jennison, B. W. Turnbull, Group Sequential Methods with
// Applications to Clinical Trials, 1999, chapter 3): at the information fraction t, in (0, 1] of
// the largest planned sample, the statistic Z is normal with variance 1 and mean drift*sqrt(t), and
// Z*sqrt(t) grows by independent increments. The difference of two means over its standard error is
// such a statistic, and so are nearly all others.

// walk is the sub-density of the statistic at a look, over the paths that have not been stopped. It
// holds the density without drift only: with drift each value of the statistic is likelier by a
// factor that does not depend on the path before.
type walk struct {
	t     float64 // information fraction of the look, 0 before the first
	nodes []node  // of the quadrature over the continuation region
}

// node is a value of the statistic and the probability that its neighbourhood stands for.
type node struct {
	z, mass float64
}

// newWalk returns the walk before its first look.
func newWalk() walk {
	return walk{nodes: []node{{z: 0, mass: 1}}}
}

// above returns the probability that the walk goes on to the information
// fraction t, beyond its own, and is above c there.
func (w walk) above(c, t, drift float64) float64 {
	step := t - w.t
	scale, from, to := 1/math.Sqrt(step), math.Sqrt(w.t), math.Sqrt(t)
	target := float64(c*to) - float64(drift*step)
	sum := 0.0
	for _, n := range w.nodes {
		tail := portable.NormalTail((target - float64(n.z*from)) * scale)
		sum += float64(tail * w.drifted(n, from, drift))
	}
	return sum
}

// remaining returns the probability that the walk has not been stopped.
func (w walk) remaining(drift float64) float64 {
	from, sum := math.Sqrt(w.t), 0.0
	for _, n := range w.nodes {
		sum += w.drifted(n, from, drift)
	}
	return sum
}

// drifted returns the mass of a node under the drift, where from is the square root of w.t.
func (w walk) drifted(n node, from, drift float64) float64 {
	if drift == 0 {
		return n.mass
	}
	exponent := float64(drift*n.z*from) - float64(drift*drift*w.t/2)
	return float64(n.mass * portable.Exp(exponent))
}

// region is an open interval of the statistic in which sampling goes on.
type region struct {
	low, high float64
}

// farOut bounds the values of the statistic that are integrated over: beyond
// lies less than 1e-15 without drift. A drift shifts it.
const farOut = 8.2

// advance returns the walk at the information fraction t, over the paths that are in one of the
// regions there. It integrates over the values at the look before (P. Armitage, C. K. McPherson, B.
// C. Rowe, Repeated Significance Tests on Accumulating Data, JRSS A 132, 1969) by Gauss-Legendre
// quadrature, on panels as wide as the increment's scale asks. next is the fraction of the look
// after, drift the largest that the walk will be asked about.
func (w walk) advance(t, next, drift float64, regions ...region) walk {
	step := t - w.t
	scale, from, to := 1/math.Sqrt(step), math.Sqrt(w.t), math.Sqrt(t)
	far := farOut + float64(math.Abs(drift)*to)
	// A panel of 16 nodes resolves 4 standard deviations of either increment.
	width := 4 * math.Sqrt(min(step, next-t)/t)
	density := func(z float64) float64 {
		sum := 0.0
		for _, n := range w.nodes {
			x := (float64(z*to) - float64(n.z*from)) * scale
			if math.Abs(x) < farOut {
				sum += float64(n.mass * portable.Exp(-float64(x*x)/2))
			}
		}
		const sqrtTwoPi = 2.50662827463100050241576528481104525
		return sum * to * scale / sqrtTwoPi
	}
	walked := walk{t: t}
	for _, r := range regions {
		low, high := max(r.low, -far), min(r.high, far)
		if !(low < high) {
			continue
		}
		panels := math.Ceil((high - low) / width)
		half := (high - low) / (2 * panels)
		for p := 0.0; p < panels; p++ {
			centre := low + float64(half*(2*p+1))
			for _, g := range gauss {
				for _, side := range [2]float64{-1, 1} {
					z := centre + float64(side*half*g.node)
					walked.nodes = append(walked.nodes, node{z: z, mass: half * g.weight * density(z)})
				}
			}
		}
	}
	return walked
}

// gauss is the Gauss-Legendre rule of 16 nodes, of which the positive ones are listed (M.
// Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, table 25.4).
var gauss = [8]struct{ node, weight float64 }{
	{0.095012509837637440, 0.189450610455068496},
	{0.281603550779258913, 0.182603415044923589},
	{0.458016777657227386, 0.169156519395002538},
	{0.617876244402643748, 0.149595988816576732},
	{0.755404408355003034, 0.124628971255533872},
	{0.865631202387831744, 0.095158511682492785},
	{0.944575023073232576, 0.062253523938647893},
	{0.989400934991649933, 0.027152459411754095},
}

// bounds returns the boundaries that spend the given probabilities, one for each look at the given
// information fractions, without drift: the smallest values of the statistic at which a path that
// was not stopped before is stopped. With two sides a boundary holds for the absolute value.
func bounds(fractions, spent []float64, sides float64) []float64 {
	boundaries := make([]float64, len(fractions))
	w := newWalk()
	for k, t := range fractions {
		// The logarithm of a tail is nearly a parabola.
		c := root(0, 2*farOut, func(c float64) float64 { return portable.Log(sides * w.above(c, t, 0) / spent[k]) })
		boundaries[k] = c
		if k+1 == len(fractions) {
			break
		}
		going := region{math.Inf(-1), c}
		if sides == 2 {
			going.low = -c
		}
		w = w.advance(t, fractions[k+1], 0, going)
	}
	return boundaries
}

// spending returns the share of an error probability that may be used up to the information
// fraction t, by the heuristic of I. K. Hwang, W. J. Shih, J. S. DeCani, Group Sequential Designs
// Using a Family of Type I Error Probability Spending Functions, Statistics in Medicine 9, 1990.
// Shape -4 resembles O'Brien's and Fleming's boundaries, which hardly stop early. Shape 1 resembles
// Pocock's, which stop early. The shape is not 0.
func spending(t, shape float64) float64 {
	return (1 - portable.Exp(-float64(shape*t))) / (1 - portable.Exp(-shape))
}

// evenly returns the fractions of equally spaced looks, and the error probability that is spent at
// each.
func evenly(looks int, total, shape float64) (fractions, spent []float64) {
	before := 0.0
	for k := 1; k <= looks; k++ {
		t := float64(k) / float64(looks)
		share := spending(t, shape)
		fractions = append(fractions, t)
		spent = append(spent, total*(share-before))
		before = share
	}
	return fractions, spent
}

// root returns where the decreasing function f crosses 0 between low and high, or the end that is
// nearest to it: by the secant method with the Illinois modification (M. Dowell, P. Jarratt, A
// Modified Regula Falsi Method for Computing the Root of an Equation, BIT 11, 1971).
func root(low, high float64, f func(float64) float64) float64 {
	const tolerance = 1e-11
	atLow, atHigh := f(low), f(high)
	if !(atLow > 0) {
		return low
	}
	if !(atHigh < 0) {
		return high
	}
	// No secant leads to an infinite end.
	for i := 0; i < 60 && math.IsInf(atHigh, -1); i++ {
		middle := low + float64((high-low)/2)
		if y := f(middle); y > 0 {
			low, atLow = middle, y
		} else {
			high, atHigh = middle, y
		}
	}
	x, side := low, 0
	for range 100 {
		last := x
		x = low + float64((high-low)*(atLow/(atLow-atHigh)))
		if math.Abs(x-last) <= tolerance*(1+math.Abs(x)) {
			break
		}
		y := f(x)
		switch {
		case y == 0:
			return x
		case y > 0:
			low, atLow = x, y
			if side > 0 {
				atHigh /= 2
			}
			side = 1
		default:
			high, atHigh = x, y
			if side < 0 {
				atLow /= 2
			}
			side = -1
		}
	}
	return x
}
