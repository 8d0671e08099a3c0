package experiments

import (
	"math"
	"testing"

	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// TestSameGamesAreNoCertainty: of n games that are all alike less than 3/n of all differ (the rule
// of three), so a mean of 30,000 differs by less than 900 after 100 games, and a candidate does not
// differ from itself.
func TestSameGamesAreNoCertainty(t *testing.T) {
	a := Standing{Place: Place{Candidate: 1}, Sample: fitness.Sample{Fitness: stats.Moments{N: 100, Mean: 30000, M2: 1e9}}, Figures: make([]float64, 100)}
	b := a
	b.Candidate = 2
	c := compare(fitness.MeanScore, &a, &b, 0.95)
	near := func(x, want float64) bool { return math.Abs(x-want) < 0.002*math.Abs(want) }
	if d, r := c.Difference.Interval, c.Ratio.Interval; !near(d.Low, -900) || !near(d.High, 900) || !near(r.Low, 0.97) || !near(r.High, 1.03) {
		t.Errorf("100 games alike: %+v, %+v", c.Difference, c.Ratio)
	}
	if c.Verdict != NoDifference || c.P != 1 || !near(c.Level, 0.05) {
		t.Errorf("%s with p %v at a level of %v", c.Verdict, c.P, c.Level)
	}
	if c := compare(fitness.MeanScore, &a, &a, 0.95); c.Difference != (stats.Estimate{}) || c.Ratio.Interval != (stats.Interval{Low: 1, High: 1}) || c.Verdict != NoDifference {
		t.Errorf("a candidate against itself: %+v", c)
	}
	// Candidates of two runs are two, whatever their numbers are.
	next := a
	if c := Against(fitness.MeanScore, &a, &next, false); c.Ratio != stats.MeanRatio(a.Fitness, next.Fitness, stats.Pairs{}, 0.95) || c.Baseline == c.Candidate {
		t.Errorf("a candidate against one of another run: %+v", c)
	}
	few := a
	few.Fitness.N, few.Figures = 2, few.Figures[:2]
	other := few
	other.Candidate = 2
	if r := compare(fitness.MeanScore, &few, &other, 0.95).Ratio.Interval; r.Low != 0 || r.High != 2 {
		t.Errorf("2 games alike: ratio in %v", r)
	}
}
