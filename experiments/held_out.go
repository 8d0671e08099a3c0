package experiments

import (
	"context"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// heldOutSeed returns the seed of a run's held-out game by its index. Its salt is the run's
// configs.Config.PlayedHash. So a run of another config or length is judged by games that judged no
// run before it. Runs made before there was a salt have an empty one.
func heldOutSeed(seed uint64, salt string, index int) uint64 {
	return gameSeed(seed, PhaseValidation, salt, 0, index)
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
