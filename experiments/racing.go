package experiments

import (
	"context"

	"tune2048/configs/config"
	"tune2048/experiments/stats"
)

// The levels of stopping early. For the playoff: the probability that its best is lost in it at
// all, as far as Welch's t holds for the objective (for means it does; for shares
// nearly, see the tests). For a generation: the probability in a single test, since its survivors
// are recombined rather than believed.
const (
	raceLevel   = 0.05
	screenLevel = 0.15
)

// race lets candidates play the games of a stage, or of the playoff, in rounds. Each round is a
// block. After each the candidates stop that are clearly not among the keep best. The evaluations
// alone determine who plays on, so a replay deals the same games. It returns all evaluations, and
// the candidates that were not stopped. On average the means of stopped candidates are too low, and
// the survivors' means too high: they rank, no more.
func (s *state) race(ctx context.Context, phase string, stage config.Stage, generation int, candidates []int,
	keep int) (played []Evaluation, live []int, err error) {
	candidates = s.playable(candidates)
	rounds, games := dealt(stage.Games, stage.Rounds), 0
	proof := stats.NewRace(len(rounds), raceLevel)
	out := make([]bool, len(candidates)) // who was stopped
	measured := NewStandings(s.Config.Objective)
	live = candidates
	place := Place{Phase: phase, Stage: stage.Name, Search: stage.Search.String(), Generation: generation}
	for round := 0; round < len(rounds) && len(live) > 0 && (round == 0 || len(live) > 1); round++ { // who is left need not play
		if phase != PhaseTuning {
			s.progress.Left = expectedGames(phase, len(live), rounds, round)
		}
		place.Round = round
		evaluations, err := s.play(ctx, Block{Place: place, Candidates: live, First: games, Games: rounds[round]})
		if err != nil {
			return nil, nil, err
		}
		games += rounds[round]
		played = append(played, evaluations...)
		measured.add(evaluations...)
		live = s.playable(live)
		if round+1 == len(rounds) || s.ranOut(place, games-1) {
			break
		}
		samples := make([]stats.Moments, len(candidates))
		for i, number := range candidates {
			if one := measured.Of[number]; one != nil {
				samples[i] = s.Config.Objective.Raced(one.Sample)
			} else {
				out[i] = true
			}
		}
		if keep == 1 {
			proof.Round(samples, out)
		} else {
			stats.Screen(samples, out, keep, screenLevel)
		}
		live = nil
		for i, number := range candidates {
			if !out[i] {
				live = append(live, number)
			}
		}
	}
	return played, live, nil
}

// dealt splits games into rounds of at least two games, as evenly as can be, the larger ones first:
// one game of a candidate says nothing of the spread, and little of the candidate.
func dealt(games, rounds int) []int {
	rounds = max(1, min(rounds, games/2))
	list := make([]int, rounds)
	for i := range list {
		list[i] = games / rounds
		if i < games%rounds {
			list[i]++
		}
	}
	return list
}
