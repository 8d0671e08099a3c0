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
		{"item under-indented", "heuristic:\n  features:\n    - {feature: empty}\n  - {feature: line}\n",
			`a.yaml:4:3: not valid YAML: did not find expected key: see "- {feature: line}" with its indentation of 2, and the line above: <3>`},
		{"no space", "heuristic: {family: snake}\nseed:1\n",
			`a.yaml:2:1: not valid YAML: could not find expected ':': see "seed:1" with its indentation of 0, and the line above: <1>`},
		{"no space before a number in braces", "heuristic: {features: [{feature: empty, weight: {min:0, max: 1}}]}\n",
			`a.yaml:1:50: heuristic.features[0].weight."min:0": unknown key; did you mean min?; want min, max, whole, scale or start`},
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
		{"colon in a value", "name: a: b\n",
			`a.yaml:1:1: not valid YAML: mapping values are not allowed in this context: see "name: a: b" with its indentation of 0, and the line above: <2>`},
		{"missing comma", "heuristic: {features: [{feature: empty weight: 1}]}\n",
			`a.yaml:1:1: not valid YAML: did not find expected ',' or '}': see "heuristic: {features: [{feature: empty weight: 1}]}" with its indentation of 0, and the line above: <0>`},
		{"wrong level features", "heuristic:\nfeatures:\n  - {feature: empty}\n",
			"a.yaml:1:1: heuristic: want a mapping (key: value), got nothing: indent what belongs to it" + "\n" +
				"a.yaml:2:1: features: unknown key; features belongs in heuristic: move it there"},
		{"range on own lines", "heuristic:\n  features:\n    - feature: empty\n      weight:\n      min: 0\n      max: 1\n",
			"a.yaml:4:7: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got nothing: indent what belongs to it" + "\n" +
				"a.yaml:5:7: heuristic.features[0].min: unknown key" + "\n" +
				"a.yaml:6:7: heuristic.features[0].max: unknown key"},
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
