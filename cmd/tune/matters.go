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

// printEdges says which weights ended at the edge of their range.
func printEdges(w io.Writer, edges []experiments.Edge) {
	for _, e := range edges {
		fmt.Fprintln(w, report.EdgeText(e))
	}
}
