package main

import (
	"context"
	"fmt"

	"tune2048/engine"
)

// play plays one game and shows it.
func play(ctx context.Context, in *invocation) error {
	f := in.flags()
	var p playerFlags
	p.define(f)
	in.databaseFlag(f)
	seed := f.Uint64("seed", 1, "the `SEED` of the game's spawns, below 2^53")
	asJSON := f.Bool("json", false, "print one JSON line for each move and one for the end")
	name, err := in.parseName(f)
	if err != nil {
		return err
	}
	if *seed >= 1<<53 {
		return usagef("play: -seed: want less than 2^53, got %d", *seed)
	}
	who, e, b, err := in.chosen(ctx, p, name)
	if err != nil {
		return err
	}
	rules := who.config.Rules
	if b == nil {
		defer e.StopWith(ctx)()
		return in.show(ctx, *asJSON, func(observe func(engine.Step) bool) (engine.Result, error) {
			return engine.Play(rules, *seed, e, observe), nil
		})
	}
	defer b.Close()
	return in.show(ctx, *asJSON, func(observe func(engine.Step) bool) (engine.Result, error) {
		game, err := b.Play(ctx, rules, *seed, who.botWeights(), func(s engine.Step) bool {
			if s == (engine.Step{}) {
				fmt.Fprintln(in.stderr, "the bot failed: it is started again, and the game with it")
				return true
			}
			return observe(s)
		})
		return game.Result, err
	})
}
