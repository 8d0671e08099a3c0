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

// budgetMargin is added to the time ahead: a champion's games are some 10% longer than the
// candidates' games so far.
const budgetMargin = 0.15

// ends reports whether a run with -for ends its tuning before the next generation: whether that
// generation, with the phases that must follow it, would not be done in time. For those phases it
// takes the middle of the likely and the longest time: a late run is worse than an early one.
// Nothing else depends on a clock. It does not foresee a machine that gets slower afterwards.
// tell is called with the decision and the warnings.
func (t *timeLeft) ends(next experiments.PlannedPart, tell func(level slog.Level, text string)) bool {
	first := !t.decided
	t.decided = true
	generation, atMost := t.takes(next, next.Expected), 0.0
	tuning, follows := t.ahead()
	for _, p := range t.plan[len(t.config.Stages):] {
		atMost += t.takes(p, p.Games)
	}
	left := (t.limit - t.now().Sub(t.began)).Seconds()
	if (generation+follows+(atMost-follows)/2)*(1+budgetMargin) <= left {
		if t.known() && !t.checkedEarly {
			t.checkedEarly = true
			if text := tooEarly(t.plan, seconds(tuning+follows), t.limit); text != "" {
				tell(slog.LevelInfo, text)
			}
		}
		return false
	}
	if first && follows > left {
		tell(slog.LevelWarn, fmt.Sprintf("-for %v is too short: the run will take about %s; lower playoff.games, validation.games or ablation.games, or give more time",
			t.limit, report.Duration(seconds(t.limit.Seconds()-left+follows))))
	}
	tell(slog.LevelInfo, fmt.Sprintf("-for %v: tuning ends here: %s left, and another generation would take about %s and what follows it about %s, at most %s",
		t.limit, report.Duration(seconds(max(0, left))), report.Duration(seconds(generation)), report.Duration(seconds(follows)), report.Duration(seconds(atMost))))
	at := slices.IndexFunc(t.config.Stages, func(s configs.Stage) bool { return s.Name == t.last.Stage })
	if missed := t.config.Stages[at+1:]; len(missed) > 0 {
		tell(slog.LevelWarn, fmt.Sprintf("not reached for lack of time: stage %s; give the stages before fewer generations, or more time", missed[0].Name))
	}
	return true
}

// tooEarly warns if a plan, which takes this time in all, ends long before -for does; otherwise "".
func tooEarly(plan []experiments.PlannedPart, total, limit time.Duration) string {
	if total >= limit/2 {
		return ""
	}
	generations := 0
	for _, p := range plan {
		if p.Phase == experiments.PhaseTuning {
			generations += p.Generations
		}
	}
	return fmt.Sprintf("all %s end after about %s, long before %s: give the last stage more generations to use the time",
		plural(generations, "generation"), report.Duration(total), shortTime(limit))
}

// shortTime writes a time as one would give it to -for: 8h, not 8h0m0s.
func shortTime(t time.Duration) string {
	return strings.Replace(strings.Replace(t.String(), "m0s", "m", 1), "h0m", "h", 1)
}
