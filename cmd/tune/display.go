package main

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results/report"
)

// display shows the progress of a run. The mutex of progress guards it and its estimate of the
// time left.
type display struct {
	*progress
	left    *timeLeft
	anew    bool                        // -new was given
	goes    bool                        // the run goes on from another one
	workers func() []experiments.Worker // beside this machine; nil if there can be none
	ended   bool
}

func newDisplay(out io.Writer, c *configs.Config, r runFlags) *display {
	d := &display{left: newTimeLeft(c, r.workers), anew: r.anew}
	d.left.limit = r.limit
	d.progress = newProgress(out, d.status)
	return d
}

// observe receives every game.
func (d *display) observe(p experiments.Progress) {
	d.update(func() {
		before := d.left.last
		if before.Run.ID == 0 {
			d.greet(p)
		}
		d.left.observe(p)
		if before.Phase == "" && p.Phase != "" {
			d.show()
		}
	})
}

// estimate returns the share of the run that is done, and how long the rest takes.
func (d *display) estimate() (done float64, left time.Duration, known bool) {
	d.update(func() { done, left, known = d.left.estimate() })
	return done, left, known
}

// ends reports whether -for ends the tuning before the next generation.
func (d *display) ends(next experiments.PlannedPart) (ends bool) {
	d.update(func() { ends = d.left.ends(next, d.line) })
	return ends
}

// close shows where the run ended.
func (d *display) close(finished bool) {
	d.stop()
	if !d.left.first.IsZero() { // otherwise it was only read back, or it never began
		d.ended = finished
		d.show()
	}
}

// greet names the run and says whether it is new or goes on.
func (d *display) greet(p experiments.Progress) {
	text := "new run " + p.Run.Name
	switch {
	case p.Run.Status == experiments.Finished && p.Run.Resumed:
		text = "run " + p.Run.Name + " is finished: reading it back; -more 20 goes on for 20 generations, -for 1h for an hour; -new plays it anew"
	case p.Run.Resumed:
		text = "resuming run " + p.Run.Name
	case p.Run.Renamed && d.anew:
		text += ": begun anew, the runs before it are kept"
	case p.Run.Renamed && !d.goes:
		text += fmt.Sprintf(": no run before it has this config and was played by this version; %s takes over the games that it has in common with finished runs", p.Run.Name)
	}
	d.line(slog.LevelInfo, text)
}

// status is the progress on a few lines.
func (d *display) status() []string {
	p := d.left.last
	if p.Phase == "" {
		return nil // nothing has begun
	}
	done, left, known := d.left.estimate()
	if d.ended {
		done, left, known = 1, 0, true
	}

	where := p.Phase
	if p.Stage != "" {
		where += fmt.Sprintf(", stage %s, generation %d/%d", p.Stage, p.Generation+1, p.Plan[p.Part].Generations)
	}
	text := []string{where + " at " + p.Search}
	if known {
		text[0] = percent(done) + "  " + text[0]
	}
	if p.Learned.Games > 0 && p.Phase == experiments.PhaseTuning {
		mean, start := d.fitness()
		text = append(text, fmt.Sprintf("generation %d: %s %s", p.Learned.Number+1, report.UnitOf(d.left.config.Objective).Title, mean), "start weights: "+start)
	}
	if d.workers != nil {
		text = append(text, crew(d.workers()))
	}
	last := plural(int(p.Done), "game")
	if speed := d.left.speed(p.Search); speed > 0 {
		last += fmt.Sprintf(", %.1f games/s", speed)
	}
	if known {
		last += fmt.Sprintf(", %s left", report.Duration(left))
	}
	return append(text, last)
}

// fitness writes two means: of all candidates of the last generation, which no luck has chosen, and
// of the start weights in the stage. Each has its games, and its 95% interval unless that reaches
// below 0, as no objective does.
func (d *display) fitness() (mean, start string) {
	u, p := report.UnitOf(d.left.config.Objective), d.left.last
	write := func(value float64, i stats.Interval, games int) string {
		text := u.Figure(value)
		if i.Bounded() && i.Low >= 0 {
			text += fmt.Sprintf(" %s with 95%%", u.Interval(i))
		}
		return fmt.Sprintf("%s (%s)", text, plural(games, "game"))
	}
	start = "not played in this stage"
	if p.Start != nil {
		start = write(p.Start.Fitness.Mean, p.Start.FitnessInterval, p.Start.Fitness.N)
	}
	return write(p.Learned.MeanFitness.Value, p.Learned.MeanFitness.Interval, int(p.Learned.Games)), start
}
