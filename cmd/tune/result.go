package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// printResult prints what a run found, and what to do next.
func (in *invocation) printResult(c *configs.Config, r runFlags, result experiments.Result) error {
	if r.asJSON {
		return in.printResultJSON(result)
	}
	w := in.stdout
	fmt.Fprintf(w, "run %s: champion is candidate %d (%s), best of %s", result.Run.Name, result.Champion.Number, result.Champion.Origin, plural(result.Finalists, "finalist"))
	fmt.Fprintf(w, "; %s, %d of them read back\n\n", plural(int(result.Games), "game"), result.Replayed)
	weights := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(weights, "weight\tstart\tchampion\t")
	start := map[string]float64{}
	for _, n := range c.Family.Numbers() {
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
		fmt.Fprintf(w, "%s: gain %+.0f %s, ratio %.3f %s: %s\n", v.Search, v.Gain.Difference, interval(v.Gain.Interval),
			v.Gain.Ratio, ratioInterval(v.Gain.RatioInterval), v.Verdict())
	}
	fmt.Fprintf(w, "in-sample, the playoff that chose it: %.0f on %d games (best of %d, so too good on average)\n",
		result.InSample.Mean, result.InSample.N, result.Finalists)
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

// interval writes an interval of scores.
func interval(i stats.Interval) string {
	if !i.Bounded() {
		return "[unknown]"
	}
	return fmt.Sprintf("[%.0f, %.0f]", i.Low, i.High)
}

func ratioInterval(i stats.Interval) string {
	if !i.Bounded() {
		return "[unknown]"
	}
	return fmt.Sprintf("[%.3f, %.3f]", i.Low, i.High)
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

// figure is a mean in the JSON result; an interval that is not known is null.
type figure struct {
	Candidate int         `json:"candidate"`
	Games     int         `json:"games"`
	MeanScore float64     `json:"mean_score"`
	CI        *[2]float64 `json:"ci"`
}

func newFigure(e experiments.Evaluation) figure {
	return figure{e.Candidate, e.Score.N, e.Score.Mean, bounded(e.Interval)}
}

func bounded(i stats.Interval) *[2]float64 {
	if !i.Bounded() {
		return nil
	}
	return &[2]float64{i.Low, i.High}
}

func (in *invocation) printResultJSON(result experiments.Result) error {
	type gain struct {
		Difference float64     `json:"difference"`
		CI         *[2]float64 `json:"ci"`
		Ratio      float64     `json:"ratio"`
		RatioCI    *[2]float64 `json:"ratio_ci"`
	}
	type validated struct {
		Search     string            `json:"search"`
		Champion   figure            `json:"champion"`
		Start      figure            `json:"start"`
		References map[string]figure `json:"references,omitempty"`
		Gain       gain              `json:"gain"`
		Verdict    string            `json:"verdict"`
	}
	out := struct {
		Run       string             `json:"run"`
		Candidate int                `json:"champion"`
		Weights   map[string]float64 `json:"weights"`
		Validated []validated        `json:"validation"`
		Games     int64              `json:"games"`
		Replayed  int64              `json:"replayed"`
	}{Run: result.Run.Name, Candidate: result.Champion.Number, Weights: map[string]float64{}, Games: result.Games, Replayed: result.Replayed}
	for _, w := range result.Champion.Weights {
		out.Weights[w.Name] = w.Value
	}
	for _, v := range result.Validated {
		entry := validated{
			Search: v.Search, Champion: newFigure(v.Champion), Start: newFigure(v.Start), Verdict: v.Verdict(),
			Gain: gain{v.Gain.Difference, bounded(v.Gain.Interval), v.Gain.Ratio, bounded(v.Gain.RatioInterval)},
		}
		for _, reference := range v.References {
			if entry.References == nil {
				entry.References = map[string]figure{}
			}
			entry.References[reference.Name] = newFigure(reference.Evaluation)
		}
		out.Validated = append(out.Validated, entry)
	}
	e := json.NewEncoder(in.stdout)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
