package configs

import (
	"strings"
	"testing"
)

// TestCauses: usual mistakes are answered with their place, the parser's reason, the likely cause
// and the mend.
func TestCauses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"tab key", "heuristic:\n  features:\n    - feature: empty\n\t  weight: 1\n",
			"a.yaml:4:1: not valid YAML: a tab in the indentation: want spaces"},
		{"tab after spaces", "heuristic:\n  \tfamily: snake\n",
			"a.yaml:2:3: not valid YAML: a tab in the indentation: want spaces"},
		{"item under-indented", "heuristic:\n  features:\n    - {feature: empty}\n  - {feature: line}\n",
			"a.yaml:4:3: not valid YAML: did not find expected key: the indentation of this line is 2, want 4"},
		{"item over-indented", "heuristic:\n  features:\n    - {feature: empty}\n      - {feature: line}\n",
			"a.yaml:4:7: not valid YAML: did not find expected '-' indicator: the indentation of this line is 6, want 4"},
		{"items above their key", "heuristic:\n  features:\n- {feature: empty}\n- {feature: line}\n",
			"a.yaml:3:1: not valid YAML: did not find expected key: the indentation of this line is 0, want 2"},
		{"key of an item, too few", "heuristic:\n  features:\n    - feature: empty\n     weight: 1\n",
			"a.yaml:4:6: not valid YAML: did not find expected '-' indicator: the indentation of this line is 5, want 6"},
		{"key of an item at its dash", "heuristic:\n  features:\n    - feature: empty\n    weight: 1\n",
			"a.yaml:4:5: not valid YAML: did not find expected '-' indicator: the indentation of this line is 4, want 6 or 2"},
		{"key of an item, too many", "heuristic:\n  features:\n    - feature: empty\n       weight: 1\n",
			"a.yaml:4:8: not valid YAML: mapping values are not allowed in this context: the indentation of this line is 7, want 6"},
		{"key of an item at the level above", "heuristic:\n  features:\n    - feature: empty\n  weight: 1\n",
			"a.yaml:4:3: heuristic.weight: unknown key; weight belongs in an entry of features: move it there"},
		{"key deeper", "heuristic:\n  family: snake\n    dead: 0\n",
			"a.yaml:3:5: not valid YAML: mapping values are not allowed in this context: the indentation of this line is 4, want 2"},
		{"key shallower", "heuristic:\n    family: snake\n  dead: 0\n",
			"a.yaml:3:3: not valid YAML: did not find expected key: the indentation of this line is 2, want 4 or 0"},
		{"top-level key, two spaces", "seed: 1\n  name: x\nheuristic: {family: snake}\n",
			"a.yaml:2:3: not valid YAML: mapping values are not allowed in this context: the indentation of this line is 2, want 0"},
		{"no space", "heuristic: {family: snake}\nseed:1\n",
			"a.yaml:2:6: not valid YAML: could not find expected ':': a space is missing after the colon: write seed: 1"},
		{"no space first", "seed:1\nheuristic: {family: snake}\n",
			"a.yaml:1:6: not valid YAML: mapping values are not allowed in this context: a space is missing after the colon: write seed: 1"},
		{"no space nested", "heuristic:\n  family:snake\n",
			`a.yaml:1:1: heuristic: want a mapping (key: value), got the text "family:snake"`},
		{"no space in the line before", "heuristic:\n  family:snake\n  dead: 0\n",
			"a.yaml:2:10: not valid YAML: mapping values are not allowed in this context: a space is missing after the colon: write family: snake"},
		{"no space before a number in braces", "heuristic: {features: [{feature: empty, weight: {min:0, max: 1}}]}\n",
			`a.yaml:1:50: heuristic.features[0].weight."min:0": a space is missing after the colon: write min: 0`},
		{"no space in braces", "heuristic: {features: [{feature:empty, weight: 1}]}\n",
			`a.yaml:1:25: heuristic.features[0]."feature:empty": a space is missing after the colon: write feature: empty`},
		{"no space before braces in braces", "heuristic:\n  features:\n    - {feature: line}\n    - {feature:empty, weight:{min:0, max:3}}\n",
			"a.yaml:4:16: not valid YAML: did not find expected ',' or '}': a space is missing after the colon: write - {feature: empty, weight: {min: 0, max: 3}}"},
		{"decimal comma in braces", "heuristic: {features: [{feature: sum, weight: {min: 0,5, max: 3}, power: 1,25}]}\n",
			"a.yaml:1:48: heuristic.features[0].weight.min: a number has a point: write 0.5\n" +
				"a.yaml:1:67: heuristic.features[0].power: a number has a point: write 1.25"},
		{"thousands in braces", "heuristic: {family: snake}\nvalidation: {games: 2,000}\n",
			"a.yaml:2:14: validation.games: a number has no comma: write 2000, or 2.000 for a fraction"},
		{"decimal comma", "heuristic:\n  features:\n    - feature: empty\n      weight: -0,5\n",
			`a.yaml:4:7: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got the text "-0,5": a number has a point: write -0.5`},
		{"thousands", "heuristic: {family: snake}\nvalidation:\n  games: 2,000\n",
			`a.yaml:3:3: validation.games: want a whole number in decimal digits, got the text "2,000": a number has no comma: write 2000, or 2.000 for a fraction`},
		{"no space after dash", "heuristic:\n  features:\n    -feature: empty\n",
			"a.yaml:2:3: heuristic.features: want a list of features, each beginning with a - and a space, got a mapping"},
		{"no space after a later dash", "heuristic:\n  features:\n    - {feature: empty}\n    -{feature: empty}\n",
			"a.yaml:4:6: not valid YAML: did not find expected '-' indicator: a list item wants a space after its -: write - {feature: empty}"},
		{"two keys on a line", "heuristic:\n  features:\n    - feature: empty weight: 1\n",
			`a.yaml:3:16: not valid YAML: mapping values are not allowed in this context: a second colon on the line: write - feature: "empty weight: 1", or the second key on a line of its own`},
		{"colon in a value", "name: a: b\n",
			`a.yaml:1:7: not valid YAML: mapping values are not allowed in this context: a second colon on the line: write name: "a: b", or the second key on a line of its own`},
		{"missing colon", "heuristic\n  family: snake\n",
			"a.yaml:1:10: not valid YAML: mapping values are not allowed in this context: a colon is missing: write heuristic:"},
		{"missing colon value", "heuristic:\n  family snake\n",
			`a.yaml:1:1: heuristic: want a mapping (key: value), got the text "family snake"`},
		{"missing comma", "heuristic: {features: [{feature: empty weight: 1}]}\n",
			"a.yaml:1:39: not valid YAML: did not find expected ',' or '}': a comma is missing: write heuristic: {features: [{feature: empty, weight: 1}]}"},
		{"unclosed braces", "heuristic:\n  features:\n    - {feature: empty, weight: {min: 0, max: 1}\n    - {feature: line}\n",
			"a.yaml:3:48: not valid YAML: did not find expected ',' or '}': a { is not closed: write - {feature: empty, weight: {min: 0, max: 1}}"},
		{"a brace too many", "heuristic:\n  features:\n    - {feature: empty, weight: {min: 0, max: 1}}}\n",
			"a.yaml:3:49: not valid YAML: did not find expected '-' indicator: one } or ] too many: write - {feature: empty, weight: {min: 0, max: 1}}"},
		{"wrong level features", "heuristic:\nfeatures:\n  - {feature: empty}\n",
			"a.yaml:1:1: heuristic: want a mapping (key: value), got nothing\na.yaml:2:1: features: unknown key; heuristic above it is empty: indent features more if it is part of heuristic"},
		{"wrong level stages", "heuristic:\n  family: snake\n  stages:\n    - {games: 1}\n",
			"a.yaml:3:3: heuristic.stages: unknown key; stages belongs on the top level: move it there"},
		{"wrong level games", "heuristic: {family: snake}\nstages:\n  - search: {depth: 3}\ngames: 8\n",
			"a.yaml:4:1: games: unknown key; games belongs in an entry of stages: move it there"},
		{"range on own lines", "heuristic:\n  features:\n    - feature: empty\n      weight:\n      min: 0\n      max: 1\n",
			"a.yaml:4:7: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got nothing\na.yaml:5:7: heuristic.features[0].min: unknown key; weight above it is empty: indent min more if it is part of weight\na.yaml:6:7: heuristic.features[0].max: unknown key"},
		{"formula without quotes in braces", "heuristic:\n  features:\n    - {feature: formula, line: max(a, b)}\n",
			`a.yaml:3:26: heuristic.features[0].line: a text with a comma wants quotes here: write line: "max(a, b)"`},
		{"longer formula without quotes in braces", "heuristic:\n  features:\n    - {feature: formula, line: min(a, b, c) + d, weight: 2}\n",
			`a.yaml:3:26: heuristic.features[0].line: a text with a comma wants quotes here: write line: "min(a, b, c) + d"`},
		{"formula of C", "heuristic:\n  features:\n    - feature: formula\n      line: a > b ? 1 : 2\n",
			`a.yaml:4:13: not valid YAML: mapping values are not allowed in this context: a second colon on the line: write line: "a > b ? 1 : 2", or the second key on a line of its own`},
		{"crlf", "heuristic:\r\n  family: snake\r\n    dead: 0\r\n",
			"a.yaml:3:5: not valid YAML: mapping values are not allowed in this context: the indentation of this line is 4, want 2"},
		{"second stage", "heuristic: {family: snake}\nstages:\n- name: a\n  games: 1\n - name: b\n",
			"a.yaml:5:2: not valid YAML: did not find expected key: the indentation of this line is 1, want 0"},
	} {
		_, err := Parse([]byte(test.text), "a.yaml")
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		var got []string
		for _, line := range strings.Split(err.Error(), "\n") {
			line, _, _ = strings.Cut(line, "; want name, note")
			line, _, _ = strings.Cut(line, "; want family, dead")
			line, _, _ = strings.Cut(line, "; want feature, name")
			got = append(got, line)
		}
		if got := strings.Join(got, "\n"); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}
