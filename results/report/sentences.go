package report

import (
	"cmp"
	"fmt"

	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// The findings in words.

// playoffText has the champion's fitness in the playoff, which chose it, and on held-out games.
func (rec *records) playoffText() string {
	p, _ := rec.InPlayoff()
	if p == nil || !rec.Judged() {
		return ""
	}
	text := "in the playoff the champion's " + rec.unit.Title + " was " + rec.unit.Figure(p.Fitness.Value) + ", "
	if held := championAt(rec.Summary, p.Search); held != nil {
		return text + "on held-out games " + rec.unit.Figure(held.Fitness.Value)
	}
	return text + "which is too high on average: the best was chosen"
}

// equalText says which scores may still come where those of all games of a player are equal, so
// that they have no interval. It is empty for other players.
func equalText(p summary.Player) string {
	if p.Standing == nil || p.Games < 2 || !p.Standing.Score.Equal() || p.Score.Interval.Bounded() {
		return ""
	}
	name := p.Name
	if p.Role == summary.Champion || p.Role == summary.Start {
		name = "the " + name
	}
	others, decimals := 100*stats.Others(p.Games, experiments.Confidence), 0
	for least := 1.0; others < least && decimals < maxDecimals; least /= 10 {
		decimals++
	}
	return fmt.Sprintf("of the games of %s all %s scored %s: others may come in up to %s%% of games", name,
		Grouped(int64(p.Games)), weight(p.Score.Value), fixed("%.*f", decimals, others))
}

var featureVerdicts = map[string]string{
	experiments.Better:       "better without it",
	experiments.NoDifference: "can be left out",
}

// ablationText formats the champion without a feature against the champion: the change, such as
// "-31% [-34, -28]", behind the verdict unless the feature matters. A change without an interval is
// not shown.
func ablationText(u Unit, c experiments.Comparison) string {
	change := ofRatio(c.Ratio, 0)
	if u.additive(c.Ratio) {
		change = ofDifference(u, c.Difference)
	}
	verdict := cmp.Or(featureVerdicts[c.Verdict], "undecided")
	switch {
	case c.Games == 0:
		return "its weight is 0"
	case c.Verdict == experiments.Worse:
		return change.String()
	case !change.Interval.Bounded():
		return verdict
	}
	return verdict + ": " + change.String()
}

// additive reports whether sentences give the difference of a comparison, and not its ratio. A
// ratio of shares misleads, and means of 0 or less have none.
func (u Unit) additive(ratio stats.Estimate) bool {
	return u.Suffix == "%" || finite(ratio) == nil
}

// trendText compares the population's centre after this many games of tuning with the centre at the
// end of a stage, whose name may be empty. So may be higher: the ending whose champion scores more.
func trendText(u Unit, stage, higher string, from, to int64, c experiments.Comparison) string {
	span := "from " + Grouped(from) + " to " + Count(to, "game")
	if stage != "" {
		span += ", in stage " + stage
	}
	grown := ofRatio(inverse(c.Ratio), 1) // from the earlier centre to the last
	if u.additive(c.Ratio) {
		grown = ofDifference(u, negated(c.Difference))
	}
	switch rising := c.Verdict == experiments.Worse; {
	case rising && higher != "":
		return "the search still improved " + span + ", but the champion of " + higher + " scored more"
	case rising: // found by a test that stops early, whose figure is too high
		return "more tuning is likely to help: the search still improved " + span
	case c.Verdict == experiments.NoDifference || c.Verdict == experiments.Better:
		return fmt.Sprintf("this search has stopped improving: it brought %s %s", grown, span)
	}
	if !grown.Interval.Bounded() {
		return "whether more tuning would help is not known"
	}
	return fmt.Sprintf("whether more tuning would help is not known: it brought %s %s", grown, span)
}
