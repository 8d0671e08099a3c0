package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// TestProgressShowsWhatCanBe: no score is negative, so an interval that says so is left out, and a
// sensible one is not. The time left is not shown before there were two seconds of games.
func TestProgressShowsWhatCanBe(t *testing.T) {
	c, err := configs.LoadEmbedded("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := newDisplay(&out, c, runFlags{workers: 1})
	defer d.stop()
	now := time.Unix(1000, 0)
	d.left.now, d.left.guess["depth 3"] = func() time.Time { return now }, time.Millisecond
	game := 2 * time.Millisecond
	p := experiments.Progress{
		Plan: d.left.plan, Left: d.left.plan[0].Expected, Phase: experiments.PhaseTuning, Stage: "tune", Search: "depth 3",
		Last: game, LastAt: "depth 3",
		Learned: experiments.Generation{Games: 80, MeanFitness: stats.Estimate{Value: 18744, Interval: stats.Interval{Low: 15000, High: 22488}}},
		Start:   &experiments.Standing{Sample: fitness.Sample{Fitness: stats.Moments{N: 2, Mean: 18744}}, FitnessInterval: stats.Interval{Low: -12666, High: 50154}},
	}
	d.observe(p)
	show := func() string { return strings.Join(d.status(), "\n") }
	first := show()
	if !strings.Contains(first, "mean score 18744 [15000, 22488] with 95% (80 games)") || !strings.Contains(first, "start weights: 18744 (2 games)") || strings.Contains(first, "left") || strings.Contains(first, "%  tuning") {
		t.Errorf("at first:\n%s", first)
	}
	if now = now.Add(unknownFor); !strings.Contains(show(), " left") || !strings.Contains(show(), "%  tuning, stage tune") {
		t.Errorf("after %v:\n%s", unknownFor, show())
	}
}

// TestDecisionWhileDrawn: -for decides and says so while the clock draws the status. Neither waits
// for the other for ever.
func TestDecisionWhileDrawn(t *testing.T) {
	c, err := configs.LoadEmbedded("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	d := newDisplay(io.Discard, c, runFlags{workers: 1, limit: time.Nanosecond})
	defer d.stop()
	d.left.guess["depth 3"] = time.Hour
	d.observe(experiments.Progress{Plan: d.left.plan, Phase: experiments.PhaseTuning, Stage: "tune", Search: "depth 3"})
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		for range 1000 {
			d.update(d.show)
		}
	}()
	for range 1000 {
		if !d.ends(d.left.plan[0]) {
			t.Fatal("another generation of hours fits into a nanosecond")
		}
	}
	<-drawn
}

// TestProgressIsRedrawn: on a terminal, lines replace the lines before, cut to its width, below
// lines that stay.
func TestProgressIsRedrawn(t *testing.T) {
	var out bytes.Buffer
	status := []string{"first line", "second"}
	p := &progress{out: &out, width: func() int { return 8 }, status: func() []string { return status }}
	p.show()
	status = []string{"third\a"}
	p.show()
	p.say("stays")
	p.show()
	const want = "\x1b[2Kfirst l\n\x1b[2Ksecond\n\x1b[J" + "\x1b[2A\x1b[2Kthird\\u\n\x1b[J" + "stays\n" + "\x1b[2Kthird\\u\n\x1b[J"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
