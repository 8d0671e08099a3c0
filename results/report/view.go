package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tune2048/experiments/fitness"
	"tune2048/experiments/summary"
)

// column is a report in its page, with the words that its captions want.
type column struct {
	Report
	Index   int    // in the page, from 0
	Root    string // see Page
	Warning string // of the page
}

// Title is the title of a tab: the answer, then the run.
func (c column) Title() string { return c.Headline.Lead + ": " + c.Name }

// Caption says how to read the plot of the answer.
func (c column) Caption() string {
	if len(c.Games.Distribution) > 0 && c.Unit.Objective == fitness.MeanScore {
		return "A small dot is 1% of the games. A large one is the mean, with its 95% interval."
	}
	return "A dot is the " + c.Unit.Title + ", with its 95% interval."
}

// Tuned is whether a weight has a range.
func (c column) Tuned() bool {
	return slices.ContainsFunc(c.Weights.Rows, func(w weightSummary) bool { return w.Range != "" })
}

// Tiled is whether the largest tiles of some player's games are known.
func (c column) Tiled() bool {
	return slices.ContainsFunc(c.HeldOut.Players, func(p summary.Player) bool { return !p.Standing.Untiled })
}

// EffectTitle is the head of the features' worth, or empty if it is not known.
func (r Report) EffectTitle() string {
	if slices.ContainsFunc(r.Weights.Rows, func(w weightSummary) bool { return w.Effect != "" }) {
		return strings.TrimPrefix(r.Unit.Changes, "mean ") + " " + r.Ablation.without
	}
	return ""
}

// Value is the champion's weight.
func (w weightSummary) Value() string {
	switch {
	case w.Range == "":
		return "fixed"
	case w.Champion == nil:
		return ""
	}
	return weight(*w.Champion)
}

// Drawn is whether the effect has a bar.
func (w weightSummary) Drawn() bool { return w.Change != nil && w.Change.Interval.Bounded() }

// ByEffect returns the rows of the weights, the most valuable feature first. A feature's other
// weights, such as its power, follow it.
func (c column) ByEffect() []weightSummary {
	var features [][]weightSummary
	for _, w := range c.Weights.Rows {
		if n := len(features); n > 0 && w.Effect == "" && features[n-1][0].Effect != "" {
			features[n-1] = append(features[n-1], w)
		} else {
			features = append(features, []weightSummary{w})
		}
	}
	slices.SortStableFunc(features, func(a, b []weightSummary) int {
		return cmp.Compare(a[0].worth, b[0].worth)
	})
	return slices.Concat(features...)
}

// Of returns the tables of a section.
func (c column) Of(section string) (tables []Table) {
	for _, t := range c.Tables() {
		if t.Section == section {
			tables = append(tables, t)
		}
	}
	return tables
}

// SpreadDrawn is whether the spread of the candidates' scores can be drawn beside their fitness.
func (c column) SpreadDrawn() bool {
	return !slices.ContainsFunc(c.Convergence.Generations,
		func(g generationRow) bool { return g.Score != g.Fitness.Value })
}

// Rose is whether a stage stopped rising before its end.
func (c column) Rose() bool {
	return slices.ContainsFunc(c.Convergence.Stages, func(s summary.Stage) bool { return s.Rose != nil })
}

// ChartedGames are the games without the replays, that stand in the page by themselves.
func (c column) ChartedGames() gamesSection {
	games := c.Games
	games.Replays = nil
	return games
}

// paced reports whether the page is of a comparison at several searches.
func paced(reports []Report) bool {
	searches := map[string]bool{}
	for _, r := range reports {
		if !r.Kind.HasPlayers() || len(r.HeldOut.Players) == 0 || r.HeldOut.Players[0].MSPerMove == nil {
			return false
		}
		searches[r.HeldOut.Players[0].Search] = true
	}
	return len(searches) > 1
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

// weight writes a weight as a config has it.
func weight(value float64) string {
	return strconv.FormatFloat(value, 'g', 6, 64)
}

// formatTime writes a time of the store for people: 2025-11-22 08:08 UTC.
func formatTime(t time.Time) string { return t.Format("2006-01-02 15:04 MST") }
