package experiments

import (
	"cmp"
	"context"
	"fmt"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// StoredPlayer returns a stored candidate of a family as a player at the search that the text names.
func StoredPlayer(family *eval.Heuristic, candidate Candidate, search string) (simulator.Player, error) {
	settings, err := engine.ParseSettings(search)
	values, unknown := candidate.vector(family)
	if err = cmp.Or(err, unknown); err != nil {
		return simulator.Player{}, fmt.Errorf("candidate %d at %s: %w", candidate.Number, search, err)
	}
	return simulator.Player{Family: family, Values: values, Dead: candidate.Dead, Settings: settings}, nil
}

// heldOutChunk is how many held-out games are handed to the simulator at once.
const heldOutChunk = 5000

// PlayHeldOut plays the first held-out games of a run again with a player, by the run's config and
// its salt. It returns their sum and each game, in the order of their seeds. It makes seeds as
// games are played. observe gets the number of games played. It may be nil.
func PlayHeldOut(ctx context.Context, c *config.Config, salt string, play Simulator, player simulator.Player,
	games int, observe func(played int)) (
	*Standing, []simulator.Outcome, error) {
	var outcomes []simulator.Outcome
	for len(outcomes) < games {
		first := len(outcomes)
		batch := simulator.Batch{Rules: c.Rules, Players: []simulator.Player{player}}
		for index := first; index < min(games, first+heldOutChunk); index++ {
			batch.Jobs = append(batch.Jobs, simulator.Job{Seed: gameSeed(c.Seed, PhaseValidation, salt, 0, index)})
		}
		played := first
		more, err := play.Play(ctx, batch, func(int, simulator.Outcome) error {
			if played++; observe != nil {
				observe(played)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		outcomes = append(outcomes, more...)
	}
	s := new(Standing)
	s.add(c.Objective, summarize(Place{Phase: PhaseValidation, Search: player.Settings.String()}, "", outcomes))
	return s, outcomes, nil
}
