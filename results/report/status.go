package report

import (
	"context"
	"fmt"
	"time"

	"tune2048/experiments"
)

// status says where the run is.
func (b *builder) status(ctx context.Context) error {
	s := &b.report.Status
	s.State, s.Games = State(b.run), b.run.Games
	s.Started, s.Updated = b.run.Started.UTC().Format(time.RFC3339), b.run.Updated.UTC().Format(time.RFC3339)
	s.Took = max(0, Took(b.run).Seconds())
	if s.State == experiments.Finished {
		done, left := 1.0, 0.0
		s.Done, s.Left = &done, &left
		return nil
	}
	at, err := b.Last(ctx, b.run.ID)
	if err != nil {
		return err
	}
	if b.config != nil {
		b.progress(s, at)
	}
	if s.State != experiments.Running {
		s.Doing, s.Left = "", nil
	}
	return nil
}

// progress says how far the plan is, when the game at that place was recorded last. What is left is foretold by what games took
// so far at each search.
func (b *builder) progress(s *Status, at experiments.Place) {
	perGame := map[string]float64{} // seconds
	spent := 0.0
	for _, c := range b.costs {
		if c.Time > 0 && c.Games > 0 {
			perGame[c.Search] = c.Time.Seconds() / float64(c.Games)
			spent += c.Time.Seconds()
		}
	}
	plan := experiments.Plan(b.config)
	current := -1
	for i, p := range plan {
		if p.Phase == at.Phase && p.Stage == at.Stage && p.Search == at.Search {
			current = i
		}
	}
	if current < 0 {
		s.Doing = "it begins"
		return
	}
	var games, gamesLeft, seconds, secondsLeft float64
	timed := true
	for i, p := range plan {
		left := float64(p.Games)
		switch {
		case i < current:
			left = 0
		case i == current:
			left *= max(0, 1-b.share(p))
		}
		each, known := perGame[p.Search]
		timed = timed && (known || left == 0)
		games, gamesLeft = games+float64(p.Games), gamesLeft+left
		seconds, secondsLeft = seconds+each*float64(p.Games), secondsLeft+each*left
	}
	done := 1 - gamesLeft/max(1, games)
	if timed && seconds > 0 {
		done = 1 - secondsLeft/seconds
		if elapsed := Took(b.run).Seconds(); elapsed > 0 {
			left := secondsLeft / max(1, spent/elapsed) // so many games at once
			s.Left = &left
		}
	}
	s.Done = &done
	p := plan[current]
	s.Doing = fmt.Sprintf("%s at %s", p.Phase, p.Search)
	if p.Stage != "" {
		generation := min(p.Generations, max(at.Generation, b.generationsOf(p.Stage))+1)
		s.Doing = fmt.Sprintf("stage %s, generation %d of %d, at %s", p.Stage, generation, p.Generations, p.Search)
	}
}

// share is how much of a part of the plan is done.
func (b *builder) share(p experiments.PlannedPart) float64 {
	if p.Phase == experiments.PhaseTuning {
		return float64(b.generationsOf(p.Stage)) / float64(max(1, p.Generations))
	}
	games := 0.0
	for _, s := range b.at(p.Phase, p.Search) {
		games += float64(s.Score.N)
	}
	return games / float64(max(1, p.Games))
}

// generationsOf is how many generations of a stage are finished.
func (b *builder) generationsOf(stage string) (n int) {
	for _, g := range b.tuned {
		if g.Stage == stage {
			n++
		}
	}
	return n
}
