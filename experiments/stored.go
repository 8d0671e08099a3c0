package experiments

import (
	"context"
	"fmt"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// StoredPlayer returns a stored candidate of a form. Weights that it does not have are at the
// form's own numbers: the start.
func StoredPlayer(form *eval.Form, candidate Candidate) (eval.Player, error) {
	values, names := form.Heuristic.Values(), form.Heuristic.Names()
	for _, given := range candidate.Weights {
		i := slices.Index(names, given.Name)
		if i < 0 {
			return eval.Player{}, fmt.Errorf("candidate %d: its heuristic has no weight %s", candidate.Number, given.Name)
		}
		values[i] = given.Value
	}
	return form.WithDead(candidate.Dead).Player(values), nil
}

// heldOutChunk is how many held-out games are handed to the simulator at once.
const heldOutChunk = 5000

// PlayHeldOut plays the first held-out games of a run again with a player, by the run's config and
// its salt. It returns their sum and each game, in the order of their seeds. It makes seeds as
// games are played. observe gets the number of games played. It may be nil.
func PlayHeldOut(ctx context.Context, c *config.Config, salt string, play Simulator, player eval.Player,
	search engine.Settings, games int, observe func(played int)) (
	*Standing, []simulator.Outcome, error) {
	var outcomes []simulator.Outcome
	for len(outcomes) < games {
		first := len(outcomes)
		batch := simulator.Batch{Search: search, Players: []eval.Player{player}}
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
	s.add(c.Objective, summarize(Place{Phase: PhaseValidation, Search: search.String()}, "", outcomes))
	return s, outcomes, nil
}
