package config

import (
	"fmt"
	"strings"
	"testing"

	"tune2048/engine/eval"
	"tune2048/tuner"
)

// chosenRanges is a config whose ranges the program chooses.
const chosenRanges = `heuristic:
  features:
    - {feature: empty, weight: reward}
    - {feature: merges, count: runs, weight: reward}
    - {feature: monotonicity, tile: rank, power: {min: 1, max: 5}, weight: penalty}
    - {feature: formula, name: end, line: "max(a, d) - p*largest", numbers: {p: {min: 0, max: 2}}, weight: reward}
    - {feature: snake, decay: {min: 0, max: 1, start: 0.5}, weight: reward}
`

// TestChosenRanges: the ranges are a function of the config alone, and the config that is written,
// hashed and stored has their numbers.
func TestChosenRanges(t *testing.T) {
	for text, want := range map[string]string{
		chosenRanges: "empty 2 200 20000; merges 4.5 450 45000; monotonicity -1100 -11 -0.11; end 0.32 32 3200; snake " +
			"0.075 7.5 750",
		// The largest fixed feature has the size 2000 x 5.07, and line has none.
		strings.Replace(chosenRanges, "{feature: empty, weight: reward}",
			"{feature: empty, weight: -2000}\n    - {feature: line, weight: 1e9}",
			1): "merges 45 4500 450000; monotonicity -11000 -110 -1.1; end 3.2 320 32000; snake 0.76 76 7600",
	} {
		c := load(t, text)
		var got []string
		for _, w := range c.Weights {
			if w.Scale == tuner.LogScale {
				got = append(got, fmt.Sprintf("%s %v %v %v", w.Name, w.Min, w.Value, w.Max))
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("got %s\nwant %s", strings.Join(got, "; "), want)
		}
		if strings.Contains(string(c.YAML())+c.Text, reward) {
			t.Errorf("the ranges are not written out:\n%s", c.YAML())
		}
		checkRoundTrip(t, c)
	}
	const hash = "0b7947368f39432062282159347a26fad9419beb5db6d3c3e0421051c24b9050"
	if c := load(t, chosenRanges); c.Hash != hash {
		t.Errorf("the hash is %s, want %s, of\n%s", c.Hash, hash, c.Text)
	}
	if _, err := ParseWeights([]byte(chosenRanges), "a.yaml"); err != nil {
		t.Error(err)
	}
}

// TestNoRangeToChoose: a feature without an effect is refused where
// its weight is.
func TestNoRangeToChoose(t *testing.T) {
	const same = "the feature is the same on all boards of some fixed games, so its effect cannot be measured: give a " +
		"number, or a range {min, max, start, scale}"
	const only = ": want a number or {min, max, start, scale}, got the text \"penalty\": it is for the weight of a " +
		"feature only"
	const wanted = "want a number, {min, max, start, scale}, reward or penalty, got "
	for feature, want := range map[string]string{
		"{feature: line, weight: reward}":                        "2:30: heuristic.features[0].weight: " + same,
		`{feature: formula, line: "0.1", weight: penalty}`:       "2:46: heuristic.features[0].weight: " + same,
		"{feature: snake, decay: 0, power: 90, weight: reward}":  "", // beyond a 2048 the power counts as 0
		"{feature: sum, power: 12, weight: reward}":              "",
		"{feature: sum, power: penalty}":                         "2:29: heuristic.features[0].power" + only,
		`{feature: formula, line: "a*k", numbers: {k: penalty}}`: "2:56: heuristic.features[0].numbers.k" + only,
		"{feature: empty, weight: {min: reward, max: 3}}": "2:40: heuristic.features[0].weight.min: want a " +
			"number in decimal digits",
		"{feature: empty, weight: Reward}":   "2:31: heuristic.features[0].weight: " + wanted,
		"{feature: empty, weight: [reward]}": "2:31: heuristic.features[0].weight: " + wanted,
		"{feature: empty}, {feature: empty, weight: reward, name: empty}": "2:65: heuristic.features[1].name: the name " +
			"empty is taken",
		"{feature: sum, power: 4, weight: penalty}": "", // of smaller weights than 1
	} {
		_, err := Parse([]byte("heuristic:\n  features: ["+feature+"]"), "a.yaml")
		if got := fmt.Sprint(err); err == nil && want != "" || err != nil &&
			(want == "" || !strings.HasPrefix(got, "a.yaml:"+want) || strings.Contains(got, "\n")) {
			t.Errorf("%s: got %v, want %s", feature, err, want)
		}
	}
}

// Where a ratio scale turns from differences to ratios, every feature has the same size: 3% of the
// least of the largest sizes.
func TestBalance(t *testing.T) {
	c, err := Parse([]byte(`heuristic:
  features:
    - {feature: empty, weight: {min: -1000, max: 1000}}
    - {feature: monotonicity, tile: rank, power: 3, weight: {min: -1000, max: 0}}
    - {feature: sum, weight: {min: 0, max: 1000, scale: linear}}
    - {feature: position, weight: {min: 0, max: 1000000, scale: linear}, matrix: [[{min: -4, max: 16}, 4, 2, 1], [4, 2, 1, 0], [2, 1, 0, 0], [1, 0, 0, 0]]}
`), "a.yaml")
	must(t, err)
	empty, monotonicity, sum := c.Heuristic.Features[0], c.Heuristic.Features[1], c.Heuristic.Features[2]
	least := min(1000*empty.Spread(c.Start()), 1000*monotonicity.Spread(c.Start()), 1000*sum.Spread(c.Start()))
	for _, f := range []eval.Term{empty, monotonicity} {
		if share := weightOf(c, f.Name).Near * f.Spread(c.Start()) / least; share < 0.0285 || share > 0.0315 { // of two digits
			t.Errorf("%s: near 0 is %v, a share of %v", f.Name, weightOf(c, f.Name).Near, share)
		}
	}
	if sum := weightOf(c, "sum"); sum.Near != 0 || sum.Value != 500 {
		t.Errorf("a linear scale: %+v", sum)
	}
	if cell := weightOf(c, "position_matrix_0_0"); cell.Near != 1.6 {
		t.Errorf("a cell: %+v", cell)
	}
	again, err := Parse(c.YAML(), "a.yaml")
	if err != nil || again.Text != c.Text || weightOf(again, "monotonicity") != weightOf(c, "monotonicity") {
		t.Errorf("%v: written and read again: got\n%s\nwant\n%s", err, again.Text, c.Text)
	}
}
