package config

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"slices"
	"tune2048/engine/eval"
)

// chapter returns what a page has between two markers.
func chapter(t *testing.T, page, name string) string {
	t.Helper()
	readme, err := os.ReadFile(page)
	must(t, err)
	_, after, _ := strings.Cut(string(readme), "<!-- "+name+" -->\n")
	text, _, found := strings.Cut(after, "<!-- end -->")
	if !found {
		t.Fatalf("%s has no chapter %s", page, name)
	}
	return text
}

// featureTables are README.md's tables of the features, from the tables of package eval.
func featureTables() string {
	var text strings.Builder
	text.WriteString("| feature | what it is | settings, at their defaults |\n|---|---|---|\n")
	for _, k := range eval.Kinds() {
		fmt.Fprintf(&text, "| `%s` | %s | %s |\n", k.Name, k.Doc, strings.Join(k.Defaults(), ", "))
	}
	text.WriteString("\n| setting | default | what it is |\n|---|---|---|\n")
	for _, s := range eval.Settings() {
		standard, doc := "", s.Doc
		switch {
		case slices.Contains(eval.Parts(), s.Name):
			standard = "such as `" + s.Example + "`"
		case s.Default != nil:
			standard = fmt.Sprintf("`%v`", s.Default)
		case s.Example != "":
			standard = "must be given, such as `" + s.Example + "`"
		}
		if s.Choices != nil {
			doc = "`" + strings.Join(s.Choices, "`, `") + "`: " + doc
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s |\n", s.Name, standard, doc)
	}
	return text.String()
}

// definitionTable has the formulas that define the line features, with each choice of their words
// that changes the formula.
func definitionTable() string {
	var text strings.Builder
	text.WriteString("| feature | its formula |\n|---|---|\n")
	cell := strings.NewReplacer("|", `\|`) // in a table of Markdown
	for _, k := range eval.Kinds() {
		if k.Over != "" || k.Name == eval.Formula {
			continue
		}
		f := eval.Defaults(k.Name)
		standard := k.Text(&f)
		fmt.Fprintf(&text, "| `%s` | `%s` |\n", k.Name, cell.Replace(standard))
		for _, s := range f.Keys()[2:] { // the settings
			for _, word := range s.Choices {
				*s.To.(*string) = word
				if other := k.Text(&f); other != standard {
					fmt.Fprintf(&text, "| `%s`, `%s: %s` | `%s` |\n", k.Name, s.Name, word, cell.Replace(other))
				}
				s.SetDefault()
			}
		}
	}
	return text.String()
}

// TestReadmeFormulas: README.md's formulas are valid, and `tune help formula` has their texts.
func TestReadmeFormulas(t *testing.T) {
	help, err := os.ReadFile("../../cmd/tune/help/formula.txt")
	must(t, err)
	rows := strings.Split(strings.TrimSpace(chapter(t, "../README.md", "formulas")), "\n")[2:]
	if len(rows) < 10 {
		t.Fatalf("there are %d formulas", len(rows))
	}
	for _, row := range rows {
		_, code, _ := strings.Cut(strings.TrimSuffix(row, "` |"), "| `")
		formula := load(t, "heuristic: {features: [{feature: formula, "+strings.ReplaceAll(code, `\|`, "|")+
			"}]}\n").Heuristic.Features[0].Formula
		if !strings.Contains(strings.Join(strings.Fields(string(help)), " "), strconv.Quote(formula)) {
			t.Errorf("help/formula.txt omits %s", formula)
		}
	}
}

// TestReadmeShipped: the list of shipped configs names all of them.
func TestReadmeShipped(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	must(t, err)
	_, list, found := strings.Cut(string(readme), "## Shipped configs\n")
	for _, name := range Names() {
		if !strings.Contains(list, "`"+name+"`") {
			t.Errorf("the list of shipped configs (found: %v) omits %s", found, name)
		}
	}
}
