package configs

import "testing"

// TestSettings: keys are named as the user wrote them.
func TestSettings(t *testing.T) {
	const text = `heuristic:
  dead: 0
  features:
    - {feature: empty, weight: {min: 10, max: 100}}
    - {feature: sum, name: total, tile: rank, weight: -11, power: {min: 1, max: 3}}
stages:
  - {name: explore, generations: 3, games: 4}
  - {name: refine, search: {depth: 5}, generations: 3, games: 4}
`
	got := Settings(load(t, text).YAML())
	for path, want := range map[string]string{
		"heuristic.dead": "0", "empty.weight.max": "100", "total.weight": "-11", "total.power.min": "1",
		"stages.explore.generations": "3", "stages.refine.search.depth": "5",
	} {
		if got[path] != want {
			t.Errorf("%s: got %q, want %q", path, got[path], want)
		}
	}
}
