package experiments

import (
	"context"
	"fmt"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
	"tune2048/tuner/fitness"
)

// Stored has the rules, players and seeds that the config of a stored run gives: enough to play its
// games again.
type Stored struct {
	Rules     engine.Rules
	objective fitness.Objective
	family    func(candidate int) *heuristic.Family // nil: there is no such candidate
	// seed is for the game with that index in the evaluation. before: games of earlier rounds.
	seed func(e Evaluation, before, index int) uint64
}

// StoredExperiment returns the Stored of an experiment whose held-out games have this salt, or of
// an eval.
func StoredExperiment(c *configs.Config, heldOutSalt string) Stored {
	return Stored{
		Rules: c.Rules, objective: c.Objective,
		family: func(int) *heuristic.Family { return &c.Family },
		seed: func(e Evaluation, before, index int) uint64 {
			switch e.Phase {
			case PhaseValidation:
				return heldOutSeed(c.Seed, heldOutSalt, index)
			case PhaseEval: // each candidate plays the first games of its instance
				before = 0
			}
			return gameSeed(c.Seed, e.Phase, e.Stage, e.Generation, before+index)
		},
	}
}

// StoredContest returns the Stored of a contest.
func StoredContest(c *configs.Contest) Stored {
	return Stored{
		Rules: c.Rules, objective: c.Objective,
		family: func(candidate int) *heuristic.Family {
			if candidate < 0 || candidate >= len(c.Players) {
				return nil
			}
			return &c.Players[candidate].Family
		},
		seed: func(e Evaluation, _, index int) uint64 { // as match.block numbers its rounds
			first := e.Round / max(1, len(c.Players)) * comparisonBatch
			return gameSeed(c.Seed, e.Phase, "", 0, first+index)
		},
	}
}

// Player returns a stored candidate as a player at the search that the text names.
func (r Stored) Player(candidate Candidate, search string) (simulator.Player, error) {
	fail := func(err error) (simulator.Player, error) {
		return simulator.Player{}, fmt.Errorf("candidate %d at %s: %w", candidate.Number, search, err)
	}
	settings, err := engine.ParseSettings(search)
	if err != nil {
		return fail(err)
	}
	family := r.family(candidate.Number)
	if family == nil {
		return fail(fmt.Errorf("the run's config has no such player"))
	}
	values, err := candidate.vector(family)
	if err != nil {
		return fail(err)
	}
	return simulator.Player{Family: family, Values: values, Dead: candidate.Dead, Settings: settings}, nil
}

// PlayHeldOut plays the first held-out games of a run again with a player, by the run's config and
// its salt. It returns their summary and each game, in the order of their seeds. It makes
// seeds as games are played. observe gets the number of games played. It may be nil.
func PlayHeldOut(ctx context.Context, c *configs.Config, salt string, play Simulator, player simulator.Player, games int, observe func(played int)) (
	s Standing, outcomes []simulator.Outcome, err error) {
	for len(outcomes) < games {
		first := len(outcomes)
		batch := simulator.Batch{Rules: c.Rules, Players: []simulator.Player{player}}
		for index := first; index < min(games, first+batchGames); index++ {
			batch.Jobs = append(batch.Jobs, simulator.Job{Seed: heldOutSeed(c.Seed, salt, index)})
		}
		played := first
		more, err := play.Play(ctx, batch, func(int, simulator.Outcome) error {
			if played++; observe != nil {
				observe(played)
			}
			return nil
		})
		if err != nil {
			return Standing{}, nil, err
		}
		outcomes = append(outcomes, more...)
	}
	s.add(c.Objective, summarize(c.Objective, Place{Phase: PhaseValidation, Search: player.Settings.String()}, outcomes))
	return s, outcomes, nil
}
