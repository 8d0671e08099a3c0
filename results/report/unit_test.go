package report

import (
	"math"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// TestOnlyTheWholeIsWhole: a run is not done before its end.
func TestOnlyTheWholeIsWhole(t *testing.T) {
	for share, want := range map[float64]string{0: "0%", 0.004: "0%", 0.284: "28%", 0.996: "99%",
		math.Nextafter(1, 0): "99%", 1: "100%"} {
		if got := Percent(share); got != want {
			t.Errorf("%v: got %s, want %s", share, got, want)
		}
	}
}

// TestZeroHasNoMinus: a figure that rounds to zero from below is written as zero, unless its
// interval lies below zero. The ends of its interval keep their sign.
func TestZeroHasNoMinus(t *testing.T) {
	little := stats.Estimate{Value: -0.4, Interval: stats.Interval{Low: -24.2, High: -0.3}}
	ratio := stats.Estimate{Value: 0.9999, Interval: stats.Interval{Low: 0.76, High: 0.9996}}
	points, share := UnitOf(fitness.MeanScore), UnitOf(objective("{reach: 2048}"))
	ablated := ablationText(points, experiments.Comparison{Games: 10, Ratio: ratio, Verdict: experiments.Worse})
	for got, want := range map[string]string{
		ofDifference(points, little).String(): "-0.4 points [-24, -0.3]",
		points.Figure(math.Copysign(0, -1)):   "0",
		points.Figure(-1e38):                  "-1e+38",
		ofDifference(points, stats.Estimate{Value: 5e37,
			Interval: stats.Interval{Low: -1, High: 1.2345e38}}).String(): "+5e+37 points [-1, 1.234e+38]",
		ofDifference(share, stats.Estimate{Value: -0.0001,
			Interval: stats.Interval{Low: -0.01, High: -0.0004}}).String(): "-0.01 percentage points [-1.0, -0.04]",
		ofRatio(ratio, 1).String(): "-0.01% [-24.0, -0.04]",
		ofRatio(stats.Estimate{Value: 0.9999, Interval: stats.Unbounded()}, 1).String(): "+0.0%",
		ablated: "-0.01% [-24, -0.04]",
		ofDifference(points, stats.Estimate{Value: -0.4,
			Interval: stats.Interval{Low: -24.2, High: 3}}).String(): "+0 points [-24, 3]",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestBoundsKeepTheirSign: an interval that nearly reaches no difference says on which side it
// ends.
func TestBoundsKeepTheirSign(t *testing.T) {
	ratio := stats.Estimate{Value: 1.031, Interval: stats.Interval{Low: 1.00003, High: 1.063}}
	c := experiments.Comparison{Phase: experiments.PhaseComparison, Search: "depth 1", Candidate: 1, Games: 2,
		BaselineGames: 2, Ratio: ratio, Confidence: 0.999, Level: 0.05, Verdict: experiments.Better}
	gain := summary.Gain{Comparison: c, Player: summary.Player{Name: "a"}, Over: summary.Player{Name: "b"}}
	g := gainRow{gain, UnitOf(fitness.MeanScore)}
	h := g.headline(g.words(""))
	gain.Difference = stats.Estimate{Value: 0.02, Interval: stats.Interval{Low: 0.01, High: 0.03}}
	shares := gainRow{gain, UnitOf(objective("{reach: 2048}"))}.reversed()
	tiny := stats.Estimate{Value: 0.002, Interval: stats.Interval{Low: 0.001, High: 0.003}}
	little := summary.Player{Role: summary.Champion, Search: "bot", Fitness: tiny, Score: tiny}
	same := gainRow{Gain: summary.Gain{Comparison: experiments.Comparison{Candidate: 1, Verdict: experiments.SameGames,
		Games: 2}}}
	for got, want := range map[string]string{
		same.words(""):                     "the 2 games of both are the very same: at most 100% of all games differ",
		g.reversed().change().ends(" to "): "-5.9% to -0.003%",
		shares.change().ends(" to "):       "-3.0 to -1.0 percentage points",
		h.Text:                             "a is better than b, by 3.1% [0.003, 6.3]",
		h.Sure:                             "95% interval +0.003% to +6.3%, 2 fresh games each, depth 1",
		ofRatio(ratio, 1).String():         "+3.1% [0.003, 6.3]",
		UnitOf(fitness.MeanScore).Of(-0.0093).Figure(gain.Difference.Value): "0.02000",
		Listing(results.Run{Run: summary.Run{Objective: fitness.MeanScore},
			Headline: summary.Summary{Players: []summary.Player{little}}})[0].Text: "bot: 0.00200 [0.00100, 0.00300]",
		UnitOf(fitness.MeanScore).Of(99).Figure(98.76):  "98.8",
		UnitOf(fitness.MeanScore).Of(100).Figure(98.76): "99",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestAFigureLiesInItsInterval: whatever its size, a figure lies within its interval as both are
// written, in the table, in the headline and the other way round.
func TestAFigureLiesInItsInterval(t *testing.T) {
	ratio := stats.Estimate{Value: 1.000161, Interval: stats.Interval{Low: 1.000094, High: 1.000229}}
	c := experiments.Comparison{Phase: experiments.PhaseValidation, Search: "bot", Candidate: 1, Games: 200,
		BaselineGames: 200, Ratio: ratio,
		Confidence: 0.95, Level: 0.05, Verdict: experiments.Better}
	g := gainRow{summary.Gain{Comparison: c, Player: summary.Player{Name: "champion", Role: summary.Champion},
		Over: summary.Player{Name: summary.StartName, Role: summary.Start}}, UnitOf(fitness.MeanScore)}
	worse := g.reversed()
	worse.Player, worse.Over = g.Player, g.Over
	h, below := g.headline(g.words("")), worse.headline(worse.words(""))
	near := stats.Estimate{Value: 0.0004, Interval: stats.Interval{Low: 0.0001, High: 0.0049}}
	for got, want := range map[string]string{
		g.change().String(): "+0.02% [0.01, 0.02]",
		worse.text():        "worse: -0.02% [-0.02, -0.01]",
		h.Text:              "better than the start weights, by 0.02% [0.01, 0.02]",
		h.Lead:              "Better than the start weights by 0.02%",
		below.Text:          "worse than the start weights, by 0.02% [0.01, 0.02]",
		UnitOf(objective("{reach: 2048}")).Estimate(near): "0.04% [0.01, 0.5]",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestFiguresThatAreNotKnown: a change from a mean that is not above 0 is a difference.
func TestFiguresThatAreNotKnown(t *testing.T) {
	fromZero := stats.Estimate{Value: math.Inf(1), Interval: stats.Unbounded()}
	points, difference := UnitOf(fitness.MeanScore),
		stats.Estimate{Value: -700, Interval: stats.Interval{Low: -800, High: -600}}
	if text := ablationText(points,
		experiments.Comparison{Games: 2, Ratio: fromZero,
			Difference: difference}); text != "undecided: -700 points [-800, -600]" {
		t.Errorf("got %s", text)
	}
	fromNearZero := stats.Estimate{Value: 0.4, Interval: stats.Interval{Low: math.Copysign(0, -1), High: 0.8}}
	text := trendText(points, "", "", 10, 20, experiments.Comparison{Ratio: fromNearZero, Verdict: experiments.Undecided})
	if text != "whether more tuning would help is not known" { // its interval has no upper end
		t.Error(text)
	}
	rec := recordsOf(-1, nil) // the page has the feature first whose loss costs most points
	rec.config = parsed(t, everything)
	for name, lost := range map[string]float64{"empty": -1, "corner": -5} {
		c := experiments.Comparison{Games: 2, Ratio: fromZero, Difference: stats.Estimate{Value: lost}}
		rec.Features = append(rec.Features, summary.Feature{Name: name, Comparison: c})
	}
	if rows := rec.weights().Rows; len(rows) != 2 || rows[0].Name != "corner" {
		t.Errorf("%+v", rows)
	}
	falling := experiments.Comparison{Ratio: fromZero, Difference: negated(difference), Verdict: experiments.Better}
	if text := trendText(points, "", "", 10, 20, falling); text != "this search has stopped improving: it brought -700 "+
		"points [-800, -600] from 10 to 20 games" {
		t.Error(text)
	}
}
