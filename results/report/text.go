package report

import (
	"cmp"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"tune2048/results"
)

// Text writes reports for a terminal of this many columns, or with 0 for a file: the verdict first,
// then the tables and sentences, without the details. Times are left out, so equal runs have equal
// texts. The verdict may be bold.
func Text(w io.Writer, width int, bold bool, reports ...Report) error {
	t := &terminal{width: width}
	for _, r := range reports {
		if t.Len() > 0 {
			t.WriteString("\n")
		}
		verdict := strings.TrimSuffix(Wrap(results.Escape("run "+r.Name+": "+r.Headline.Text, ""), width), "\n")
		if bold {
			verdict = "\x1b[1m" + verdict + "\x1b[0m"
		}
		t.WriteString(verdict + "\n")
		t.paragraph(r.Doubt)
		t.paragraph(r.Shortened)
		t.paragraph(r.Idle)
		t.paragraph(r.Failures.Text)
		t.WriteString(r.Failures.Lines())
		t.paragraph(r.Headline.Beside)
		var sentences []string
		if r.Weights.Search != "" {
			sentences = append(sentences, sentence(r.Weights.Note))
		}
		for _, table := range r.Tables {
			if len(table.Rows) == 0 {
				sentences = append(sentences, table.Notes...)
				continue
			}
			if table.Section == "weights" {
				table = r.Weights.mostMoved(table)
			}
			t.WriteString("\n")
			t.table(table)
		}
		if r.Playoff != "" {
			sentences = append(sentences, sentence(r.Playoff))
		}
		t.paragraph(strings.Join(sentences, " "))
	}
	_, err := io.WriteString(w, t.String())
	return err
}

type terminal struct {
	strings.Builder
	width int
}

// paragraph begins a paragraph with a text, unless it is empty.
func (t *terminal) paragraph(words string) {
	if words != "" {
		t.WriteString("\n")
		t.wrap(words)
	}
}

// unbroken is what stays on one line: an interval, and a command with the words before it. The
// program may be called by a path, or by go run.
var unbroken = regexp.MustCompile(`\S+ \S+: (?:go run )?\S*tune .*|\[[^][]*\]\S*|\S+`)

// wrap writes words on lines of the width.
func (t *terminal) wrap(words string) { t.WriteString(Wrap(results.Escape(words, ""), t.width)) }

// Wrap breaks words into lines of this many columns, 80 with 0, each with a line end. A longer word
// stays whole.
func Wrap(words string, width int) string {
	width = cmp.Or(width, 80)
	var text strings.Builder
	at := 0
	for _, word := range unbroken.FindAllString(words, -1) {
		n := utf8.RuneCountInString(word)
		switch {
		case at > 0 && at+1+n > width:
			text.WriteString("\n")
			at = 0
		case at > 0:
			text.WriteString(" ")
			at++
		}
		text.WriteString(word)
		at += n
	}
	return text.String() + "\n"
}

// table writes a table and its notes.
func (t *terminal) table(table Table) {
	lost, _ := table.WriteRows(&t.Builder, t.width) // a builder takes all
	for _, note := range table.Notes {
		t.wrap(note)
	}
	if len(lost) > 0 {
		t.wrap("No room for " + strings.Join(lost, ", ") + ": a wider window shows it.")
	}
}
