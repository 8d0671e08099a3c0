package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"

	"tune2048/engine"
)

// play plays one game and draws it, or prints a JSON line for each move.
func play(ctx context.Context, in *invocation) error {
	f := in.flags()
	var p playerFlags
	p.define(f)
	seed := f.Uint64("seed", 1, "the `SEED` of the game's spawns, below 2^53")
	kind := f.String("player", "", "play this `KIND` of baseline instead of the config's heuristic: random or greedy; it needs no config")
	asJSON := f.Bool("json", false, "print one JSON line for each move and one for the end")
	if err := in.parseFlags(f); err != nil {
		return err
	}
	p.given = given(f, "depth")
	if *seed >= 1<<53 {
		return usagef("play: -seed: want less than 2^53, got %d", *seed)
	}
	rules, who, err := in.choosePlayer(p, *kind)
	if err != nil {
		return err
	}

	_, err = in.show(ctx, rules, *seed, who, *asJSON)
	return err
}

// show plays a game and draws it, or prints it as JSON lines.
func (in *invocation) show(ctx context.Context, rules engine.Rules, seed uint64, who engine.Player, asJSON bool) (engine.Result, error) {
	out := bufio.NewWriter(in.stdout)
	defer out.Flush()
	drawing := &invocation{stdout: out}
	lines := json.NewEncoder(out)
	if e, searches := who.(*engine.Expectimax); searches {
		defer e.StopWith(ctx)()
	}
	var failed error // the reader went away
	result := engine.Play(rules, seed, who, func(s engine.Step) bool {
		if ctx.Err() != nil { // the move may be none that the search would have chosen
			return false
		}
		if asJSON {
			failed = lines.Encode(gameLine{s.Board.Faces(), s.Score, ptr(s.Move.String())})
		} else {
			drawing.draw(s.Board)
			_, failed = fmt.Fprintf(out, "score %d, %s\n\n", s.Score, s.Move)
		}
		return failed == nil
	})
	if failed != nil {
		return result, failed
	}
	if err := ctx.Err(); err != nil {
		return result, err
	}
	if asJSON {
		return result, lines.Encode(gameLine{result.Final.Faces(), result.Score, nil})
	}
	drawing.draw(result.Final)
	ending := "no move left"
	if result.Capped {
		ending = "capped by a 65536"
	}
	_, err := fmt.Fprintf(out, "score %d, largest tile %d, %s, %s\n", result.Score, result.MaxTile, plural(result.Moves, "move"), ending)
	return result, err
}

// gameLine is a line of play -json: board and score before the move; the last line has none.
type gameLine struct {
	Board [4][4]int `json:"board"`
	Score int       `json:"score"`
	Move  *string   `json:"move"`
}

func ptr[T any](v T) *T { return &v }

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
