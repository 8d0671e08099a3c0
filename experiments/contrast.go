package experiments

import (
	"math"

	"tune2048/configs"
	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// side is one of two candidates that are compared: all its games at a phase and search.
type side struct {
	Place
	fitness stats.Moments
	scores  []float64 // in ascending order, of a quantile
	games   string    // a hash: equal ones are the same games
}

func (e Evaluation) side() side { return side{e.Place, e.Fitness, e.Scores, e.GamesHash} }

// estimate is the fitness with its interval.
func (s side) estimate(objective configs.Objective, confidence float64) stats.Estimate {
	return stats.Estimate{Value: s.fitness.Mean, Interval: fitnessInterval(objective, s.fitness, s.scores, confidence)}
}

// contrast compares the fitness of two candidates at a search. They played the same seeds, but that ties their scores so
// little that the samples are treated as independent, unless all games were the very same. A candidate does not differ
// from itself. The verdict is that of the comparison by itself.
func contrast(objective configs.Objective, a, b side, confidence float64) Contrast {
	c := Contrast{
		Phase: a.Phase, Search: a.Search, Candidate: a.Candidate, Baseline: b.Candidate, Objective: objective.String(),
		Games: a.fitness.N, BaselineGames: b.fitness.N, Confidence: confidence, P: 1, Adjusted: 1, Level: 1 - confidence, Verdict: NoDifference,
		Ratio: stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}},
	}
	switch {
	case a.Candidate == b.Candidate:
		return c
	case a.games == b.games:
		// None of n games differs, so with 95% less than 3/n of all do (the rule of three: J. A. Hanley, A. Lippman-Hand, JAMA 249,
		// 1983). What these would come to is not known; each is taken to lose, or to double, its worth.
		bound := min(1, -portable.Log(1-confidence)/float64(a.fitness.N))
		c.Difference.Interval = stats.Interval{Low: -bound * math.Abs(b.fitness.Mean), High: bound * math.Abs(b.fitness.Mean)}
		c.Ratio.Interval = stats.Interval{Low: 1 - bound, High: 1 + bound}
		return c
	}
	c.Difference = difference(objective, a, b, confidence)
	switch objective.Kind {
	case configs.MeanScore:
		c.Ratio = stats.MeanRatio(a.fitness, b.fitness, confidence)
	case configs.MeanLogScore:
		i := c.Difference.Interval
		c.Ratio = stats.Estimate{Value: portable.Exp(c.Difference.Value), Interval: stats.Interval{Low: portable.Exp(i.Low), High: portable.Exp(i.High)}}
	default:
		c.Ratio = stats.Ratio(a.estimate(objective, confidence), b.estimate(objective, confidence))
	}
	c.P = pValue(objective, a, b)
	c.Adjusted = c.P
	c.judge(1 - confidence)
	return c
}

// Against compares two candidates of different runs by their games at one search, as two of one
// run are compared.
func Against(objective configs.Objective, a, b Evaluation) Contrast {
	other := b.side()
	other.Candidate = -1 // numbers of two runs have nothing to do with each other
	return contrast(objective, a.side(), other, confidence)
}

// difference estimates how much fitter a is than b: by Welch's t for means, from their own intervals otherwise.
func difference(objective configs.Objective, a, b side, confidence float64) stats.Estimate {
	if objective.IsMean() {
		return stats.MeanDifference(a.fitness, b.fitness, confidence)
	}
	return stats.Difference(a.estimate(objective, confidence), b.estimate(objective, confidence))
}

// pValue returns the two-sided p-value of the two being alike: the level at which the interval of their difference ends at 0.
func pValue(objective configs.Objective, a, b side) float64 {
	if objective.IsMean() {
		return stats.WelchP(a.fitness, b.fitness)
	}
	low, high := 0.0, 1.0 // the interval holds 0 at a level of low, and does not at one of high
	for range 50 {
		middle := (low + high) / 2
		if difference(objective, a, b, 1-middle).Interval.Contains(0) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// judge gives the verdict at a level, by the adjusted p-value.
func (c *Contrast) judge(level float64) {
	switch {
	case c.Candidate == c.Baseline || c.Adjusted > level:
		c.Verdict = NoDifference
	case c.Difference.Value > 0:
		c.Verdict = Better
	default:
		c.Verdict = Worse
	}
}

// judgeTogether corrects comparisons for being made together, by Holm's method, and gives their verdicts at a level.
func judgeTogether(contrasts []*Contrast, level float64) {
	p := make([]float64, len(contrasts))
	for i, c := range contrasts {
		p[i] = c.P
	}
	for i, adjusted := range stats.Holm(p) {
		contrasts[i].Adjusted = adjusted
		contrasts[i].judge(level)
	}
}
