package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
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
	type shift struct {
		Value   float64     `json:"value"`
		Same    bool        `json:"same_games"`
		Ratio   float64     `json:"ratio"`
		RatioCI *[2]float64 `json:"ratio_ci"`
	}
	type effect struct {
		Weight  string  `json:"weight"`
		Value   float64 `json:"value"`
		AtEdge  string  `json:"at_edge,omitempty"`
		Down    *shift  `json:"down"`
		Up      *shift  `json:"up"`
		Verdict string  `json:"verdict"`
	}
	out := struct {
		Run       string             `json:"run"`
		Candidate int                `json:"champion"`
		Weights   map[string]float64 `json:"weights"`
		InSample  figure             `json:"in_sample"`
		Validated []validated        `json:"validation"`
		Effects   []effect           `json:"sensitivity"`
		Games     int64              `json:"games"`
		Replayed  int64              `json:"replayed"`
	}{Run: result.Run.Name, Candidate: result.Champion.Number, Weights: map[string]float64{}, Games: result.Games, Replayed: result.Replayed,
		InSample: figure{result.Champion.Number, result.InSample.N, result.InSample.Mean, bounded(stats.MeanInterval(result.InSample, 0.95))}}
	for _, w := range result.Champion.Weights {
		out.Weights[w.Name] = w.Value
	}
	for _, v := range result.Validated {
		entry := validated{
			Search: v.Search, Champion: newFigure(v.Champion), Start: newFigure(v.Start), Verdict: v.Verdict(),
			Gain: gain{v.Gain.Difference.Value, bounded(v.Gain.Difference.Interval), v.Gain.Ratio.Value, bounded(v.Gain.Ratio.Interval)},
		}
		for _, reference := range v.References {
			if entry.References == nil {
				entry.References = map[string]figure{}
			}
			entry.References[reference.Name] = newFigure(reference.Evaluation)
		}
		out.Validated = append(out.Validated, entry)
	}
	moved := func(s experiments.Shift) *shift {
		if !s.Played {
			return nil
		}
		return &shift{s.Value, s.Same, s.Contrast.Ratio.Value, bounded(s.Contrast.Ratio.Interval)}
	}
	for _, e := range result.Effects {
		out.Effects = append(out.Effects, effect{e.Weight, e.Value, e.AtEdge(), moved(e.Down), moved(e.Up), e.Verdict()})
	}
	e := json.NewEncoder(in.stdout)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
