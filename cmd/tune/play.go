package main

import (
	"context"

	"tune2048/engine"
)

// play plays one game and shows it.
func play(ctx context.Context, in *invocation) error {
	f := in.flags()
	var p playerFlags
	p.define(f)
	seed := f.Uint64("seed", 1, "the `SEED` of the game's spawns, below 2^53")
	kind := f.String("player", "", "play this `KIND` of baseline instead of the config's heuristic: random or greedy; it needs no config")
	var how watched
	how.define(f)
	if err := in.parseFlags(f); err != nil {
		return err
	}
	p.given = given(f, "depth")
	if err := how.check("play"); err != nil {
		return err
	}
	if *seed >= 1<<53 {
		return usagef("play: -seed: want less than 2^53, got %d", *seed)
	}
	rules, who, err := in.choosePlayer(p, *kind)
	if err != nil {
		return err
	}
	_, err = in.watch(ctx, rules, *seed, who, how)
	return err
}

// choosePlayer returns a baseline, which needs no config, or the config's player.
func (in *invocation) choosePlayer(p playerFlags, kind string) (engine.Rules, engine.Player, error) {
	rules := engine.DefaultRules()
	if kind != "" && p.config != "" {
		c, err := in.load(p.config)
		if err != nil {
			return rules, nil, err
		}
		rules = c.Rules
	}
	switch kind {
	case "random":
		return rules, new(engine.Random), nil
	case "greedy":
		return rules, engine.Greedy{}, nil
	case "":
		who, err := in.player(p)
		if err != nil {
			return rules, nil, err
		}
		e, err := who.expectimax()
		return who.rules, e, err
	default:
		return rules, nil, usagef("play: -player: want random or greedy, got %q", kind)
	}
}
