package experiments

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// climb is a tuning of six numbers. Its start is worth 32,000 points and its optimum 1.7 times as
// many, about as the quickstart's.
const climb = `
name: climb
heuristic:
  features:
    - {feature: line, name: a, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: empty, name: b, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: merges, name: c, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: sum, name: d, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: difference, name: e, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: largest, name: f, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 40}
stages: [{generations: %d, games: %d, rounds: %d}]
`

func slope(v []float64) float64 {
	squares := 0.0
	for i, place := range []float64{0.6, 0.25, 0.55, 0.65, 0.35, 0.5} {
		steepness := []float64{4, 1.5, 1, 2, 0.3, 3}[i]
		squares += steepness * (v[i] - place) * (v[i] - place)
	}
	return 1.7 * portable.Exp(-squares)
}

// TestLeaderIsWorthItsFigure: the first row of a tuning's leaderboard, the best of hundreds of
// candidates by few games each, is worth what it claims within 3%. By its own games alone it claims
// up to twice as much.
func TestLeaderIsWorthItsFigure(t *testing.T) {
	l := landscape{numbers: []string{"a", "b", "c", "d", "e", "f"}, mean: slope}
	for _, stage := range []struct {
		generations, games, rounds int
		own                        float64 // what the first by its own games claims, as a share of its worth, at the least
	}{{45, 2, 1, 1.6}, {45, 8, 1, 1.3}, {45, 12, 3, 1.2}, {20, 40, 1, 1.1}} {
		c := synthetic(t, fmt.Sprintf(climb, stage.generations, stage.games, stage.rounds))
		runs := many(40)
		states := make([]*state, runs)
		repeat(t, runs, func(i int) error {
			s, _ := stateOf(c, uint64(i), l)
			states[i] = s
			_, err := s.tune(context.Background())
			return err
		})
		var claimed, lower, own, worths stats.Moments
		for _, s := range states {
			ranking := s.standings.ranking()
			before, first := ranking[0], ranking[0]
			for _, number := range ranking { // as the view leaderboard: of equal bounds the first by its own games
				if s.standings.of[number].Lower > s.standings.of[first].Lower {
					first = number
				}
			}
			worths.Add(l.truth(s.candidates.list[first]))
			claimed.Add(s.standings.of[first].Shrunk)
			lower.Add(s.standings.of[first].Lower)
			own.Add(s.standings.of[before].Fitness.Mean / l.truth(s.candidates.list[before]))
		}
		flatters := claimed.Mean/worths.Mean - 1
		t.Logf("%d games in %d rounds: the first row claims %.0f, at least %.0f, and is worth %.0f: %+.1f%%; the first by its own games claims %+.0f%%",
			stage.games, stage.rounds, claimed.Mean, lower.Mean, worths.Mean, 100*flatters, 100*(own.Mean-1))
		if math.Abs(flatters) > 0.03 || own.Mean < stage.own {
			t.Errorf("%d games in %d rounds: the first row is flattered by %+.1f%%, want 3%% at most", stage.games, stage.rounds, 100*flatters)
		}
	}
}
