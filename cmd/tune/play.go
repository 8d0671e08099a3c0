package main

import (
	"context"

	"tune2048/engine"
)

// play plays one game and shows it.
func play(ctx context.Context, in *invocation) error {
	f := in.flags()
	var p playerFlags
	var how watched
	p.define(f)
	in.databaseFlag(f)
	seed := f.Uint64("seed", 1, "the `SEED` of the game's spawns, below 2^53")
	kind := f.String("player", "",
		"play this `KIND` of baseline instead of the config's heuristic: random or greedy; it needs no config")
	how.define(f)
	name, err := in.parseName(f)
	if err != nil {
		return err
	}
	switch {
	case !(how.fps > 0 && how.fps <= 1000):
		return usagef("play: -fps: want more than 0 and at most 1000, got %v", how.fps)
	case *kind != "" && name != "":
		return usagef("play: want a RUN or -player, not both")
	case *kind != "" && (given(f, "weights") || given(f, "depth")):
		return usagef("play: -player %s has no weights and no depth: leave out -weights and -depth", *kind)
	case *seed >= 1<<53:
		return usagef("play: -seed: want less than 2^53, got %d", *seed)
	}
	if *kind != "" {
		who, rules, err := in.baseline(p, *kind)
		if err == nil {
			err = in.watch(ctx, rules, *seed, who, how)
		}
		return err
	}
	who, e, b, err := in.chosen(ctx, p, name)
	switch {
	case err != nil:
		return err
	case b != nil:
		err = in.watchBot(ctx, who.config.Rules, *seed, b, how)
	default:
		err = in.watch(ctx, who.config.Rules, *seed, e, how)
	}
	return err
}

// baseline returns a baseline, which needs no config.
func (in *invocation) baseline(p playerFlags, kind string) (engine.Player, engine.Rules, error) {
	baselines := map[string]engine.Player{"random": new(engine.Random), "greedy": engine.Greedy{}}
	rules := engine.DefaultRules()
	if baselines[kind] == nil {
		return nil, rules, usagef("play: -player: want random or greedy, got %q", kind)
	}
	if p.config != "" {
		c, err := in.load(p.config)
		if err != nil {
			return nil, rules, err
		}
		rules = c.Rules
	}
	return baselines[kind], rules, nil
}
