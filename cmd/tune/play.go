package main

import (
	"context"
	"fmt"
	"strconv"

	"tune2048/engine"
	"tune2048/engine/simulator"
)

// play plays one game and shows it, or shows a stored one.
func play(ctx context.Context, in *invocation) error {
	f := in.flags()
	var p playerFlags
	var how watched
	p.define(f)
	game := f.String("game", "", "show the stored game of this `ID`, and say whether it ends as it is stored")
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
	case given(f, "game"):
		if p != (playerFlags{}) || given(f, "seed") || *kind != "" || name != "" {
			return usagef("play: -game goes with -db, -fps and -json only: the database has the game's player and seed")
		}
		return in.replay(ctx, *game, how)
	case *kind != "" && name != "":
		return usagef("play: want a RUN or -player, not both")
	case *seed >= 1<<53:
		return usagef("play: -seed: want less than 2^53, got %d", *seed)
	}
	if *kind != "" {
		who, rules, err := in.baseline(p, *kind)
		if err == nil {
			_, err = in.watch(ctx, rules, *seed, who, how)
		}
		return err
	}
	who, e, b, err := in.chosen(ctx, p, name)
	switch {
	case err != nil:
		return err
	case b != nil:
		_, err = in.watchBot(ctx, who.config.Rules, *seed, b, how)
	default:
		_, err = in.watch(ctx, who.config.Rules, *seed, e, how)
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

// replay shows a stored game, and says whether it ends as it is stored.
func (in *invocation) replay(ctx context.Context, game string, how watched) error {
	id, err := strconv.ParseInt(game, 10, 64)
	if err != nil || id < 0 {
		return usagef("play: -game: want the id of one game: sqlite3 results/tune.db \"select id from games order by "+
			"score desc limit 1\"; got %q", game)
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	stored, err := reader.Replay(ctx, id)
	if err != nil {
		return err
	}
	run, g := stored.Run, stored.Game
	if run.Signature != simulator.Signature {
		fmt.Fprintf(in.stderr,
			"run %s was played by an engine with signature %s, this program's is %s: the game may go another way here\n",
			run.Name, run.Signature, simulator.Signature)
	}
	fmt.Fprintf(in.stderr, "game %d: run %s, candidate %d, %s at %s, seed %d\n", id, run.Name, g.Candidate, g.Phase,
		g.Search, g.Seed)
	result, err := in.watch(ctx, stored.Rules, g.Seed, stored.Player, how)
	if err == nil {
		err = stored.Check(result)
	}
	if err != nil {
		return err
	}
	says := in.stdout
	if how.json {
		says = in.stderr
	}
	_, err = fmt.Fprintln(says, "it ends as stored: score, largest tile, moves and nodes are the same")
	return err
}
