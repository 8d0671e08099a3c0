package report

import (
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"tune2048/results"
)

// Text writes reports for a terminal of this many columns: the verdict first, then the tables but
// for how the run was made. Times are left out, so equal runs have equal texts. A table that is too
// wide loses columns at its right.
func Text(w io.Writer, width int, reports ...Report) error {
	t := &terminal{width: width}
	for _, r := range reports {
		t.paragraph("run " + r.Name + ": " + r.Headline.Text)
		t.paragraph(r.Headline.Beside)
		for _, table := range r.Tables() {
			if table.Section != "made" {
				t.table(table)
			}
		}
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
		if t.Len() > 0 {
			t.WriteString("\n")
		}
		t.wrap(words)
	}
}

// An interval stays on one line, and so does a command with the words before it.
var unbroken = regexp.MustCompile(`\S+ \S+: tune .*|\[[^][]*\]\S*|\S+`)

// wrap writes words on lines of the width.
func (t *terminal) wrap(words string) {
	at := 0
	for _, word := range unbroken.FindAllString(results.Escape(words, ""), -1) {
		n := utf8.RuneCountInString(word)
		switch {
		case at > 0 && at+1+n > t.width:
			t.WriteString("\n")
			at = 0
		case at > 0:
			t.WriteString(" ")
			at++
		}
		t.WriteString(word)
		at += n
	}
	t.WriteString("\n")
}

func (t *terminal) table(table Table) {
	t.WriteString("\n")
	if len(table.Rows) > 0 {
		t.wrap(table.Title + ":")
		t.rows(table)
	}
	for _, note := range table.Notes {
		t.wrap(note)
	}
}

// rows writes the head and the rows that fit, in aligned columns.
func (t *terminal) rows(table Table) {
	lines := make([]string, len(table.Rows)+1)
	used := -2
	for k, column := range table.Columns {
		cells, widest := []string{column.Name}, 0
		for _, row := range table.Rows {
			cells = append(cells, results.Escape(row[k], ""))
		}
		for _, cell := range cells {
			widest = max(widest, utf8.RuneCountInString(cell))
		}
		if column.Clock {
			continue
		}
		if k > 1 && used+2+widest > t.width {
			break
		}
		for i, cell := range cells {
			gap := strings.Repeat(" ", widest-utf8.RuneCountInString(cell))
			if column.Number {
				cell = gap + cell
			} else {
				cell += gap
			}
			if k > 0 {
				cell = "  " + cell
			}
			lines[i] += cell
		}
		used += 2 + widest
	}
	for _, line := range lines {
		t.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
