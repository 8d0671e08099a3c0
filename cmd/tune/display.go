package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results/report"
)

// How often progress is shown: often enough to look alive, on a terminal; seldom enough to read, in a log.
const (
	liveEvery = 200 * time.Millisecond
	logEvery  = 15 * time.Second
)

// display shows a run's progress: a few live lines on a terminal, a log line now and then elsewhere. A clock of its
// own redraws it, so that it lives on while a long game is played.
type display struct {
	out   io.Writer
	log   *slog.Logger // nil on a terminal
	width func() int   // of the terminal
	anew  bool         // -new was given
	goes  bool         // the run goes on from another one
	began time.Time
	left  *timeLeft

	workers func() []experiments.Worker // beside this machine; nil if there can be none

	mutex   sync.Mutex // guards what follows against the clock
	last    experiments.Progress
	greeted bool
	ended   bool
	lines   int   // drawn last
	played  int64 // games of this process
	shown   time.Time
	before  int64   // games of this process when it was shown last
	speed   float64 // games per second of about the last ten seconds
	stop    chan struct{}
	stopped sync.WaitGroup
}

func newDisplay(out io.Writer, c *configs.Config, r runFlags, began time.Time) *display {
	d := &display{out: out, left: newTimeLeft(c, r.workers), anew: r.anew, began: began, stop: make(chan struct{})}
	d.left.began, d.left.limit = began, r.limit
	every := logEvery
	if file := terminal(out); file != nil {
		every = liveEvery
		d.width = func() int { width, _ := terminalSize(file); return width }
	} else {
		d.log = slog.New(slog.NewTextHandler(out, nil))
	}
	d.stopped.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				d.mutex.Lock()
				d.show()
				d.mutex.Unlock()
			case <-d.stop:
				return
			}
		}
	})
	return d
}

// observe is told of every game.
func (d *display) observe(p experiments.Progress) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if !d.greeted {
		d.greeted = true
		d.greet(p)
	}
	if p.Last > 0 {
		d.played++
	}
	d.left.observe(p)
	begins := d.last.Phase == "" && p.Phase != ""
	d.last = p
	if begins {
		d.show()
	}
}

// warn tells of something that the user may want to act on.
func (d *display) warn(text string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.line(slog.LevelWarn, text)
}

// tell tells of a decision.
func (d *display) tell(text string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.line(slog.LevelInfo, text)
}

// line writes a line of its own. Its caller holds the mutex.
func (d *display) line(level slog.Level, text string) {
	if d.log != nil {
		d.log.Log(context.Background(), level, text)
		return
	}
	fmt.Fprintln(escapingWriter{d.out}, text)
	d.lines = 0 // the next progress is drawn below
}

// close shows where the run ended.
func (d *display) close(finished bool) {
	close(d.stop)
	d.stopped.Wait()
	if d.played == 0 {
		return // a finished run that was read back, or one that never began
	}
	d.ended = finished
	d.show()
}

// greet says what begins: a new run, or an old one taken up again.
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
	if p.Run.Status == experiments.Finished && p.Run.Resumed {
		return
	}
	text = tooLarge(d.left.config, d.left.plan)
	if text != "" && d.left.limit > 0 { // estimating what -for leaves of the plan takes a moment
		text = tooLarge(d.left.config, d.left.within())
	}
	if text != "" {
		d.line(slog.LevelWarn, text)
	}
}

// show writes the progress.
func (d *display) show() {
	p := d.last
	if p.Phase == "" {
		return // nothing has begun
	}
	d.measure()
	done, left, known := d.left.estimate()
	if d.ended {
		done, left, known = 1, 0, true
	}
	if d.log == nil {
		d.redraw(d.text(done, left, known))
		return
	}
	args := []any{"phase", p.Phase}
	if p.Stage != "" {
		args = append(args, "stage", p.Stage, "generation", fmt.Sprintf("%d/%d", p.Generation+1, p.StageGenerations))
	}
	args = append(args, "search", p.Search)
	if p.Learned.Games > 0 && p.Phase == experiments.PhaseTuning {
		mean, start := d.fitness()
		args = append(args, "mean", mean, "start", start)
	}
	if d.workers != nil {
		args = append(args, "crew", crew(d.workers()))
	}
	args = append(args, "games", p.Done, "per_second", fmt.Sprintf("%.1f", d.speed))
	if known {
		args = append(args, "done", percent(done), "left", report.Duration(left))
	}
	d.log.Info("progress", args...)
}

// text is the progress on a few lines.
func (d *display) text(done float64, left time.Duration, known bool) []string {
	p := d.last
	where := p.Phase
	if p.Stage != "" {
		where = fmt.Sprintf("%s, generation %d/%d", p.Stage, p.Generation+1, p.StageGenerations)
	}
	text := []string{fmt.Sprintf("%s at %s", where, p.Search)}
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
	last := fmt.Sprintf("%s, %.1f games/s", plural(int(p.Done), "game"), d.speed)
	if known {
		last += fmt.Sprintf(", %s left", report.Duration(left))
	}
	return append(text, last)
}

// measure brings the speed up to date.
func (d *display) measure() {
	now := time.Now()
	if seconds := now.Sub(d.shown).Seconds(); !d.shown.IsZero() && seconds > 0 {
		d.speed += (float64(d.played-d.before)/seconds - d.speed) * min(1, seconds/min(10, now.Sub(d.began).Seconds()))
	}
	d.shown, d.before = now, d.played
}

// redraw replaces the lines drawn last.
func (d *display) redraw(text []string) {
	var b strings.Builder
	if d.lines > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", d.lines)
	}
	width := d.width()
	for _, line := range text {
		line = cell(line)
		if runes := []rune(line); len(runes) >= width {
			line = string(runes[:width-1])
		}
		fmt.Fprintf(&b, "\x1b[2K%s\n", line)
	}
	for extra := len(text); extra < d.lines; extra++ {
		b.WriteString("\x1b[2K\n")
	}
	d.lines = max(d.lines, len(text))
	io.WriteString(d.out, b.String())
}

// fitness writes the mean of all candidates of the last generation, which no luck has chosen, and
// that of the start weights in the stage; each with its games, and with its 95% interval unless
// that is so wide that it has values below 0, which no objective has.
func (d *display) fitness() (mean, start string) {
	u, p := report.UnitOf(d.left.config.Objective), d.last
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
