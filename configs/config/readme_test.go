package config

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

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
		standard, doc := "must be given, such as `"+s.Example+"`", s.Doc
		if s.Default != "" {
			standard = "`" + s.Default + "`"
		} else if s.Over {
			standard = "such as `" + s.Example + "`"
		}
		if s.Choices != nil {
			doc = "`" + strings.Join(s.Choices, "`, `") + "`: " + doc
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s |\n", s.Key, standard, doc)
	}
	return text.String()
}

func TestReadmeFeatures(t *testing.T) {
	if want := featureTables(); chapter(t, "../README.md", "features") != want {
		t.Errorf("between <!-- features --> and <!-- end --> README.md wants\n%s", want)
	}
}

// definitionTable has the formulas that define the line features, with each choice of their words
// that changes the formula.
func definitionTable() string {
	var text strings.Builder
	text.WriteString("| feature | its formula |\n|---|---|\n")
	for _, k := range eval.Kinds() {
		if k.Line == nil || k.Name == eval.Formula {
			continue
		}
		f := eval.Defaults(k.Name)
		standard := k.Line(&f)
		fmt.Fprintf(&text, "| `%s` | `%s` |\n", k.Name, standard)
		for _, s := range k.Settings {
			for _, word := range s.Choices {
				f := eval.Defaults(k.Name)
				*s.Word(&f) = word
				if other := k.Line(&f); other != standard {
					fmt.Fprintf(&text, "| `%s`, `%s: %s` | `%s` |\n", k.Name, s.Key, word, other)
				}
			}
		}
	}
	return text.String()
}

func TestReadmeDefinitions(t *testing.T) {
	if want := definitionTable(); chapter(t, "../README.md", "definitions") != want {
		t.Errorf("between <!-- definitions --> and <!-- end --> README.md wants\n%s", want)
	}
}

// TestReadmeFormulas: README.md's formulas are valid, and `tune help formula` has their texts.
func TestReadmeFormulas(t *testing.T) {
	help, err := os.ReadFile("../../cmd/tune/help/formula_examples.txt")
	must(t, err)
	rows := strings.Split(strings.TrimSpace(chapter(t, "../README.md", "formulas")), "\n")[2:]
	if len(rows) < 10 {
		t.Fatalf("there are %d formulas", len(rows))
	}
	for _, row := range rows {
		_, code, _ := strings.Cut(strings.TrimSuffix(row, "` |"), "| `")
		formula := load(t, "heuristic: {features: [{feature: formula, "+strings.ReplaceAll(code, `\|`, "|")+"}]}\n").Family.Features[0].Formula
		if !strings.Contains(strings.Join(strings.Fields(string(help)), " "), strconv.Quote(formula)) {
			t.Errorf("help/formula_examples.txt omits %s", formula)
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

// The defaults are those that a config without the keys gets, and all of them.
func TestReadmeDefaults(t *testing.T) {
	text := strings.TrimPrefix(strings.TrimSuffix(chapter(t, "../README.md", "defaults"), "```\n"), "```yaml\n")
	const head = "heuristic: {features: [{feature: empty}]}\n"
	want := load(t, head)
	if got := load(t, head+text); got.Text != want.Text || got.StoreGames != want.StoreGames {
		t.Errorf("the defaults of README.md are those of\n%s\nwant\n%s", got.Text, want.Text)
	}
	key := regexp.MustCompile(`[a-z_]+:`)
	for line := range strings.Lines(string(want.YAML())) {
		if line[0] == ' ' && !strings.HasPrefix(line, "  - {name") || strings.HasPrefix(line, "optimizer:") || strings.HasPrefix(line, "heuristic:") {
			continue
		}
		for _, key := range key.FindAllString(line, -1) {
			if !strings.Contains(text, key) {
				t.Errorf("README.md does not have the default of %s", key)
			}
		}
	}
}
