package experiments

import (
	"context"
	"math"
	"strings"
	"testing"

	"tune2048/configs"
)

// TestExpectedVolume: what a run was expected to record is what it records, exactly where no race stops anybody, and roughly where
// one does.
func TestExpectedVolume(t *testing.T) {
	text := strings.NewReplacer("ablation: {games: 0}", "ablation: {games: 8, difference: 0.01}",
		"generations: 2, games: 6, rounds: 2", "generations: 12, games: 6", "generations: 2, games: 6, rounds: 3", "generations: 40, games: 6, max_games: 480",
		"games: 60, rounds: 3", "games: 30, rounds: 1", "validation: {games: 150}", "validation: {games: 20, search: [{depth: 1}, {depth: 2}]}").Replace(whole)
	text = strings.NewReplacer("name: a,", "name: alpha,", "name: b,", "name: beta,", "name: c,", "name: gamma,").Replace(text)
	l := hill(1.5, 0.7, 0.4, 0.6)
	l.numbers = []string{"alpha", "beta", "gamma"}
	raced := strings.NewReplacer("generations: 12, games: 6", "generations: 12, games: 6, rounds: 3", "max_games: 480", "max_games: 480, rounds: 2",
		"games: 30, rounds: 1", "games: 60, rounds: 3").Replace(text)
	for name, c := range map[string]struct {
		text string
		near float64
	}{
		"all":        {text + "store: {games: all}\n", 0.06},
		"validation": {text + "store: {games: validation}\n", 0.06},
		"none":       {text + "store: {games: none}\nobjective: {quantile: 0.25}\n", 0.06},
		"raced":      {raced, 0.2},
		"raced, one": {strings.Replace(raced, "restarts: 2", "restarts: 1", 1), 0.2},
	} {
		config := synthetic(t, c.text)
		store := &keeper{memory: newMemory()}
		_, err := Experiment{Config: config, Simulator: l, Store: store}.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := Expect(config, Plan(config))
		want := Volume{
			ConfigBytes: int64(len(config.YAML())), Candidates: int64(len(store.candidates)), Weights: 3 * int64(len(store.candidates)),
			NameBytes: int64(len(store.candidates)) * int64(len("alpha"+"beta"+"gamma")), Generations: int64(len(store.generations)), Comparisons: int64(len(store.contrasts)),
		}
		standings, passing := map[Place]bool{}, map[Place]int64{}
		for _, b := range store.finished {
			place := int64(len(b.Phase) + len(b.Stage) + len(b.Search))
			want.Evaluations += int64(len(b.Candidates))
			want.PlaceBytes += place * int64(len(b.Candidates))
			if keeps(config.Store, b.Phase) {
				want.Games += int64(b.Games())
				want.PlaceBytes += place * int64(b.Games())
			} else {
				round := Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search, Generation: b.Generation / config.Restarts, Round: b.Round}
				passing[round] += int64(b.Games())
				want.Passing = max(want.Passing, passing[round])
			}
			if config.Objective.Kind == configs.Quantile {
				want.ScoreBytes += 6 * int64(b.Games())
			}
			for _, number := range b.Candidates {
				standings[Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search, Candidate: number}] = true
			}
		}
		want.Standings = int64(len(standings))
		for what, v := range map[string][2]int64{
			"config": {got.ConfigBytes, want.ConfigBytes}, "candidates": {got.Candidates, want.Candidates}, "weights": {got.Weights, want.Weights},
			"names": {got.NameBytes, want.NameBytes}, "generations": {got.Generations, want.Generations}, "evaluations": {got.Evaluations, want.Evaluations},
			"standings": {got.Standings, want.Standings}, "comparisons": {got.Comparisons, want.Comparisons}, "games": {got.Games, want.Games},
			"passing": {got.Passing, want.Passing}, "places": {got.PlaceBytes, want.PlaceBytes}, "scores": {got.ScoreBytes, want.ScoreBytes},
		} {
			if math.Abs(float64(v[0]-v[1])) > c.near*float64(v[1]) {
				t.Errorf("%s: %d expected of %s, %d were recorded", name, v[0], what, v[1])
			}
		}
	}
}
