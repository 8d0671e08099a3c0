package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// benchResult is what bench measures; the JSON it prints.
type benchResult struct {
	Signature string         `json:"signature"`
	GoVersion string         `json:"go_version"`
	GoArch    string         `json:"goarch"`
	Play      []benchPlay    `json:"play"`    // one worker
	Tables    []benchTables  `json:"tables"`  // for new weights
	Workers   []benchWorkers `json:"workers"` // quickstart at depth 3
	// OutsideEngine is the share of a tuning run's CPU time that is not spent compiling tables and playing games:
	// quickstart at depth 3, one worker.
	OutsideEngine float64 `json:"outside_engine"`
	MemoryMB      float64 `json:"memory_mb"` // obtained from the system at the end, all workers
}

type benchPlay struct {
	Config     string  `json:"config"`
	Search     string  `json:"search"`
	NodesPerS  float64 `json:"nodes_per_second"` // afterstates valued or expanded
	MovesPerS  float64 `json:"moves_per_second"`
	Games      int     `json:"games"` // that were played to their end
	GamesPerS  float64 `json:"games_per_second"`
	MeanScore  float64 `json:"mean_score"`
	CPUSeconds float64 `json:"cpu_seconds"`
}

type benchTables struct {
	Config       string  `json:"config"`
	Microseconds float64 `json:"microseconds"` // median
}

type benchWorkers struct {
	Workers   int     `json:"workers"`
	GamesPerS float64 `json:"games_per_second"`
	Speedup   float64 `json:"speedup"` // over one worker
}

// bench measures the engine and what a run costs beside it.
func bench(ctx context.Context, in *invocation) error {
	f := in.flags()
	seconds := f.Float64("seconds", 2, "measure each figure for this many `SECONDS`")
	var workers int
	workersFlag(f, &workers, 1, "measure with up to this `NUMBER` of workers")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := in.parseFlags(f); err != nil {
		return err
	}
	if !(*seconds > 0 && *seconds <= 3600) {
		return usagef("bench: -seconds: want more than 0 and at most 3600, got %v", *seconds)
	}
	r, err := measure(ctx, time.Duration(*seconds*float64(time.Second)), workers)
	switch {
	case err != nil:
		return err
	case *asJSON:
		return writeJSON(in.stdout, r)
	}
	in.printBench(r)
	return nil
}

// measure takes each figure for as long as the budget.
func measure(ctx context.Context, budget time.Duration, workers int) (r benchResult, err error) {
	r.GoVersion, r.GoArch = runtime.Version(), runtime.GOARCH
	if r.Signature, err = simulator.Sign(ctx, workers); err != nil {
		return r, err
	}
	var quickstart *configs.Config
	for _, name := range configs.Names() {
		c, err := configs.LoadEmbedded(name)
		if err != nil {
			return r, err
		}
		settings := []engine.Settings{c.Search}
		switch name {
		case "quickstart": // the same as nneonneo at depth 3
			quickstart = c
			continue
		case "nneonneo":
			settings = append([]engine.Settings{engine.FixedDepth(1), engine.FixedDepth(3), engine.FixedDepth(5)}, settings...)
		}
		compiler := heuristic.NewCompiler(&c.Family)
		for _, s := range settings {
			tables, err := compiler.Compile(c.Family.Start(), c.Family.Dead)
			if err != nil {
				return r, err
			}
			var player engine.Expectimax
			player.Prepare(tables, s, c.Rules)
			p, err := benchGames(ctx, budget, c.Rules, &player)
			if err != nil {
				return r, err
			}
			p.Config, p.Search = c.Name, s.String()
			r.Play = append(r.Play, p)
		}
		values, times := c.Family.Start(), []time.Duration(nil)
		for began := time.Now(); len(times) < 5 || time.Since(began) < budget/10; {
			values[0] *= 1 + 1e-9 // new weights
			start := time.Now()
			if _, err := compiler.Compile(values, c.Family.Dead); err != nil {
				return r, err
			}
			times = append(times, time.Since(start))
		}
		slices.Sort(times)
		r.Tables = append(r.Tables, benchTables{c.Name, float64(times[len(times)/2].Nanoseconds()) / 1000})
	}
	for n := 1; n <= workers; n *= 2 {
		speed, err := gamesPerSecond(ctx, budget, quickstart, n)
		if err != nil {
			return r, err
		}
		r.Workers = append(r.Workers, benchWorkers{n, speed, 1})
		r.Workers[len(r.Workers)-1].Speedup = speed / r.Workers[0].GamesPerS
	}
	r.OutsideEngine, err = outsideEngine(ctx, budget, quickstart)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	r.MemoryMB = float64(memory.Sys) / 1e6
	return r, err
}

// benchGames plays on one worker until the budget is spent.
func benchGames(ctx context.Context, budget time.Duration, rules engine.Rules, player engine.Player) (p benchPlay, err error) {
	var nodes, moves, score int64
	began, cpu := time.Now(), cpuTime()
	over := func() bool { return time.Since(began) >= budget || ctx.Err() != nil }
	for seed := uint64(0); !over(); seed++ {
		cut := false
		r := engine.Play(rules, seed, player, func(engine.Step) bool {
			cut = over()
			return !cut
		})
		nodes += r.Nodes
		moves += int64(r.Moves)
		if !cut {
			p.Games++
			score += int64(r.Score)
		}
	}
	p.CPUSeconds = (cpuTime() - cpu).Seconds()
	p.NodesPerS, p.MovesPerS, p.GamesPerS = float64(nodes)/p.CPUSeconds, float64(moves)/p.CPUSeconds, float64(p.Games)/p.CPUSeconds
	p.MeanScore = float64(score) / float64(max(1, p.Games))
	return p, ctx.Err()
}

// gamesPerSecond plays the same games with some workers, by the clock on the wall.
func gamesPerSecond(ctx context.Context, budget time.Duration, c *configs.Config, workers int) (float64, error) {
	batch := simulator.Batch{Rules: c.Rules, Players: []simulator.Player{{
		Family: &c.Family, Values: c.Family.Start(), Dead: c.Family.Dead, Settings: engine.FixedDepth(3),
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

// outsideEngine carries out a part of the quickstart with one worker and returns the share of its
// CPU time that is not spent inside its games.
func outsideEngine(ctx context.Context, budget time.Duration, c *configs.Config) (share float64, err error) {
	folder, err := os.MkdirTemp("", "tune-bench-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	store, err := results.Open(filepath.Join(folder, "tune.db"))
	if err != nil {
		return 0, err
	}
	defer store.Close()
	short, err := c.WithGenerations(1 + int(5*budget.Seconds())) // long enough for what a run costs once not to count
	if err != nil {
		return 0, err
	}
	short.Playoff.Games = 20
	// At one search: what the others cost beside their games is the same.
	short.Validation = configs.Validation{Games: 20, Search: []configs.ValidatedSearch{{Settings: short.Playoff.Search}}}
	short.Ablation.Games = 0
	played := timed{Pool: simulator.NewPool(1)}
	began := cpuTime()
	_, err = experiments.Experiment{Config: short, Store: store, Simulator: &played}.Run(ctx)
	return max(0, 1-played.inside.Seconds()/(cpuTime()-began).Seconds()), err
}

// timed measures the CPU time of playing.
type timed struct {
	*simulator.Pool
	inside time.Duration
}

func (t *timed) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	began := cpuTime()
	outcomes, err := t.Pool.Play(ctx, b, nil)
	t.inside += cpuTime() - began
	for i := 0; i < len(outcomes) && err == nil; i++ {
		err = finished(i, outcomes[i])
	}
	return outcomes, err
}

func (in *invocation) printBench(r benchResult) {
	fmt.Fprintf(in.stdout, "signature %s, %s, %s\n\n", r.Signature, r.GoVersion, r.GoArch)
	table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "config\tsearch\tM nodes/s\tmoves/s\tgames\tgames/s\tmean score\t")
	for _, p := range r.Play {
		games, score := "", ""
		if p.Games > 0 {
			games, score = fmt.Sprintf("%.4g", p.GamesPerS), fmt.Sprintf("%.0f", p.MeanScore)
		}
		fmt.Fprintf(table, "%s\t%s\t%.1f\t%.4g\t%d\t%s\t%s\t\n", p.Config, p.Search, p.NodesPerS/1e6, p.MovesPerS, p.Games, games, score)
	}
	table.Flush()
	fmt.Fprintln(in.stdout, "\nper second of CPU time of one worker, start weights; games that were played to their end")
	fmt.Fprintln(in.stdout)
	for _, t := range r.Tables {
		fmt.Fprintf(in.stdout, "tables for new weights of %s: %.0f microseconds\n", t.Config, t.Microseconds)
	}
	fmt.Fprintln(in.stdout)
	for _, w := range r.Workers {
		fmt.Fprintf(in.stdout, "%s: %.0f games/s at depth 3, %.2f times one\n", plural(w.Workers, "worker"), w.GamesPerS, w.Speedup)
	}
	fmt.Fprintf(in.stdout, "\na tuning run at depth 3 spends %.1f%% of its CPU time outside the engine; memory %.0f MB\n", 100*r.OutsideEngine, r.MemoryMB)
}
