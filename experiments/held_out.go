package experiments

import (
	"context"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// heldOutSeeds returns the seeds of a run's first held-out games. Its salt is the run's
// configs.Config.PlayedHash. So a run of another config or length is judged by games that judged no
// run before it. Runs made before there was a salt have an empty one.
func heldOutSeeds(seed uint64, salt string, games int) []uint64 {
	return gameSeeds(seed, PhaseValidation, salt, 0, 0, games)
}

// PlayHeldOut plays the first held-out games of a run again with a player, by the run's config and
// its salt. It returns their summary and each game, in the order of their seeds. observe gets the
// number of games played. It may be nil.
func PlayHeldOut(ctx context.Context, c *configs.Config, salt string, play Simulator, player simulator.Player, games int, observe func(played int)) (
	s Standing, outcomes []simulator.Outcome, err error) {
	batch := simulator.Batch{Rules: c.Rules, Players: []simulator.Player{player}}
	for _, seed := range heldOutSeeds(c.Seed, salt, games) {
		batch.Jobs = append(batch.Jobs, simulator.Job{Seed: seed})
	}
	played := 0
	outcomes, err = play.Play(ctx, batch, func(int, simulator.Outcome) error {
		if played++; observe != nil {
			observe(played)
		}
		return nil
	})
	if err != nil {
		return Standing{}, nil, err
	}
	s.add(c.Objective, summarize(c.Objective, Place{Phase: PhaseValidation, Search: player.Settings.String()}, outcomes))
	return s, outcomes, nil
}
