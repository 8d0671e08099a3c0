package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"tune2048/configs"
	"tune2048/experiments"
)

// How often progress is shown: often enough to look alive, on a terminal; seldom enough to read, in a log.
const (
	liveEvery = 200 * time.Millisecond
	logEvery  = 15 * time.Second
)

// display shows a run's progress: a few live lines on a terminal, a log line now and then elsewhere.
type display struct {
	out     io.Writer
	log     *slog.Logger // nil on a terminal
	width   func() int
	cost    *costs
	began   time.Time
	shown   time.Time
	lines   int // drawn last
	played  int64
	last    experiments.Progress
	greeted bool
}

func newDisplay(out io.Writer, c *configs.Config, workers int) *display {
	d := &display{out: out, cost: newCosts(c, workers), began: time.Now()}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		d.width = func() int {
			if w, _, err := term.GetSize(int(file.Fd())); err == nil && w > 20 {
				return w
			}
			return 80
		}
	} else {
		d.log = slog.New(slog.NewTextHandler(out, nil))
	}
	return d
}

// observe is told of every game.
func (d *display) observe(p experiments.Progress) {
	if !d.greeted {
		d.greeted = true
		d.greet(p)
	}
	if p.Last > 0 {
		d.played++
		d.cost.add(p.LastAt, p.Last)
	}
	every := liveEvery
	if d.log != nil {
		every = logEvery
	}
	d.last = p
	if p.Phase == "" {
		return // nothing has begun
	}
	if now := time.Now(); now.Sub(d.shown) >= every {
		d.shown = now
		d.show(p)
	}
}

// greet says what begins: a new run, or an old one taken up again.
func (d *display) greet(p experiments.Progress) {
	text := "new run " + p.Run.Name
	switch {
	case p.Run.Status == experiments.Finished && p.Run.Resumed:
		text = "run " + p.Run.Name + " is finished: reading it back; -new starts afresh"
	case p.Run.Resumed:
		text = "resuming run " + p.Run.Name
	case p.Run.Renamed:
		text += ": the name was taken by a run of another config or engine"
	}
	if d.log != nil {
		d.log.Info(text)
	} else {
		fmt.Fprintln(d.out, text)
	}
}

func (d *display) show(p experiments.Progress) {
	rate := float64(d.played) / time.Since(d.began).Seconds()
	left := d.cost.left(p.Left)
	share := d.cost.shareDone(p)
	if d.log != nil {
		args := []any{"phase", p.Phase}
		if p.Stage != "" {
			args = append(args, "stage", p.Stage, "generation", fmt.Sprintf("%d/%d", p.Generation+1, p.Of))
		}
		args = append(args, "search", p.Search)
		if p.HasFitness && p.Phase == experiments.Tuning {
			args = append(args, "best", number(p.Best), "mean", number(p.Mean), "leader", leader(p.Leader))
		}
		args = append(args, "games", p.Done, "per_second", fmt.Sprintf("%.1f", rate), "done", percent(share), "left", duration(left))
		d.log.Info("progress", args...)
		return
	}
	where := p.Phase
	if p.Stage != "" {
		where = fmt.Sprintf("%s, generation %d/%d", p.Stage, p.Generation+1, p.Of)
	}
	text := []string{fmt.Sprintf("%s  %s at %s", percent(share), where, p.Search)}
	if p.HasFitness && p.Phase == experiments.Tuning {
		text = append(text, fmt.Sprintf("fitness best %s, mean %s; champion so far %s", number(p.Best), number(p.Mean), leader(p.Leader)))
	}
	text = append(text, fmt.Sprintf("%d games, %.1f games/s, %s left", p.Done, rate, duration(left)))
	d.redraw(text)
}

// redraw replaces the lines drawn last.
func (d *display) redraw(text []string) {
	var b strings.Builder
	if d.lines > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", d.lines)
	}
	width := d.width()
	for _, line := range text {
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

// close shows where the run ended.
func (d *display) close() {
	if d.last.Phase != "" {
		d.show(d.last)
	}
}

// leader writes the champion so far with its interval.
func leader(l experiments.Leader) string {
	return fmt.Sprintf("#%d %s ± %s (%s)", l.Number, number(l.Fitness), number(1.96*l.SE), plural(l.Games, "game"))
}

// number writes a fitness: points without decimals, shares with some.
func number(v float64) string {
	if v > -100 && v < 100 {
		return fmt.Sprintf("%.4g", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// duration writes a time in two units at most.
func duration(t time.Duration) string {
	switch {
	case t >= time.Hour:
		return fmt.Sprintf("%dh%02dm", int(t.Hours()), int(t.Minutes())%60)
	case t >= time.Minute:
		return fmt.Sprintf("%dm%02ds", int(t.Minutes()), int(t.Seconds())%60)
	default:
		return fmt.Sprintf("%ds", int(t.Seconds()+0.5))
	}
}
