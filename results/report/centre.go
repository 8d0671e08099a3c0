package report

import (
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// SoFar says of which centre a figure is, by the stage that the run is in: "so far", or "in stage
// explore" where another stage has begun and had no look yet.
func SoFar(c *experiments.Centre, stage string) string {
	if stage != "" && stage != c.Stage {
		return "in stage " + c.Stage
	}
	return "so far"
}

// CentreText is the figure of a run before its verdicts, wherever it is shown: +34% [12, 56] over
// the start, or the centre's own fitness while that is not known so well.
func CentreText(o fitness.Objective, c *experiments.Centre) string {
	u := UnitOf(o).Of(c.Fitness.Value)
	if c.Gain != nil {
		return gainOf(u, c).change().String() + " over the start"
	}
	return u.Title + " " + u.Estimate(c.Fitness)
}

// gainOf is the gain of the centre, which is known, as a verdict that nobody has given yet.
func gainOf(u Unit, c *experiments.Centre) gainRow {
	return gainRow{summary.Gain{Comparison: *c.Gain}, u}
}

// centreNow is the centre of a search at its last look, on games that chose nothing.
type centreNow struct {
	Text       string          `json:"text"` // +34% [12, 56] over the start
	Stage      string          `json:"stage"`
	Search     string          `json:"search"`
	Generation int             `json:"generation"` // of the stage, from 1
	Games      int             `json:"games"`      // that the centre played
	Fitness    stats.Estimate  `json:"fitness"`
	StartGames int             `json:"start_games"`
	Start      stats.Estimate  `json:"start"`      // fitness of the start weights
	Difference *stats.Estimate `json:"difference"` // of both; null: not known within 20 points of a hundred
	Ratio      *stats.Estimate `json:"ratio"`      // likewise; null: also where a fitness is not above 0
}

func newCentreNow(o fitness.Objective, c *experiments.Centre) *centreNow {
	now := &centreNow{Text: CentreText(o, c), Stage: c.Stage, Search: c.Search, Generation: c.Generation + 1,
		Games: c.Games, Fitness: c.Fitness, StartGames: c.StartGames, Start: c.Start}
	if c.Gain != nil {
		now.Difference, now.Ratio = &c.Gain.Difference, finite(c.Gain.Ratio)
	}
	return now
}
