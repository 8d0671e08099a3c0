package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/simulator"
)

// bench measures the search with the shipped configs and prints each figure as it comes. Compiling
// and other parts have Go benchmarks, beside their code.
func bench(ctx context.Context, in *invocation) error {
	f := in.flags()
	seconds := f.Float64("seconds", 2, "measure each figure for this many `SECONDS`")
	if err := in.parseFlags(f); err != nil {
		return err
	}
	if !(*seconds > 0 && *seconds <= 3600) {
		return usagef("bench: -seconds: want more than 0 and at most 3600, got %v", *seconds)
	}
	budget := time.Duration(*seconds * float64(time.Second))
	signature, err := simulator.Sign(ctx, runtime.NumCPU())
	if err != nil {
		return err
	}
	fmt.Fprintf(in.stdout, "signature %s, %s, %s\n\nper second of CPU time of one worker, start weights; games that were played to their end:\n\n",
		signature, runtime.Version(), runtime.GOARCH)
	for _, name := range configs.Names() {
		if name == "quickstart" { // the same as nneonneo at depth 3
			continue
		}
		c, err := configs.LoadEmbedded(name)
		if err != nil {
			return err
		}
		settings := []engine.Settings{c.Search}
		if name == "nneonneo" {
			settings = append([]engine.Settings{engine.FixedDepth(1), engine.FixedDepth(3), engine.FixedDepth(5)}, settings...)
		}
		for _, s := range settings {
			if err := in.benchGames(ctx, budget, c, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchGames plays the start weights on one worker until the budget is spent. The last game is cut.
func (in *invocation) benchGames(ctx context.Context, budget time.Duration, c *configs.Config, settings engine.Settings) error {
	player, err := startPlayer(c).expectimax(settings)
	if err != nil {
		return err
	}
	defer player.StopWith(ctx)()
	var nodes, moves, games, score float64
	began, cpu := time.Now(), cpuTime()
	over := func() bool { return time.Since(began) >= budget || ctx.Err() != nil }
	for seed := uint64(0); !over(); seed++ {
		cut := false
		r := engine.Play(c.Rules, seed, player, func(engine.Step) bool {
			cut = over()
			return !cut
		})
		nodes, moves = nodes+float64(r.Nodes), moves+float64(r.Moves)
		if !cut {
			games, score = games+1, score+float64(r.Score)
		}
	}
	spent := (cpuTime() - cpu).Seconds()
	fmt.Fprintf(in.stdout, "%s at %s: %.1f M nodes, %.4g moves, %.4g games", c.Name, settings, nodes/spent/1e6, moves/spent, games/spent)
	if games > 0 {
		fmt.Fprintf(in.stdout, "; mean score %.0f of %.0f games", score/games, games)
	}
	fmt.Fprintln(in.stdout)
	return ctx.Err()
}
