package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tune2048/experiments"
	"tune2048/tuner"
	"tune2048/tuner/fitness"
)

// The findings in words.

// gainText formats a comparison of the champion with another player at one search.
func gainText(u Unit, title string, c experiments.Comparison, verdict string) string {
	adjusted := ""
	if c.Adjusted != c.P && c.P <= c.Level && c.Adjusted > c.Level {
		adjusted = fmt.Sprintf(" (p = %s alone, %s together with the others)", probability(c.P), probability(c.Adjusted))
	}
	return fmt.Sprintf("%s: %s %s, ratio %s: %s%s", c.Search, title, u.Difference(c.Difference), ratioText(c.Ratio), verdict, adjusted)
}

// startVerdict is the verdict on the champion against the start weights.
func startVerdict(c experiments.Comparison) string {
	switch {
	case c.Candidate == c.Baseline:
		return "no gain found: the start weights are the champion"
	case c.Verdict == experiments.NoDifference:
		return "no gain found"
	case c.Verdict == experiments.Worse:
		return "worse than the start weights"
	default:
		return "better than the start weights"
	}
}

// populationsText says where the populations of a run ended, by their centres in the playoff. It is
// empty for one population. differ: the best one is better than the worst, by their 95% intervals.
func (r Report) populationsText() (text string, differ bool) {
	centres := slices.DeleteFunc(slices.Clone(r.Weights.Finalists), func(f finalist) bool { return f.Origin != tuner.OriginCentre })
	if len(centres) < 2 {
		return "", false
	}
	slices.SortFunc(centres, func(x, y finalist) int { return cmp.Compare(y.Fitness.Value, x.Fitness.Value) })
	var figures []float64
	for _, f := range centres {
		figures = append(figures, f.Fitness.Value)
	}
	text = endedAt(r.Unit, len(figures), figures) + " in the playoff: "
	if centres[0].Fitness.Interval.Low > centres[len(centres)-1].Fitness.Interval.High {
		return text + "they differ, so another seed may find better weights", true
	}
	return text + "no difference is sure", false
}

// playoffText compares the champion's score in the playoff, which chose it, with its held-out
// score.
func (r Report) playoffText() string {
	p := r.HeldOut.Playoff
	if p == nil {
		return ""
	}
	text := "in the playoff the champion's " + r.Unit.Title + " was " + r.Unit.Figure(p.Fitness.Value)
	if r.Unit.Objective == fitness.MeanScore {
		text = "in the playoff the champion scored " + r.Unit.Figure(p.Fitness.Value)
	}
	f := r.HeldOut.Flatter
	if f == nil {
		return fmt.Sprintf("%s at %s, which is too high on average: the best was chosen", text, p.Search)
	}
	switch share := fixed("%.*f", 1, 100*math.Abs(*f)); {
	case share == "0.0":
		return text + ", as on held-out games"
	case *f < 0:
		return fmt.Sprintf("%s, %s%% less than on held-out games", text, share)
	default:
		return fmt.Sprintf("%s, %s%% more than on held-out games", text, share)
	}
}

// pairText formats the verdict on two compared players.
func pairText(first, second string, c experiments.Comparison) string {
	switch c.Verdict {
	case experiments.SameGames: // the rule of three
		return fmt.Sprintf("the %s of both are the very same: at most %.2g%% of all games differ", count(int64(c.Games), "game"), min(100, 300/float64(c.Games)))
	case experiments.Better:
		return fmt.Sprintf("%s is better than %s", first, second)
	case experiments.Worse:
		return fmt.Sprintf("%s is better than %s", second, first)
	case experiments.NoDifference:
		return fmt.Sprintf("no difference of %.6g%% found", 100*c.Smallest)
	}
	return fmt.Sprintf("undecided: too few games to tell a difference of %.6g%%", 100*c.Smallest)
}

var featureVerdicts = map[string]string{
	experiments.Matters:       "matters",
	experiments.BetterWithout: "better without it",
	experiments.CanBeLeftOut:  "can be left out",
}

// ablationText formats the champion without a feature against the champion: the verdict, and the
// verdict with its figures, such as "matters: -31% [-34, -28]".
func ablationText(c experiments.Comparison) (verdict, text string) {
	verdict = cmp.Or(featureVerdicts[c.Verdict], "undecided")
	figures := Change(c.Ratio, 0)
	switch {
	case c.Games == 0:
		figures = "its weight is 0"
	case c.Verdict == experiments.CanBeLeftOut:
		figures = "within " + upTo(1-c.Ratio.Interval.Low)
	case c.Verdict == experiments.Undecided && c.More > 0:
		figures = fmt.Sprintf("about %s more games would tell, %s", roughly(c.More), figures)
	}
	return verdict, verdict + ": " + figures
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

// trendText compares the population's centre after this many games of tuning with the centre at the
// end of a stage, whose name may be empty.
func trendText(stage string, from, to int64, c experiments.Comparison) string {
	span := "from " + Grouped(from) + " to " + count(to, "game")
	if stage != "" {
		span += ", in stage " + stage
	}
	grown := inverse(c.Ratio) // from the earlier centre to the last
	switch c.Verdict {
	case experiments.StillRising:
		return fmt.Sprintf("more tuning is likely to help: %s %s", Change(grown, 1), span)
	case experiments.Flat:
		return fmt.Sprintf("this search has stopped improving: less than +%s %s", upTo(grown.Interval.High-1), span)
	case experiments.Falling:
		return fmt.Sprintf("this search has stopped improving: %s %s", Change(grown, 1), span)
	}
	text := fmt.Sprintf("whether more tuning would help is not known: %s %s", Change(grown, 1), span)
	if c.More > 0 {
		text += fmt.Sprintf("; about %s more games of each would tell", roughly(c.More))
	}
	return text
}
