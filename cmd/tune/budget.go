package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/results/report"
)

// budget decides where a run with -for ends its tuning, by one rule: at the end of a generation
// after which another one, with what must follow it, would not be done in time. timeLeft says how
// long these take. For the phases after the tuning it takes the middle of the likely and the
// longest time: a late run is worse than an early one. Nothing else depends on a clock.
// A machine that gets slower after the decision is not foreseen.
type budget struct {
	*timeLeft
	say, warn func(text string)

	later bool // it has decided before
	early bool // tooEarly has had its turn
}

// budgetMargin is added to the time ahead: a champion's games are some 10% longer than the
// candidates' games so far.
const budgetMargin = 0.15

// stop reports whether tuning ends before the next generation.
func (b *budget) stop(next experiments.PlannedPart) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	first := !b.later
	b.later = true
	generation, atMost := b.takes(next, next.Expected), time.Duration(0)
	tuning, follows := b.ahead()
	for _, p := range b.plan[len(b.config.Stages):] {
		atMost = min(longest, atMost+b.takes(p, p.Games))
	}
	left := b.limit - b.now().Sub(b.began)
	if float64(generation+follows+(atMost-follows)/2)*(1+budgetMargin) <= float64(left) {
		if text := tooEarly(b.plan, min(longest, tuning+follows), b.limit); b.known() && !b.early && text != "" {
			b.say(text)
		}
		b.early = b.early || b.known()
		return false
	}
	if first && follows > left {
		b.warn(fmt.Sprintf("-for %v is too short: the run will take about %s; lower playoff.games, validation.games or ablation.games, or give more time",
			b.limit, report.Duration(b.limit-left+follows)))
	}
	b.say(fmt.Sprintf("-for %v: tuning ends here: %s left, and another generation would take about %s and what follows it about %s, at most %s",
		b.limit, report.Duration(max(0, left)), report.Duration(generation), report.Duration(follows), report.Duration(atMost)))
	at := slices.IndexFunc(b.config.Stages, func(s configs.Stage) bool { return s.Name == b.last.Stage })
	if missed := b.config.Stages[at+1:]; len(missed) > 0 {
		b.warn(fmt.Sprintf("not reached for lack of time: stage %s; give the stages before fewer generations, or more time", missed[0].Name))
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
