package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestDifferences: a difference is the key that a person changed. What the program made of it is
// not named, such as another range that it chose, nor what changes no result.
func TestDifferences(t *testing.T) {
	const base = `note: one
heuristic:
  features:
    - {feature: empty, weight: reward}
    - {feature: monotonicity, tile: rank, power: {min: 1, max: 5}, weight: penalty}
    - {feature: merges, name: m, weight: {min: 1, max: 3000}}
search: {depth: 3}
stages: [{generations: 5}]
references: {weak: {weights: {monotonicity: -1}}}
`
	for _, c := range []struct{ from, to, want string }{
		{"tile: rank", "tile: face", "heuristic.features[1].tile: face, was rank"},
		{"max: 3000", "max: 4000", "heuristic.features[2].weight.max: 4000, was 3000"},
		{"{min: 1, max: 3000}", "7", "heuristic.features[2].weight: 7, was {min: 1, max: 3000"},
		{"max: 5}", "max: 6}", "heuristic.features[1].power.max: 6, was 5; heuristic.features[1].power.start: 3.5, was 3"},
		{"depth: 3", "depth: 5", "search.depth: 5, was 3"},
		{"stages:", "seed: 5\nstages:", "seed: 5, was 2048"},
		{"stages:", "ablation: {search: {depth: 1}}\nstages:", "ablation.search.depth: 1, was 3"},
		{"generations: 5", "generations: 6", ""},
		{"note: one", "note: two\nname: other\nstore: {games: none}", ""},
		{"name: m", "name: k", "heuristic.features[2]: {feature: merges, name: k, weight: {min: 1, max: 3000"},
		{"    - {feature: empty, weight: reward}\n", "", "heuristic.features: {feature: empty"},
		{"monotonicity: -1", "monotonicity: -2", "references.weak.weights.monotonicity: -2, was -1"},
		{"references: {weak: {weights: {monotonicity: -1}}}\n", "", "references: {weak: "},
	} {
		before, now := load(t, base), load(t, strings.Replace(base, c.from, c.to, 1))
		var got []string
		for _, d := range now.Differences(before) {
			got = append(got, fmt.Sprint(d))
		}
		if text := strings.Join(got, "; "); !strings.HasPrefix(text, c.want) || c.want == "" && text != "" {
			t.Errorf("%s -> %s:\n%s\nwant %s", c.from, c.to, text, c.want)
		}
	}
}

// TestDifferencesOfControlCharacters: a text that YAML does not allow is no reason to fail.
func TestDifferencesOfControlCharacters(t *testing.T) {
	before, now := load(t, "player: {command: [go, \"a\"], answers: moves}\n"),
		load(t, "player: {command: [go, \"b\"], answers: moves}\n")
	if got := fmt.Sprint(now.Differences(before)); got != "[player.command[1]: b, was a]" {
		t.Error(got)
	}
	now.Text = strings.Replace(now.Text, "b", "\x7f", 1)
	before.Stages = nil // otherwise the text is made anew
	if got := now.Differences(before); got != nil {
		t.Error(got)
	}
}
