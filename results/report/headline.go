package report

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"tune2048/experiments"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// Headline is the answer: is it better, by how much, and how sure is that?
type Headline struct {
	Verdict string `json:"verdict"` // better, worse, none: no gain found, unknown: not validated yet
	Text    string `json:"text"`    // in one line: better than the start weights, by 57% [54, 59]
	Lead    string `json:"lead"`    // without the interval: Better than the start weights by 57%
	Sure    string `json:"sure"`    // 95% interval +57% to +62%, 6,000 held-out games each, depth 3
	Beside  string `json:"beside"`  // sentences of caution; may be empty
	gain    string // +57% [54, 59]; of a comparison with the name of the next player
}

// Verdicts of a headline besides experiments.Better and experiments.Worse.
const (
	verdictNone    = "none"    // no gain found
	verdictUnknown = "unknown" // not validated yet
)

// headline writes the answer at the last search. Beside it stand the answers at the others, and the
// references that are better.
func (rec *records) headline() (h Headline, drawn []Gain) {
	h, drawn = rec.unknown()
	var beside []string
	gains, all := gainRows(rec.Gains, rec.unit), bySearch(rec.judged())
	for i, players := range all {
		at, last := "", i == len(all)-1
		if last && i > 0 {
			at = " at " + players[0].Search
		}
		switch answer, known := answerOf(players, gains, at); {
		case known && last:
			h, drawn = answer, differences(players, gains)
		case known:
			beside = append(beside, sentence("at "+players[0].Search+": "+answer.Text))
		}
	}
	if h.Verdict == verdictUnknown {
		return h, drawn
	}
	for _, g := range gains {
		if g.champion() && g.Over.Role != summary.Start && g.Verdict == experiments.Worse {
			beside = append(beside, sentence(strings.TrimSpace(At(g.Search)+" it is "+g.headline(g.words("")).Text)))
		}
	}
	h.Beside = strings.Join(beside, " ")
	return h, drawn
}

// unknown says how the answer looks before there are verdicts: by the centre of the search.
func (rec *records) unknown() (h Headline, drawn []Gain) {
	s, drawn := rec.status, []Gain{}
	h = Headline{Verdict: verdictUnknown, Lead: "Not validated yet", Text: "not validated yet: " +
		cmp.Or(s.Doing, s.State)}
	if s.State != experiments.Finished && s.State != experiments.Running {
		h.Beside = "The same command as before resumes it."
	}
	if h.Beside != "" && rec.config != nil {
		h.Beside = rec.resume() + " resumes it."
	}
	switch c := s.Centre; {
	case rec.config == nil:
	case c != nil:
		h.Lead, h.Sure = c.Lead, c.Sure
		if c.Gain != nil {
			drawn = []Gain{*c.Gain}
		}
	case s.State == experiments.Running:
		h.Beside = "No figure yet: the centre of the search has not played games of its own."
	}
	return h, drawn
}

// resume is the command that resumes the run.
func (rec *records) resume() string {
	command := "tune resume" + rec.database + " " + results.ShellWord(rec.run.Root)
	if rec.config.Heuristic.Bot != nil { // nothing runs that the user did not name
		command += " -config " + anyFile
	}
	if rec.config.IsEndless() && !rec.run.Judged { // else nothing would end it
		command += " -for 8h"
	}
	return command
}

// sentence makes a text one.
func sentence(text string) string { return capital(strings.TrimSuffix(text, ".")) + "." }

// capital writes the first letter of a text as a capital.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
