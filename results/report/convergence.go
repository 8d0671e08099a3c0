package report

import (
	"fmt"
	"strings"

	"tune2048/engine/bot"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// Convergence answers: how did it get there, and would more time help?
type Convergence struct {
	Stages      []summary.Stage `json:"stages"`
	Generations []Point         `json:"generations"` // the mean of each one's candidates
	Looks       []Point         `json:"looks"`       // at the centre of the search, on games of its own
	Centres     []Point         `json:"centres"`     // likewise in the trend: half way through the last stage, and at its end
	Every       int             `json:"every"`       // of a long run only each n-th generation is listed; 1: all
	Refines     int64           `json:"refines"`     // games of tuning after which CMA-ES took over; 0: it did not
	Text        string          `json:"text"`        // would more tuning help; empty: there was no trend
}

// Point is how good the search was at a moment of tuning.
type Point struct {
	Stage      string         `json:"stage"`
	Generation int            `json:"generation"`      // of the stage, from 1
	Games      int64          `json:"games,omitzero"`  // of tuning until then, from the beginning of the run
	Search     string         `json:"search,omitzero"` // at which the centre played
	Played     int            `json:"played,omitzero"` // games of the centre, of its own
	Fitness    stats.Estimate `json:"fitness"`
}

const (
	maxGenerations = 1000 // in the list, and looks
	penalty        = -1e9 // a mean below it is no score that a game gives
)

// convergence says how the tuning went.
func (rec *records) convergence() Convergence {
	c := Convergence{Stages: append([]summary.Stage{}, rec.Stages...), Generations: []Point{}, Looks: []Point{},
		Centres: []Point{}}
	for _, l := range rec.Looks[max(0, len(rec.Looks)-maxGenerations):] { // they are few
		c.Looks = append(c.Looks, Point{l.Stage, l.Generation + 1, l.Played, l.Search, l.Games, l.Fitness})
	}
	c.Every = max(1, (len(rec.Generations)+maxGenerations-2)/(maxGenerations-1)) // the last one besides
	for i, g := range rec.Generations {
		if i%c.Every == 0 || i == len(rec.Generations)-1 {
			c.Generations = append(c.Generations,
				Point{Stage: g.Stage, Generation: g.Number + 1, Games: g.Played, Fitness: g.MeanFitness})
		}
	}
	c.Refines = rec.HandOver.Played
	t := rec.Trend
	if t == nil {
		return c
	}
	for _, p := range t.Centres {
		one := Point{t.Stage, t.Of, t.To, p.Search, p.Games, p.Fitness}
		if p.Candidate == t.Candidate {
			one.Games, one.Generation = t.From, t.Generation
		}
		c.Centres = append(c.Centres, one)
	}
	stage := t.Stage
	if len(c.Stages) == 1 {
		stage = ""
	}
	c.Text = trendText(rec.unit, stage, rec.others.higher, t.From, t.To, t.Comparison)
	return c
}

// stopped reports whether the trend shows no more gain.
func (rec *records) stopped() bool {
	return rec.Trend != nil && (rec.Trend.Verdict == experiments.NoDifference || rec.Trend.Verdict == experiments.Better)
}

// caution says that most games of tuning were the same, or that penalties hide what they show.
func (rec *records) caution() (text string) {
	var games, different int64
	lowest := 0.0
	for _, g := range rec.Generations {
		lowest, games, different = min(lowest, g.MeanFitness.Value), games+g.Games, different+g.Different
	}
	// A bot that plays whole games may score them coarsely: won or lost.
	coarse := rec.config != nil && rec.config.Heuristic.Bot != nil && rec.config.Heuristic.Bot.Answers != bot.Moves
	if !coarse && 3*different < games {
		text = fmt.Sprintf("%s of tuning, %s different: many candidates play alike", Count(games, "game"), Grouped(different))
	}
	if lowest < penalty {
		text = fmt.Sprintf(`a generation's mean is %s, so the figures of tuning show penalties: `+
			`let the bot answer {"refuse": "why"} for weights that it does not allow`, rec.unit.Figure(lowest))
	}
	return text
}

// patient says which stages ended by their patience, before their generations and games were over.
func (rec *records) patient() string {
	var ended []string
	for i, stage := range rec.Stages {
		if rec.config == nil || i >= len(rec.config.Stages) || i == len(rec.Stages)-1 &&
			(!rec.Judged() || rec.run.StoppedAfter > 0) {
			break
		}
		asked := rec.config.Stages[i]
		if asked.Patience == 0 || !experiments.HasRoom(rec.config, asked, stage.Generations, stage.From,
			stage.To-stage.From) {
			continue
		}
		name := "the tuning"
		if len(rec.config.Stages) > 1 {
			name = "stage " + stage.Name
		}
		ended = append(ended, fmt.Sprintf("%s ended after %s, because its centre did not rise any more", name,
			Count(stage.Generations, "generation")))
	}
	return strings.Join(ended, "; ")
}
