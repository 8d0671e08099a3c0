package report

import (
	"fmt"
	"math"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// What was found, in words: the same in a terminal and in a report.

// Remarks on held-out figures.
const (
	JudgedTogether = "each interval holds by itself with 95%; the verdicts are made together, by Holm's method"
	HoldTogether   = "all these intervals hold together with 95%"
)

// GainText says what the champion is above another player at a search. The verdict is in words.
func GainText(u Unit, search, name string, c experiments.Contrast, verdict string) string {
	adjusted := ""
	if c.Adjusted != c.P && c.P <= 0.05 && c.Adjusted > 0.05 {
		adjusted = fmt.Sprintf(" (p = %s alone, %s together with the others)", Probability(c.P), Probability(c.Adjusted))
	}
	return fmt.Sprintf("%s: %s %s, ratio %s: %s%s", search, name, u.Difference(c.Difference), Ratio(c.Ratio), verdict, adjusted)
}

// ReferenceVerdict says in words whether the champion beats a reference.
func ReferenceVerdict(c *experiments.Contrast) string {
	if c.Candidate == c.Baseline {
		return "it is the champion"
	}
	return c.Verdict
}

// PlayoffText says what the champion came to in the playoff that chose it; flattered is Flattered's.
func PlayoffText(u Unit, fitness float64, games, finalists int, flattered *float64) string {
	text := fmt.Sprintf("in-sample, the playoff that chose it: %s on %d games (best of %d, so too good on average)", u.Figure(fitness), games, finalists)
	if flattered != nil {
		text += ", " + Signed(100**flattered, 1) + "% from held-out"
	}
	return text
}

// Flattered returns how much the playoff's figure lies above the held-out one at the same search, relatively; nil if that has no meaning.
func Flattered(u Unit, playoff, heldOut float64) *float64 {
	if !(heldOut > 0) || u.Logs {
		return nil
	}
	flattered := playoff/heldOut - 1
	return &flattered
}

// PairText is the verdict on two players that were compared on so many games each, to find a relative difference.
func PairText(first, second, verdict string, games int, difference float64) string {
	switch verdict {
	case experiments.SameGames: // the rule of three
		noun := "games"
		if games == 1 {
			noun = "game"
		}
		return fmt.Sprintf("the %d %s of both are the very same: at most %.2g%% of all games differ", games, noun, min(100, 300/float64(games)))
	case experiments.Better:
		return fmt.Sprintf("%s is better than %s", first, second)
	case experiments.Worse:
		return fmt.Sprintf("%s is better than %s", second, first)
	case experiments.NoDifference:
		return fmt.Sprintf("no difference of %.6g%% found", 100*difference)
	}
	return fmt.Sprintf("undecided: too few games to tell a difference of %.6g%%", 100*difference)
}

// AblationVerdict is the verdict on a feature.
func AblationVerdict(f experiments.LeftOut) string {
	switch f.Change.Verdict {
	case experiments.Matters:
		return "matters"
	case experiments.BetterWithout:
		return "better without it"
	case experiments.CanBeLeftOut:
		return "can be left out"
	default:
		return "undecided"
	}
}

// AblationText is the verdict with its figures: "matters: -31% [-34, -28]".
func AblationText(f experiments.LeftOut) string {
	r := f.Change.Ratio
	text := AblationVerdict(f)
	figures := Signed(100*(r.Value-1), 0) + "% " + Span(stats.Interval{Low: 100 * (r.Interval.Low - 1), High: 100 * (r.Interval.High - 1)}, 0)
	switch {
	case f.Change.Games == 0:
		return text + ": its weight is 0"
	case f.Change.Verdict == experiments.CanBeLeftOut:
		return text + ": within " + upTo(1-r.Interval.Low)
	case f.Change.Verdict == experiments.Undecided && f.Change.More > 0:
		return fmt.Sprintf("%s: about %s more games would tell, %s", text, roughly(f.Change.More), figures)
	default:
		return text + ": " + figures
	}
}

// upTo writes a share as a percentage, rounded up.
func upTo(share float64) string {
	if share = 100 * math.Max(0, share); share < 1 {
		return fmt.Sprintf("%.1f%%", math.Ceil(10*share)/10)
	}
	return fmt.Sprintf("%.0f%%", math.Ceil(share))
}

// roughly writes a count with two digits that count.
func roughly(n int) string {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return Grouped(int64((n + unit - 1) / unit * unit))
}

// TrendText says whether more tuning would help.
func TrendText(t experiments.Trend) string {
	half := fmt.Sprintf("in the second half of stage %s, from generation %d to %d", t.Stage, t.Generation+1, t.Generations)
	// The other way round: from the earlier centre to the last.
	r, i := t.Change.Ratio.Value, t.Change.Ratio.Interval
	grown := stats.Estimate{Value: 1 / r, Interval: stats.Interval{Low: 1 / i.High, High: 1 / i.Low}}
	if i.Low <= 0 {
		grown.Interval = stats.Unbounded()
	}
	switch t.Change.Verdict {
	case experiments.StillRising:
		return fmt.Sprintf("more tuning is likely to help: %s the population's centre still rose by %s", half, Change(grown))
	case experiments.Flat:
		return fmt.Sprintf("more tuning would hardly help: %s the population's centre rose by less than %s", half, upTo(grown.Interval.High-1))
	case experiments.Falling:
		return fmt.Sprintf("more tuning would not help: %s the population's centre fell, %s", half, Change(grown))
	}
	text := fmt.Sprintf("whether more tuning would help is not known: %s the population's centre changed by %s", half, Change(grown))
	if t.Change.More > 0 {
		text += fmt.Sprintf("; about %s more games of each would tell", roughly(t.Change.More))
	}
	return text
}

// EdgeText says that a weight ended at an edge of its range.
func EdgeText(e experiments.Edge) string {
	return fmt.Sprintf("%s = %g is within 2%% of its %s: widen its range and run again", e.Weight, e.Value, e.End)
}

// Restless is after how many generations without progress one says so.
const Restless = 6
