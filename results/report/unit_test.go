package report

import (
	"math"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/tuner/fitness"
)

// TestZeroHasNoMinus: a figure that rounds to zero from below is written as zero. The ends of its
// interval keep their sign.
func TestZeroHasNoMinus(t *testing.T) {
	little := stats.Estimate{Value: -0.4, Interval: stats.Interval{Low: -24.2, High: -0.3}}
	ratio := stats.Estimate{Value: 0.9999, Interval: stats.Interval{Low: 0.76, High: 0.9996}}
	points, share := UnitOf(fitness.MeanScore), UnitOf(objective("{reach: 2048}"))
	_, ablated := ablationText(experiments.Comparison{Games: 10, Ratio: ratio, Verdict: experiments.Matters})
	for got, want := range map[string]string{
		Span(little.Interval, 0):            "[-24, -0.3]",
		Span(stats.Interval{Low: -0.04}, 1): "[-0.04, 0.0]",
		points.Difference(little):           "+0 [-24, -0.3]",
		points.Figure(math.Copysign(0, -1)): "0",
		share.Difference(stats.Estimate{Value: -0.0001, Interval: stats.Interval{Low: -0.01, High: -0.0004}}): "+0.0 [-1.0, -0.04] percentage points",
		Change(ratio, 1): "+0.0% [-24.0, -0.04]",
		Change(stats.Estimate{Value: 0.9999, Interval: stats.Unbounded()}, 1): "+0.0%",
		ablated:         "matters: +0% [-24, -0.04]",
		signed(-0.6, 0): "-1",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestBoundsKeepTheirSign: an interval that nearly reaches no difference says on which side it
// ends.
func TestBoundsKeepTheirSign(t *testing.T) {
	b := builder{unit: UnitOf(fitness.MeanScore)}
	ratio := stats.Estimate{Value: 1.031, Interval: stats.Interval{Low: 1.00003, High: 1.063}}
	g := newGainRow(experiments.Comparison{Ratio: ratio, Confidence: 0.95}, "a", "b", "")
	r := g.reversed()
	for got, want := range map[string]string{
		b.between(g):     "the difference is between +0.003% and +6.3%",
		b.between(r):     "the difference is between -5.9% and -0.003%",
		b.changed(g):     "+3.1% [0.003, 6.3]",
		b.by(g):          "by 3.1% [0.003, 6.3]",
		b.sure(g):        "95% interval 0.003% to 6.3%",
		ratioText(ratio): "1.031 [1.00003, 1.063]",
		Change(ratio, 1): "+3.1% [0.003, 6.3]",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestFiguresThatAreNotKnown: a change from 0 has no figure, and a move between the ends of a range
// whose logarithms are equal is a whole one.
func TestFiguresThatAreNotKnown(t *testing.T) {
	fromZero := stats.Estimate{Value: math.Inf(1), Interval: stats.Unbounded()}
	if _, text := ablationText(experiments.Comparison{Games: 2, Ratio: fromZero}); text != "undecided: from 0" {
		t.Errorf("got %s", text)
	}
	if f := (ablated{Games: 2, Verdict: "undecided", Change: relative(fromZero), ratio: fromZero}); f.Change != nil || f.effect() != "undecided: from 0" {
		t.Errorf("got %+v, %s", f.Change, f.effect())
	}
	least, champion := math.Nextafter(2, 1), 2.0
	var row weightSummary
	if row.tuned(weightRow{Min: least, Max: champion, Start: least, Scale: "log", Champion: &champion}); row.Moved != 1 {
		t.Errorf("moved by %v", row.Moved)
	}
}
