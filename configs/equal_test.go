package configs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Equal configs have equal texts however they are spelled: here with keys at their default written or not, in any order.
func TestEqualConfigsHaveEqualTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(1, 3).Draw(t, "depth")
		var features []string
		for i, name := range []string{"a", "b", "c"} {
			features = append(features, fmt.Sprintf("{feature: %s, name: %s, weight: {min: 1, max: 3, scale: linear, start: %d}}",
				rapid.SampledFrom([]string{"empty", "line", "merges"}).Draw(t, name), name, 1+i%2))
		}
		search := fmt.Sprintf("{depth: %d, min_probability: 0}", depth)
		n := rapid.SampledFrom([]int{1, 3, 500}).Draw(t, "n")
		sections := []string{
			"seed: 2048", "game: {four_probability: 0.10}", "search: " + search, "restarts: 1", "objective: mean_score",
			"heuristic: {dead: worst, symmetry: none, features: [" + strings.Join(features, ", ") + "]}",
			fmt.Sprintf("playoff: {finalists: 8, games: %d, rounds: %d, search: %s}", n, min(n, 10), search),
			fmt.Sprintf("validation: {games: %d, search: [%s]}", 2*n, search),
			fmt.Sprintf("ablation: {games: %d, difference: 0.02, search: %s}", 2*n, search),
			fmt.Sprintf("stages: [{name: stage-1, search: %s, games: %d, rounds: 1, generations: 30, max_games: 0}]", search, n),
			"references: {start: {weights: {a: 1, b: 2}, dead: worst}}",
		}
		parse := func(text string) *Config {
			c, err := Parse([]byte(text), "a.yaml")
			if err != nil {
				t.Fatalf("%v\nof\n%s", err, text)
			}
			return c
		}
		full := parse(strings.Join(sections, "\n"))
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		random.Shuffle(len(sections), func(i, j int) { sections[i], sections[j] = sections[j], sections[i] })
		text := strings.NewReplacer(", min_probability: 0", "", "dead: worst, ", "", ", dead: worst", "", "a: 1, ", "", ", scale: linear", "",
			", max_games: 0", "", "games: 0, ", "", "name: stage-1, ", "", ", start: 2", "", "seed: 2048", "").Replace(strings.Join(sections, "\n"))
		for _, again := range []*Config{parse(text), parse(full.Text), parse(string(full.YAML()))} {
			if again.Text != full.Text || again.Hash != full.Hash {
				t.Fatalf("got\n%s\nwant\n%s", again.Text, full.Text)
			}
		}
		for _, standard := range []string{"mean_score", "2048", "none", "worst", "0.1", "min_probability", "scale", "start: 2", "stage-1", "stop", "ablation"} {
			if strings.Contains(full.Text, standard) {
				t.Fatalf("%s is a default, but stands in\n%s", standard, full.Text)
			}
		}
	})
}
