package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/results"
	"tune2048/results/report"
)

// display shows the progress of a run. The mutex of progress guards it and its estimate of the
// time left.
type display struct {
	*progress
	config *config.Config // nil for a comparison
	clock  *experiments.Clock
	greet  func(experiments.Progress) string // names the run, before anything is played
	crew   func() (workers, cores int)       // beside this machine; nil if there can be none
	ended  bool
}

func newDisplay(out io.Writer, c *config.Config, clock *experiments.Clock,
	greet func(experiments.Progress) string) *display {
	d := &display{config: c, clock: clock, greet: greet}
	d.progress = newProgress(out, d.status)
	d.update(func() { d.tick = clock.Tick })
	return d
}

// observe receives every game.
func (d *display) observe(p experiments.Progress) {
	d.update(func() {
		if d.clock.Last.Run.ID == 0 {
			d.line(slog.LevelInfo, d.greet(p))
		}
		idle := d.clock.First.IsZero()
		d.clock.Observe(p)
		if idle && !d.clock.First.IsZero() { // what is replayed before takes no time
			d.show()
		}
	})
}

// estimate returns the share of the run that is done, and how long the rest takes.
func (d *display) estimate() (done float64, left time.Duration, known bool) {
	d.update(func() { done, left, known = d.clock.Estimate() })
	return done, left, known
}

// limit is the limit of a run with -for. It goes by the display's clock.
type limit struct {
	*display
	least int // generations that the run plays whatever the time: it goes on from as many
}

func (l limit) Ends(next experiments.PlannedPart) (over bool) {
	l.update(func() { over = l.clock.Last.Generations >= l.least && ends(l.clock, l.config, next, l.line) })
	return over
}

func (l limit) Fit(parts []experiments.PlannedPart) (share float64) {
	l.update(func() { share = l.clock.Fit(parts) })
	return share
}

func (l limit) Over() (over bool) {
	l.update(func() { over = l.clock.Over() })
	return over
}

func (l limit) Together(players int) (seeds int) {
	l.update(func() { seeds = l.clock.Together(players) })
	return seeds
}

// watch shows how far a run is that this function carries out, and returns the finished run. It
// stores why a run failed.
func (d *display) watch(ctx context.Context, store *results.Store,
	carryOut func() (id int64, err error)) (run results.Run, err error) {
	store.Wait(ctx, lockPatience, d.warn)
	store.Foresee(d.estimate)
	defer store.Foresee(nil) // no estimate of the next run
	id, err := carryOut()
	if d.close(err == nil); err == nil {
		return store.Reader().Run(ctx, id)
	}
	if ctx.Err() == nil { // if this fails, too, the run's own error says more
		store.SetFailure(ctx, id, err.Error())
	}
	return run, err
}

// close shows where the run ended.
func (d *display) close(finished bool) {
	d.stop()
	if !d.clock.First.IsZero() { // otherwise all was reused, or it never began
		d.ended = finished
		d.show()
	}
}

// greeting says whether a run is new or goes on. anew: the user asked for another one. longer: the
// user asked for a longer one. why: what makes a new run another one than those before it.
func greeting(run experiments.Run, anew, longer bool, why string) string {
	switch {
	case run.Status == experiments.Finished && run.Resumed:
		name := run.Name
		if run.Generations < run.Longest {
			name += fmt.Sprintf("@%d", run.Generations)
		}
		return "run " + name + " is finished: its games are reused"
	case run.Another && run.Longest > 0:
		text := "run " + run.Name
		if longer {
			text += " goes on and"
		}
		return text + fmt.Sprintf(" gets another ending; its games are reused; the longest one before stays as %s@%d",
			run.Name, run.Longest)
	case run.Resumed:
		return "resuming run " + run.Name
	case run.Renamed && !anew:
		return "new run " + run.Name + ": " + cmp.Or(why, "no run before it is the same") +
			"; it takes over the evaluations that it has in common with other runs"
	}
	return "new run " + run.Name
}

// lineWidth is what a terminal of 80 columns shows of the progress.
const lineWidth = 79

// status is the progress on a line, of 80 columns at most if names are short:
// 27%  tuning, generation 12/45, at 10: +34% [12, 56] over the start, 1m12s left.
func (d *display) status() string {
	p := d.clock.Last
	if p.Phase == "" {
		return "" // nothing has begun
	}
	done, left, known := d.clock.Estimate()
	if d.ended {
		done, left, known = 1, 0, true
	}
	text, which := p.Phase, "" // which look the figure is of
	if p.Centre != nil {
		which = report.SoFar(p.Centre, p.Stage)
		switch p.Stage {
		case p.Centre.Stage:
			which = fmt.Sprintf("at %d", p.Centre.Generation+1)
		case "": // the search on this line is another one
			which = "in tuning"
		}
	}
	if p.Stage != "" {
		if len(d.config.Stages) > 1 {
			text += " " + p.Stage
		}
		text += fmt.Sprintf(", generation %d", p.Generation+1)
		if of := p.Plan[p.Part].Generations; d.clock.Limit == 0 && p.Generation < of { // otherwise time may end the tuning
			text += fmt.Sprintf("/%d", of)
		}
	} else {
		text += report.At(p.Search)
	}
	switch {
	case p.Centre != nil:
		text += ", " + which + ": " + report.CentreText(d.config.Objective, p.Centre)
	case p.Phase == experiments.PhaseComparison && p.Looks > 1:
		text += fmt.Sprintf(", interim look %d of at most %d", p.Look, p.Looks)
	}
	if known {
		text = fmt.Sprintf("%s  %s, %s left", report.Percent(done), text, report.Duration(left))
	}
	if p.Centre != nil && len(text) > lineWidth {
		text = strings.Replace(text, ": "+report.UnitOf(d.config.Objective).Title+" ", ": ", 1)
	}
	switch {
	case p.Centre == nil || len(text) <= lineWidth:
	case p.Stage == p.Centre.Stage: // long scores of a long run
		text = strings.Replace(text, ", "+which+": ", ": ", 1)
	default: // without these words the figure would be of what plays now
		text = strings.Replace(text, " over the start", "", 1)
	}
	if d.crew != nil {
		workers, cores := d.crew()
		text += fmt.Sprintf("; %s with %s", report.Count(workers, "worker"), report.Count(cores, "core"))
	}
	return text
}
