package main

import "context"

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
	switch {
	case err != nil:
		return err
	case b != nil:
		err = in.watchBot(ctx, who.config.Rules, *seed, b, *asJSON)
	default:
		err = in.watch(ctx, who.config.Rules, *seed, e, *asJSON)
	}
	return err
}
