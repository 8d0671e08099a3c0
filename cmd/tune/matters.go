package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/results/report"
)

// What matters of a champion, in words.

// printAblation says which features matter.
func printAblation(w io.Writer, c *configs.Config, features []experiments.LeftOut) {
	if len(features) == 0 {
		return
	}
	fmt.Fprintf(w, "\nwhat matters: the champion without one feature at a time, on fresh games at %s, change of the %s:\n",
		c.Ablation.Search, report.UnitOf(c.Objective).Changes)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "feature\tits weight\tgames\tverdict")
	for _, f := range features {
		fmt.Fprintf(table, "%s\t%g\t%d\t%s\n", f.Feature, f.Weight, f.Change.Games, report.AblationText(f))
	}
	table.Flush()
	fmt.Fprintln(w, report.HoldTogether)
}

// printEffects says what became of the champion when a weight was moved, and which weights ended at the edge of their range.
func printEffects(w io.Writer, c *configs.Config, effects []experiments.Effect) {
	if p := c.Sensitivity; p.Games > 0 {
		fmt.Fprintf(w, "\nsensitivity: one weight of the champion moved by %g%% of its range, %d games at %s, change of the %s:\n",
			100*p.Step, p.Games, p.Search, report.UnitOf(c.Objective).Changes)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "weight\tdown to\tchange\tup to\tchange\teffect")
		for _, e := range effects {
			down, lower := shiftText(e.Down)
			up, higher := shiftText(e.Up)
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", e.Weight, down, lower, up, higher, report.EffectText(e))
		}
		table.Flush()
		fmt.Fprintln(w, report.HoldTogether)
	}
	for _, e := range effects {
		if edge := e.AtEdge(); edge != "" {
			fmt.Fprintln(w, report.EdgeText(e.Weight, e.Value, edge))
		}
	}
}

// shiftText writes the value that a weight was moved to, and what came of it.
func shiftText(s experiments.Shift) (value, text string) {
	switch {
	case !s.Played:
		return "-", "-"
	case s.Same:
		return fmt.Sprintf("%.4g", s.Value), "the games are the same"
	}
	return fmt.Sprintf("%.4g", s.Value), report.Change(s.Contrast.Ratio)
}
