package main

import (
	"context"
	"fmt"
	"slices"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// Going on: -more or -for on a finished run begin another run, which goes on from its end. It has
// the same config but for the length of the last stage, so it takes over all games that both have.
// The database knows which run went on from which.

// mostTimes bounds the generations that may follow with -for, as a multiple of the generations so
// far. It is more than any night has, and does not depend on the clock.
const mostTimes = 10

// continueRun makes the experiment go on from the last run of this config if that is finished. If
// that is not finished and went on itself, the experiment becomes that run. continueRun returns the
// number of generations that the finished run played, and a text about it.
func (in *invocation) continueRun(ctx context.Context, x *experiments.Experiment, reader *results.Reader, r *runFlags) (played int, told string, err error) {
	runs, err := reader.Runs(ctx)
	if err != nil {
		return 0, "", err
	}
	from := lastOf(runs, x.Config)
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
			told = fmt.Sprintf("run %s is not finished: it ends as it was asked to, and -more %d is not added", from.Name, r.more)
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
	case inLast > 0:
		longer := inLast + r.more
		if r.more == 0 {
			longer = max(last.Generations, mostTimes*longer)
		}
		if config, err = config.Longer(longer); err != nil {
			return 0, "", usagef("run: -more: %w", err)
		}
	}
	x.Config, x.GoesOnFrom = config, from.ID
	return len(generations), fmt.Sprintf("run %s is finished: going on from its end, after %s; its games are read back",
		from.Name, plural(len(generations), "generation")), nil
}

// lastOf returns the newest run of the chain that began with this config, or nil if there is none.
// The newest run comes first in the list. Runs of a chain that were deleted are not missed.
func lastOf(runs []results.Run, c *configs.Config) *results.Run {
	i := slices.IndexFunc(runs, func(run results.Run) bool {
		return run.BaseName == c.Name && run.Kind == experiments.KindTune && run.Signature == simulator.Signature && run.Chain == c.Hash
	})
	if i < 0 {
		return nil
	}
	return &runs[i]
}

// nothingToGoOnFrom is the answer to -more where it has no run to go on from.
func (in *invocation) nothingToGoOnFrom() error {
	return usagef("run: -more: there is no run of this config in %s to go on from: leave out -more, or name another database with -db", in.database)
}
