package config

import (
	"slices"
	"strings"
	"testing"
)

// TestIdle: a number with a range that changes no move has a sentence, and a config in which
// nothing can be gained is told from others. A second number that scales a feature is such a
// number, too.
func TestIdle(t *testing.T) {
	const (
		only = "nothing to gain: empty has nothing beside it, so only the sign of its weight counts; add a feature " +
			"(tune help features), or a range for another of its numbers"
		nothing = "nothing to gain: no number with a range changes a move"
		twice   = "empty and other are the same feature, up to a factor: only the sum of their weights counts; leave all " +
			"but one out"
		line = "line is the same on every board, and with dead: worst it changes no move: leave it out"
		row  = "[0, 0, 0, 0]"
	)
	for _, c := range []struct {
		dead, features string
		want           []string
	}{
		{"worst", "{feature: empty, weight: reward}", []string{only}},
		{"0", "{feature: empty, weight: {min: 1, max: 9}}", []string{only}},
		{"-500", "{feature: empty, weight: {min: 1, max: 9}}", nil},
		{"worst", "{feature: empty, weight: reward}, {feature: merges, weight: 0}", []string{only}},
		{"worst", "{feature: empty, weight: reward}, {feature: merges}", nil}, // a fixed 1
		{"worst", "{feature: empty, weight: reward}, {feature: empty, name: other, weight: reward}", []string{twice, only}},
		{"worst", `{feature: empty, weight: reward}, {feature: formula, name: other, line: "3*empty", weight: {min: -1, max: 1}}, {feature: merges, weight: 7}`,
			[]string{twice}},
		{"worst", "{feature: empty, weight: 1}, {feature: empty, name: other, weight: 2}, {feature: merges, weight: reward}",
			nil},
		{"worst", "{feature: empty, weight: 1}, {feature: line, weight: {min: 1, max: 9}}", []string{line, nothing}},
		{"0", "{feature: empty, weight: 1}, {feature: line, weight: {min: 1, max: 9}}", nil},
		{"worst", "{feature: sum, weight: 0, power: {min: 1, max: 2}}, {feature: empty, weight: 1}",
			[]string{"sum: its weight is 0, so its other numbers change no move: give the weight a range", nothing}},
		{"worst", "{feature: sum, weight: -1, power: {min: 1, max: 2}}", nil},
		{"worst", "{feature: sum, weight: penalty, power: {min: 1, max: 2}}, {feature: sum, name: other, weight: reward, " +
			"power: {min: 1, max: 2}}", nil},
		{"worst", `{feature: formula, name: end, line: "p*max(a, d)", numbers: {p: {min: 1, max: 2}}, weight: {min: -5, max: -1}}, {feature: empty}`,
			[]string{"end_p scales end as its weight does: fix one of the two, such as weight: -1"}},
		{"worst", `{feature: formula, name: end, line: "p*max(a, d)", numbers: {p: {min: 1, max: 2}}}, {feature: empty}`,
			nil},
		{"worst", `{feature: formula, name: end, line: "p*max(a, d) + q*pow(b, r)", numbers: {p: {min: 0, max: 2}, q: {min: 1, max: 2}, r: 2}, weight: {min: 1, max: 5}}, {feature: empty}`,
			[]string{"end_p to end_q together scale end as its weight does: fix one of the two, such as weight: 1"}},
		{"worst", `{feature: formula, name: end, line: "max(a, d) + q*b", numbers: {q: {min: 1, max: 2}}, weight: {min: 1, max: 5}}`, nil},
		{"worst", "{feature: position, weight: {min: 1, max: 5}, matrix: [[{min: 1, max: 2}, {min: 1, max: 3}, 0, 0], " +
			row + ", " + row + ", " + row + "]}",
			[]string{"position_matrix_0_0 to position_matrix_0_1 together scale position as its weight does: fix one of the " +
				"two, such as weight: 1"}},
		{"worst", "{feature: position, weight: {min: 1, max: 5}, matrix: [[{min: 1, max: 2}, 3, 0, 0], " + row + ", " + row +
			", " + row + "]}", nil},
	} {
		got, none := load(t, "heuristic: {dead: "+c.dead+", features: ["+c.features+"]}").Idle()
		if !slices.Equal(got, c.want) || none != strings.Contains(strings.Join(c.want, ""), "nothing to gain") {
			t.Errorf("%s, dead %s: got %q, %v\nwant %q", c.features, c.dead, got, none, c.want)
		}
	}
	for command, want := range map[string]string{
		`[a, "{seed}", "{w}"]`: "no argument has {left}: it changes nothing",
		`[a, "{seed}"]`:        "no argument has {left}, {w}: they change nothing", // so there is nothing to gain
		`[a, "{left}", "{w}"]`: "no argument has {seed}",
	} {
		c := load(t, "player: {command: "+command+", answers: score, weights: {left: {min: 0, max: 1}, w: {min: 0, max: 1}}}")
		if got, none := c.Idle(); len(got) != 1 || !strings.HasPrefix(got[0], want) ||
			none != strings.Contains(want, "they") {
			t.Errorf("%s: got %q, %v, want %s", command, got, none, want)
		}
	}
	for _, name := range Names() {
		c, err := LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := c.Idle(); got != nil {
			t.Errorf("the shipped config %s: %q", name, got)
		}
	}
}
