package experiments

import (
	"math"

	"tune2048/engine/portable"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// Unchanged is the ratio of equal figures.
var Unchanged = stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}}

// compare estimates the difference of two candidates' fitness at a search. The verdict is left to
// JudgeTogether or judgeWithin. Both played the same seeds, so their games are pairs: the luck that
// a seed brings to both does not count.
func compare(objective fitness.Objective, a, b *Standing, confidence float64) Comparison {
	c := Comparison{
		Phase: a.Phase, Search: a.Search, Candidate: a.Candidate, Baseline: b.Candidate, Objective: objective.String(),
		Games: a.Fitness.N, BaselineGames: b.Fitness.N, Confidence: confidence, P: 1, Adjusted: 1, Level: 1 - confidence, Verdict: NoDifference,
		Ratio: Unchanged,
	}
	pairs := stats.PairsOf(a.Figures, b.Figures)
	switch {
	case a.Candidate == b.Candidate:
		return c
	case a.GamesHash == b.GamesHash, pairs.N > 0 && pairs.Differ == 0:
		// None of n games differs, so with 95% less than 3/n of all do (the rule of three:
		// J. A. Hanley, A. Lippman-Hand, JAMA 249, 1983). The bound of the
		// effect: each game that differs scores 0, or twice the mean.
		bound := min(1, -portable.Log(1-confidence)/float64(a.Fitness.N))
		c.Difference.Interval = stats.Interval{Low: -bound * math.Abs(b.Fitness.Mean), High: bound * math.Abs(b.Fitness.Mean)}
		c.Ratio.Interval = stats.Interval{Low: 1 - bound, High: 1 + bound}
		return c
	}
	c.Difference, c.Ratio, c.P = objective.Compare(a.Sample, b.Sample, pairs, confidence)
	c.Adjusted = c.P
	return c
}

// Against compares two candidates of different runs by their games at one search, as two of one
// run are compared. sameSeeds: both played the same seeds.
func Against(objective fitness.Objective, a, b *Standing, sameSeeds bool) Comparison {
	other := *b
	other.Candidate = -1 // numbers of two runs have nothing to do with each other
	if !sameSeeds {
		other.Figures = nil
	}
	return compare(objective, a, &other, Confidence)
}

// judge gives the verdict at a level, by the adjusted p-value.
func (c *Comparison) judge(level float64) {
	switch {
	case c.Candidate == c.Baseline || c.Adjusted > level:
		c.Verdict = NoDifference
	case c.Difference.Value > 0:
		c.Verdict = Better
	default:
		c.Verdict = Worse
	}
}

// JudgeTogether corrects comparisons that are made together, by Holm's method, and judges them at a
// level.
func JudgeTogether(comparisons []Comparison, level float64) {
	p := make([]float64, len(comparisons))
	for i, c := range comparisons {
		p[i] = c.P
	}
	for i, adjusted := range stats.Holm(p) {
		comparisons[i].Adjusted = adjusted
		comparisons[i].judge(level)
	}
}
