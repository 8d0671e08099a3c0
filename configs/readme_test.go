package configs

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"tune2048/engine/heuristic"
)

// chapter returns what a page has between two markers.
func chapter(t *testing.T, page, name string) string {
	t.Helper()
	readme, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "<!-- "+name+" -->\n")
	text, _, found := strings.Cut(after, "<!-- end -->")
	if !found {
		t.Fatalf("%s has no chapter %s", page, name)
	}
	return text
}

// featureTables is what README.md says of the features, from the tables of package heuristic.
func featureTables() string {
	var text strings.Builder
	text.WriteString("| feature | what it is | settings, at their defaults |\n|---|---|---|\n")
	for _, k := range heuristic.Kinds() {
		var settings []string
		for _, s := range k.Settings[1:] { // after weight
			if s.Default == "" {
				settings = append(settings, "`"+s.Key+"` (must be given)")
			} else {
				settings = append(settings, "`"+s.Key+": "+s.Default+"`")
			}
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s |\n", k.Name, k.Doc, strings.Join(settings, ", "))
	}
	text.WriteString("\n| setting | default | what it is |\n|---|---|---|\n")
	for _, s := range heuristic.Settings() {
		standard, doc := "must be given, such as `"+s.Example+"`", s.Doc
		if s.Default != "" {
			standard = "`" + s.Default + "`"
		}
		if s.Choices != nil {
			doc = "`" + strings.Join(s.Choices, "`, `") + "`: " + doc
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s |\n", s.Key, standard, doc)
	}
	return text.String()
}

func TestReadmeFeatures(t *testing.T) {
	kinds, settings, _ := strings.Cut(featureTables(), "\n\n")
	for page, want := range map[string]string{"README.md": kinds + "\n\n" + settings, "../README.md": kinds + "\n"} {
		if chapter(t, page, "features") != want {
			t.Errorf("between <!-- features --> and <!-- end --> %s wants\n%s", page, want)
		}
	}
}

// formulaTable is what formulas know.
func formulaTable() string {
	var text strings.Builder
	text.WriteString("| in a formula | what it is |\n|---|---|\n")
	for _, s := range heuristic.Symbols() {
		fmt.Fprintf(&text, "| `%s` | %s |\n", s.Name, s.Doc)
	}
	return text.String()
}

func TestReadmeFormulas(t *testing.T) {
	if want := formulaTable(); chapter(t, "README.md", "formulas") != want {
		t.Errorf("between <!-- formulas --> and <!-- end --> README.md wants\n%s", want)
	}
}

// TestReadmeShipped: the list of shipped configs names all of them.
func TestReadmeShipped(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(readme), "## Shipped configs\n")
	for _, name := range Names() {
		if !strings.Contains(list, "`"+name+"`") {
			t.Errorf("the list of shipped configs (found: %v) omits %s", found, name)
		}
	}
}

func TestReadmeExamples(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(readme), "```yaml\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		if !strings.Contains(text, "heuristic:") {
			text += "heuristic: {family: snake}\n"
		}
		load(t, text)
	}
}

// The defaults are those that a config without the keys gets, and all of them.
func TestReadmeDefaults(t *testing.T) {
	text := strings.TrimPrefix(strings.TrimSuffix(chapter(t, "README.md", "defaults"), "```\n"), "```yaml\n")
	const head = "heuristic: {features: [{feature: empty}]}\n"
	want := load(t, head)
	if got := load(t, head+text); got.Text != want.Text || got.Store != want.Store {
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
