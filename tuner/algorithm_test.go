package tuner

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated parts of README.md")

// set are settings of an algorithm.
type set = map[string]float64

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		algorithm string
		settings  set
		want      string
	}{
		{"", set{"population": 1}, "population: want a whole number from 2 to 10000, got 1"},
		{"genetic", set{"population": 7.5}, "population: want a whole number from 2 to 10000, got 7.5"},
		{"genetic", set{"elites": 40}, "elites: want less than population, which is 40, got 40"},
		{"genetic", set{"blend": math.NaN()}, "blend: want a number from 0 to 2, got NaN"},
		{"genetic", set{"mutation_spread": math.Inf(1)}, "mutation_spread: want a number from 0 to 10, got +Inf"},
		{"cma_es", set{"stage_spread": 0}, "stage_spread: want a number more than 0 and at most 1, got 0"},
		{"", set{"population": 2}, ""}, // room for its elites
	} {
		got := ""
		for _, s := range AlgorithmOf(c.algorithm).Settings {
			if err := s.Check(Options{c.algorithm, c.settings}); err != nil {
				got += s.Key + ": " + err.Error()
			}
		}
		if got != c.want {
			t.Errorf("%s: got %v, want %s", c.algorithm, got, c.want)
		}
	}
	want := "tuner: algorithm: want one of " + strings.Join(Algorithms(), ", ") + `, got "cma"`
	if _, err := New(Options{Algorithm: "cma"}, NewSpace(cube(1, 0, 1, 0)), 0); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestRange(t *testing.T) {
	for text, r := range map[string]Range{
		"from 0 to 1": {Low: 0, High: 1}, "more than 0 and at most 1": {Low: 0, High: 1, LowOut: true},
		"at least 0 and less than 1": {Low: 0, High: 1, HighOut: true}, "more than 0 and less than 1": {Low: 0, High: 1, LowOut: true, HighOut: true},
	} {
		if r.String() != text || !r.Contains(0.5) || r.Contains(0) == r.LowOut || r.Contains(1) == r.HighOut || r.Contains(-0.1) || r.Contains(1.1) || r.Contains(math.NaN()) {
			t.Errorf("%s: %+v is %q", text, r, r)
		}
	}
}

// With another value of a setting an algorithm searches otherwise.
func TestSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	for _, a := range algorithms {
		base := Options{Algorithm: a.Name}
		for _, s := range a.Settings {
			other := s.Default/2 + 0.01
			switch {
			case s.Whole:
				other = s.Default + 2
			case strings.HasSuffix(s.Key, "floor"): // so high that it is reached at once
				other = 0.4
			}
			if trace(t, Options{a.Name, set{s.Key: other}}, 17) == trace(t, base, 17) {
				t.Errorf("%s: with another %s the search is the same", a.Name, s.Key)
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
		for _, s := range a.Settings {
			if !slices.Contains(docs, s.Doc) {
				docs = append(docs, s.Doc)
				rows[s.Doc] = fmt.Sprintf("| `%s` | %%s | %s | %s |\n", s.Key, s.Range, s.Doc)
			} else {
				defaults[s.Doc] += ", "
			}
			defaults[s.Doc] += fmt.Sprintf("`%s` %s", a.Name, number(s.Default))
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
	if strip := strings.NewReplacer("\t", "", " ", ""); code == "" || !strings.Contains(strip.Replace(string(example)), strip.Replace(code)) {
		t.Errorf("the README's example is not the one of example_test.go:\n%s", code)
	}
}
