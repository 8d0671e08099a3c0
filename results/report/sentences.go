package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// The findings in words.

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
		return text + At(p.Search) + ", which is too high on average: the best was chosen"
	}
	size, more := fixed("%.*f", 1, 100*math.Abs(*f))+"%", "more"
	if held := championAt(r.summary, p.Search); r.Unit.Suffix == "%" && held != nil {
		size = r.Unit.number("%.*f", math.Abs(p.Fitness.Value-held.Fitness.Value)) + " percentage points"
	}
	if strings.HasPrefix(size, "0.0") {
		return text + ", as on held-out games"
	}
	if *f < 0 {
		more = "less"
	}
	return fmt.Sprintf("%s, %s %s than on held-out games", text, size, more)
}

var featureVerdicts = map[string]string{
	experiments.BetterWithout: "better without it",
	experiments.CanBeLeftOut:  "can be left out",
}

// ablationText formats the champion without a feature against the champion: the change, such as
// "-31% [-34, -28]", behind the verdict unless the feature matters.
func ablationText(u Unit, c experiments.Comparison) string {
	change := ofRatio(c.Ratio, 0)
	if u.additive(c.Ratio) {
		change = ofDifference(u, c.Difference)
	}
	switch {
	case c.Games == 0:
		return "its weight is 0"
	case c.Verdict == experiments.Matters:
		return change.String()
	}
	return cmp.Or(featureVerdicts[c.Verdict], "undecided") + ": " + change.String()
}

// additive reports whether sentences give the difference of a comparison, and not its ratio. A
// ratio of shares misleads, and means of 0 or less have none.
func (u Unit) additive(ratio stats.Estimate) bool {
	return u.Suffix == "%" || finite(ratio) == nil
}

// upTo writes a share as a percentage, rounded up.
func upTo(share float64) string {
	if share = 100 * math.Max(0, share); share < 1 {
		return fmt.Sprintf("%.1f%%", math.Ceil(10*share)/10)
	}
	return fmt.Sprintf("%.0f%%", math.Ceil(share))
}

// moreText says with how many games in the config an ablation or a trend would be decided, with two
// digits that count. It is empty if that is not known.
func moreText(c experiments.Comparison) string {
	if c.Verdict != experiments.Undecided || c.More == 0 {
		return ""
	}
	games, unit := c.Games+c.More, 1
	for games/unit >= 100 {
		unit *= 10
	}
	return fmt.Sprintf("; ablation.games of about %s would tell", Grouped(int64((games+unit-1)/unit*unit)))
}

// trendText compares the population's centre after this many games of tuning with the centre at the
// end of a stage, whose name may be empty.
func trendText(u Unit, stage string, from, to int64, c experiments.Comparison) string {
	span := "from " + Grouped(from) + " to " + Count(to, "game")
	if stage != "" {
		span += ", in stage " + stage
	}
	grown := ofRatio(inverse(c.Ratio), 1) // from the earlier centre to the last
	least, most := fmt.Sprintf("%.1f%%", math.Floor(1000*math.Max(0, grown.Interval.Low))/10), upTo(grown.Interval.High)
	if u.additive(c.Ratio) {
		grown = ofDifference(u, negated(c.Difference))
		least = u.bound("%.*f", math.Max(0, grown.Interval.Low)) + grown.suffix
		most = u.bound("%.*f", grown.Interval.High) + grown.suffix
	}
	switch c.Verdict {
	case experiments.StillRising: // found by a test that stops early, whose figure is too high
		return fmt.Sprintf("more tuning is likely to help: it brought at least +%s %s", least, span)
	case experiments.Flat:
		return fmt.Sprintf("this search has stopped improving: it brought less than +%s %s", most, span)
	case experiments.Falling:
		return fmt.Sprintf("this search has stopped improving: it brought %s %s", grown, span)
	}
	return fmt.Sprintf("whether more tuning would help is not known: it brought %s %s", grown, span) + moreText(c)
}
