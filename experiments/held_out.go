package experiments

import (
	"context"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// PlayHeldOut plays the first games of a config's validation again with a player, and returns what they come to and each of them,
// in the order of their seeds. observe is told how many have been played; it may be nil.
func PlayHeldOut(ctx context.Context, c *configs.Config, play Simulator, player simulator.Player, games int, observe func(played int)) (
	s Standing, outcomes []simulator.Outcome, err error) {
	batch := simulator.Batch{Rules: c.Rules, Players: []simulator.Player{player}}
	for _, seed := range gameSeeds(c.Seed, PhaseValidation, "", 0, 0, games) {
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
