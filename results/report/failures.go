package report

import (
	"fmt"
	"strings"

	"tune2048/engine/bot"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// Failures names the candidates that a bot could not play. They lost.
type Failures struct {
	Failed  int               `json:"failed"`
	Refused int               `json:"refused"`
	List    []summary.Failure `json:"list"` // the first ones
	Text    string            `json:"text"` // empty: all were played
}

const (
	maxFailures = 3   // are shown with the bot's stderr
	maxListed   = 100 // are listed
)

// failures fills in the section.
func (rec *records) failures() (f Failures) {
	for _, one := range rec.Failures {
		if bot.Refused(one.Fault) {
			f.Refused++
		} else {
			f.Failed++
		}
	}
	f.List = rec.Failures[:min(len(rec.Failures), maxListed)]
	if n := f.Failed + f.Refused; n > 0 {
		f.Text = fmt.Sprintf("%s of %s could not be played, and lost: %d failed, %d refused",
			Grouped(int64(n)), Count(rec.run.Candidates, "candidate"), f.Failed, f.Refused)
	}
	return f
}

// Lines shows the first failures, each with the end of the bot's stderr.
func (f Failures) Lines() string {
	var text strings.Builder
	for _, one := range f.List[:min(len(f.List), maxFailures)] {
		said := strings.Split(one.Fault, "\n")
		if len(said) > 7 { // the bot's last words
			said = append(said[:2], said[len(said)-5:]...)
		}
		fmt.Fprintf(&text, "  candidate %d %s in %s: %s\n", one.Candidate, one.Weights, one.Phase,
			results.Escape(said[0], ""))
		for _, line := range said[1:] {
			fmt.Fprintf(&text, "    %s\n", results.Escape(line, ""))
		}
	}
	return text.String()
}
