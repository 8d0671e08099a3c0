package config

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/tuner"
)

var update = flag.Bool("update", false, "write the golden files")

// load parses a text that has to be right.
func load(t testing.TB, text string) *Config {
	t.Helper()
	c, err := Parse([]byte(text), "test.yaml")
	must(t, err)
	return c
}

// weightOf returns a weight of a config.
func weightOf(c *Config, name string) tuner.Parameter {
	return c.Weights[slices.Index(c.Heuristic.Names(), name)]
}

// full is a config with one of everything.
func full(t testing.TB) *Config {
	t.Helper()
	c, err := Load("testdata/full.yaml")
	must(t, err)
	return c
}

// The canonical text identifies the runs of every database there is: it changes on purpose or not
// at all.
func TestCanonicalText(t *testing.T) {
	const golden = "testdata/full.golden"
	c := full(t)
	if *update {
		must(t, os.WriteFile(golden, []byte(c.Text), 0o644))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if c.Text != string(want) {
		t.Errorf("got\n%s\nwant\n%s", c.Text, want)
	}
	if len(c.Hash) != 64 || strings.Trim(c.Hash, "0123456789abcdef") != "" {
		t.Errorf("got the hash %q, want 64 hexadecimal digits", c.Hash)
	}
}

// sameConfig reports how a config that was written and read again differs, apart from its path.
func sameConfig(t testing.TB, from string, got, want Config) {
	t.Helper()
	got.Path, want.Path = "", ""
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got\n%+v\nwant\n%+v", from, got, want)
	}
}

func checkRoundTrip(t testing.TB, c *Config) {
	t.Helper()
	again, err := Parse(c.YAML(), "again.yaml")
	if err != nil {
		t.Fatalf("%s\nof\n%s", err, c.YAML())
	}
	sameConfig(t, "YAML", *again, *c)
	again, err = Parse([]byte(c.Text), "again.yaml")
	if err != nil {
		t.Fatalf("%s\nof\n%s", err, c.Text)
	}
	again.Name, again.Note, again.Heuristic.Name, again.Store = c.Name, c.Note, c.Heuristic.Name, c.Store // which the text leaves out
	sameConfig(t, "Text", *again, *c)
}

func TestRoundTrip(t *testing.T) {
	checkRoundTrip(t, full(t))
	for _, text := range []string{
		"heuristic: {family: snake}",
		"heuristic: {family: snake, dead: 3, symmetry: best}\nobjective: {reach: 65536}\noptimizer: {algorithm: cma_es, " +
			"population: 2}",
		"heuristic: {family: snake}\noptimizer: {algorithm: cma_es, population: 24, spread: 0.2, stage_spread: 0.1, " +
			"learning_rate: 1, step_floor: 1e-4}",
		"heuristic: {family: \"2048\", features: [{feature: empty, name: \"null\"}]}\nname: \"1e5\"\nobjective: " +
			"mean_log_score\nstages: [{name: \"true\"}]\nreferences: {\"12\": {weights: {\"null\": 1}}}",
	} {
		checkRoundTrip(t, load(t, text))
	}
}

func TestHashIgnoresWhatChangesNoResult(t *testing.T) {
	base := full(t)
	text, err := os.ReadFile("testdata/full.yaml")
	must(t, err)
	for name, replace := range map[string][]string{
		"comments": {"# One of everything", "# Something else\n# "},
		"name":     {"name: one.of-everything_1", "name: other"},
		"label":    {"family: everything", "family: other"},
		"store":    {"store: {games: validation}", "store: {games: none}"},
		"spelling": {"1e3", "1000", "blend: 0.50", "blend: .5"},
		"order of keys": {"{games: 12, rounds: 3, generations: 10, name: explore, search: {depth: 1}}",
			"{search: {depth: 1}, name: explore, games: 12, generations: 10, rounds: 3}"},
		"order of reference": {"references:\n  zeta: {weights: {empty: 1e3, sum_power: 2}, dead: -5}\n", "references:\n",
			"grid_matrix_0_0: -1\n", "grid_matrix_0_0: -1\n  zeta: {weights: {sum_power: 2, empty: 1e3}, dead: -5}\n"},
		"default left out": {"spread: 0.3, uniform", "uniform"},
		"sign of zero":     {"weight: -0", "weight: 0"},
		"range of no width": {"weight: -2.5", "weight: {min: -2.5, max: -2.5}", "decay: 0.25",
			"decay: {min: 0.25, max: 0.25, scale: log, start: 0.25}"},
		"line ends":       {"\n", "\r\n"},
		"byte order mark": {"# One", "\ufeff# One"},
		"style":           {"[{games: 500, depth: 1}, ", "[\n    {\"games\": 500, \"depth\": 1},\n    "},
	} {
		changed := strings.NewReplacer(replace...).Replace(string(text))
		if changed == string(text) {
			t.Errorf("%s: nothing was replaced", name)
		}
		if c := load(t, changed); c.Hash != base.Hash {
			t.Errorf("%s: another hash; got\n%s\nwant\n%s", name, c.Text, base.Text)
		}
	}
}

// Defaults that depend on something; README.md has the others, and TestReadmeDefaults.
func TestDefaults(t *testing.T) {
	c := load(t, "heuristic: {family: nneonneo}\nsearch: {depth: 2}\n")
	for name, got := range map[string]string{
		"stages": c.Stages[0].Search.String(), "playoff": c.Playoff.Search.String(),
		"validation": c.Validation.Search[0].String(),
		"ablation":   c.Ablation.Search.String(),
	} {
		if got != "depth 2" {
			t.Errorf("%s play at %s, want the default search", name, got)
		}
	}
	shipped, err := LoadEmbedded("nneonneo")
	must(t, err)
	if !reflect.DeepEqual(c.Heuristic, shipped.Heuristic) {
		t.Errorf("got the family %+v, want that of nneonneo.yaml", c.Heuristic)
	}
	// Who writes a length later goes on with the run of a config without stages.
	if one := load(t, "heuristic: {family: nneonneo}\nsearch: {depth: 2}\nstages: [{max_games: 20000}]\n"); one.Tuning() != c.Tuning() {
		t.Errorf("a single stage without a name is %s, want the stage of a config without stages", one.Stages[0].Name)
	}
	// A search that is given replaces the default one as a whole.
	c = load(t, "heuristic: {family: nneonneo}\nsearch: {depth: 3, min_probability: 0.1}\nplayoff: {search: {depth: 3}}\n")
	if c.Playoff.Search.MinProbability != 0 || c.Ablation.Search.MinProbability != 0 { // which is the playoff's
		t.Errorf("the playoff took over %+v, the ablation plays at %+v", c.Playoff.Search, c.Ablation.Search)
	}
	// Weights and cells are searched by ratios, powers, decays and numbers by differences. The
	// middle of a range is the middle on its scale.
	for _, w := range load(t, `heuristic:
  features:
    - {feature: empty, name: log_10, weight: {min: 1, max: 100, scale: log}}
    - {feature: merges, name: linear_-3, weight: {min: -10, max: 4, scale: linear}, count: runs}
    - {feature: sum, name: ratio_0, weight: {min: -100, max: 100}}
    - {feature: snake, name: linear_2, weight: 1, decay: 0.1, power: {min: 1, max: 3}}
    - {feature: snake, name: linear_0.5, weight: 1, decay: {min: 0, max: 1}}
    - {feature: position, name: ratio_21, matrix: [[{min: 0, max: 100}, 3, 2, 1], [4, 3, 2, 1], [4, 3, 2, 1], [4, 3, 2, 1]]}
    - {feature: formula, name: linear_1, line: p*a, numbers: {p: {min: 0, max: 2}}}
`).Tunable() {
		if got := fmt.Sprintf("%s_%.2g", w.Scale, w.Value); !strings.HasPrefix(w.Name, strings.TrimSuffix(got, ".0")) {
			t.Errorf("%s: got %s", w.Name, got)
		}
	}
	// A tiny population has room for its elites.
	if c := load(t, "heuristic: {family: snake}\noptimizer: {population: 2}"); c.Optimizer.(*tuner.Auto).Elites != 1 {
		t.Errorf("got %+v, want 1 elite", c.Optimizer)
	}
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
