package experiments

import (
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// Unchanged is the ratio of equal figures.
var Unchanged = stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}}

// compare estimates the difference of two candidates' fitness at a search. The verdict is left to
// judgeTogether or judgeWithin. Both played the same seeds, so their games are pairs: the luck that
// a seed brings to both does not count.
func compare(objective fitness.Objective, a, b *Standing, confidence float64) Comparison {
	c := Comparison{
		Phase: a.Phase, Search: a.Search, Candidate: a.Candidate, Baseline: b.Candidate, Objective: objective.String(),
		Games: a.Fitness.N, BaselineGames: b.Fitness.N, Confidence: confidence, P: 1, Adjusted: 1,
		Level: 1 - confidence, Verdict: NoDifference,
		Ratio: Unchanged,
	}
	if a.Candidate == b.Candidate {
		return c
	}
	c.Difference, c.Ratio, c.P = objective.Compare(a.Sample, b.Sample, stats.PairsOf(a.Figures, b.Figures), confidence)
	c.Adjusted = c.P
	return c
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

// judgeTogether corrects comparisons that are made together, by Holm's method, and judges them at a
// level.
func judgeTogether(comparisons []Comparison, level float64) {
	p := make([]float64, len(comparisons))
	for i, c := range comparisons {
		p[i] = c.P
	}
	for i, adjusted := range stats.Holm(p) {
		comparisons[i].Adjusted = adjusted
		comparisons[i].judge(level)
	}
}
