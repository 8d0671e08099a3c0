package report

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"tune2048/experiments/summary"
)

// TestEveryFormSaysTheSame: each sentence and cell of the tables stands in the page and in the
// terminal's text, unless the terminal leaves it out. A comparison has the tables of a run.
func TestEveryFormSaysTheSame(t *testing.T) {
	for _, path := range []string{play(t, everything, nil),
		compared(t, map[string]float64{"good": 1000, "bad": -1000, "middling": 999})} {
		r := built(t, path)
		sameInEveryForm(t, r)
		for i, line := range strings.Split(textOf(t, 80, r), "\n") {
			if n := utf8.RuneCountInString(line); n > 80 || i == 0 && !strings.HasPrefix(line, "run "+r.Name+": ") {
				t.Errorf("line %d has %d characters: %s", i, n, line)
			}
		}
	}
}

func sameInEveryForm(t *testing.T, r Report) {
	t.Helper()
	var page bytes.Buffer
	must(t, Page{Report: r}.Write(&page))
	words := func(s string) string { return strings.Join(strings.Fields(html.UnescapeString(s)), " ") }
	forms := map[string]string{"page": words(page.String()), "text": words(textOf(t, 120, r))} // as wide as all of its columns
	said := []string{r.Headline.Beside}
	for form, verdict := range map[string]string{"page": r.Headline.Lead + " " + r.Headline.Sure,
		"text": r.Headline.Text} {
		if plain := tags.ReplaceAllString(forms[form], ""); !strings.Contains(words(plain), verdict) {
			t.Errorf("%s is missing from %s", verdict, form)
		}
	}
	for _, table := range r.Tables {
		said = append(said, table.Notes...)
		for _, row := range table.Rows {
			for k, cell := range row {
				for form, all := range forms {
					if (form != "text" || !table.Columns[k].Detail) && !strings.Contains(all, words(cell)) {
						t.Errorf("%s: %s is missing from %s", table.Section, cell, form)
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
}

// textOf is the text of a report for a terminal of this width.
func textOf(t *testing.T, width int, r Report) string {
	t.Helper()
	var b bytes.Buffer
	must(t, Text(&b, width, false, r))
	return b.String()
}

var tags = regexp.MustCompile("<[^>]*>")

// TestNarrowText: columns at the right give way, words are wrapped, and control characters are
// shown.
func TestNarrowText(t *testing.T) {
	r := Report{Name: "a\x1b", Headline: Headline{Text: "one two three four"}}
	r.Tables = []Table{Weights{Rows: []Weight{{Weight: summary.Weight{Name: "empty", Start: 12345},
		Remark: "at its minimum, 0: widen the range"}}}.table()}
	r.Tables[0].leaveOut()
	got := textOf(t, 24, r)
	const want = "run a\\u001b: one two\nthree four\n\nweight  start\nempty   12345\nNo room for remarks: a\nwider " +
		"window shows it.\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMostMovedWeights: of thousands of weights the terminal shows those that moved most.
func TestMostMovedWeights(t *testing.T) {
	r := Report{Name: "a", Headline: Headline{Text: "one"}}
	for i := range 4000 {
		r.Weights.Rows = append(r.Weights.Rows,
			Weight{Weight: summary.Weight{Name: fmt.Sprint("w", i)}, moved: float64(i % 200)})
	}
	r.Tables = []Table{r.Weights.table()}
	got := textOf(t, 80, r)
	if strings.Count(got, "\nw") != 1+maxWeights || !strings.Contains(got, "\nw199 ") ||
		!strings.Contains(got, "shows the\nother 3,980, too.") {
		t.Error(got)
	}
}

// TestTextHasNoTimes: equal runs have equal texts, however long their moves took.
func TestTextHasNoTimes(t *testing.T) {
	milliseconds := 1.5
	rec := recordsOf(1, nil)
	rec.Gains = make([]summary.Gain, 1)
	rec.Players = []summary.Player{{Name: "champion", MSPerMove: &milliseconds, Tiles: []summary.TileShare{{Tile: 2048}}}}
	got := textOf(t, 200, Report{Tables: rec.tables(Report{})})
	if !strings.Contains(got, "2048 reached\n") || strings.Contains(got, perMove(milliseconds)) {
		t.Errorf("got %q", got)
	}
}

// TestBoldVerdicts: each verdict is bold, and nothing else.
func TestBoldVerdicts(t *testing.T) {
	var b bytes.Buffer
	must(t, Text(&b, 80, true, Report{Name: "a", Headline: Headline{Text: "one"}, Doubt: "Two."},
		Report{Name: "b", Headline: Headline{Text: "three"}}))
	if got, want := b.String(), "\x1b[1mrun a: one\x1b[0m\n\nTwo.\n\n\x1b[1mrun b: three\x1b[0m\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRemarksWrap: no remark is lost where the window is narrow, and no line is wider than it.
func TestRemarksWrap(t *testing.T) {
	remark := "-48% [-63, -29]; at its maximum, 20000: widen the range"
	table := Table{
		Columns: []Column{{Name: "weight"}, {Name: "champion", Number: true},
			{Name: "score without this feature; remarks", Wraps: true}, {Name: "range", Detail: true}},
		Rows: [][]string{{"monotonicity_power", "0.0610238", remark, "0 to 1"}, {"empty", "3", "", "0 to 1"}},
	}
	for _, width := range []int{48, 60, 80, 120} {
		var b strings.Builder
		lost := sure(table.WriteRows(&b, width))(t)
		text := b.String()
		if !strings.Contains(strings.Join(strings.Fields(text), " "), remark) || len(lost) > 0 ||
			strings.Contains(text, "[-63,\n") {
			t.Errorf("%d columns: lost %q:\n%s", width, lost, text)
		}
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(line)-1 > width {
				t.Errorf("%d columns: %s", width, line)
			}
		}
	}
}
