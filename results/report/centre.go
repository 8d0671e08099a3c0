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

// Centre is the centre of a search at its last look, on games that chose nothing.
type Centre struct {
	Point
	Text       string         `json:"text"` // +34% [12, 56] over the start, or its own fitness
	StartGames int            `json:"start_games"`
	Start      stats.Estimate `json:"start"` // fitness of the start weights
	Gain       *Gain          `json:"gain"`  // over the start weights; null: not known within 20 points of a hundred
}

func newCentre(o fitness.Objective, c *experiments.Centre, stage string) *Centre {
	now := &Centre{Text: CentreText(o, c), StartGames: c.StartGames, Start: c.Start,
		Point: Point{Stage: c.Stage, Generation: c.Generation + 1, Search: c.Search, Played: c.Games, Fitness: c.Fitness}}
	if c.Gain != nil {
		g := gainOf(UnitOf(o).Of(c.Fitness.Value), c)
		g.Player.Role, g.Over = summary.Centre, summary.Player{Name: summary.StartName, Role: summary.Start}
		now.Gain = new(g.gain())
		now.Gain.Text += ", " + SoFar(c, stage)
	}
	return now
}
