package experiments

import (
	"context"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// heldOutChunk is how many held-out games are asked for at once.
const heldOutChunk = 5000

// PlayHeldOut plays the first held-out games of a run again with a player, by the run's config and
// its salt, and returns their sum. observe gets the number of games played. It may be nil.
func PlayHeldOut(ctx context.Context, c *config.Config, salt string, play Simulator, player eval.Player,
	search engine.Settings, games int, observe func(played int)) (*Standing, error) {
	played := 0
	lab := Lab{Simulator: play, Objective: c.Objective, Played: func(context.Context, Game) error {
		if played++; observe != nil {
			observe(played)
		}
		return nil
	}}
	s, stream := new(Standing), Stream{Seed: c.Seed, Phase: PhaseValidation, Salt: salt}
	for first := 0; first < games; first += heldOutChunk {
		found, err := lab.Ask(ctx, []Question{NewQuestion(player, search, stream, first, min(heldOutChunk, games-first))}, nil)
		if err != nil {
			return nil, err
		}
		if found[0].Failure != "" {
			return nil, simulator.Failure(player, found[0].Failure)
		}
		s.add(c.Objective, found[0])
	}
	return s, nil
}
