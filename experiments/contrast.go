package experiments

import (
	"tune2048/configs"
	"tune2048/experiments/stats"
)

// contrast compares the scores of two candidates at a search. They played the same seeds, but that ties their scores so
// little that the samples are treated as independent. A candidate does not differ from itself.
func contrast(a, b Evaluation, confidence float64) Contrast {
	c := Contrast{
		Phase: a.Phase, Search: a.Search, Candidate: a.Candidate, Baseline: b.Candidate, Objective: configs.MeanScore,
		Games: a.Score.N, BaselineGames: b.Score.N, Confidence: confidence, P: 1, Adjusted: 1, Level: 0.05, Verdict: NoDifference,
		Ratio: stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}},
	}
	if a.Candidate == b.Candidate {
		return c
	}
	c.Difference, c.Ratio = stats.MeanDifference(a.Score, b.Score, confidence), stats.MeanRatio(a.Score, b.Score, confidence)
	c.P = stats.WelchP(a.Score, b.Score)
	c.Adjusted = c.P // each holds by itself
	switch i := c.Difference.Interval; {
	case i.Low > 0:
		c.Verdict = Better
	case i.High < 0:
		c.Verdict = Worse
	}
	return c
}
