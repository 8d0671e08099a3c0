package experiments

import (
	"context"
	"slices"
	"testing"

	"tune2048/configs/config"
	"tune2048/tuner"
)

// TestDealt: rounds are as even as can be, the larger ones first, and none is of a single game
// unless that is all there is.
func TestDealt(t *testing.T) {
	for games := 1; games <= 30; games++ {
		for rounds := 1; rounds <= 12; rounds++ {
			list := dealt(games, rounds)
			sum := 0
			for i, n := range list {
				sum += n
				if n < min(2, games) || n > list[0] || n < list[0]-1 || i > 0 && n > list[i-1] {
					t.Errorf("%d games in %d rounds: %v", games, rounds, list)
				}
			}
			if sum != games || len(list) > rounds || len(list) < rounds && games >= 2*(len(list)+1) {
				t.Errorf("%d games in %d rounds: %v", games, rounds, list)
			}
		}
	}
}

// TestNobodyIsOutAfterTheLastRound, however clear it is who is worst: these games are played.
func TestNobodyIsOutAfterTheLastRound(t *testing.T) {
	f := newFinalists(t)
	for _, keep := range []int{1, 2} {
		s, store := stateOf(f.config, 1, f.landscape)
		numbers, err := s.register(context.Background(),
			[]tuner.Candidate{{Values: []float64{9, 0}}, {Values: []float64{8, 0}}, {Values: []float64{0.1, 0}},
				{Values: []float64{0.2, 0}}}, "", 0)
		must(t, err)
		stage := config.Stage{Search: f.config.Playoff.Search, Games: 100, Rounds: 1}
		if _, live, err := s.race(context.Background(), PhasePlayoff, stage, 0, numbers, keep); err != nil ||
			len(live) < len(numbers) {
			t.Errorf("keep %d: only %v are not out after all of their games: %v", keep, live, err)
		}
		stage.Rounds = 2
		_, live, err := s.race(context.Background(), PhasePlayoff, stage, 1, numbers, keep)
		if err != nil || !slices.Contains(live, numbers[0]) || slices.Contains(live, numbers[2]) ||
			slices.Contains(live, numbers[3]) {
			t.Errorf("keep %d, with a round more: %v are not out, %v", keep, live, err)
		}
		if round, last := store.last(); round == 1 && slices.Contains(last, numbers[2]) {
			t.Errorf("keep %d: candidate %d is out and plays on", keep, numbers[2])
		}
	}
}
