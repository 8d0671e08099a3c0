package config

import (
	"fmt"
	"slices"
	"testing"
)

const ordered = `heuristic:
  features:
    - {feature: empty, weight: {min: 0, max: 9, start: 1}}
    - {feature: merges, weight: {min: 0, max: 9, start: 2}}
    - {feature: sum, weight: {min: 0, max: 8}}
    - {feature: line, weight: 3}
`

// TestOrder: an order belongs to the config, of a bot too.
func TestOrder(t *testing.T) {
	for text, names := range map[string][]string{
		ordered + "  order: [empty, merges]\n": {"empty", "merges"},
		"player: {command: [b], answers: moves, weights: {a: {min: 0, max: 1}, b: {min: 0, max: 1}}, order: [b, a]}": {"b",
			"a"},
	} {
		c := load(t, text)
		if !slices.Equal(c.Heuristic.Order, names) {
			t.Errorf("got the order %v, want %v", c.Heuristic.Order, names)
		}
		checkRoundTrip(t, c)
	}
}

// TestNextKeepsOrder: weights with an order keep the range that they share.
func TestNextKeepsOrder(t *testing.T) {
	next, changes, err := load(t, ordered+"  order: [empty, merges]\n").Next("next", []float64{4, 9, 3, 1, 3},
		load(t, ordered).Heuristic.Dead)
	must(t, err)
	if w := next.Tunable(); w[1].Max != 9 || w[1].Value != 9 || w[0].Value != 4 {
		t.Errorf("got %v\n%v", w, changes)
	}
}

func TestOrderProblems(t *testing.T) {
	for order, want := range map[string]string{
		"[empty]":                "want at least 2, got 1",
		"empty":                  `want a list of names of weights, got the text "empty"`,
		"[empty, merge]":         "no weight with a range is called merge; did you mean merges?",
		"[empty, line]":          "no weight with a range is called line",
		"[empty, merges, empty]": "want each weight once and starts in this order, got empty at 1 after merges at 2",
		"[empty, sum]":           "want one range and one scale, got 0 to 9 (ratio) for empty and 0 to 8 (ratio) for sum",
		"[merges, empty]":        "want each weight once and starts in this order, got empty at 1 after merges at 2",
	} {
		want = "a.yaml:7:3: heuristic.order: " + want
		if _, err := Parse([]byte(ordered+"  order: "+order+"\n"), "a.yaml"); fmt.Sprint(err) != want {
			t.Errorf("%s: got\n%v\nwant\n%s", order, err, want)
		}
	}
}
