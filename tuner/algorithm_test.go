package tuner

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated parts of README.md")

// set are settings of an algorithm.
type set = map[string]float64

// options returns an algorithm with these settings and its defaults.
func options(name string, given set) Algorithm {
	a := NewAlgorithm(name)
	for i := range a.Keys() {
		k := a.Keys()[i] // a default may follow from the settings before it
		if x, ok := given[k.Name]; ok {
			k.SetNumber(x)
		} else {
			k.SetDefault()
		}
	}
	return a
}

// With another value of a setting an algorithm searches otherwise.
func TestSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	for _, a := range algorithms {
		base := options(a.Name(), nil)
		for _, k := range base.Keys() {
			other := k.Value()/2 + 0.01
			switch _, whole := k.To.(*int); {
			case whole:
				other = k.Value() + 2
			case strings.HasSuffix(k.Name, "floor"): // so high that it is reached at once
				other = 0.4
			}
			if trace(t, options(a.Name(), set{k.Name: other}), 17) == trace(t, base, 17) {
				t.Errorf("%s: with another %s the search is the same", a.Name(), k.Name)
			}
		}
	}
}

// settingTable is the README's table of the settings. Algorithms share a row where they share a
// setting.
func settingTable() string {
	var docs []string
	rows, defaults := map[string]string{}, map[string]string{}
	for _, a := range algorithms {
		for _, k := range options(a.Name(), set{"population": 10_000}).Keys() { // so elites have their widest range
			if !slices.Contains(docs, k.Doc) {
				docs = append(docs, k.Doc)
				rows[k.Doc] = fmt.Sprintf("| `%s` | %%s | %s | %s |\n", k.Name, k.Range, k.Doc)
			} else {
				defaults[k.Doc] += ", "
			}
			defaults[k.Doc] += fmt.Sprintf("`%s` %v", a.Name(), k.Default)
		}
	}
	table := "| key | default | range | meaning |\n|---|---|---|---|\n"
	for _, doc := range docs {
		table += fmt.Sprintf(rows[doc], defaults[doc])
	}
	return table
}

// The README's table of settings is generated: go test ./tuner -run README -update. Its example is
// the one that is tested.
func TestREADME(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	before, rest, ok := strings.Cut(page, "<!-- settings -->\n")
	table, after, ok2 := strings.Cut(rest, "<!-- end -->")
	if !ok || !ok2 {
		t.Fatal("README.md has no table of settings")
	}
	want := settingTable()
	page = before + "<!-- settings -->\n" + want + "<!-- end -->" + after
	if table != want && !*update {
		t.Errorf("got the table\n%s\nwant\n%s", table, want)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	_, code, _ := strings.Cut(page, "```go\n")
	code, _, _ = strings.Cut(code, "```")
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if strip := strings.NewReplacer("\t", "", " ", ""); code == "" ||
		!strings.Contains(strip.Replace(string(example)), strip.Replace(code)) {
		t.Errorf("the README's example is not the one of example_test.go:\n%s", code)
	}
}
