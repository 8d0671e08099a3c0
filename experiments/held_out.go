package experiments

import (
	"context"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// PlayHeldOut plays the first games of a config's validation again with a player, and returns what they come to and each of them,
// in the order of their seeds. observe is told how many have been played; it may be nil.
func PlayHeldOut(ctx context.Context, c *configs.Config, s Simulator, player simulator.Player, games int, observe func(played int)) (
	Evaluation, []simulator.Outcome, error) {
	batch := simulator.Batch{Rules: c.Rules, Players: []simulator.Player{player}}
	for _, seed := range gameSeeds(c.Seed, PhaseValidation, "", 0, 0, games) {
		batch.Jobs = append(batch.Jobs, simulator.Job{Seed: seed})
	}
	played := 0
	outcomes, err := s.Play(ctx, batch, func(int, simulator.Outcome) error {
		if played++; observe != nil {
			observe(played)
		}
		return nil
	})
	if err != nil {
		return Evaluation{}, nil, err
	}
	return summarize(c.Objective, Place{Phase: PhaseValidation, Search: player.Settings.String()}, outcomes), outcomes, nil
}
