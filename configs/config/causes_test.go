package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestCauses: usual mistakes are answered with their place, the parser's reason and one of the
// usual causes, by its number.
func TestCauses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"tab key", "heuristic:\n  features:\n    - feature: empty\n\t  weight: 1\n",
			"a.yaml:4:1: not valid YAML: a tab in the indentation: want spaces"},
		{"tab after spaces", "heuristic:\n  \tfamily: snake\n",
			"a.yaml:2:3: not valid YAML: a tab in the indentation: want spaces"},
		{"item under-indented", "heuristic:\n  features:\n    - {feature: empty}\n  - {feature: line}\n",
			`a.yaml:4:3: not valid YAML: did not find expected key: see "- {feature: line}" with its indentation of 2, and the line above: <3>`},
		{"key of an item, too many", "heuristic:\n  features:\n    - feature: empty\n       weight: 1\n",
			`a.yaml:4:8: not valid YAML: mapping values are not allowed in this context: see "weight: 1" with its indentation of 7, and the line above: <2>`},
		{"key of an item at the level above", "heuristic:\n  features:\n    - feature: empty\n  weight: 1\n",
			"a.yaml:4:3: heuristic.weight: unknown key; weight belongs in an entry of features: move it there"},
		{"key shallower", "heuristic:\n    family: snake\n  dead: 0\n",
			`a.yaml:3:3: not valid YAML: did not find expected key: see "dead: 0" with its indentation of 2, and the line above: <3>`},
		{"no space", "heuristic: {family: snake}\nseed:1\n",
			`a.yaml:2:1: not valid YAML: could not find expected ':': see "seed:1" with its indentation of 0, and the line above: <1>`},
		{"no space nested", "heuristic:\n  family:snake\n",
			`a.yaml:1:1: heuristic: want a mapping (key: value), got the text "family:snake"`},
		{"no space in the line before", "heuristic:\n  family:snake\n  dead: 0\n",
			`a.yaml:3:3: not valid YAML: mapping values are not allowed in this context: see "dead: 0" with its indentation of 2, and the line above: <2>`},
		{"no space before a number in braces", "heuristic: {features: [{feature: empty, weight: {min:0, max: 1}}]}\n",
			`a.yaml:1:50: heuristic.features[0].weight."min:0": unknown key; did you mean min?; want min, max, whole, scale or start`},
		{"no space before braces in braces", "heuristic:\n  features:\n    - {feature: line}\n    - {feature:empty, weight:{min:0, max:3}}\n",
			`a.yaml:4:5: not valid YAML: did not find expected ',' or '}': see "- {feature:empty, weight:{min:0, max:3}}" with its indentation of 4, and the line above: <0>`},
		{"decimal comma in braces", "heuristic: {features: [{feature: sum, weight: {min: 0,5, max: 3}, power: 1,25}]}\n",
			"a.yaml:1:48: heuristic.features[0].weight.min: got 0,5: " + noComma + "\n" +
				"a.yaml:1:67: heuristic.features[0].power: got 1,25: " + noComma},
		{"thousands in braces", "heuristic: {family: snake}\nstages: [{max_games: 1,000,000, games: 2,0, rounds: 1}]\n",
			"a.yaml:2:11: stages[0].max_games: got 1,000,000: " + noComma + "\n" +
				"a.yaml:2:33: stages[0].games: got 2,0: " + noComma},
		{"a comma in each end of a range", "heuristic: {features: [{feature: sum, weight: {min: 0,5, max: 1,5}}]}\n",
			"a.yaml:1:48: heuristic.features[0].weight.min: got 0,5: " + noComma + "\n" +
				"a.yaml:1:58: heuristic.features[0].weight.max: got 1,5: " + noComma},
		{"thousands", "heuristic: {family: snake}\nvalidation:\n  games: 2,000\n",
			`a.yaml:3:3: validation.games: want a whole number in decimal digits, got the text "2,000": write the number without a comma, with a point before a fraction`},
		{"no space after dash", "heuristic:\n  features:\n    -feature: empty\n",
			"a.yaml:2:3: heuristic.features: want a list of features, each beginning with a - and a space, got a mapping"},
		{"no space after a later dash", "heuristic:\n  features:\n    - {feature: empty}\n    -{feature: empty}\n",
			`a.yaml:4:5: not valid YAML: did not find expected '-' indicator: see "-{feature: empty}" with its indentation of 4, and the line above: <3>`},
		{"two keys on a line", "heuristic:\n  features:\n    - feature: empty weight: 1\n",
			`a.yaml:3:5: not valid YAML: mapping values are not allowed in this context: see "- feature: empty weight: 1" with its indentation of 4, and the line above: <2>`},
		{"colon in a value", "name: a: b\n",
			`a.yaml:1:1: not valid YAML: mapping values are not allowed in this context: see "name: a: b" with its indentation of 0, and the line above: <2>`},
		{"missing colon", "heuristic\n  family: snake\n",
			`a.yaml:2:3: not valid YAML: mapping values are not allowed in this context: see "family: snake" with its indentation of 2, and the line above: <2>`},
		{"missing comma", "heuristic: {features: [{feature: empty weight: 1}]}\n",
			`a.yaml:1:1: not valid YAML: did not find expected ',' or '}': see "heuristic: {features: [{feature: empty weight: 1}]}" with its indentation of 0, and the line above: <0>`},
		{"unclosed braces", "heuristic:\n  features:\n    - {feature: empty, weight: {min: 0, max: 1}\n    - {feature: line}\n",
			`a.yaml:3:5: not valid YAML: did not find expected ',' or '}': see "- {feature: empty, weight: {min: 0, max: 1}" with its indentation of 4, and the line above: <0>`},
		{"a brace too many", "heuristic:\n  features:\n    - {feature: empty, weight: {min: 0, max: 1}}}\n",
			`a.yaml:3:5: not valid YAML: did not find expected '-' indicator: see "- {feature: empty, weight: {min: 0, max: 1}}}" with its indentation of 4, and the line above: <3>`},
		{"wrong level features", "heuristic:\nfeatures:\n  - {feature: empty}\n",
			"a.yaml:1:1: heuristic: want a mapping (key: value), got nothing: indent what belongs to it" + "\n" +
				"a.yaml:2:1: features: unknown key; features belongs in heuristic: move it there"},
		{"wrong level games", "heuristic: {family: snake}\nstages:\n  - search: {depth: 3}\ngames: 8\n",
			"a.yaml:4:1: games: unknown key; games belongs in an entry of stages: move it there"},
		{"range on own lines", "heuristic:\n  features:\n    - feature: empty\n      weight:\n      min: 0\n      max: 1\n",
			"a.yaml:4:7: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got nothing: indent what belongs to it" + "\n" +
				"a.yaml:5:7: heuristic.features[0].min: unknown key" + "\n" +
				"a.yaml:6:7: heuristic.features[0].max: unknown key"},
		{"formula without quotes in braces", "heuristic:\n  features:\n    - {feature: formula, line: max(a, b)}\n",
			`a.yaml:3:39: heuristic.features[0]."b)": unknown key`},
		{"formula of C", "heuristic:\n  features:\n    - feature: formula\n      line: a > b ? 1 : 2\n",
			`a.yaml:4:7: not valid YAML: mapping values are not allowed in this context: see "line: a > b ? 1 : 2" with its indentation of 6, and the line above: <2>`},
		{"crlf", "heuristic:\r\n  family: snake\r\n    dead: 0\r\n",
			`a.yaml:3:5: not valid YAML: mapping values are not allowed in this context: see "dead: 0" with its indentation of 4, and the line above: <2>`},
	} {
		_, err := Parse([]byte(test.text), "a.yaml")
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		var got []string
		for _, line := range strings.Split(err.Error(), "\n") {
			for i, cause := range usualCauses {
				line = strings.Replace(line, ": "+cause[1], fmt.Sprintf(": <%d>", i), 1)
			}
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
