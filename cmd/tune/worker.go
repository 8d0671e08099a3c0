package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"tune2048/experiments/cluster"
	"tune2048/results/report"
)

// worker plays games for runs until it is interrupted.
func worker(ctx context.Context, in *invocation) error {
	f := in.flags()
	w := cluster.Worker{Version: release()}
	f.StringVar(&w.Server, "server", "",
		"the `URL` of the server, such as nats://host:4222, or tls://host:4222 to insist on TLS (required)")
	tokenFile := f.String("token-file", "", "show the token in this `FILE`: the one that the run was given")
	workersFlag(f, &w.Cores, 1, "play this `NUMBER` of games at once")
	f.BoolVar(&w.Once, "once", false, "end when the runs that it has heard of have ended or were interrupted")
	f.StringVar(&w.Name, "name", "", "the `NAME` by which runs know this machine; if not given, its host name")
	in.botFlag(f)
	_, err := in.parse(f, 0)
	w.Bots = in.bots
	switch {
	case err != nil:
		return err
	case w.Server == "":
		return usagef("worker: want -server URL, such as -server nats://host:4222: the address that a run was given with " +
			"-listen")
	}
	w.Token, err = readToken(*tokenFile)
	if err != nil {
		return err
	}
	if !given(f, "name") {
		w.Name, _ = os.Hostname()
	}
	if err := w.Check(); err != nil {
		return usagef("worker: %w", err)
	}
	began, last := time.Now(), cluster.Status{}
	progress := newProgress(in.screen, func() string { return workerText(ctx, w.Name, last) })
	in.warnBy(progress.warn)
	w.Ended = func(run string) { progress.say(fmt.Sprintf("worker %s: run %s has ended", w.Name, run)) }
	w.Status = func(s cluster.Status) {
		before := last
		progress.update(func() { last = s })
		if s.Message != before.Message && s.Message != "" {
			progress.warn(fmt.Sprintf("worker %s: %s%s", w.Name, s.Message,
				map[bool]string{false: "; trying again"}[s.Connected]))
		} else if s.Connected && !before.Connected {
			progress.say(fmt.Sprintf("worker %s is connected", w.Name))
		}
	}
	err = w.Work(ctx)
	progress.stop()
	if err != nil && last.Games == 0 {
		return err // it never began
	}
	text := fmt.Sprintf("worker %s has played %s in %s", w.Name, report.Count(last.Games, "game"),
		time.Since(began).Round(time.Second))
	if last.Message != "" {
		text += "; " + last.Message
	}
	fmt.Fprintln(in.stderr, text)
	return err
}

// workerText says how a worker fares. It does not change while the worker waits: a log stays
// silent.
func workerText(ctx context.Context, name string, s cluster.Status) string {
	played := report.Count(s.Games, "game")
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("worker %s is leaving: %s to finish; %s", name, report.Count(s.Playing, "block"), played)
	case s.Message == "" && !s.Connected:
		return fmt.Sprintf("worker %s connects", name)
	case s.Message != "":
		return fmt.Sprintf("worker %s: %s; %s", name, s.Message, played)
	case len(s.Runs) == 0:
		return fmt.Sprintf("worker %s waits for a run; %s", name, played)
	}
	return fmt.Sprintf("worker %s plays %d at once for %s: %s", name, s.Playing, strings.Join(s.Runs, ", "), played)
}
