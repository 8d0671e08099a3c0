package report

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	"tune2048/experiments/fitness"
)

// TestEveryFormSaysTheSame: each sentence and cell of the tables stands in the page, in Markdown
// and in the terminal's text, but for what the terminal leaves out.
func TestEveryFormSaysTheSame(t *testing.T) {
	r, err := build(t, play(t, everything, nil))
	must(t, err)
	var page, markdown, text bytes.Buffer
	must(t, Page{Reports: []Report{r}}.Write(&page))
	must(t, Markdown(&markdown, r))
	must(t, Text(&text, 100, r)) // as wide as all of its columns
	words := func(s string) string { return strings.Join(strings.Fields(html.UnescapeString(s)), " ") }
	forms := map[string]string{"page": words(page.String()), "Markdown": words(markdown.String()), "text": words(text.String())}
	said := []string{r.Headline.Text, r.Headline.Beside}
	for _, table := range r.Tables() {
		terminal := table.Section != "made"
		said = append(said, table.Notes...)
		for _, row := range table.Rows {
			for k, cell := range row {
				for form, all := range forms {
					if (form != "text" || terminal && !table.Columns[k].Clock) && !strings.Contains(all, words(cell)) {
						t.Errorf("%s: %s is missing from %s", table.Title, cell, form)
					}
				}
			}
		}
	}
	for form, all := range forms {
		for _, sentence := range said {
			if !strings.Contains(all, words(sentence)) {
				t.Errorf("%s is missing from %s", sentence, form)
			}
		}
	}
	text.Reset()
	must(t, Text(&text, 80, r))
	for i, line := range strings.Split(text.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > 80 || i == 0 && !strings.HasPrefix(line, "run everything: The champion reaches 256 in ") {
			t.Errorf("line %d has %d characters: %s", i, n, line)
		}
	}
}

// TestNarrowText: columns at the right give way, and words are wrapped. Control characters are
// shown. A table without rows has no title.
func TestNarrowText(t *testing.T) {
	r := Report{Name: "a\x1b", Headline: Headline{Text: "one two six three four"}, Convergence: convergenceSection{Text: "no progress"}}
	r.Weights.Weights = []weightRow{{Name: "empty", Min: 0, Max: 100000, Start: 12345}}
	var b bytes.Buffer
	must(t, Text(&b, 24, r))
	const want = "run a\\u001b: one two six\nthree four\n\nNo progress.\n\nWeights:\nweight   start  champion\nempty   12,345\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// TestTextHasNoTimes: equal runs have equal texts, however long their moves took.
func TestTextHasNoTimes(t *testing.T) {
	milliseconds := 1.5
	r := Report{Unit: UnitOf(fitness.MeanScore)}
	r.HeldOut.Players = []figures{{Name: "champion", MSPerMove: &milliseconds}}
	var b bytes.Buffer
	must(t, Text(&b, 200, r))
	if text := b.String(); !strings.Contains(text, "2048 reached\n") || strings.Contains(text, PerMove(milliseconds)) {
		t.Errorf("got %q", text)
	}
}
