package report

import (
	"math"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// TestZeroHasNoMinus: what rounds to zero from below is written as zero, in every figure.
func TestZeroHasNoMinus(t *testing.T) {
	little := stats.Estimate{Value: -0.4, Interval: stats.Interval{Low: -24.2, High: -0.3}}
	ratio := stats.Estimate{Value: 0.9999, Interval: stats.Interval{Low: 0.76, High: 0.9996}}
	points, share := UnitOf(fitness.MeanScore), UnitOf(objective("{reach: 2048}"))
	_, ablated := ablationText(experiments.Comparison{Games: 10, Ratio: ratio, Verdict: experiments.Matters})
	for got, want := range map[string]string{
		Span(little.Interval, 0):            "[-24, 0]",
		Span(stats.Interval{Low: -0.04}, 1): "[0.0, 0.0]",
		points.Difference(little):           "+0 [-24, 0]",
		points.Figure(math.Copysign(0, -1)): "0",
		share.Difference(stats.Estimate{Value: -0.0001, Interval: stats.Interval{Low: -0.01, High: -0.0004}}): "+0.0 [-1.0, 0.0] percentage points",
		Change(ratio, 1): "+0.0% [-24.0, 0.0]",
		Change(stats.Estimate{Value: 0.9999, Interval: stats.Unbounded()}, 1): "+0.0%",
		ablated:         "matters: +0% [-24, 0]",
		signed(-0.6, 0): "-1",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
