package experiments

import (
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// Unchanged is the ratio of equal figures.
var Unchanged = stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}}

// compare estimates the difference of two candidates' fitness at a search. The verdict is left to
// correct or judgeWithin. Both played the same seeds, so their games are pairs: the luck that
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
	if !c.Difference.Interval.Bounded() { // too few games, or equal scores
		c.Verdict = Undecided
	}
	return c
}

// correct corrects comparisons that are made together, by Holm's method, and gives the verdicts of
// those that differ. share is the share of the level that they may use.
//
// Each pair of a contest was tested at its part of the level already, so its verdict stands. Where
// other pairs are clear, a pair may be judged at a larger part.
func correct(comparisons []Comparison, share float64) {
	p := make([]float64, len(comparisons))
	for i, c := range comparisons {
		p[i] = min(1, c.P/share)
	}
	for i, adjusted := range stats.Holm(p) {
		c := &comparisons[i]
		c.Adjusted = adjusted
		switch {
		case adjusted > c.Level:
		case c.Difference.Value > 0:
			c.Verdict = Better
		default:
			c.Verdict = Worse
		}
	}
}
