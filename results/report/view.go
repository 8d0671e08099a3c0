package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tune2048/experiments/fitness"
	"tune2048/experiments/summary"
)

// Title is the title of a tab: the answer, then the run.
func (p Page) Title() string { return p.Headline.Lead + ": " + p.Name }

// Caption says how to read the plot of the answer.
func (p Page) Caption() string {
	if len(p.Games.Distribution) > 0 && p.Unit.Objective == fitness.MeanScore {
		return "A small dot is 1% of the games. A large one is the mean, with its 95% interval."
	}
	return "A dot is the " + p.Unit.Title + ", with its 95% interval."
}

// Best names whose weights are marked.
func (p Page) Best() string {
	if p.Run.Champion < 0 {
		return "best so far"
	}
	return summary.ChampionName
}

// Marked is the weight of the champion, or of the best so far.
func (p Page) Marked(w weightSummary) string {
	i := slices.IndexFunc(p.Weights.Weights, func(tuned summary.Weight) bool { return tuned.Name == w.Name })
	if leader := p.Weights.Tuned.Leader; i >= 0 && i < len(leader) {
		return weight(leader[i])
	}
	return w.Value()
}

// Sampled says how many of the candidates are drawn. It is empty if all are.
func (p Page) Sampled() string {
	if t := p.Weights.Tuned; len(t.Fitness) < t.All {
		return fmt.Sprintf("%s of %s are drawn.", Grouped(int64(len(t.Fitness))), Count(t.All, "candidate"))
	}
	return ""
}

// Mapped is whether there are two weights to map candidates by.
func (p Page) Mapped() bool { return len(p.Weights.Weights) > 1 && len(p.Weights.Tuned.Fitness) > 0 }

// Tuned is whether a weight has a range.
func (p Page) Tuned() bool {
	return slices.ContainsFunc(p.Weights.Rows, func(w weightSummary) bool { return w.Range != "" })
}

// Tiled is whether the largest tiles of some player's games are known.
func (p Page) Tiled() bool {
	return slices.ContainsFunc(p.HeldOut.Players, func(p summary.Player) bool { return !p.Standing.Untiled })
}

// EffectTitle is the head of the features' worth, or empty if it is not known.
func (r Report) EffectTitle() string {
	if slices.ContainsFunc(r.Weights.Rows, func(w weightSummary) bool { return w.Effect != "" }) {
		return strings.TrimPrefix(r.Unit.Changes, "mean ") + " " + r.Weights.without
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
func (p Page) ByEffect() []weightSummary {
	var features [][]weightSummary
	for _, w := range p.Weights.Rows {
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
func (p Page) Of(section string) (tables []Table) {
	for _, t := range p.Tables() {
		if t.Section == section {
			tables = append(tables, t)
		}
	}
	return tables
}

// SpreadDrawn is whether the spread of the candidates' scores can be drawn beside their fitness.
func (p Page) SpreadDrawn() bool {
	return !slices.ContainsFunc(p.Convergence.Generations,
		func(g generationRow) bool { return g.Score != g.Fitness.Value })
}

// Rose is whether a stage stopped rising before its end.
func (p Page) Rose() bool {
	return slices.ContainsFunc(p.Convergence.Stages, func(s summary.Stage) bool { return s.Rose != nil })
}

// ChartedGames are the games without the replays, that stand in the page by themselves.
func (p Page) ChartedGames() gamesSection {
	games := p.Games
	games.Replays = nil
	return games
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

// weight writes a weight as a config has it.
func weight(value float64) string {
	return strconv.FormatFloat(value, 'g', 6, 64)
}

// formatTime writes a time of the store for people: 2025-11-22 08:08 UTC.
func formatTime(t time.Time) string { return t.Format("2006-01-02 15:04 MST") }
