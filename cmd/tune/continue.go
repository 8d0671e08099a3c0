package main

import (
	"context"
	"fmt"
	"slices"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
	"tune2048/results/report"
)

// Going on: -more or -for on a finished run begin another run, which goes on from its end. It has
// the same config but for the length of the last stage, so it takes over all games that both have.
// The database knows which run went on from which.

// continueRun makes the experiment go on from the last run of its config if that is finished, for
// more generations, or with 0 for the time of -for. If that is not finished and went on itself, the
// experiment becomes that run. continueRun returns the number of generations that the finished run
// played.
func (in *invocation) continueRun(ctx context.Context, reader *results.Reader, x *experiments.Experiment, more int) (
	played int, err error) {
	runs, err := reader.Runs(ctx)
	if err != nil {
		return 0, err
	}
	from := lastOf(runs, x.Config)
	switch {
	case from == nil && more > 0:
		return 0, usagef("run: -more: there is no run of this config in %s to go on from: leave out -more, or name another "+
			"database with -db", in.database)
	case from == nil:
		return 0, nil
	}
	config, err := from.Config()
	if err != nil {
		return 0, err
	}
	in.nameBot(&config.Family)
	config.StoreGames = x.Config.StoreGames
	if from.Status != experiments.Finished {
		x.Config, x.GoesOnFrom = config, from.GoesOnFrom
		if more > 0 {
			fmt.Fprintf(in.stderr, "run %s is not finished: it ends as it was asked to, and -more %d is not added\n", from.Name,
				more)
		}
		return 0, nil
	}
	figures, err := reader.Summary(ctx, *from, 0, nil, nil)
	if err != nil {
		return 0, err
	}
	last, inLast := config.Stages[len(config.Stages)-1], 0
	if stage := figures.Stage(last.Name); stage != nil {
		inLast = stage.Generations
	}
	played = len(figures.Generations)
	switch {
	case inLast == 0 && more > 0: // -for ended it in an earlier stage
		x.StopAfter = played + more
	case inLast > 0 && more == 0:
		config, err = experiments.Filled(config)
	case inLast > 0:
		if config, err = config.Longer(inLast + more); err != nil {
			err = usagef("run: -more: %w", err)
		}
	}
	if err != nil {
		return 0, err
	}
	x.Config, x.GoesOnFrom = config, from.ID
	fmt.Fprintf(in.stderr, "run %s is finished: going on from its end, after %s; its games are read back\n", from.Name,
		report.Count(played, "generation"))
	return played, nil
}

// timed returns the config for a run with -for: time alone ends its last stage, if the config says
// nothing of that.
func timed(c *configs.Config) (*configs.Config, error) {
	if !c.Stages[len(c.Stages)-1].Open {
		return c, nil
	}
	return experiments.Filled(c)
}

// lastOf returns the newest run of the chain that began with this config, with -for or without, or
// nil if there is none. The newest run comes first in the list. Runs of a chain that were deleted
// are not missed.
func lastOf(runs []results.Run, c *configs.Config) *results.Run {
	hashes := []string{c.Hash}
	if filled, err := timed(c); err == nil {
		hashes = append(hashes, filled.Hash)
	}
	i := slices.IndexFunc(runs, func(run results.Run) bool {
		return run.BaseName == c.Name && run.Kind == experiments.KindTune && run.Signature == simulator.Signature &&
			slices.Contains(hashes, run.Chain)
	})
	if i < 0 {
		return nil
	}
	return &runs[i]
}
