package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tune2048/experiments"
	"tune2048/results/report"
)

// budget decides where a run with -for ends its tuning, by one rule: at the end of a generation
// after which another one, with what must follow it, would not be done in time. The next
// generation takes as long as the longest of the last few. timeLeft says how long the phases after
// the tuning take: half way between what is likely and what is possible, as a run that is not done
// in time is worse than one that is done early. Nothing else hangs on a clock. A machine that gets
// slower after the decision is not foreseen.
type budget struct {
	*timeLeft
	tell, warn func(text string)

	ended time.Time // the generation before
	walls []time.Duration
	early bool // tooEarly has had its turn
}

const (
	// budgetMargin is added to the time ahead: a champion's games are some 10% longer than the
	// candidates' games so far.
	budgetMargin = 0.15
	// lately is how many generations the next one is judged by.
	lately = 3
)

// stop reports whether tuning ends before the next generation.
func (b *budget) stop(next experiments.PlannedPart) bool {
	stage, now, first := b.stage(), b.now(), b.ended.IsZero()
	if stage != next.Stage {
		b.walls = nil
	} else if !first { // some of the first one may have been answered from the store
		b.walls = append(b.walls, now.Sub(b.ended))
		b.walls = b.walls[max(0, len(b.walls)-lately):]
	}
	b.ended = now
	generation := b.part(next)
	if len(b.walls) > 0 {
		generation = slices.Max(b.walls)
	}
	tuning, follows, atMost, known := b.rest()
	left := b.limit - now.Sub(b.began)
	if float64(generation+follows+(atMost-follows)/2)*(1+budgetMargin) <= float64(left) {
		if text := tooEarly(b.plan, min(longest, tuning+follows), b.limit); known && !b.early && text != "" {
			b.tell(text)
		}
		b.early = b.early || known
		return false
	}
	if first && follows > left {
		b.warn(fmt.Sprintf("-for %v is too short: the run will take about %s; lower playoff.games, validation.games or ablation.games, or give more time",
			b.limit, report.Duration(b.limit-left+follows)))
	}
	b.tell(fmt.Sprintf("-for %v: tuning ends here: %s left, and another generation would take about %s and what follows (%s) about %s, at most %s",
		b.limit, report.Duration(max(0, left)), report.Duration(generation), b.names(), report.Duration(follows), report.Duration(atMost)))
	if missed := b.missed(stage); len(missed) > 0 {
		b.warn(fmt.Sprintf("not reached for lack of time: stage %s; give the stages before fewer generations, or more time", strings.Join(missed, ", ")))
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

// missed names the stages after this one: they have not begun.
func (b *budget) missed(stage string) (names []string) {
	for _, other := range slices.Backward(b.config.Stages) {
		if other.Name == stage {
			break
		}
		names = slices.Insert(names, 0, other.Name)
	}
	return names
}

// names names the phases after the tuning.
func (b *budget) names() string {
	if b.config.Ablation.Games == 0 {
		return experiments.PhasePlayoff + " and " + experiments.PhaseValidation
	}
	return experiments.PhasePlayoff + ", " + experiments.PhaseValidation + " and " + experiments.PhaseAblation
}
