package main

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/results/report"
)

// ends reports whether a run with -for ends its tuning before the next generation: whether that
// generation, with the phases that must follow it, would not be done in time. For those phases it
// takes the middle of the likely and the longest time: a late run is worse than an early one.
// Nothing else depends on a clock. It does not foresee a machine that gets slower afterwards.
// tell is called with the decision and the warnings.
func ends(pace *experiments.Pace, next experiments.PlannedPart, tell func(level slog.Level, text string)) bool {
	stages, limit := pace.Config.Stages, pace.Limit
	generation, atMost := pace.Takes(next, next.Expected), 0.0
	tuning, follows := pace.Ahead()
	for _, p := range pace.Plan[len(stages):] {
		atMost += pace.Takes(p, p.Games)
	}
	left := (limit - pace.Now().Sub(pace.Began)).Seconds()
	if (generation+follows+(atMost-follows)/2)*(1+experiments.PaceMargin) <= left {
		if text := tooEarly(pace.Plan, tuning+follows, limit); pace.Last.Generations == 1 && text != "" {
			tell(slog.LevelWarn, text)
		}
		return false
	}
	if follows > left {
		tell(slog.LevelWarn, fmt.Sprintf("-for %v is too short: the run will take about %s; lower playoff.games, "+
			"validation.games or ablation.games, or give more time",
			limit, lasting(limit.Seconds()-left+follows)))
	}
	tell(slog.LevelInfo, fmt.Sprintf("-for %v: tuning ends here: %s left, and another generation would take about %s "+
		"and what follows it about %s, at most %s",
		limit, lasting(max(0, left)), lasting(generation), lasting(follows), lasting(atMost)))
	at := slices.IndexFunc(stages, func(s configs.Stage) bool { return s.Name == pace.Last.Stage })
	if missed := stages[at+1:]; len(missed) > 0 {
		tell(slog.LevelWarn, fmt.Sprintf("not reached for lack of time: stage %s; give the stages before fewer "+
			"generations, or more time", missed[0].Name))
	}
	return true
}

// tooEarly warns if a plan, which takes this many seconds in all, ends long before -for does;
// otherwise "".
func tooEarly(plan []experiments.PlannedPart, total float64, limit time.Duration) string {
	if total >= limit.Seconds()/2 {
		return ""
	}
	generations := 0
	for _, p := range plan {
		if p.Phase == experiments.PhaseTuning {
			generations += p.Generations
		}
	}
	return fmt.Sprintf("this ends after about %s, with all %s: leave out generations and max_games of the last stage "+
		"to use the %s",
		lasting(total), report.Count(generations, "generation"), shortTime(limit))
}

// lasting writes a time in seconds.
func lasting(s float64) string { return report.Duration(experiments.Seconds(s)) }

// shortTime writes a time as one would give it to -for: 8h, not 8h0m0s.
func shortTime(t time.Duration) string {
	return strings.Replace(strings.Replace(t.String(), "m0s", "m", 1), "h0m", "h", 1)
}
