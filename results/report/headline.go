package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// Headline is the answer in one sentence.
type Headline struct {
	Verdict string `json:"verdict"` // better, worse, none: no gain found, unknown: not validated yet
	Text    string `json:"text"`    // "The champion scores 51,423 where the start weights score 32,247 ..."
	Beside  string `json:"beside"`  // the sentence of caution beside it; may be empty
}

// Verdicts of a headline.
const (
	verdictBetter  = "better"
	verdictWorse   = "worse"
	verdictNone    = "none"    // no gain found
	verdictUnknown = "unknown" // not validated yet
)

// headline writes the answer in one sentence, and the cautions beside it.
func (b *builder) headline() {
	h, search, held := &b.report.Headline, b.answerSearch(), b.report.HeldOut
	if b.comparison != nil {
		h.Verdict, h.Text = b.bestOf()
		return
	}
	if h.Verdict, h.Text = b.answer(search); h.Verdict == verdictUnknown {
		return
	}
	var beside []string
	for _, other := range b.searches(experiments.PhaseValidation) {
		if verdict, text := b.answer(other); other != search && verdict != h.Verdict {
			beside = append(beside, text)
		}
	}
	for _, g := range held.Gains {
		if g.Over != startName && g.Verdict == experiments.Worse {
			beside = append(beside, fmt.Sprintf("At %s it is worse than %s: %s.", g.Search, g.Over, b.rise(g)))
		}
	}
	if p := held.Playoff; p != nil {
		text := playoffText(b.unit, *p, len(b.at(experiments.PhasePlayoff, p.Search)), held.Flatter)
		if p.Search != search {
			text = p.Search + ": " + text
		}
		beside = append(beside, sentence(text))
	}
	if b.against != "" {
		beside = append(beside, b.against)
	}
	h.Beside = strings.Join(beside, " ")
}

// answer is the verdict on the champion at a search, and the sentence.
func (b *builder) answer(search string) (verdict, text string) {
	held := b.report.HeldOut
	find := func(role string) int {
		return slices.IndexFunc(held.Players, func(p figures) bool { return p.Search == search && p.Role == role })
	}
	i, j := find(roleChampion), find(roleStart)
	k := slices.IndexFunc(held.Gains, func(g gainRow) bool { return g.Search == search && g.Over == startName })
	if min(i, j, k) < 0 {
		return verdictUnknown, b.unknown()
	}
	champion, start, gain := held.Players[i], held.Players[j], held.Gains[k]
	games := fmt.Sprintf("on %s", count(int64(champion.Games), "held-out game"))
	if champion.Candidate == start.Candidate {
		return verdictNone, fmt.Sprintf("No gain found: the start weights are the champion. They %s %s (95%%), %s at %s.",
			b.does(b.unit.Many, champion.Fitness.Value), b.unit.Interval(champion.Fitness.Interval), games, search)
	}
	begin := "The"
	switch gain.Verdict {
	case experiments.Better:
		verdict = verdictBetter
	case experiments.Worse:
		verdict, begin = verdictWorse, "Worse: the"
	default:
		verdict, begin = verdictNone, "No gain found: the"
	}
	text = fmt.Sprintf("%s champion %s where the start weights %s: %s (%.4g%%), %s each at %s.", begin, b.does(b.unit.One, champion.Fitness.Value),
		b.does(b.unit.Likewise, start.Fitness.Value), b.rise(gain), 100*gain.Confidence, games, search)
	if verdict == verdictNone && gain.P <= 1-experiments.Confidence && gain.Adjusted > 1-experiments.Confidence {
		text += fmt.Sprintf(" (Alone p = %s would be a gain; with as many comparisons as were made it is %s.)", probability(gain.P), probability(gain.Adjusted))
	}
	return verdict, text
}

// does writes a fitness with its verb: scores 51,423 points.
func (b *builder) does(words string, fitness float64) string {
	return fmt.Sprintf(words, b.unit.Figure(fitness))
}

// rise writes a gain in short, as a change in percent. The gain of a share is a difference in
// percentage points.
func (b *builder) rise(g gainRow) string {
	if b.unit.Suffix == "%" || g.Ratio == nil {
		return b.unit.Difference(stats.Estimate(g.Difference))
	}
	text := changeShort(stats.Estimate(*g.Ratio))
	if b.unit.Logs {
		text += " in " + b.unit.Changes
	}
	return text
}

// changeShort writes a change with the decimals that its interval supports.
func changeShort(ratio stats.Estimate) string {
	if math.Abs(ratio.Value-1) < 0.1 {
		return Change(ratio, 1)
	}
	return Change(ratio, 0)
}

// unknown says why there is no answer yet.
func (b *builder) unknown() string {
	switch s := b.report.Status; {
	case s.Doing != "":
		return fmt.Sprintf("Not known yet: the run is at %s.", s.Doing)
	case s.State == experiments.Running:
		return "Not known yet: the run is going on."
	case s.State == experiments.Finished:
		return "Not known: no held-out games are stored."
	default:
		was := "was "
		if s.State == experiments.Failed {
			was = ""
		}
		return fmt.Sprintf("Not known: the run %s%s before its held-out games were judged. The same command as before resumes it.", was, s.State)
	}
}

// bestOf is the answer of a comparison: who is better than all others.
func (b *builder) bestOf() (verdict, text string) {
	gains := b.report.HeldOut.Gains
	players := slices.Clone(b.report.HeldOut.Players)
	slices.SortStableFunc(players, func(x, y figures) int { return cmp.Compare(y.Score.Value, x.Score.Value) })
	if len(players) < 2 {
		return verdictUnknown, b.unknown()
	}
	first, next := players[0], players[1]
	var closest gainRow // of first and next
	var unbeaten []string
	for k, p := range players[1:] {
		i := slices.IndexFunc(gains, func(g gainRow) bool {
			return g.Player == first.Name && g.Over == p.Name || g.Player == p.Name && g.Over == first.Name
		})
		if i < 0 {
			return verdictUnknown, b.unknown()
		}
		g := gains[i]
		if !(g.Player == first.Name && g.Verdict == experiments.Better || g.Over == first.Name && g.Verdict == experiments.Worse) {
			unbeaten = append(unbeaten, p.Name)
		}
		if k == 0 {
			closest = g
		}
	}
	ratio := stats.Estimate{Value: 1, Interval: stats.Unbounded()}
	if closest.Ratio != nil {
		ratio = stats.Estimate(*closest.Ratio)
	}
	if closest.Player != first.Name {
		ratio = inverse(ratio)
	}
	figures := fmt.Sprintf("%s scores %s points where %s scores %s: %s (%.4g%%), on %s each at %s.", first.Name, b.unit.Figure(first.Score.Value),
		next.Name, b.unit.Figure(next.Score.Value), changeShort(ratio), 100*closest.Confidence, count(int64(closest.games), "fresh game"), first.Search)
	switch {
	case len(unbeaten) == 0 && len(players) == 2:
		return verdictBetter, figures
	case len(unbeaten) == 0:
		return verdictBetter, fmt.Sprintf("%s is the best of %d players: %s", first.Name, len(players), figures)
	case len(players) == 2:
		return verdictNone, "Neither is known to be better: " + figures
	}
	return verdictNone, fmt.Sprintf("Nobody is known to be the best: %s has the highest mean score, and is not known to be better than %s. %s",
		first.Name, strings.Join(unbeaten, ", "), figures)
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
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + strings.TrimSuffix(text[size:], ".")
	if strings.Contains(text, ": tune ") {
		return text
	}
	return text + "."
}
