package experiments

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
)

// TestSizesFollowTheTuning: the gain after 2,500 games of tuning has an interval of some 12 points
// from end to end, which 750 games of each player give, and of half of that after 10,000.
func TestSizesFollowTheTuning(t *testing.T) {
	for _, test := range []struct {
		text                                   string
		tuning, finalists, playoff, held, left int
	}{
		{"", 100, 2, 7, 30, 0}, {"", 2500, 3, 125, 750, 156}, {"", 10_000, 6, 250, 3000, 625},
		{"", 40_000, 8, 375, 6000, 1250}, {"", 4_000_000, 8, 3750, 40_000, 4000}, {"", 1 << 40, 8, 10_000, 40_000, 4000},
		{"search: {depth: 2}\n", 2500, 3, 62, 375, 78},
		{"playoff: {games: 9}\nvalidation: {games: 300}\nablation: {games: 8}\n", 1 << 40, 8, 9, 300, 8},
		{"playoff: {finalists: 30}\nablation: {games: 0}\n", 10_000, 30, 50, 3000, 0},
		{"validation: {search: [{depth: 1}, {depth: 2}]}\n", 2500, 3, 125, 250, 156},
		{"validation: {search: [{depth: 1}, {depth: 2, games: 7}]}\n", 2500, 3, 125, 750, 156},
		{"references: {x: {weights: {b: 7}}}\n", 2500, 3, 125, 500, 156},
	} {
		c := synthetic(t, strings.Replace(quick, "search: {depth: 1}\n", "", 1)+test.text)
		j := judged(c, func() float64 { return float64(test.tuning) }, func(s engine.Settings) float64 {
			return map[string]float64{"depth 1": 1, "depth 2": 2, "depth 3": 1}[s.String()]
		})
		if j.Playoff.Finalists != test.finalists || j.Playoff.Games != test.playoff || j.Validation.Games != test.held ||
			j.Ablation.Games != test.left || j.Hash != c.Hash {
			t.Errorf("%q after %d games: %+v, %+v, %+v", test.text, test.tuning, j.Playoff, j.Validation.Games, j.Ablation.Games)
		}
	}
}

// TestJudgingCostsAtMostTheTuning, at whatever searches, with whatever players, and never less
// after more tuning.
func TestJudgingCostsAtMostTheTuning(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range many(500) {
		text := fmt.Sprintf("%splayoff: {search: {depth: %d}, finalists: %d}\nvalidation: {search: [{depth: %d}, "+
			"{depth_by_distinct: {minus: 7, least: 1}}]}\n",
			quick, 1+random.IntN(6), 2+random.IntN(9), 1+random.IntN(6))
		if random.IntN(2) == 0 {
			text += "references: {x: {weights: {b: 7}}, y: {weights: {b: 8}}}\n"
		}
		c := synthetic(t, text)
		cost := func(s engine.Settings) float64 { return math.Pow(3, float64(s.Rule.Fixed)) }
		var before *config.Config
		for tuning := 20_000.0; tuning < 1e9; tuning *= 1 + random.Float64() {
			j := judged(c, func() float64 { return tuning }, cost)
			spent := 0.0
			for _, b := range planAfter(j, true) {
				if b.Phase != PhaseTrend { // which a short tuning does not have
					spent += float64(b.Games) * cost(b.Settings)
				}
			}
			if spent > tuning && j.Validation.Games > minValidation && j.Playoff.Games > 2 {
				t.Errorf("after %.0f games of tuning %+v %d %d cost %.0f in\n%s", tuning, j.Playoff, j.Validation.Games,
					j.Ablation.Games, spent, text)
			}
			if before != nil && (j.Playoff.Games < before.Playoff.Games || j.Validation.Games < before.Validation.Games ||
				j.Ablation.Games < before.Ablation.Games) {
				t.Errorf("after %.0f games of tuning fewer than before", tuning)
			}
			before = j
		}
	}
}

// TestRunsAreJudgedByTheirTuning: the champion plays the games of the formula, and candidates play
// ever more of them, as the stage says.
func TestRunsAreJudgedByTheirTuning(t *testing.T) {
	text, _, _ := strings.Cut(whole, "optimizer:")
	c := synthetic(t, text+"stages: [{max_games: 40000, search: {depth: 1}}]\nplayoff: {search: {depth: "+
		"1}}\nvalidation: {search: {depth: 1}}\nablation: {games: 0}\n")
	store, err := carryOutSynthetic(c, 1, hill(1.5, 0.7, 0.4, 0.6))
	must(t, err)
	games, tuning, most, nodes, last, inLast := map[string]int{}, 0, 0, int64(0), int64(0), 0
	generation := -1
	for _, e := range store.evaluations {
		if e.Candidate == store.champion {
			games[e.Phase] += len(e.Scores)
		}
		if e.Phase != PhaseTuning {
			continue
		}
		if e.Generation != generation {
			generation, last, inLast = e.Generation, 0, 0
		}
		if want := c.Stages[0].GamesAfter(int64(tuning)); generation == 0 && len(e.Scores) != 2 || len(e.Scores) > want {
			t.Errorf("after %d games a candidate plays %d, want %d", tuning, len(e.Scores), want)
		}
		tuning, nodes, last, inLast = tuning+len(e.Scores), nodes+e.Nodes, last+e.Nodes, inLast+len(e.Scores)
		most = max(most, len(e.Scores))
	}
	worth := float64(tuning)
	if last > 0 {
		worth = float64(nodes) / float64(last) * float64(inLast)
	}
	want := judged(c, func() float64 { return worth }, func(engine.Settings) float64 { return 1 })
	if games[PhaseValidation] != want.Validation.Games || games[PhasePlayoff] != want.Playoff.Games || tuning < 39_000 ||
		most != 16 {
		t.Errorf("after %d games, %d of a candidate at most, the champion plays %v, want %+v and %d", tuning, most, games,
			want.Playoff, want.Validation.Games)
	}
}

// TestGoldenCosts: deeper searches cost more, by the same numbers on every processor, whatever was
// measured before.
func TestGoldenCosts(t *testing.T) {
	c, err := config.LoadEmbedded("nneonneo")
	must(t, err)
	again := newCosts(c)
	for text, want := range map[string]float64{"depth 3": 29.47169811320755, "depth 5": 362.6698113207547,
		"depth by distinct -7 least 2": 577.1509433962265} {
		search, err := engine.ParseSettings(text)
		must(t, err)
		cost := newCosts(c).relative(context.Background(), search, engine.FixedDepth(1))
		if other := again.relative(context.Background(), search, engine.FixedDepth(1)); cost != want || cost != other {
			t.Errorf("%s costs %v and %v, want %v", text, cost, other, want)
		}
	}
}
