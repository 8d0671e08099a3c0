package stats

import (
	"fmt"
	"math"
	"sync"

	"tune2048/engine/portable"
)

// Plan states the difference that a sequential comparison of two means must find, and its errors.
type Plan struct {
	// Difference is the smallest relative difference that matters: 0.05 for a mean
	// that is 5% above the other, whichever of the two it is.
	Difference float64
	// Level is the probability of calling equal means different, two-sided and over all looks.
	Level float64
	// Power is the probability of finding a true difference of that size.
	Power float64
	// Looks is how often the samples are looked at.
	Looks int
}

// DefaultPlan finds 5% with a probability of 95%, at a level of 5%, with 20 looks.
func DefaultPlan() Plan {
	return Plan{Difference: 0.05, Level: 0.05, Power: 0.95, Looks: 20}
}

// Validate returns an error if the difference is out of range: a user chooses it alone.
func (p Plan) Validate() error {
	if !(p.Difference >= 1e-6 && p.Difference <= 10) {
		return fmt.Errorf("difference: want a share in [0.000001, 10] such as 0.05 for 5%%, got %v", p.Difference)
	}
	return nil
}

// Design is a group sequential test: the boundaries of a plan (C. Jennison, B. W. Turnbull, Group
// Sequential Methods with Applications to Clinical Trials, 1999).
//
// The statistic is the t of the difference of the means, as the normal number with the same tail
// probability (see [MeanZ]). Each look compares it with two boundaries. At or beyond the efficacy
// boundary the means differ. These boundaries spend the level over the looks (K. K. G. Lan, D. L.
// DeMets, Discrete Sequential Boundaries for Clinical Trials, Biometrika 70, 1983). Within the
// futility boundary there is no difference of the planned size. These boundaries spend the
// probability of missing one (S. Pampallona, A. A. Tsiatis, K. Kim, Interim Monitoring of Group
// Sequential Trials Using Spending Functions for the Type I and Type II Error Probabilities, Drug
// Information Journal 35, 2001). They meet at the last look. Futility is not binding: the level
// holds if a comparison goes on in spite of it.
//
// The relative SD of the scores need not be known beforehand. [Design.Games] turns it at a look,
// of both samples together, into the games of the next one (A. L. Gould, W. J. Shih, Sample Size
// Re-estimation Without Unblinding for Normally Distributed Outcomes with Unknown Variance,
// Communications in Statistics 21, 1992). Level and power are then as planned.
//
// A comparison plays Games(1, guess) games of each, asks Judge(1, ...), plays on to Games(2,
// RelativeSD(...)) and so on until there is a verdict. Any look may be the last: none hangs on
// earlier ones. Confidence sequences allow any number of looks, but take 0.74 of the fixed size on
// average, and cannot end a comparison of equals early.
type Design struct {
	Plan
	// Boundaries has one for each look.
	Boundaries []Boundary

	drift float64 // of the statistic at the end, for the planned difference
}

// Boundary has the bounds for the absolute value of the normal statistic at a look.
type Boundary struct {
	Fraction float64 // games of the look, as a share of the last look's games
	Efficacy float64 // from here on the means differ
	Futility float64 // below there is no difference of interest; 0 for none yet
}

// Confidence returns the confidence of the ordinary interval that is the look's repeated interval.
// Such intervals at every look all cover the truth together with a probability of 1 - level. One
// excludes 0 exactly when the means are called different (C. Jennison, B. W. Turnbull, Interim
// Analyses: The Repeated Confidence Interval Approach, JRSS B 51, 1989). So they are valid whenever
// and for whatever reason a comparison stops. Their estimates are too far from equality where a
// difference stopped it early, and too near to it where its absence did.
func (b Boundary) Confidence() float64 {
	return 1 - 2*portable.NormalTail(b.Efficacy)
}

// The shapes of the spending functions, chosen for few games at 20 looks, level 5% and power 95%:
// in units of the fixed size, 0.58 on average for a difference of the planned size, 0.73 for none,
// 0.81 at worst (half the planned size), and 1.28 at most where the spread is known. Boundaries
// like O'Brien's and Fleming's for both (-4) take 0.63, 0.76, 0.83 and 1.10.
const (
	efficacyShape = -1
	futilityShape = -1
)

// designs has the design of each plan that was asked for: one takes up to a tenth of a second.
var designs sync.Map

// Design computes the boundaries. The plan must be valid. Nobody may change what it returns.
func (p Plan) Design() *Design {
	if known, ok := designs.Load(p); ok {
		return known.(*Design)
	}
	fractions, spent := evenly(p.Looks, p.Level, efficacyShape)
	_, missed := evenly(p.Looks, 1-p.Power, futilityShape)
	d := newDesign(p, fractions, spent, missed)
	designs.Store(p, d)
	return d
}

// newDesign returns the design of a plan for the fractions of the looks, the probability spent at
// each on calling equal means different, and that on missing the planned difference.
func newDesign(p Plan, fractions, spent, missed []float64) *Design {
	d := &Design{Plan: p}
	efficacy := bounds(fractions, spent, 2)
	// The longer the longest comparison, the larger the drift, and the fewer
	// differences are missed.
	fixed := fixedDrift(p.Level, p.Power)
	d.drift = root(fixed/2, 4*fixed, func(drift float64) float64 {
		_, missing := futilities(fractions, efficacy, missed, drift)
		return missing - (1 - p.Power)
	})
	futility, _ := futilities(fractions, efficacy, missed, d.drift)
	for k, t := range fractions {
		d.Boundaries = append(d.Boundaries, Boundary{Fraction: t, Efficacy: efficacy[k], Futility: futility[k]})
	}
	return d
}

// futilities returns the boundaries below which the drift is missed with the given probabilities,
// the last being the efficacy boundary, and the probability that it is missed at all.
func futilities(fractions, efficacy, missed []float64, drift float64) (futility []float64, missing float64) {
	w := newWalk()
	for k, t := range fractions {
		remaining := w.remaining(drift)
		within := func(f float64) float64 {
			return remaining - w.above(f, t, drift) - w.above(f, t, -drift)
		}
		f := efficacy[k]
		if k+1 < len(fractions) {
			f = root(0, f, func(f float64) float64 { return missed[k] - within(f) })
		}
		futility = append(futility, f)
		missing += within(f)
		if k+1 < len(fractions) {
			w = w.advance(t, fractions[k+1], drift, region{-efficacy[k], -f}, region{f, efficacy[k]})
		}
	}
	return futility, missing
}

// fixedDrift returns how many standard errors a difference must be away from 0
// for a two-sided test of fixed size to find it.
func fixedDrift(level, power float64) float64 {
	return -portable.NormalQuantile(level/2) - portable.NormalQuantile(1-power)
}

// maxGames bounds what a plan asks for, far above what anybody can play.
const maxGames = 1 << 50

// effect returns a relative difference in standard errors of one game of each of two samples, whose
// standard deviations are the same multiple of their means. For means m(1+d) and m the difference
// d*m has the variance s^2 m^2 (1 + (1+d)^2) over the games of each. 1+d and its inverse are
// equally far from 0.
func effect(difference, relativeSD float64) float64 {
	ratio := 1 + difference
	return difference / (relativeSD * math.Sqrt(1+float64(ratio*ratio)))
}

// games returns how many games of each sample bring a relative difference drift
// standard errors away from 0.
func games(difference, relativeSD, drift float64) int {
	ratio := drift / effect(difference, relativeSD)
	n := math.Ceil(float64(ratio * ratio))
	if !(n < maxGames) {
		return maxGames
	}
	return max(int(n), 2)
}

// RelativeSD returns the standard deviation of the scores in units of their mean, as the root of
// the mean square over the samples: how their means differ does not matter. It is 0 when no sample
// has two numbers, and +Inf when a mean is not positive.
func RelativeSD(samples ...Moments) float64 {
	squares, n := 0.0, 0
	for _, m := range samples {
		if m.N < 2 {
			continue
		}
		if !(m.Mean > 0) {
			return math.Inf(1)
		}
		relative := m.SD() / m.Mean
		squares += float64(relative * relative)
		n++
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(squares / float64(n))
}

// Games returns how many games of each sample a look, counted from 1, is taken at. relativeSD is a
// guess for the first look, then the measured one.
func (d *Design) Games(look int, relativeSD float64) int {
	return games(d.Difference, relativeSD, d.drift*math.Sqrt(d.Boundaries[look-1].Fraction))
}

// Verdicts on a mean against another one.
const (
	Better       = "better"
	Worse        = "worse"
	NoDifference = "no difference found" // of the size that was planned, if one was
	Undecided    = "undecided"           // not enough is known yet
)

// Judge returns the verdict on the first of two independent samples at a look, counted from 1. z is
// the normal statistic of their difference, such as [MeanZ]. n is the size of the smaller sample.
func (d *Design) Judge(look int, z float64, n int) string {
	b := d.Boundaries[look-1]
	switch {
	case z >= b.Efficacy:
		return Better
	case -z >= b.Efficacy:
		return Worse
	case look == len(d.Boundaries) || math.Abs(z) < b.Futility && n > 1:
		return NoDifference
	}
	return Undecided
}

// minP bounds p-values from below: less is beyond the accuracy of the
// integration, and of the normal approximation by far.
const minP = 1e-12

// PValue returns the two-sided repeated p-value of a look, counted from 1, at which the statistic
// is z: the smallest level at which the design's test would have called the means different there.
// It is valid whenever and for whatever reason a comparison stops: equal means give at most x at
// any of the looks with a probability of at most x. It is at most the plan's level exactly when the
// verdict is a difference, and at least 1e-12. (C. Jennison, B. W. Turnbull, JRSS B 51, 1989; as
// the sequential p-value: Q. Liu, K. M. Anderson, On Adaptive Extensions of Group Sequential Trials
// for Clinical Investigations, JASA 103, 2008.)
func (d *Design) PValue(look int, z float64) float64 {
	z = math.Abs(z)
	fractions, shares := evenly(len(d.Boundaries), 1, efficacyShape)
	// At a larger level the boundary is nearer to 0.
	outside := func(logLevel float64) float64 {
		spent := make([]float64, look)
		for k := range spent {
			spent[k] = portable.Exp(logLevel) * shares[k]
		}
		return bounds(fractions[:look], spent, 2)[look-1] - z
	}
	return portable.Exp(root(portable.Log(minP), 0, outside))
}

// AskShare returns the share of the level that the n-th question about the same samples may use,
// from 1, where nobody knows how many will be asked: 4/5, 1/10, 1/30, 1/60, 1/100 ... They never
// sum to more than 1. So equals are called different with a probability of at most the level,
// however many questions are asked (Bonferroni). A single one costs 5% more games than the whole
// level would. Questions about samples that are doubled seven times are wrong in at most 5% of all
// cases, instead of 23%.
func AskShare(ask int) float64 {
	if ask <= 1 {
		return 0.8
	}
	return 0.2 / (float64(ask) * float64(ask-1))
}
