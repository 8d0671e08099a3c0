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

// continueRun makes the experiment go on from the last run of this config if that is finished. If
// that is not finished and went on itself, the experiment becomes that run. continueRun returns the
// number of generations that the finished run played, and a text about it.
func (in *invocation) continueRun(ctx context.Context, x *experiments.Experiment, c *configs.Config,
	reader *results.Reader, r *runFlags) (played int, told string, err error) {
	runs, err := reader.Runs(ctx)
	if err != nil {
		return 0, "", err
	}
	from := lastOf(runs, c)
	switch {
	case from == nil && r.more > 0:
		return 0, "", in.nothingToGoOnFrom()
	case from == nil:
		return 0, "", nil
	}
	config, err := from.Config()
	if err != nil {
		return 0, "", err
	}
	config.StoreGames = x.Config.StoreGames
	if from.Status != experiments.Finished {
		x.Config, x.GoesOnFrom = config, from.GoesOnFrom
		if r.more > 0 {
			told = fmt.Sprintf("run %s is not finished: it ends as it was asked to, and -more %d is not added", from.Name,
				r.more)
		}
		return 0, told, nil
	}
	figures, err := reader.Summary(ctx, *from, 0, nil, nil)
	if err != nil {
		return 0, "", err
	}
	generations, last, inLast := figures.Generations, config.Stages[len(config.Stages)-1], 0
	if stage := figures.Stage(last.Name); stage != nil {
		inLast = stage.Generations
	}
	switch {
	case inLast == 0 && r.more > 0: // -for ended it in an earlier stage
		x.StopAfter = len(generations) + r.more
	case inLast > 0 && r.more == 0:
		config, err = experiments.Filled(config)
	case inLast > 0:
		if config, err = config.Longer(inLast + r.more); err != nil {
			return 0, "", usagef("run: -more: %w", err)
		}
	}
	if err != nil {
		return 0, "", err
	}
	x.Config, x.GoesOnFrom = config, from.ID
	return len(generations), fmt.Sprintf("run %s is finished: going on from its end, after %s; its games are read back",
		from.Name, report.Count(len(generations), "generation")), nil
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

// nothingToGoOnFrom is the answer to -more where it has no run to go on from.
func (in *invocation) nothingToGoOnFrom() error {
	return usagef("run: -more: there is no run of this config in %s to go on from: leave out -more, or name another "+
		"database with -db", in.database)
}
