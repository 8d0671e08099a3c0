package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"
)

// How often progress is shown: on a terminal often enough to look alive, in a log seldom enough to
// read.
const (
	liveEvery = 200 * time.Millisecond
	logEvery  = 15 // ticks of a second each
)

// margin takes a terminal's cursor to the left margin and clears the rest: the terminal may have
// written ^C there.
const margin = "\r\x1b[J"

// progress shows on stderr how far a command is: a line that is drawn again in place on a terminal,
// a log line now and then elsewhere. A timer of its own draws it, so that it lives on while a long
// game is played.
type progress struct {
	out    io.Writer
	log    *slog.Logger  // nil on a terminal
	width  func() int    // of the terminal
	status func() string // the line to show; empty: nothing is known yet
	tick   func()        // called each second at least; may be nil

	mutex sync.Mutex  // guards the rest, and all that status reads
	timer *time.Timer // nil when it is stopped
	text  string      // drawn or logged last; empty on a terminal: the next one is drawn below
}

func newProgress(out io.Writer, status func() string) *progress {
	p := &progress{out: out, status: status}
	every, draws := time.Second, logEvery
	if window := terminal(out); window != nil && os.Getenv("TERM") != "dumb" {
		every, draws = liveEvery, 1
		p.width = func() int { return windowWidth(window) }
	} else {
		p.log = slog.New(slog.NewTextHandler(out, nil))
	}
	ticks := 0
	tick := func() {
		if p.timer == nil {
			return
		}
		if p.tick != nil {
			p.tick()
		}
		ticks++
		if ticks%draws == 0 {
			p.show()
		}
		p.timer.Reset(every)
	}
	p.update(func() { p.timer = time.AfterFunc(every, func() { p.update(tick) }) })
	return p
}

// stop stops the timer.
func (p *progress) stop() {
	p.update(func() {
		p.timer.Stop()
		p.timer = nil
		if p.log == nil {
			io.WriteString(p.out, margin)
		}
	})
}

// update makes a change to the data that status reads.
func (p *progress) update(change func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	change()
}

// warn says something that the user may want to act on.
func (p *progress) warn(text string) { p.update(func() { p.line(slog.LevelWarn, text) }) }

// say reports a decision.
func (p *progress) say(text string) { p.update(func() { p.line(slog.LevelInfo, text) }) }

// line writes a line that stays. Its caller holds the mutex.
func (p *progress) line(level slog.Level, text string) {
	if p.log != nil {
		p.log.Log(context.Background(), level, text)
		return
	}
	io.WriteString(p.out, margin)
	fmt.Fprintln(escapingWriter{p.out}, text)
	p.text = ""
}

// show draws or logs the status. Its caller holds the mutex.
func (p *progress) show() {
	text := p.status()
	switch {
	case text == "":
		return
	case p.log != nil:
		if text != p.text {
			p.log.Info("progress", "now", text)
			p.text = text
		}
		return
	}
	width, up := p.width(), margin
	if before := len([]rune(p.text)); before > 0 { // in a window that was made narrower it has several lines
		up = fmt.Sprintf("\r\x1b[%dA\x1b[J", (before+width-1)/width)
	}
	line := []rune(cell(text))
	p.text = string(line[:min(len(line), width-1)])
	io.WriteString(p.out, up+p.text+"\n")
}
