package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/experiments"
	"tune2048/experiments/cluster"
	"tune2048/experiments/stats"
)

// TestProgressLine: phase, generation of how many, how good the centre is, share done and time left
// on one line. The time left is not shown before there were two seconds of games.
func TestProgressLine(t *testing.T) {
	c, err := config.LoadEmbedded("quickstart")
	must(t, err)
	var out bytes.Buffer
	clock := experiments.NewClock(1, 0, func(engine.Settings) experiments.Price {
		return experiments.Price{Game: 0.02, Node: 1e-6}
	})
	d := newDisplay(&out, c, clock,
		func(p experiments.Progress) string { return greeting(p.Run, false, false, "") })
	defer d.stop()
	if got := moment(d.status()); got != "before the first game" {
		t.Errorf("a run that has not begun stopped %s", got)
	}
	now := time.Unix(1000, 0)
	d.clock.Now = func() time.Time { return now }
	game, plan := 20*time.Millisecond, experiments.NewPlanner(c).Plan(t.Context(), math.MaxInt)
	p := experiments.Progress{
		Plan: plan, Left: plan[0].Expected, Phase: experiments.PhaseTuning, Stage: "tune", Search: "depth 3",
		Last: game, LastAt: "depth 3", LastNodes: 1000, LastMoves: 10, LastBy: experiments.Candidate{Number: 1},
		Centre: &experiments.Centre{Look: experiments.Look{Place: experiments.Place{Stage: "tune"}, Games: 40,
			Fitness: stats.Estimate{Value: 48_562.7, Interval: stats.Interval{Low: 43_731, High: 61_982}}}},
	}
	d.observe(p)
	const first, figure = "tuning, generation 1/80, at 1: ", "48,563 [43,731, 61,982]"
	if got := d.status(); got != first+"mean score "+figure {
		t.Errorf("at first:\n%s", got)
	}
	now = now.Add(experiments.UnknownFor)
	if got := d.status(); !regexp.MustCompile(`^[0-9.]+%  `+regexp.QuoteMeta(first+figure)+
		`, \w+ left$`).MatchString(got) || len(got) > 80 {
		t.Errorf("after %v:\n%s", experiments.UnknownFor, got)
	}
	d.clock.Last.Generation, d.clock.Last.Centre.Fitness = 10321,
		stats.Estimate{Value: 1_129_100, Interval: stats.Interval{Low: 1_114_900, High: 1_143_300}}
	if got := d.status(); len(got) > lineWidth ||
		!strings.Contains(got, "generation 10322: 1,129,100 [1,114,900, 1,143,300], ") || !strings.HasSuffix(got, " left") {
		t.Errorf("of long figures:\n%s", got)
	}
	d.clock.Last.Generation = 0
	d.clock.Last.Centre.Gain = &experiments.Comparison{Ratio: stats.Estimate{Value: 1.5,
		Interval: stats.Interval{Low: 1.36, High: 1.64}}}
	if got := d.status(); !strings.Contains(got, "tuning, generation 1/80, at 1: +50% [36, 64] over the start, ") {
		t.Errorf("of a gain that is known:\n%s", got)
	}
	// The figure stays while others play, until there are verdicts. It says which stage it is of.
	d.clock.Last.Centre.Stage, d.clock.Last.Stage = "explore", "refine"
	if got := d.status(); !strings.Contains(got, ", in stage explore: +50% [36, 64], ") || len(got) > lineWidth {
		t.Errorf("in another stage:\n%s", got)
	}
	d.clock.Last.Phase, d.clock.Last.Stage = experiments.PhaseValidation, ""
	if got := d.status(); !strings.Contains(got, "%  validation at depth 3, in tuning: +50% [36, 64] over the start, ") {
		t.Errorf("in the validation:\n%s", got)
	}
}

// TestDecisionWhileDrawn: -for decides and says so while the clock draws the status. Neither waits
// for the other for ever.
func TestDecisionWhileDrawn(t *testing.T) {
	c, err := config.LoadEmbedded("quickstart")
	must(t, err)
	d := newDisplay(io.Discard, c, newClock(t.Context(), c, 1, time.Nanosecond),
		func(p experiments.Progress) string { return greeting(p.Run, false, false, "") })
	defer d.stop()
	plan := experiments.NewPlanner(c).Plan(t.Context(), math.MaxInt)
	d.observe(experiments.Progress{Plan: plan, Phase: experiments.PhaseTuning, Stage: "tune", Search: "depth 3"})
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		for range 1000 {
			d.update(d.show)
		}
	}()
	for range 1000 {
		if !(limit{d, 0}).Ends(plan[0]) {
			t.Fatal("another generation of hours fits into a nanosecond")
		}
	}
	<-drawn
}

// TestProgressIsRedrawn: on a terminal a line replaces the line before, cut to its width, below
// lines that stay. In a window that was made narrower the line before has two lines. Each text
// begins at the left margin and clears the rest: the terminal may have written ^C there.
func TestProgressIsRedrawn(t *testing.T) {
	var out bytes.Buffer
	status, width := "first line", 8
	p := &progress{out: &out, width: func() int { return width }, status: func() string { return status }}
	p.show()
	status = "second\a"
	p.show()
	width = 4
	p.show()
	p.say("stays")
	p.show()
	const want = "\r\x1b[Jfirst l\n" + "\r\x1b[1A\x1b[Jsecond\\\n" + "\r\x1b[2A\x1b[Jsec\n" + "\r\x1b[Jstays\n" +
		"\r\x1b[Jsec\n"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestWaitingWorkerIsSilent: the status of a worker without a run does not change with its speed.
func TestWaitingWorkerIsSilent(t *testing.T) {
	for s, want := range map[*cluster.Status]string{
		{Connected: true, Games: 7, Playing: 2, Runs: []string{"a"}}: "worker w plays 2 at once for a: 7 games",
		{Connected: true, Games: 7}:                                  "worker w waits for a run; 7 games",
		{Games: 7, Message: "lost"}:                                  "worker w: lost; 7 games",
	} {
		if got := workerText(context.Background(), "w", *s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
