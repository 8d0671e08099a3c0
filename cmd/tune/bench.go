package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
)

// bench measures the engine and prints each figure as it comes.
func bench(ctx context.Context, in *invocation) error {
	f := in.flags()
	seconds := f.Float64("seconds", 2, "measure each figure for this many `SECONDS`")
	var workers int
	workersFlag(f, &workers, 1, "measure with up to this `NUMBER` of workers")
	if err := in.parseFlags(f); err != nil {
		return err
	}
	if !(*seconds > 0 && *seconds <= 3600) {
		return usagef("bench: -seconds: want more than 0 and at most 3600, got %v", *seconds)
	}
	budget := time.Duration(*seconds * float64(time.Second))
	signature, err := simulator.Sign(ctx, workers)
	if err != nil {
		return err
	}
	fmt.Fprintf(in.stdout, "signature %s, %s, %s\n\nper second of CPU time of one worker, start weights; games that were played to their end:\n\n",
		signature, runtime.Version(), runtime.GOARCH)
	var quickstart *configs.Config
	for _, name := range configs.Names() {
		c, err := configs.LoadEmbedded(name)
		switch {
		case err != nil:
			return err
		case name == "quickstart": // the same as nneonneo at depth 3
			quickstart = c
			continue
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
		took, err := compileTime(budget/10, c)
		if err != nil {
			return err
		}
		fmt.Fprintf(in.stdout, "%s: tables for new weights in %.0f microseconds\n", name, took.Seconds()*1e6)
	}
	fmt.Fprintln(in.stdout)
	one := 0.0
	for n := 1; n <= workers; n *= 2 {
		speed, err := gamesPerSecond(ctx, budget, quickstart, n)
		if err != nil {
			return err
		}
		if n == 1 {
			one = speed
		}
		fmt.Fprintf(in.stdout, "%s: %.0f games/s at depth 3, %.2f times one\n", plural(n, "worker"), speed, speed/one)
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	_, err = fmt.Fprintf(in.stdout, "memory %.0f MB\n", float64(memory.Sys)/1e6)
	return err
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

// compileTime is the median of compiling tables for changing weights.
func compileTime(budget time.Duration, c *configs.Config) (time.Duration, error) {
	compiler, values := heuristic.NewCompiler(&c.Family), c.Family.Values()
	var times []time.Duration
	for began := time.Now(); len(times) < 5 || time.Since(began) < budget; {
		values[0] *= 1 + 1e-9
		start := time.Now()
		if _, err := compiler.Compile(values, c.Family.Dead); err != nil {
			return 0, err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// gamesPerSecond plays the same games with some workers, by the clock on the wall.
func gamesPerSecond(ctx context.Context, budget time.Duration, c *configs.Config, workers int) (float64, error) {
	batch := simulator.Batch{Rules: c.Rules, Players: []simulator.Player{{
		Family: &c.Family, Values: c.Family.Values(), Dead: c.Family.Dead, Settings: engine.FixedDepth(3),
	}}}
	for seed := range uint64(200) {
		batch.Jobs = append(batch.Jobs, simulator.Job{Seed: seed})
	}
	pool, began, games := simulator.NewPool(workers), time.Now(), 0
	for ; time.Since(began) < budget; games += len(batch.Jobs) {
		if _, err := pool.Play(ctx, batch, nil); err != nil {
			return 0, err
		}
	}
	return float64(games) / time.Since(began).Seconds(), nil
}
