package config

import (
	"fmt"
	"strings"
	"testing"

	"tune2048/tuner"
)

// given is a config of six weights that says how many games its stages may take, and some more.
func given(t testing.TB, stages, more string) *Config {
	t.Helper()
	return load(t, "heuristic: {family: nneonneo}\nstages: ["+stages+"]\n"+more)
}

// A budget is spent, and not overspent: less than a generation is left of the tuning, and the
// playoff takes a tenth of it or as much as it does without a budget.
func TestBudgetIsSpent(t *testing.T) {
	for _, family := range []string{"nneonneo", "combined", "snake"} {
		for _, algorithm := range tuner.Algorithms() {
			for _, games := range []int{400, 1000, 2500, 5000, 10000, 60000, 1000000} {
				c := load(t, fmt.Sprintf("heuristic: {family: %s}\noptimizer: {algorithm: %s}\nstages: [{max_games: %d}]", family, algorithm, games))
				stage, p := c.Stages[0], c.Playoff
				generation := stage.Games * c.Optimizer.Candidates()
				if left := games - stage.Generations*generation; left < 0 || left >= generation {
					t.Errorf("%s, %s: %d generations of %d games leave %d of %d", family, algorithm, stage.Generations, generation, left, games)
				}
				if all := p.Finalists * p.Games; all > games/10 || all <= games/10-p.Finalists && p.Games < 500 || p.Finalists < 2 {
					t.Errorf("%s, %s: a playoff of %d x %d games after %d", family, algorithm, p.Finalists, p.Games, games)
				}
				checkRoundTrip(t, c)
			}
		}
	}
}

// TestLongTuningIsJudgedByMore: games at their defaults grow with the tuning, others do not.
func TestLongTuningIsJudgedByMore(t *testing.T) {
	const head = "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9}}, {feature: merges, weight: 5}]}\n"
	for _, test := range []struct {
		text                        string
		tuning                      int64
		playoff, validated, ablated int
	}{
		{"", 0, 500, 2000, 2000}, {"", 80_000, 500, 2000, 2000}, {"", 320_000, 2000, 3200, 3200},
		{"", 1 << 40, 10_000, 40_000, 4000},
		{"playoff: {games: 600}\nvalidation: {games: 300}\n", 1 << 40, 600, 300, 300},
		{"playoff: {games: 500}\nvalidation: {games: 2000}\n", 4_000_000, 500, 2000, 2000}, // written, though they are the defaults
		{"playoff: {games: auto}\nvalidation: {games: auto}\n", 4_000_000, 10_000, 40_000, 4000},
		{"playoff: {finalists: 2}\nablation: {games: 0}\n", 80_000, 2000, 2000, 0},
		{"stages: [{max_games: 400000}]\n", 320_000, 2000, 3200, 3200},
		{"stages: [{max_games: 8000}]\n", 1 << 40, 10_000, 40_000, 4000},
	} {
		c := load(t, head+test.text)
		g := c.Grown(test.tuning)
		if g.Playoff.Games != test.playoff || g.Validation.Games != test.validated || g.Ablation.Games != test.ablated || g.Hash != c.Hash {
			t.Errorf("%q after %d games: %d, %d, %d", test.text, test.tuning, g.Playoff.Games, g.Validation.Games, g.Ablation.Games)
		}
		// The stored text of the config is judged by as many games.
		again := load(t, string(c.YAML())).Grown(test.tuning)
		if again.Playoff.Games != g.Playoff.Games || again.Validation.Games != g.Validation.Games || again.Ablation.Games != g.Ablation.Games {
			t.Errorf("%q: read again %+v, want %+v", test.text, again.Playoff, g.Playoff)
		}
	}
}

// TestLongerPlayoffFits: a playoff that fitted max_games fits a longer tuning, and grows with it.
func TestLongerPlayoffFits(t *testing.T) {
	for _, test := range []struct {
		more                string
		generations         int
		longer, after320000 int
	}{
		{"", 100, 200, 200}, {"", 20_000, 500, 4000}, {"playoff: {games: 9}", 20_000, 9, 9}, {"playoff: {finalists: 2}", 20_000, 500, 8000},
	} {
		c, err := given(t, "{max_games: 5000}", test.more).Longer(test.generations)
		must(t, err)
		for _, c := range []*Config{c, load(t, string(c.YAML()))} {
			if got, grown := c.Playoff.Games, c.Grown(320_000).Playoff.Games; got != test.longer || grown != test.after320000 {
				t.Errorf("%+v: %d and %d games", test, got, grown)
			}
		}
	}
}

// More weights want more candidates, within bounds.
func TestBudgetPopulation(t *testing.T) {
	for weights, want := range map[int][4]int{2: {40, 40, 60, 12}, 6: {40, 40, 60, 16}, 12: {40, 48, 60, 22}, 15: {40, 60, 60, 25}, 25: {50, 100, 100, 35}, 200: {100, 100, 100, 64}} {
		var got [4]int
		for i, fit := range []struct {
			algorithm string
			games     int
		}{{"auto", 9000}, {"genetic", 1000}, {"genetic", 9000}, {"cma_es", 9000}} {
			got[i], _ = tuner.NewAlgorithm(fit.algorithm).Budget(fit.games, weights)
		}
		if got != want {
			t.Errorf("populations of %v for %d weights, want %v", got, weights, want)
		}
	}
	if c := load(t, "heuristic: {family: combined}\nstages: [{max_games: 5000}]"); c.Optimizer.Candidates() != 40 {
		t.Errorf("a population of %d for the 15 weights of combined, want 40", c.Optimizer.Candidates())
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

// What a config names stays as named, and the rest fits around it.
func TestBudgetLeavesWhatIsNamed(t *testing.T) {
	for _, x := range []struct{ stages, more, want string }{
		{"{max_games: 1000}", "", "1000 12 2"},
		{"{max_games: 100000}", "", "100000 312 8"},
		{"{max_games: 6000, games: 5}", "", "6000 30 5"},
		{"{max_games: 6000, generations: 7}", "", "6000 7 2"},
		{"{max_games: 6000, games: 9, rounds: 3}", "", "6000 50 9"}, // if all stop after 3 games
		{"{max_games: 6000}", "optimizer: {population: 100}", "6000 30 2"},
		{"{max_games: 6000}", "optimizer: {population: 17, algorithm: cma_es}", "population 17"},
		{"{max_games: 6000}", "playoff: {finalists: 3}", "playoff 3 x 200"},
		{"{max_games: 6000}", "playoff: {games: 9}", "playoff 4 x 9"},
		{"{max_games: 4000}, {max_games: 2000, search: {depth: 5}}", "", "playoff 4 x 150"},
		// Not every stage says how many games it takes: only that stage's own numbers fit.
		{"{max_games: 4000}, {search: {depth: 5}}", "", "4000 50 2, 0 30 8, population 40, playoff 8 x 500"},
	} {
		c, got := given(t, x.stages, x.more), ""
		for _, s := range c.Stages {
			got += fmt.Sprintf("%d %d %d, ", s.MaxGames, s.Generations, s.Games)
		}
		got += fmt.Sprintf("population %d, playoff %d x %d", c.Optimizer.Candidates(), c.Playoff.Finalists, c.Playoff.Games)
		if !strings.Contains(got, x.want) {
			t.Errorf("%s\n%s\n%s\nwant %s", x.stages, x.more, got, x.want)
		}
	}
}

// A stage that has too few games for one generation is refused, and is accepted with as many games
// as the error wants.
func TestBudgetTooSmall(t *testing.T) {
	for _, x := range []struct {
		family, stage, more string
		least               int
		place               string
	}{
		{"nneonneo", "{max_games: %d}", "", 80, "3:6: stages[0].max_games"},
		{"snake", "{max_games: %d}", "optimizer: {algorithm: cma_es}", 28, "3:6: stages[0].max_games"},
		{"snake", "{games: 12, rounds: 3, max_games: %d}", "optimizer: {population: 30}", 360, "3:28: stages[0].max_games"},
		{"snake", "{generations: 2, max_games: %d}", "optimizer: {population: 120}", 240, "3:22: stages[0].max_games"},
	} {
		text := func(games int) []byte {
			return fmt.Appendf(nil, "heuristic: {family: %s}\nstages:\n  - "+x.stage+"\n%s", x.family, games, x.more)
		}
		_, err := Parse(text(x.least-1), "a.yaml")
		want := fmt.Sprintf("a.yaml:%s: want at least %d, the games of one generation", x.place, x.least)
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(err.(problems)) != 1 {
			t.Errorf("%s: %v, want %s", text(x.least-1), err, want)
		}
		c, err := Parse(text(x.least), "a.yaml")
		if err != nil || c.Stages[0].Generations < 1 {
			t.Errorf("%s: %v", text(x.least), err)
		}
	}
}

// A mistake in a stage is reported once, at its place, whatever was looked for before.
func TestBudgetOfWrongStages(t *testing.T) {
	for _, stages := range []string{"{max_games: x}", "{max_games: -1}", "3", "{max_games: 5, max_games: 6}", "{max_games: 99999999999999999999}"} {
		_, err := Parse([]byte("heuristic: {family: nneonneo}\nstages: ["+stages+"]"), "a.yaml")
		if err == nil || len(err.(problems)) != 1 {
			t.Errorf("%s: %v, want one problem", stages, err)
		}
	}
	_, err := Parse([]byte("heuristic: {features: [{feature: emty}]}\nstages: [{max_games: 5000}]"), "a.yaml")
	if err == nil || len(err.(problems)) != 1 {
		t.Errorf("a feature that does not exist: %v, want one problem", err)
	}
}

// TestDefaultsAreWithinLimits: whatever a config asks for, what it leaves out is a config, too.
func TestDefaultsAreWithinLimits(t *testing.T) {
	bot := "player: {command: [b], answers: games, weights: {a: {min: 0, max: 1}}}\n"
	largest := "{generations: 1000000, games: 10000000}"
	for _, text := range []string{
		"heuristic: {family: snake}\noptimizer: {algorithm: cma_es, population: 2}\nstages: [{max_games: 10000000, games: 1}]",
		"heuristic: {family: snake}\nstages: [{max_games: 10000000, games: 200, rounds: 100}]\noptimizer: {population: 2}",
		bot + "optimizer: {population: 10000}\nstages: [" + strings.Repeat(largest+", ", 31) + largest + "]",
		bot + "optimizer: {population: 2}\nstages: [{generations: 1, games: 1}]\nplayoff: {finalists: 10000}",
	} {
		checkRoundTrip(t, load(t, text))
	}
}
