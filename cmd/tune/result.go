package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"tune2048/configs"
	"tune2048/experiments"
)

// printResult prints what a run found, and what to do next.
func (in *invocation) printResult(c *configs.Config, r runFlags, result experiments.Result) error {
	w := in.stdout
	fmt.Fprintf(w, "run %s: champion is candidate %d (%s), best of %s", result.Run.Name, result.Champion.Number, result.Champion.Origin, plural(result.Finalists, "finalist"))
	fmt.Fprintf(w, "; %s, %d of them read back\n\n", plural(int(result.Games), "game"), result.ReadBack)
	weights := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(weights, "weight\tstart\tchampion\t")
	start := map[string]float64{}
	for _, n := range c.Family.Weights() {
		start[n.Name] = n.Value
	}
	for _, weight := range result.Champion.Weights {
		fmt.Fprintf(weights, "%s\t%g\t%g\t\n", weight.Name, start[weight.Name], weight.Value)
	}
	weights.Flush()

	fmt.Fprintf(w, "\nheld-out games, mean score with 95%% interval:\n")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "search\tplayer\tgames\tmean score\t95% interval\t2048 reached")
	for _, v := range result.Validated {
		row := func(name string, e experiments.Evaluation) {
			fmt.Fprintf(table, "%s\t%s\t%d\t%.0f\t%s\t%s\n", v.Search, name, e.Score.N, e.Score.Mean, interval(e.Interval), share(e, 2048))
		}
		row("champion", v.Champion)
		row("start weights", v.Start)
		for _, reference := range v.References {
			row(reference.Name, reference.Evaluation)
		}
	}
	table.Flush()
	fmt.Fprintln(w)
	for _, v := range result.Validated {
		fmt.Fprintf(w, "%s: gain %+.0f %s, ratio %.3f %s: %s\n", v.Search, v.Gain.Difference.Value, interval(v.Gain.Difference.Interval),
			v.Gain.Ratio.Value, ratioInterval(v.Gain.Ratio.Interval), v.Verdict())
	}
	fmt.Fprintf(w, "in-sample, the playoff that chose it: %.0f on %d games (best of %d, so too good on average)%s\n",
		result.InSample.Mean, result.InSample.N, result.Finalists, gap(c, result))
	printEffects(w, c, result.Effects)
	fmt.Fprint(w, "\nnext:\n")
	db := ""
	if r.database != defaultDatabase {
		db = " -db " + quote(r.database)
	}
	fmt.Fprintf(w, "  %s export%s %s > %s.json\n", program, db, result.Run.Name, result.Run.Name)
	fmt.Fprintf(w, "  %s play -config %s -weights %s.json | tail -12\n", program, quote(r.config), result.Run.Name)
	_, err := fmt.Fprintf(w, "  sqlite3 %s \"select * from leaderboard limit 5\"\n", quote(r.database))
	return err
}

// gap compares the in-sample figure with the held-out one at the same search, if there is one.
func gap(c *configs.Config, result experiments.Result) string {
	for _, v := range result.Validated {
		if v.Search == c.Playoff.Search.String() && v.Champion.Score.Mean > 0 {
			return fmt.Sprintf(", %+.1f%% from held-out", 100*(result.InSample.Mean/v.Champion.Score.Mean-1))
		}
	}
	return ""
}

// printEffects says which weights matter, and which ended at the edge of their range.
func printEffects(w io.Writer, c *configs.Config, effects []experiments.Effect) {
	if p := c.Sensitivity; p.Games > 0 {
		fmt.Fprintf(w, "\nsensitivity: one weight of the champion moved by %g%% of its range, %d games at %s, change of the mean score:\n",
			100*p.Step, p.Games, p.Search)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "weight\tdown to\tchange\tup to\tchange\tverdict")
		for _, e := range effects {
			verdict := e.Verdict()
			switch verdict {
			case experiments.NoEffect:
				verdict += ": the games are the same"
			case experiments.NotSeen:
				verdict += fmt.Sprintf(": at most %.0f%%", math.Ceil(100*e.Largest()))
			}
			down, lower := shiftText(e.Down)
			up, higher := shiftText(e.Up)
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", e.Weight, down, lower, up, higher, verdict)
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

// shiftText writes the value that a weight was moved to, and what came of it.
func shiftText(s experiments.Shift) (value, change string) {
	switch {
	case !s.Played:
		return "-", "-"
	case s.Same:
		return fmt.Sprintf("%.4g", s.Value), "0"
	}
	i := s.Contrast.Ratio.Interval
	text := fmt.Sprintf("%+.1f%%", 100*(s.Contrast.Ratio.Value-1))
	if i.Bounded() {
		text += fmt.Sprintf(" [%+.1f, %+.1f]", 100*(i.Low-1), 100*(i.High-1))
	}
	return fmt.Sprintf("%.4g", s.Value), text
}

// share writes how many of the games reached a tile.
func share(e experiments.Evaluation, tile int) string {
	for i, t := range experiments.Tiles {
		if t == tile && e.Score.N > 0 {
			return fmt.Sprintf("%.1f%%", 100*float64(e.Reached[i])/float64(e.Score.N))
		}
	}
	return ""
}
