package main

import (
	"context"
	"fmt"
	"runtime"
	"text/tabwriter"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
)

// bytesPerGame is what a game takes in the database as a row with its index entries.
const bytesPerGame = 160

// check validates a config and prints what it will cost.
func check(_ context.Context, in *invocation) error {
	f := in.flags()
	path := f.String("config", "", "`FILE` of the config")
	workers := f.Int("workers", runtime.NumCPU(), "games played at once")
	if err := in.parseFlags(f); err != nil {
		return err
	}
	if *workers < 1 || *workers > 1024 {
		return usagef("check: -workers: want 1 to 1024, got %d", *workers)
	}
	c, err := in.load(*path)
	if err != nil {
		return err
	}
	if len(c.Family.Tunable()) == 0 {
		_, err := fmt.Fprintf(in.stdout, "%s is valid for move and play: %s, nothing to tune; a run wants at least one number with a range, such as weight: {min: 0, max: 1000, start: 270}\n",
			c.Path, plural(len(c.Family.Features), "feature"))
		return err
	}
	if err := experiments.CheckPlan(c); err != nil {
		return usageError{err}
	}
	fmt.Fprintf(in.stdout, "%s is valid: experiment %s, %s, %s to tune\n\n", c.Path, c.Name,
		plural(len(c.Family.Features), "feature"), plural(len(c.Family.Tunable()), "weight"))

	costs := newCosts(c, *workers)
	table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "phase\tstage\tsearch\tgenerations\tplayers\tgames at most\ttime about")
	var total time.Duration
	var games, rows int64
	for _, b := range costs.plan {
		t := time.Duration(b.Games) * costs.game(b.Search) / time.Duration(*workers)
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%s\n", b.Phase, b.Stage, b.Search, b.Generations, b.Candidates, b.Games, duration(t))
		total += t
		games += b.Games
		if c.Store.Games == configs.StoreAll || c.Store.Games == configs.StoreValidation && b.Phase != experiments.PhaseTuning {
			rows += b.Games
		}
	}
	table.Flush()
	fmt.Fprintf(in.stdout, "\nin all at most %d games, about %s with %s (games get longer as the weights get better), about %s of disk\n",
		games, duration(total), plural(*workers, "worker"), bytesText(rows*bytesPerGame+100_000))
	fmt.Fprintf(in.stdout, "next: %s -config %s\n", program, quote(*path))
	return nil
}

func bytesText(n int64) string {
	if n < 1_000_000 {
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
