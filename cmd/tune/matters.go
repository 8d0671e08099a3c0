package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// What matters of a champion, in words.

// printAblation says which features matter.
func printAblation(w io.Writer, c *configs.Config, features []experiments.LeftOut) {
	if len(features) == 0 {
		return
	}
	fmt.Fprintf(w, "\nwhat matters: the champion without one feature at a time, on fresh games at %s, change of the %s:\n",
		c.Ablation.Search, unit{c.Objective}.changes())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "feature\tits weight\tgames\tverdict")
	for _, f := range features {
		fmt.Fprintf(table, "%s\t%g\t%d\t%s\n", f.Feature, f.Weight, f.Change.Games, ablationText(f))
	}
	table.Flush()
	fmt.Fprintln(w, "all these intervals hold together with 95%")
}

// ablationVerdict is the verdict on a feature.
func ablationVerdict(f experiments.LeftOut) string {
	switch f.Change.Verdict {
	case experiments.Matters:
		return "matters"
	case experiments.BetterWithout:
		return "better without it"
	case experiments.CanBeLeftOut:
		return "can be left out"
	default:
		return "undecided"
	}
}

// ablationText is the verdict with its figures: "matters: -31% [-34, -28]".
func ablationText(f experiments.LeftOut) string {
	r := f.Change.Ratio
	text := ablationVerdict(f)
	figures := fmt.Sprintf("%+.0f%% %s", 100*(r.Value-1), span(bounded(stats.Interval{Low: 100 * (r.Interval.Low - 1), High: 100 * (r.Interval.High - 1)}), 0))
	switch {
	case f.Change.Games == 0:
		return text + ": its weight is 0"
	case f.Change.Verdict == experiments.CanBeLeftOut:
		return text + ": within " + upTo(1-r.Interval.Low)
	case f.Change.Verdict == experiments.Undecided && f.Change.More > 0:
		return fmt.Sprintf("%s: about %s more games would tell, %s", text, roughly(f.Change.More), figures)
	default:
		return text + ": " + figures
	}
}

// upTo writes a share as a percentage, rounded up.
func upTo(share float64) string {
	if share = 100 * math.Max(0, share); share < 1 {
		return fmt.Sprintf("%.1f%%", math.Ceil(10*share)/10)
	}
	return fmt.Sprintf("%.0f%%", math.Ceil(share))
}

// roughly writes a count with two digits that count.
func roughly(n int) string {
	unit := 1
	for n >= 100*unit {
		unit *= 10
	}
	return grouped(int64((n + unit - 1) / unit * unit))
}

// trendText says whether more tuning would help.
func trendText(t experiments.Trend) string {
	half := fmt.Sprintf("in the second half of stage %s, from generation %d to %d", t.Stage, t.Generation+1, t.Generations)
	// The other way round: from the earlier centre to the last.
	r, i := t.Change.Ratio.Value, t.Change.Ratio.Interval
	grown := stats.Estimate{Value: 1 / r, Interval: stats.Interval{Low: 1 / i.High, High: 1 / i.Low}}
	if i.Low <= 0 {
		grown.Interval = stats.Unbounded()
	}
	switch t.Change.Verdict {
	case experiments.StillRising:
		return fmt.Sprintf("more tuning is likely to help: %s the population's centre still rose by %s", half, change(grown))
	case experiments.Flat:
		return fmt.Sprintf("more tuning would hardly help: %s the population's centre rose by less than %s", half, upTo(grown.Interval.High-1))
	case experiments.Falling:
		return fmt.Sprintf("more tuning would not help: %s the population's centre fell, %s", half, change(grown))
	}
	text := fmt.Sprintf("whether more tuning would help is not known: %s the population's centre changed by %s", half, change(grown))
	if t.Change.More > 0 {
		text += fmt.Sprintf("; about %s more games of each would tell", roughly(t.Change.More))
	}
	return text
}

// printEffects says what became of the champion when a weight was moved, and which weights ended at the edge of their range.
func printEffects(w io.Writer, c *configs.Config, effects []experiments.Effect) {
	if p := c.Sensitivity; p.Games > 0 {
		fmt.Fprintf(w, "\nsensitivity: one weight of the champion moved by %g%% of its range, %d games at %s, change of the %s:\n",
			100*p.Step, p.Games, p.Search, unit{c.Objective}.changes())
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "weight\tdown to\tchange\tup to\tchange\teffect")
		for _, e := range effects {
			down, lower := shiftText(e.Down)
			up, higher := shiftText(e.Up)
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", e.Weight, down, lower, up, higher, effectText(e))
		}
		table.Flush()
		fmt.Fprintln(w, "all these intervals hold together with 95%")
	}
	for _, e := range effects {
		if edge := e.AtEdge(); edge != "" {
			fmt.Fprintf(w, "%s = %g is within 2%% of its %s: widen its range and run again\n", e.Weight, e.Value, edge)
		}
	}
}

// effectText says whether an effect was seen; "" if nothing was played.
func effectText(e experiments.Effect) string {
	switch {
	case !e.Down.Played && !e.Up.Played:
		return ""
	case e.Moves():
		return "seen"
	}
	return "none seen: at most " + upTo(e.Largest())
}

// shiftText writes the value that a weight was moved to, and what came of it.
func shiftText(s experiments.Shift) (value, text string) {
	switch {
	case !s.Played:
		return "-", "-"
	case s.Same:
		return fmt.Sprintf("%.4g", s.Value), "the games are the same"
	}
	return fmt.Sprintf("%.4g", s.Value), change(s.Contrast.Ratio)
}
