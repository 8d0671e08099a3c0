package main

import (
	"fmt"
	"text/tabwriter"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/results/report"
)

// printResult prints what a run found, and what to do next.
func (in *invocation) printResult(c *configs.Config, r runFlags, result experiments.Result) error {
	w := in.stdout
	fmt.Fprintf(w, "run %s: champion is candidate %d (%s), best of %s", result.Run.Name, result.Champion.Number, result.Champion.Origin, plural(result.Finalists, "finalist"))
	fmt.Fprintf(w, "; %s, %d of tuning and %d after it; %d of them read back\n\n", plural(int(result.Games), "game"), result.Tuning, result.Games-result.Tuning, result.ReadBack)
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

	u := report.UnitOf(c.Objective)
	fmt.Fprintf(w, "\nheld-out games, %s with 95%% interval:\n", u.Title)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	beside := c.Objective != fitness.MeanScore // the mean score is not the objective
	fmt.Fprint(table, "search\tplayer\tgames\t")
	if beside {
		fmt.Fprintf(table, "%s\t95%% interval\t", u.Title)
	}
	fmt.Fprintln(table, "mean score\t95% interval\t2048 reached")
	for _, v := range result.Validated {
		row := func(name string, e experiments.Standing) {
			fmt.Fprintf(table, "%s\t%s\t%d\t", v.Search, name, e.Score.N)
			if beside {
				fmt.Fprintf(table, "%s\t%s\t", u.Figure(e.Fitness.Mean), u.Interval(e.FitnessInterval))
			}
			fmt.Fprintf(table, "%.0f\t%s\t%s\n", e.Score.Mean, report.Span(e.Interval, 0), share(e, 2048))
		}
		row("champion", v.Champion)
		start := "start weights"
		for _, reference := range v.References {
			if reference.Candidate == v.Start.Candidate {
				start += ", " + reference.Name
			}
		}
		row(start, v.Start)
		for _, reference := range v.References {
			if reference.Candidate != v.Start.Candidate {
				row(reference.Name, reference.Standing)
			}
		}
	}
	table.Flush()
	fmt.Fprintln(w)
	together := len(result.Validated) > 1
	for _, v := range result.Validated {
		fmt.Fprintln(w, report.GainText(u, v.Search, "gain", *v.Gain, v.Verdict()))
		for _, reference := range v.References {
			if reference.Candidate == v.Start.Candidate {
				continue
			}
			together = true
			fmt.Fprintln(w, report.GainText(u, v.Search, "over "+reference.Name, *reference.Gain, report.ReferenceVerdict(reference.Gain)))
		}
	}
	if together {
		fmt.Fprintln(w, report.JudgedTogether)
	}
	if r.variants != "" {
		fmt.Fprintln(w, r.variants)
	}
	var flattered *float64
	for _, v := range result.Validated {
		if v.Search == c.Playoff.Search.String() {
			flattered = report.Flattered(u, result.InSample.Fitness.Mean, v.Champion.Fitness.Mean)
		}
	}
	fmt.Fprintln(w, report.PlayoffText(u, result.InSample.Fitness.Mean, result.InSample.Fitness.N, result.Finalists, flattered))
	printAblation(w, c, result.Ablation)
	printEdges(w, result.Edges)
	if result.Trend != nil {
		fmt.Fprintln(w)
		fmt.Fprintln(w, report.TrendText(*result.Trend))
	}
	fmt.Fprint(w, "\nnext:\n")
	db := r.databaseFlag()
	length := ""
	if r.generations != "" {
		length = " -generations " + r.generations
	}
	fmt.Fprintf(w, "  %s report%s %s\n", program, db, result.Run.Name)
	fmt.Fprintf(w, "  %s -config %s%s%s -more 20\n", program, quote(r.config), db, length)
	fmt.Fprintf(w, "  %s export%s %s > %s.json\n", program, db, result.Run.Name, result.Run.Name)
	fmt.Fprintf(w, "  %s play -config %s -weights %s.json | tail -12\n", program, quote(r.config), result.Run.Name)
	_, err := fmt.Fprintf(w, "  sqlite3 %s \"select * from leaderboard limit 5\"\n", quote(r.database))
	return err
}

// share writes how many of the games reached a tile.
func share(e experiments.Standing, tile int) string {
	for i, t := range experiments.Tiles {
		if t == tile && e.Score.N > 0 {
			return fmt.Sprintf("%.1f%%", 100*float64(e.Reached[i])/float64(e.Score.N))
		}
	}
	return ""
}
