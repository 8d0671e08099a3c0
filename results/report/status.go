package report

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/results"
)

// status is where a run is.
type status struct {
	State   string    `json:"state"`   // running, killed, interrupted, failed, finished
	Doing   string    `json:"doing"`   // "stage explore, generation 12 of 45 at depth 3"; if running
	Gain    string    `json:"gain"`    // of the best generation's mean over the start; empty if unknown
	Done    *float64  `json:"done"`    // share of the plan; null if unknown
	Left    *float64  `json:"left"`    // seconds; null if unknown
	Started time.Time `json:"started"` // UTC, whole seconds
	Updated time.Time `json:"updated"`
	Took    float64   `json:"took"` // seconds that processes worked on it, without stops
	Games   int64     `json:"games"`
	Failure string    `json:"failure,omitempty"` // the error that stopped a failed run, as the terminal showed it
}

// status says where the run is.
func (b *builder) status(ctx context.Context) error {
	s := &b.report.Status
	s.State, s.Games = b.run.State(), b.run.Games
	s.Started, s.Updated = b.run.Started.UTC().Truncate(time.Second), b.run.Updated.UTC().Truncate(time.Second)
	s.Took, s.Failure = b.run.Worked.Seconds(), results.Escape(b.run.Failure, "\n\t")
	if s.State == experiments.Finished {
		s.Done, s.Left = new(1.0), new(0.0)
		return nil
	}
	if b.run.Done >= 0 {
		s.Done = &b.run.Done
	}
	if s.State != experiments.Running || b.config == nil {
		return nil
	}
	if !b.run.ExpectedEnd.IsZero() { // without a clock: one state of a run has one report
		s.Left = new(max(0, b.run.ExpectedEnd.Sub(b.run.Updated).Seconds()))
	}
	at := b.Last.Place
	last, err := b.LastGame(ctx, b.run.ID)
	if last != nil && last.Number >= b.Last.Number {
		at = last.Place
	}
	s.Doing, s.Gain = b.doing(at), b.gainSoFar()
	return err
}

// gainSoFar is the best generation's mean over the start weights of its stage. It is empty if the
// start weights did not play there.
func (b *builder) gainSoFar() string {
	n := len(b.Generations)
	if n == 0 || b.Start == nil || b.Start.Standing.Stage != b.Generations[n-1].Stage {
		return ""
	}
	best := b.Generations[n-1].Generation
	for _, g := range b.Generations {
		if g.Stage == best.Stage && g.Leads(best) {
			best = g.Generation
		}
	}
	return b.unit.Gain(best.MeanFitness, b.Start.Fitness)
}

// doing says in words where the game at that place is.
func (b *builder) doing(at experiments.Place) string {
	switch i := slices.IndexFunc(b.config.Stages, func(s config.Stage) bool { return s.Name == at.Stage }); {
	case at.Phase == "":
		return "the beginning"
	case i < 0:
		return at.Phase + At(at.Search)
	default:
		generation, of := max(at.Generation, b.generationsOf(at.Stage))+1, ""
		if most := b.config.Stages[i].Generations; most > 0 && !b.report.timed {
			generation, of = min(generation, most), fmt.Sprintf(" of %d", most)
		}
		return fmt.Sprintf("stage %s, generation %d%s%s", at.Stage, generation, of, At(at.Search))
	}
}

// generationsOf is how many generations of a stage are finished.
func (b *builder) generationsOf(name string) int {
	if stage := b.Stage(name); stage != nil {
		return stage.Generations
	}
	return 0
}
