package main

import (
	"flag"
	"fmt"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
)

// player is what move and play need of a config: who plays, at which settings.
type player struct {
	config   *configs.Config
	values   heuristic.Vector
	dead     heuristic.Dead
	settings engine.Settings
}

// playerFlags are the flags that choose a player.
type playerFlags struct {
	config, weights string
	depth           int
	given           bool // whether a depth was
}

func (p *playerFlags) define(f *flag.FlagSet) {
	f.StringVar(&p.config, "config", "", "`FILE` of the config")
	f.StringVar(&p.weights, "weights", "", "weights `FILE`: name: number as JSON or YAML, or an export; default: the config's start weights")
	f.IntVar(&p.depth, "depth", 0, "search exactly this many `PLIES` deep instead of by the config's rule")
}

// load reads the config that a subcommand was given.
func (in *invocation) load(path string) (*configs.Config, error) {
	if path == "" {
		return nil, usagef("%s: want -config FILE; a shipped config to begin with: tune init quickstart", in.command.name)
	}
	c, err := configs.Load(path)
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

// player loads and compiles the player that the flags choose.
func (in *invocation) player(p playerFlags) (*player, error) {
	c, err := in.load(p.config)
	if err != nil {
		return nil, err
	}
	who := &player{config: c, values: c.Family.Start(), dead: c.Family.Dead, settings: c.Search}
	if p.weights != "" {
		weights, err := configs.LoadWeights(p.weights)
		if err != nil {
			return nil, usageError{err}
		}
		if who.values, err = c.Weights(weights.Weights); err != nil {
			return nil, usagef("%s: %w", p.weights, err)
		}
		if weights.Dead != nil {
			who.dead = *weights.Dead
		}
	}
	if p.given {
		who.settings = engine.FixedDepth(p.depth)
		if err := who.settings.Validate(); err != nil {
			return nil, usagef("-%w", err)
		}
	}
	return who, nil
}

// expectimax returns the player's engine.
func (p *player) expectimax() (*engine.Expectimax, error) {
	tables, err := heuristic.NewCompiler(&p.config.Family).Compile(p.values, p.dead)
	if err != nil {
		return nil, usagef("%s: %w", p.config.Path, err)
	}
	e := new(engine.Expectimax)
	e.Prepare(tables, p.settings, p.config.Rules)
	return e, nil
}

// given tells whether a flag was given.
func given(f *flag.FlagSet, name string) bool {
	found := false
	f.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
