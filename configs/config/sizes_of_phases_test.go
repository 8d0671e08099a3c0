package config

import (
	"fmt"
	"testing"
)

// TestSizesStayOpen: a size that is left out or written as auto stays so, in the text that
// identifies the config too. So does a length. What is written is played, also where it equals a
// default of another program.
func TestSizesStayOpen(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "1000000 10000 2 400, 0 0 0 -1",
		"stages: [{max_games: 80}]":  "1000000 80 2 400, 0 0 0 -1", // one generation
		"stages: [{generations: 7}]": "7 9223372036854775807 2 400, 0 0 0 -1",
		"stages: [{generations: 7, max_games: 500, games: 3}]": "7 500 3 3, 0 0 0 -1",
		"stages: [{games: auto, generations: auto, max_games: auto}]\nplayoff: {finalists: auto, games: auto}\nvalidation: " +
			"{games: auto}\nablation: {games: auto}": "1000000 10000 2 400, 0 0 0 -1",
		"playoff: {finalists: 3, games: 500}\nvalidation: {games: 2000}\nablation: {games: 0}": "1000000 10000 2 400, 3 500 2000 0",
	} {
		c := load(t, "heuristic: {family: nneonneo}\n"+text)
		again, err := Parse(c.YAML(), "again.yaml")
		must(t, err)
		for _, c := range []*Config{c, again} {
			generations, games := c.Stages[0].Length()
			got := fmt.Sprintf("%d %d %d %d, %d %d %d %d", generations, games, c.Stages[0].GamesAfter(0),
				c.Stages[0].GamesAfter(1<<40),
				c.Playoff.Finalists, c.Playoff.Games, c.Validation.Games, c.Ablation.Games)
			if got != want {
				t.Errorf("%q: got %s, want %s", text, got, want)
			}
		}
		checkRoundTrip(t, c)
	}
	const one = "heuristic: {family: nneonneo}\nvalidation: {search: [{depth: 3"
	if load(t, one+"}]}").Text != load(t, one+", games: auto}]}").Text {
		t.Error("games that are auto are not those that are left out")
	}
	if a, b := load(t, "heuristic: {family: nneonneo}\nstages: [{games: 3}]"),
		load(t, "heuristic: {family: nneonneo}\nstages: [{games: 3, max_games: 10000}]"); a.Hash == b.Hash ||
		a.Tuning() != b.Tuning() {
		t.Error("a length that is written equals one that is left out, or is another tuning")
	}
}

// TestOpenLength: a stage without a length has 10,000 games, 2,500 with a single weight, and at
// least one generation. A population of 6,000 had none, and the config was called valid.
func TestOpenLength(t *testing.T) {
	const one = "heuristic: {features: [{feature: line, weight: 5}, {feature: empty, weight: {min: 0, max: 9}}]}\n"
	for text, want := range map[string]int64{
		"heuristic: {family: nneonneo}":                                10_000,
		"heuristic: {family: nneonneo}\noptimizer: {population: 6000}": 12_000,
		one:                                   2500,
		one + "optimizer: {population: 2000}": 4000,
		one + "stages: [{games: 100}]":        4000,
		one + "stages: [{name: a, max_games: 80}, {name: b}]": 2500,
	} {
		c := load(t, text)
		if _, games := c.Stages[len(c.Stages)-1].Length(); games != want {
			t.Errorf("%q: %d games, want %d", text, games, want)
		}
	}
}

// TestGamesAfter: the games of a candidate grow with the games of tuning, first by one each 2,500,
// then with their power of 3/4.
func TestGamesAfter(t *testing.T) {
	for played, want := range map[int64]int{0: 2, 2499: 2, 2500: 3, 10_000: 6, 15_000: 8, 17_500: 8, 17_600: 9, 60_000: 22,
		100_000: 33, 1_000_000: 186, 3_000_000: 400, 1 << 40: 400} {
		if got := (Stage{}).GamesAfter(played); got != want {
			t.Errorf("after %d games: %d, want %d", played, got, want)
		}
		if got := (Stage{Games: 5}).GamesAfter(played); got != 5 {
			t.Errorf("after %d games: %d, want the 5 that are written", played, got)
		}
	}
	// Eight hours have 400 million games at depth 1. With 8 games each, generations ran out before.
	generations := 0
	for played := int64(0); played < 400_000_000; played += 40 * int64((Stage{}).GamesAfter(played)) {
		generations++
	}
	if generations > MaxGenerations/10 {
		t.Errorf("a night has %d generations", generations)
	}
}

// TestPopulations: more weights want more candidates.
func TestPopulations(t *testing.T) {
	if c := load(t, "heuristic: {family: combined}\noptimizer: {algorithm: genetic}"); c.Optimizer.Candidates() != 60 {
		t.Errorf("a population of %d for the 15 weights of combined, want 60", c.Optimizer.Candidates())
	}
}

// TestSearchOfMoveAndPlay: a search that is written counts, also where it equals the default. Left
// out, the last search of the validation does, unless the validation has the default one.
func TestSearchOfMoveAndPlay(t *testing.T) {
	for text, want := range map[string]string{
		"search: {depth: 3}\nvalidation: {search: [{depth: 5}]}": "depth 3",
		"validation: {search: [{depth: 5}]}":                     "depth 5",
		"validation: {search: [{depth: 2}, {depth: 5}]}":         "depth 5",
		"validation: {search: [{depth: 3}, {depth: 5}]}":         "depth 3",
		"search: {depth: 4}\nvalidation: {search: [{depth: 5}]}": "depth 4",
		"search: {depth: 3}":                                     "depth 3", "": "depth 3",
	} {
		c := load(t, "heuristic: {family: snake}\n"+text)
		again, err := Parse(c.YAML(), "again.yaml")
		must(t, err)
		for _, c := range []*Config{c, again} {
			if got := c.Play().String(); got != want {
				t.Errorf("%q: got %s, want %s", text, got, want)
			}
		}
	}
}
