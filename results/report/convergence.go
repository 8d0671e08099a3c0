package report

import (
	"fmt"
	"strings"

	"tune2048/engine/bot"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// convergenceSection answers: how did it get there, and would more time help?
type convergenceSection struct {
	Stages      []summary.Stage `json:"stages"`
	Generations []generationRow `json:"generations"`
	Looks       []centre        `json:"looks"`   // at the centre of the search, on games of their own
	Centres     []centre        `json:"centres"` // likewise in the trend: half way through the last stage, at its end
	Every       int             `json:"every"`   // of a long run only each n-th generation is listed; 1: all
	Refines     int64           `json:"refines"` // games after which CMA-ES took over; 0: it did not
	Text        string          `json:"text"`    // would more tuning help

	stopped bool   // the trend shows no more gain
	ended   string // by patience: which stages, and when
	caution string // that most games of tuning were the same, or that penalties hide what they show
}

// generationRow is a generation of tuning.
type generationRow struct {
	Stage   string         `json:"stage"`
	Number  int            `json:"number"`  // of the stage, from 1
	Games   int64          `json:"games"`   // played so far, from the beginning of the run
	Fitness stats.Estimate `json:"fitness"` // mean of its candidates
}

// centre is the fitness of the centre of a search on fresh games.
type centre struct {
	Stage      string         `json:"stage"`
	Games      int64          `json:"games"` // of tuning, when it was the centre
	Search     string         `json:"search"`
	Played     int            `json:"played"`
	Generation int            `json:"generation"` // from 1
	Fitness    stats.Estimate `json:"fitness"`
}

const (
	mostGenerations = 1000 // in the list, and looks
	penalty         = -1e9 // a mean below it is no score that a game gives
)

// convergence says how the tuning went.
func (rec *records) convergence() convergenceSection {
	c := convergenceSection{Stages: append([]summary.Stage{}, rec.Stages...), Generations: []generationRow{}, Looks: []centre{}, Centres: []centre{}}
	for _, l := range rec.Looks[max(0, len(rec.Looks)-mostGenerations):] { // they are few
		c.Looks = append(c.Looks, centre{l.Stage, l.Played, l.Search, l.Games, l.Generation + 1, l.Fitness})
	}
	c.Every = max(1, (len(rec.Generations)+mostGenerations-2)/(mostGenerations-1)) // the last one besides
	var games, different int64
	lowest := 0.0
	for i, g := range rec.Generations {
		lowest = min(lowest, g.MeanFitness.Value)
		games, different = games+g.Games, different+g.Different
		if i%c.Every == 0 || i == len(rec.Generations)-1 {
			c.Generations = append(c.Generations, generationRow{g.Stage, g.Number + 1, g.Played, g.MeanFitness})
		}
	}
	// A bot that plays whole games may score them coarsely: won or lost.
	coarse := rec.config != nil && rec.config.Heuristic.Bot != nil && rec.config.Heuristic.Bot.Answers != bot.Moves
	if !coarse && 3*different < games {
		c.caution = fmt.Sprintf("%s of tuning, %s different: many candidates play alike", Count(games, "game"),
			Grouped(different))
	}
	if lowest < penalty {
		c.caution = fmt.Sprintf(`a generation's mean is %s, so the figures of tuning show penalties: `+
			`let the bot answer {"refuse": "why"} for weights that it does not allow`, rec.unit.Figure(lowest))
	}
	c.Refines = rec.HandOver.Played
	c.ended = rec.patient()
	if rec.Trend == nil {
		return c
	}
	for _, p := range rec.Trend.Centres {
		games, generation := rec.Trend.To, rec.Trend.Of
		if p.Candidate == rec.Trend.Candidate {
			games, generation = rec.Trend.From, rec.Trend.Generation
		}
		c.Centres = append(c.Centres, centre{rec.Trend.Stage, games, p.Search, p.Games, generation, p.Fitness})
	}
	stage := rec.Trend.Stage
	if len(c.Stages) == 1 {
		stage = ""
	}
	c.stopped = rec.Trend.Verdict == experiments.NoDifference || rec.Trend.Verdict == experiments.Better
	c.Text = trendText(rec.unit, stage, rec.others.higher, rec.Trend.From, rec.Trend.To, rec.Trend.Comparison)
	return c
}

// patient says which stages ended by their patience, before their generations and games were over.
func (rec *records) patient() string {
	var ended []string
	for i, stage := range rec.Stages {
		if rec.config == nil || i >= len(rec.config.Stages) || i == len(rec.Stages)-1 && (!rec.Judged() || rec.run.StoppedAfter > 0) {
			break
		}
		asked := rec.config.Stages[i]
		if asked.Patience == 0 || !experiments.HasRoom(rec.config, asked, stage.Generations, stage.From, stage.To-stage.From) {
			continue
		}
		name := "the tuning"
		if len(rec.config.Stages) > 1 {
			name = "stage " + stage.Name
		}
		ended = append(ended, fmt.Sprintf("%s ended after %s, because its centre did not rise any more", name, Count(stage.Generations, "generation")))
	}
	return strings.Join(ended, "; ")
}
