package report

import (
	"fmt"

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
	Lead       string         `json:"lead"` // the headline before the verdicts
	Sure       string         `json:"sure"` // by which games
	StartGames int            `json:"start_games"`
	Start      stats.Estimate `json:"start"` // fitness of the start weights
	Gain       *Gain          `json:"gain"`  // over the start weights; null: not known within 20 points of a hundred
}

// newCentre is the centre of a run whose tuning is in a stage. staged: it has several.
func newCentre(o fitness.Objective, c *experiments.Centre, stage string, staged bool) *Centre {
	u, so, of := UnitOf(o).Of(c.Fitness.Value), SoFar(c, stage), ""
	if staged {
		of = " of stage " + c.Stage
	}
	now := &Centre{Text: CentreText(o, c), StartGames: c.StartGames, Start: c.Start,
		Point: Point{Stage: c.Stage, Generation: c.Generation + 1, Search: c.Search, Played: c.Games, Fitness: c.Fitness}}
	now.Lead = "The search " + so + ": " + now.Text
	if c.Gain != nil {
		g := gainOf(u, c)
		g.Player.Role, g.Over = summary.Centre, summary.Player{Name: summary.StartName, Role: summary.Start}
		now.Gain = new(g.gain())
		now.Gain.Text += ", " + so
		now.Sure = fmt.Sprintf("%s %s; %s %s by %s. ", capital(u.Title), u.Estimate(c.Fitness), summary.StartName,
			u.Estimate(c.Start), Count(c.StartGames, "game"))
	}
	now.Sure += fmt.Sprintf("The centre of the search after generation %d%s, by %s of its own%s. ", c.Generation+1, of,
		Count(c.Games, "game"), At(c.Search))
	now.Sure += "These games choose nothing. Not validated yet."
	return now
}
