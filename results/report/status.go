package report

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/experiments"
	"tune2048/results"
)

// Status is where a run is: the few figures that a live page asks for every two seconds.
type Status struct {
	State   string    `json:"state"`   // running, killed, interrupted, failed, finished
	Doing   string    `json:"doing"`   // "stage explore, generation 12 of 45 at depth 3"; if running
	Then    string    `json:"then"`    // what follows it: "playoff at depth 3, validation at depth 3"; if running
	Done    *float64  `json:"done"`    // share of the plan; null if unknown
	Left    *float64  `json:"left"`    // seconds, from updated on; null if unknown
	Started time.Time `json:"started"` // UTC, whole seconds
	Updated time.Time `json:"updated"`
	Took    float64   `json:"took"` // seconds that processes worked on it, without stops
	Games   int64     `json:"games"`
	Reused  int64     `json:"reused_games"`      // of these games, those that were there before; 0: none, or not known
	Figures []Fact    `json:"figures"`           // in words, while it is running
	Centre  *Centre   `json:"centre"`            // how good the search is so far; null: not known yet, or the verdicts say it
	Failure string    `json:"failure,omitempty"` // the error that stopped a failed run, as the terminal showed it
}

// StatusOf says where a run is, in a fraction of the time of [Build]. Finding the run takes longer:
// results.Reader.Find counts its candidates.
func StatusOf(ctx context.Context, reader *results.Reader, run results.Run) (Status, error) {
	s := Status{State: run.State(), Games: run.Games, Reused: max(0, run.Reused), Took: run.Worked.Seconds(),
		Failure: results.Escape(run.Failure, "\n\t"),
		Started: run.Started.UTC().Truncate(time.Second), Updated: run.Updated.UTC()}
	if s.State == experiments.Finished {
		s.Done, s.Left = new(1.0), new(0.0)
		return s, nil
	}
	if run.Done >= 0 {
		s.Done = &run.Done
	}
	var stages []config.Stage
	var c *config.Config
	if !run.Kind.HasPlayers() {
		var err error
		c, err = run.Config()
		if err != nil {
			return s, err
		}
		stages = slices.Clone(c.Stages)
		if c.IsEndless() {
			stages[len(stages)-1].Generations = 0
		}
	}
	if centre := run.Headline.Centre; centre != nil {
		s.Centre = newCentre(run.Objective, centre, run.Headline.Last.Stage, len(stages) > 1)
	}
	at, pending, err := reader.Latest(ctx, run.ID)
	s.Games += pending
	if err != nil || s.State != experiments.Running {
		return s, err
	}
	s.Doing, s.Then = doing(stages, at), ahead(c, at)
	s.Figures = []Fact{{"games", Grouped(s.Games)}, {"whole run done", "…"}, {"time left", "…"}}
	if s.Done != nil {
		s.Figures[1].Value = Percent(*s.Done)
	}
	if !run.ExpectedEnd.IsZero() { // without a clock: one state of a run has one report
		s.Left = new(max(0, run.ExpectedEnd.Sub(run.Updated).Seconds()))
		s.Figures[2].Value = Duration(time.Duration(*s.Left * float64(time.Second)))
	}
	return s, nil
}

// ahead says in words what a run plays after the game at that place, as far as its config says.
func ahead(c *config.Config, at experiments.Place) string {
	if c == nil || at.Phase == experiments.PhaseTrend {
		return ""
	}
	var names []string
	now := -1
	add := func(name string, search engine.Settings, here bool) {
		names = append(names, name+At(search.String()))
		if here {
			now = len(names) - 1
		}
	}
	for _, stage := range c.Stages {
		add("stage "+stage.Name, stage.Search, at.Stage == stage.Name)
	}
	add(experiments.PhasePlayoff, c.Playoff.Search, at.Phase == experiments.PhasePlayoff)
	for _, search := range c.Validation.Searches() {
		add(experiments.PhaseValidation, search, at.Phase == experiments.PhaseValidation && at.Search == search.String())
	}
	if c.Ablation.Games != 0 {
		add(experiments.PhaseAblation, c.Ablation.Search, at.Phase == experiments.PhaseAblation)
	}
	return strings.Join(names[now+1:], ", ")
}

// doing says in words where the game at that place is.
func doing(stages []config.Stage, at experiments.Place) string {
	switch {
	case at.Phase == "":
		return "the beginning"
	case at.Stage == "":
		return at.Phase + At(at.Search)
	}
	text := fmt.Sprintf("stage %s, generation %d", at.Stage, at.Generation+1)
	i := slices.IndexFunc(stages, func(s config.Stage) bool { return s.Name == at.Stage })
	if i >= 0 && stages[i].Generations > 0 {
		text += fmt.Sprintf(" of %d", stages[i].Generations)
	}
	return text + At(at.Search)
}
