package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"time"

	"tune2048/experiments/cluster"
)

// workerHelp is what the help of worker says beside its flags.
const workerHelp = `The server is that of a run: tune -config FILE -listen HOST:PORT; or a NATS server that runs and workers share. A worker is asked
for games and for nothing else: it gets weights and seeds, and tells how the games ended. It reads no config, runs no command
and keeps no file. It waits for a server that is not there, and for runs; it plays only for those of its own version of the play
(tune version). Ctrl-C or SIGTERM lets it finish what takes a few seconds, and leaves the rest to others; a second one ends it.`

// worker plays games for runs until it is interrupted.
func worker(ctx context.Context, in *invocation) error {
	f := in.flags()
	var a accessFlags
	w := cluster.Worker{Version: release()}
	a.define(f, "the `URL` of the server, such as nats://host:4222, or tls://host:4222 to insist on TLS (required)")
	f.StringVar(&a.tokenFile, "token-file", "", "show the token in this `FILE`: the one that the run was given")
	f.IntVar(&w.Cores, "workers", runtime.NumCPU(), "play this `NUMBER` of games at once")
	f.StringVar(&w.Name, "name", "", "the `NAME` by which runs know this machine; if not given, its host name")
	if err := in.parseFlags(f); err != nil {
		return err
	}
	if err := in.checkWorkers(w.Cores); err != nil {
		return err
	}
	if a.Server == "" {
		return usagef("worker: want -server URL, such as -server nats://host:4222: the address that a run was given with -listen")
	}
	if err := a.check("worker"); err != nil {
		return err
	}
	if !given(f, "name") {
		name, err := os.Hostname()
		if err != nil {
			return usagef("worker: want -name NAME: %w", err)
		}
		w.Name = name
	}
	w.Access = a.Access
	if err := w.Check(); err != nil {
		return usagef("worker: %w", err)
	}
	view := newWorkerView(ctx, in, w.Name)
	w.Status = view.show
	err := w.Work(ctx)
	view.close(err)
	return err
}

// workerView shows how a worker fares: one live line on a terminal, a log line now and then elsewhere.
type workerView struct {
	ctx   context.Context
	name  string
	out   io.Writer
	log   *slog.Logger // nil on a terminal
	width func() int   // of the terminal
	began time.Time
	last  cluster.Status
	told  time.Time // when it was logged last
	drawn bool
}

func newWorkerView(ctx context.Context, in *invocation, name string) *workerView {
	v := &workerView{ctx: ctx, name: name, out: in.screen, began: time.Now()}
	if file := terminal(in.screen); file != nil {
		v.width = func() int { width, _ := terminalSize(file); return width }
	} else {
		v.log = slog.New(slog.NewTextHandler(in.screen, nil))
	}
	return v
}

// show takes the next status.
func (v *workerView) show(s cluster.Status) {
	before := v.last
	v.last = s
	if v.log == nil {
		v.draw()
		return
	}
	switch {
	case s.Message != before.Message && s.Message != "":
		v.log.Warn(s.Message, "worker", v.name)
	case s.Connected != before.Connected:
		v.log.Info("connected", "worker", v.name)
	case s.Connected && time.Since(v.told) >= logEvery && (s.Games > 0 || v.told.IsZero()):
		v.told = time.Now()
		v.log.Info("playing", "worker", v.name, "runs", strings.Join(s.Runs, " "), "cores", s.Playing, "games", s.Games, "per_second", fmt.Sprintf("%.1f", s.Speed))
	}
}

// draw replaces the line.
func (v *workerView) draw() {
	line := []rune(cell(v.text()))
	if width := v.width(); len(line) >= width {
		line = line[:width-1]
	}
	fmt.Fprintf(v.out, "\r\x1b[K%s", string(line))
	v.drawn = true
}

// text is the line.
func (v *workerView) text() string {
	s := v.last
	played := fmt.Sprintf("%s, %.1f games/s", plural(int(s.Games), "game"), s.Speed)
	switch {
	case v.ctx.Err() != nil:
		return fmt.Sprintf("worker %s is leaving: %s to finish; %s", v.name, plural(s.Playing, "block"), played)
	case s.Message == "" && !s.Connected:
		return fmt.Sprintf("worker %s connects", v.name)
	case s.Message != "":
		return fmt.Sprintf("worker %s: %s; %s", v.name, s.Message, played)
	case len(s.Runs) == 0:
		return fmt.Sprintf("worker %s waits for a run; %s", v.name, played)
	}
	return fmt.Sprintf("worker %s plays %d at once for %s: %s", v.name, s.Playing, strings.Join(s.Runs, ", "), played)
}

// close says what was done.
func (v *workerView) close(err error) {
	if v.drawn {
		fmt.Fprint(v.out, "\r\x1b[K")
	}
	if err != nil && v.last.Games == 0 {
		return // it never began
	}
	text := fmt.Sprintf("worker %s has played %s in %s", v.name, plural(int(v.last.Games), "game"), time.Since(v.began).Round(time.Second))
	if v.last.Message != "" {
		text += "; " + v.last.Message
	}
	fmt.Fprintln(escapingWriter{v.out}, text)
}
