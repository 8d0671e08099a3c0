package report

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"tune2048/experiments"
)

// column is a report in its page, with the words that its captions want.
type column struct {
	Report
	Index   int // in the page, from 0
	Live    bool
	Several bool
}

// At is a section of a column, for its address.
func (c column) At(section string) map[string]any {
	return map[string]any{"Live": c.Live, "Name": c.Name, "Section": section}
}

// Of returns the tables of a section.
func (c column) Of(section string) (tables []Table) {
	for _, t := range c.Tables() {
		if t.Section == section {
			t.Index = c.Index
			tables = append(tables, t)
		}
	}
	return tables
}

// Fresh is the name of the games of the headline.
func (c column) Fresh() string { return c.fresh() }

// SpreadDrawn is whether the spread of the candidates' scores can be drawn beside their fitness.
func (c column) SpreadDrawn() bool {
	return !slices.ContainsFunc(c.Convergence.Generations, func(g generationRow) bool { return g.Score != g.Fitness.Value })
}

// Rose is whether a stage stopped rising before its end.
func (c column) Rose() bool {
	return slices.ContainsFunc(c.Convergence.Stages, func(s stageRow) bool { return s.Rose != nil })
}

// ChartedGames are the games without the replays, that stand in the page by themselves.
func (c column) ChartedGames() gamesSection {
	games := c.Games
	games.Replays = nil
	return games
}

func (c column) CandidatesDrawn() string {
	drawn, all := len(c.Weights.Candidates.Number), c.Weights.Candidates.Of
	if drawn < all {
		return fmt.Sprintf("%s of %s candidates, evenly chosen, each", Grouped(int64(drawn)), Grouped(int64(all)))
	}
	return fmt.Sprintf("Each of %s candidates", Grouped(int64(drawn)))
}

// paced reports whether the page is of a comparison at several searches.
func paced(reports []Report) bool {
	searches := map[string]bool{}
	for _, r := range reports {
		if r.Kind != experiments.KindCompare || len(r.HeldOut.Players) == 0 || r.HeldOut.Players[0].MSPerMove == nil {
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

// moment writes a time of the store for people: 2025-11-22 08:08 UTC.
func moment(t time.Time) string { return t.Format("2006-01-02 15:04 MST") }
