package report

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/tuner/fitness"
)

// Headline is the answer: is it better, by how much, and how sure is that?
type Headline struct {
	Verdict string `json:"verdict"` // better, worse, none: no gain found, unknown: not validated yet
	Text    string `json:"text"`    // in one line: better than the start weights, by 59% [57, 62]
	Lead    string `json:"lead"`    // without the interval: Better than the start weights by 59%
	Sure    string `json:"sure"`    // 95% interval 57% to 62%, 6,000 held-out games each, depth 3
	Beside  string `json:"beside"`  // sentences of caution; may be empty
	Short   string `json:"short"`   // for a tab: +59%, no gain, not validated
}

// Verdicts of a headline.
const (
	verdictBetter  = "better"
	verdictWorse   = "worse"
	verdictNone    = "none"    // no gain found
	verdictUnknown = "unknown" // not validated yet
)

// headline writes the answer, and the cautions beside it.
func (b *builder) headline() {
	h, search := &b.report.Headline, b.answerSearch()
	if b.comparison != nil {
		if *h = b.bestOf(); h.Verdict != verdictBetter { // it begins with no player's name
			h.Lead = capital(h.Lead)
		}
		h.Short = h.Verdict
		return
	}
	defer func() { h.Lead, h.Short = capital(h.Lead), b.short(search) }()
	searches := b.searches(b.run.Kind.Figures())
	if *h = b.answer(search, len(searches) > 1); h.Verdict == verdictUnknown {
		return
	}
	beside := []string{h.Beside}
	for _, other := range searches {
		if answer := b.answer(other, true); other != search && answer.Verdict != h.Verdict && answer.Verdict != verdictUnknown {
			beside = append(beside, sentence(answer.Text))
		}
	}
	for _, g := range b.report.HeldOut.Gains {
		if g.Over != startName && g.Verdict == experiments.Worse {
			beside = append(beside, fmt.Sprintf("At %s it is worse than %s, %s.", g.Search, g.Over, b.by(g)))
		}
	}
	beside = append(beside, b.against)
	h.Beside = strings.Join(slices.DeleteFunc(beside, func(text string) bool { return text == "" }), " ")
}

// short is the verdict on the champion against the start weights, for a tab.
func (b *builder) short(search string) string {
	switch h := b.report.Headline; {
	case h.Verdict == verdictUnknown && b.report.Status.Done != nil && b.report.Status.State == experiments.Running:
		return fmt.Sprintf("%.0f%%", 100**b.report.Status.Done)
	case h.Verdict == verdictUnknown:
		return "not validated"
	case h.Verdict == verdictNone:
		return "no gain"
	}
	for _, g := range b.report.HeldOut.Gains {
		if e, unit, _, decimals := b.change(g); g.Search == search && g.Over == startName {
			return signed(e.Value, decimals) + unit
		}
	}
	return b.report.Headline.Verdict
}

// answer is the verdict on the champion against the start weights at a search. It names the search
// if there are others.
func (b *builder) answer(search string, others bool) Headline {
	var champion, start *figures
	for i := range b.report.HeldOut.Players {
		if p := &b.report.HeldOut.Players[i]; p.Search == search && p.Role == roleChampion {
			champion = p
		} else if p.Search == search && p.Role == roleStart {
			start = p
		}
	}
	i := slices.IndexFunc(b.report.HeldOut.Gains, func(g gainRow) bool { return g.Search == search && g.Over == startName })
	if champion == nil || start == nil || i < 0 {
		return b.unknown()
	}
	games, at := count(int64(champion.Games), "held-out game"), ""
	if others {
		at = " at " + search
	}
	if champion.Candidate == start.Candidate {
		return headline(verdictNone, "no gain found"+at+": the start weights are the champion", "", "", games+", "+search)
	}
	g := b.report.HeldOut.Gains[i]
	games += " each, " + search
	switch g.Verdict {
	case experiments.Better:
		return headline(verdictBetter, "better than the "+startName+at, b.by(g), b.sure(g), games)
	case experiments.Worse:
		return headline(verdictWorse, "worse than the "+startName+at, b.by(g), b.sure(g), games)
	}
	h := headline(verdictNone, "no gain found"+at+": "+b.between(g), "", b.confidence(g), games)
	if g.P <= 1-experiments.Confidence && g.Adjusted > 1-experiments.Confidence {
		h.Beside = fmt.Sprintf("Alone it would be a gain, p = %s. With as many comparisons as were made it is none, p = %s.",
			probability(g.P), probability(g.Adjusted))
	}
	return h
}

// headline puts an answer together. Its lead has the change without the interval.
func headline(verdict, answer, by, sure, games string) Headline {
	h := Headline{Verdict: verdict, Text: answer, Lead: answer, Sure: games}
	if by != "" {
		h.Text += ", " + by
		h.Lead += " " + interval.ReplaceAllString(by, "")
	}
	if sure != "" {
		h.Sure = sure + ", " + games
	}
	return h
}

var interval = regexp.MustCompile(` \[[^]]*\]`)

// change is a gain as it is written: relative, in percent, or as a difference of shares or points.
func (b *builder) change(g gainRow) (e stats.Estimate, unit, of string, decimals int) {
	e = stats.Estimate(g.Difference)
	switch {
	case b.unit.Suffix == "%":
		scale := b.unit.Scale
		e = stats.Estimate{Value: scale * e.Value, Interval: stats.Interval{Low: scale * e.Interval.Low, High: scale * e.Interval.High}}
		return e, " percentage points", "", b.unit.Decimals
	case g.Ratio == nil:
		return e, " " + b.unit.Suffix, "", b.unit.Decimals
	case b.unit.Logs:
		of = " in " + b.unit.Changes
	}
	r := stats.Estimate(*g.Ratio)
	if math.Abs(r.Value-1) < 0.1 {
		decimals = 1
	}
	return stats.Estimate{Value: 100 * (r.Value - 1), Interval: stats.Interval{Low: 100 * (r.Interval.Low - 1), High: 100 * (r.Interval.High - 1)}}, "%", of, decimals
}

// by is the size of a change: by 59% [57, 62].
func (b *builder) by(g gainRow) string {
	e, unit, of, decimals := b.change(g)
	if e.Value < 0 {
		e = stats.Estimate{Value: -e.Value, Interval: stats.Interval{Low: -e.Interval.High, High: -e.Interval.Low}}
	}
	return "by " + separated(apart("%.*f", decimals, e.Value, 0)) + unit + bounds(e.Interval, decimals) + of
}

// changed is a change with its sign: +59% [57, 62].
func (b *builder) changed(g gainRow) string {
	e, unit, _, decimals := b.change(g)
	return separated(signed(e.Value, decimals)) + unit + bounds(e.Interval, decimals)
}

// bounds is an interval behind its figure: " [57, 62]". It is empty if the interval has no ends.
func bounds(i stats.Interval, decimals int) string {
	if !i.Bounded() {
		return ""
	}
	return " [" + bound("%.*f", decimals, i.Low) + ", " + bound("%.*f", decimals, i.High) + "]"
}

// bound is an end of the interval of a change.
func bound(format string, decimals int, x float64) string {
	return separated(apart(format, decimals, x, 0))
}

// between is an interval without a verdict: the difference is between -1% and +3%.
func (b *builder) between(g gainRow) string {
	e, unit, of, decimals := b.change(g)
	if !e.Interval.Bounded() {
		return "the games are too few to tell"
	}
	return "the difference is between " + bound("%+.*f", decimals, e.Interval.Low) + unit + " and " + bound("%+.*f", decimals, e.Interval.High) + unit + of
}

// sure is the interval in words: 95% interval 57% to 62%.
func (b *builder) sure(g gainRow) string {
	text := b.confidence(g)
	if text == "" {
		return ""
	}
	e, unit, _, decimals := b.change(g)
	low, high := bound("%.*f", decimals, e.Interval.Low), bound("%.*f", decimals, e.Interval.High)
	if unit == "%" {
		low += unit
	}
	return text + " " + low + " to " + high + unit
}

// confidence names the interval of a gain: 95% interval. It is empty if the interval has no ends.
func (b *builder) confidence(g gainRow) string {
	if e, _, _, _ := b.change(g); !e.Interval.Bounded() {
		return ""
	}
	return fmt.Sprintf("%.4g%% interval", 100*g.Confidence)
}

// unknown says why there is no answer yet.
func (b *builder) unknown() Headline {
	text := ""
	switch s := b.report.Status; {
	case s.Doing != "":
		text = "the run is at " + s.Doing
	case s.State == experiments.Running:
		text = "the run is going on"
	case s.State == experiments.Finished:
		text = "no held-out games are stored"
	default:
		was := "was "
		if s.State == experiments.Failed {
			was = ""
		}
		text = fmt.Sprintf("the run %s%s before its held-out games were judged", was, s.State)
	}
	h := headline(verdictUnknown, "not validated yet", "", "", capital(text))
	h.Text += ": " + text
	if s := b.report.Status; s.Doing == "" && s.State != experiments.Running && s.State != experiments.Finished {
		h.Beside = "The same command as before resumes it."
	}
	return h
}

// bestOf is the answer of a comparison: the player that is better than all others.
func (b *builder) bestOf() Headline {
	gains := b.report.HeldOut.Gains
	players := slices.Clone(b.report.HeldOut.Players)
	slices.SortStableFunc(players, func(x, y figures) int { return cmp.Compare(y.Fitness.Value, x.Fitness.Value) })
	if len(players) < 2 {
		return b.unknown()
	}
	first, next := players[0], players[1]
	var closest gainRow // of first and next
	var unbeaten []string
	for k, p := range players[1:] {
		i := slices.IndexFunc(gains, func(g gainRow) bool {
			return g.Player == first.Name && g.Over == p.Name || g.Player == p.Name && g.Over == first.Name
		})
		if i < 0 {
			return b.unknown()
		}
		g := gains[i]
		if !(g.Player == first.Name && g.Verdict == experiments.Better || g.Over == first.Name && g.Verdict == experiments.Worse) {
			unbeaten = append(unbeaten, p.Name)
		}
		if k == 0 {
			closest = g
		}
	}
	g, games := closest, count(int64(closest.games), "fresh game")+" each, "+first.Search
	if g.Player != first.Name {
		g = g.reversed()
	}
	by := "" // the objective
	if b.unit.Objective != fitness.MeanScore {
		by = " by the " + b.unit.Title
	}
	switch {
	case len(unbeaten) == 0 && len(players) == 2:
		return headline(verdictBetter, first.Name+" is better than "+next.Name+by, b.by(g), b.sure(g), games)
	case len(unbeaten) == 0:
		return headline(verdictBetter, fmt.Sprintf("%s is the best of %d players: better than %s%s", first.Name, len(players), next.Name, by), b.by(g), b.sure(g), games)
	case len(players) == 2:
		return headline(verdictNone, "neither is known to be better"+by+": "+b.between(g), "", b.confidence(g), games)
	}
	return headline(verdictNone, fmt.Sprintf("nobody is known to be the best: %s has the highest %s, and is not known to be better than %s",
		first.Name, b.unit.Title, strings.Join(unbeaten, ", ")), "", "", games)
}

// reversed is the gain of the other player.
func (g gainRow) reversed() gainRow {
	d := g.Difference
	g.Player, g.Over = g.Over, g.Player
	switch g.Verdict {
	case experiments.Better:
		g.Verdict = experiments.Worse
	case experiments.Worse:
		g.Verdict = experiments.Better
	}
	g.Difference = estimate{-d.Value, stats.Interval{Low: -d.Interval.High, High: -d.Interval.Low}}
	if g.Ratio != nil {
		ratio := estimate(inverse(stats.Estimate(*g.Ratio)))
		g.Ratio = &ratio
	}
	return g
}

// inverse is the ratio the other way round.
func inverse(r stats.Estimate) stats.Estimate {
	inverted := stats.Estimate{Value: 1 / r.Value, Interval: stats.Unbounded()}
	if i := r.Interval; i.Bounded() && i.Low > 0 {
		inverted.Interval = stats.Interval{Low: 1 / i.High, High: 1 / i.Low}
	}
	return inverted
}

// sentence makes a text one. A command at its end gets no full stop.
func sentence(text string) string {
	text = capital(strings.TrimSuffix(text, "."))
	if endsInCommand.MatchString(text) {
		return text
	}
	return text + "."
}

// capital writes the first letter of a text as a capital.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
