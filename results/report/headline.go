package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"tune2048/experiments"
	"tune2048/experiments/summary"
)

// Headline is the answer: is it better, by how much, and how sure is that?
type Headline struct {
	Verdict string `json:"verdict"` // better, worse, none: no gain found, unknown: not validated yet
	Text    string `json:"text"`    // in one line: better than the start weights, by 57% [54, 59]
	Lead    string `json:"lead"`    // without the interval: Better than the start weights by 57%
	Sure    string `json:"sure"`    // 95% interval 57% to 62%, 6,000 held-out games each, depth 3
	Beside  string `json:"beside"`  // sentences of caution; may be empty
}

// Verdicts of a headline besides experiments.Better and experiments.Worse.
const (
	verdictNone    = "none"    // no gain found
	verdictUnknown = "unknown" // not validated yet
)

// headline writes the answer, and the cautions beside it.
func (b *builder) headline() {
	h, held, search := &b.report.Headline, &b.report.HeldOut, b.report.lastSearch()
	if b.contest != nil {
		*h = b.best()
		return
	}
	defer func() { h.Lead = capital(h.Lead) }()
	searches := b.Searches()
	if *h = b.answer(search, len(searches) > 1); h.Verdict == verdictUnknown {
		return
	}
	var beside []string
	for _, other := range searches {
		if answer := b.answer(other, true); other != search && answer.Verdict != h.Verdict &&
			answer.Verdict != verdictUnknown {
			beside = append(beside, sentence(answer.Text))
		}
	}
	for _, g := range held.Gains {
		if !g.start() && g.Verdict == experiments.Worse {
			beside = append(beside, sentence(strings.TrimSpace(At(g.Search)+" it is "+g.headline(g.words("")).Text)))
		}
	}
	h.Beside = strings.Join(beside, " ")
}

// best is the answer of a comparison at its last search, with the answers at the others beside it.
func (b *builder) best() (h Headline) {
	all := bySearch(b.report.HeldOut.Players)
	if len(all) == 0 {
		return b.unknown()
	}
	var beside []string
	for i, players := range all {
		at, search, compared := "", At(players[0].Search), false
		if i > 0 && i == len(all)-1 {
			at = search
		}
		if h, compared = bestOf(players, b.report.HeldOut.Gains, at); !compared {
			return b.unknown()
		}
		beside = append(beside, sentence(strings.TrimSpace(search)+": "+h.Text))
	}
	h.Beside = strings.Join(beside[:len(beside)-1], " ")
	return h
}

// answer is the verdict on the champion against the start weights at a search. It names the search
// if there are others.
func (b *builder) answer(search string, others bool) Headline {
	gain, found := b.Over(search)
	if !found {
		return b.unknown()
	}
	g, at := gainRow{gain, b.unit}, ""
	if others {
		at = " at " + search
	}
	return g.headline(g.words(at))
}

// unknown says why there is no answer yet, and how it looks so far.
func (b *builder) unknown() Headline {
	text, again := "", ""
	switch s := b.report.Status; {
	case s.Doing != "":
		text = "the run is at " + s.Doing
	case s.State == experiments.Running:
		text = "the run is going on"
	case s.State == experiments.Finished:
		text = "no " + b.report.Fresh() + " games are stored"
	default:
		was := "was "
		if s.State == experiments.Failed {
			was = ""
		}
		text, again = fmt.Sprintf("the run %s%s before its %s games were judged", was, s.State, b.report.Fresh()),
			"The same command as before resumes it."
	}
	h := Headline{Verdict: verdictUnknown, Text: "not validated yet: " + text, Lead: "Not validated yet",
		Sure: capital(text), Beside: again}
	if lead, sure := b.soFar(); lead != "" {
		h.Lead, h.Sure = lead, sentence(sure)+" Not validated yet."
	} else if s := b.report.Status; s.State == experiments.Running && b.config != nil {
		h.Beside = fmt.Sprintf("The first generations are random. After %d of them this page says how good the search is so far.", summary.SoFarOf)
	}
	return h
}

// soFar says how the answer would look if the run ended now, by the candidates of its best
// generations. It adds what is drawn. The lead is empty while that is not known.
func (b *builder) soFar() (lead, sure string) {
	fitness, last, known := b.SoFar()
	if !known {
		return "", ""
	}
	figure := b.unit.Title + " about " + b.unit.Figure(fitness.Value) + " " + b.unit.Interval(fitness.Interval)
	lead, sure = "If it ended now: "+figure, fmt.Sprintf("the mean of all candidates of %d generations, until generation %d, with its 95%% interval", summary.SoFarOf, last.Number+1)
	if b.Start == nil || b.Start.Standing.Stage != last.Stage {
		return lead, sure
	}
	games := Count(b.Start.Games, "game")
	c, known := b.unit.gain(fitness, b.Start.Fitness)
	if !known {
		return lead, sure + "; the start weights played " + games + ", too few to compare with"
	}
	b.report.HeldOut.Drawn = []difference{newDifference("over the "+summary.StartName+", so far", summary.Champion, c)}
	return "If it ended now: about " + c.String() + " over the start",
		fmt.Sprintf("%s: %s; start weights: %s by %s", figure, sure, b.unit.Figure(b.Start.Fitness.Value), games)
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
