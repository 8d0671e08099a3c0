package configs

import (
	"slices"
	"strings"
	"testing"
)

// TestChanged: what a user edited is named as the user wrote it, once, and nothing else is.
func TestChanged(t *testing.T) {
	const text = `heuristic:
  dead: 0
  features:
    - {feature: empty, weight: {min: 10, max: 100}}
    - {feature: sum, name: total, tile: rank, weight: -11, power: {min: 1, max: 3}}
stages:
  - {name: explore, generations: 3, games: 4}
  - {name: refine, search: {depth: 5}, generations: 3, games: 4}
`
	for _, test := range []struct{ edits, want string }{
		{"dead|dead", ""},
		{"max: 100|max: 200", "empty.weight.max empty.weight.start"},
		{"-11|{min: -20, max: 0}", "total.weight"},
		{"weight: -11, power: {min: 1, max: 3}|weight: -12, power: {min: 1, max: 2}", "total.power.max total.power.start total.weight"},
		{"dead: 0|dead: worst", "heuristic.dead"},
		{"depth: 5|depth: 7", "stages.refine.search.depth"},
		{"generations: 3|generations: 2", "stages.explore.generations"},
		{"stages|playoff: {games: 9}\nvalidation: {games: 50}\nstages", "ablation.games playoff.games playoff.rounds validation.games"},
		{"stages|search: {depth: 1}\nname: other\nstore: {games: none}\nstages", "search.depth"},
		{"    - {feature: sum|    - {feature: merges}\n    - {feature: sum", "merges"},
		{"stages|references: {old: {weights: {empty: 20}}}\nstages", "references.old"},
	} {
		from, to, _ := strings.Cut(test.edits, "|")
		changed := strings.Replace(text, from, to, 1)
		want := strings.Fields(test.want)
		if got := Changed(load(t, changed).YAML(), load(t, text).YAML()); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", test.edits, got, want)
		}
		if got := Changed(load(t, text).YAML(), load(t, changed).YAML()); !slices.Equal(got, want) {
			t.Errorf("the other way, %s: got %v, want %v", test.edits, got, want)
		}
	}
}
