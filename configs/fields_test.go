package configs

import (
	"strings"
	"testing"
)

// TestMistakes: usual mistakes of indentation and spacing are answered with their place and the mend.
func TestMistakes(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"tab key", "heuristic:\n  features:\n    - feature: empty\n\t  weight: 1\n",
			"a.yaml:4:1: not valid YAML: a tab in the indentation: want spaces"},
		{"tab after spaces", "heuristic:\n  \tfamily: snake\n",
			"a.yaml:2:3: not valid YAML: a tab in the indentation: want spaces"},
		{"key of an item at the level above", "heuristic:\n  features:\n    - feature: empty\n  weight: 1\n",
			"a.yaml:4:3: heuristic.weight: unknown key; weight belongs in an entry of features: move it there"},
		{"no space nested", "heuristic:\n  family:snake\n",
			`a.yaml:1:1: heuristic: want a mapping (key: value), got the text "family:snake"`},
		{"no space before a number in braces", "heuristic: {features: [{feature: empty, weight: {min:0, max: 1}}]}\n",
			"a.yaml:1:41: heuristic.features[0].weight.min: missing: give it, such as min: 0\n" +
				`a.yaml:1:50: heuristic.features[0].weight."min:0": unknown key; a space is missing after the colon; want min, max, scale or start`},
		{"no space in braces", "heuristic: {features: [{feature:empty, weight: 1}]}\n",
			"a.yaml:1:24: heuristic.features[0].feature: missing: give it, such as feature: empty"},
		{"no space after dash", "heuristic:\n  features:\n    -feature: empty\n",
			"a.yaml:2:3: heuristic.features: want a list of features, each beginning with a - and a space, got a mapping"},
		{"missing colon value", "heuristic:\n  family snake\n",
			`a.yaml:1:1: heuristic: want a mapping (key: value), got the text "family snake"`},
		{"wrong level features", "heuristic:\nfeatures:\n  - {feature: empty}\n",
			"a.yaml:1:1: heuristic: want a mapping (key: value), got nothing\na.yaml:2:1: features: unknown key; heuristic above it is empty: indent features more if it is part of heuristic"},
		{"wrong level stages", "heuristic:\n  family: snake\n  stages:\n    - {games: 1}\n",
			"a.yaml:3:3: heuristic.stages: unknown key; stages belongs on the top level: move it there"},
		{"wrong level games", "heuristic: {family: snake}\nstages:\n  - search: {depth: 3}\ngames: 8\n",
			"a.yaml:4:1: games: unknown key; games belongs in an entry of stages: move it there"},
		{"range on own lines", "heuristic:\n  features:\n    - feature: empty\n      weight:\n      min: 0\n      max: 1\n",
			"a.yaml:4:7: heuristic.features[0].weight: want a number or {min, max, start, scale}, got nothing\na.yaml:5:7: heuristic.features[0].min: unknown key; weight above it is empty: indent min more if it is part of weight\na.yaml:6:7: heuristic.features[0].max: unknown key"},
		{"formula without quotes in braces", "heuristic:\n  features:\n    - {feature: formula, line: max(a, b)}\n",
			`a.yaml:3:39: heuristic.features[0]."b)": unknown key; a formula with a comma wants quotes`},
	} {
		_, err := Parse([]byte(test.text), "a.yaml")
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		var got []string
		for _, line := range strings.Split(err.Error(), "\n") {
			line, _, _ = strings.Cut(line, "; want name, seed")
			line, _, _ = strings.Cut(line, "; want family, dead")
			line, _, _ = strings.Cut(line, "; want feature, name")
			got = append(got, line)
		}
		if got := strings.Join(got, "\n"); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}
