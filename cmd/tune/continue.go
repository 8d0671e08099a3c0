package main

import (
	"context"
	"fmt"
	"slices"

	"tune2048/configs/config"
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
// played: a run that goes on from it plays as many at least.
func (in *invocation) continueRun(ctx context.Context, reader *results.Reader, x *experiments.Experiment, more int) (
	played int, err error) {
	runs, err := reader.Runs(ctx)
	if err != nil {
		return 0, err
	}
	from, config, err := lastOf(runs, x.Config, more)
	switch {
	case err != nil:
		return 0, err
	case from == nil && more > 0:
		files := ""
		if x.Config.Heuristic.Bot != nil {
			files = " and of these files of its bot"
		}
		return 0, usagef("run: -more: there is no run of this config%s in %s to go on from: leave out -more, name "+
			"another database with -db, or give the -generations of that run", files, in.database)
	case from == nil:
		return 0, nil
	}
	in.nameBot(&config.Heuristic)
	config.Store.Games, config.Note = x.Config.Store.Games, x.Config.Note
	if from.Status != experiments.Finished {
		x.Config, x.GoesOnFrom = config, from.GoesOnFrom
		if more > 0 && experiments.EndsByTime(config) {
			return 0, usagef("run: -more: run %s was begun with -for and is not finished: resume it with -for TIME", from.Name)
		} else if more > 0 {
			fmt.Fprintf(in.stderr, "run %s is not finished: it ends as it was asked to, and -more %d is not added\n", from.Name,
				more)
		}
		i := slices.IndexFunc(runs, func(r results.Run) bool { return r.ID == from.GoesOnFrom })
		if i < 0 {
			return 0, nil
		}
		before, err := reader.Summary(ctx, runs[i], 0, nil, nil)
		if err != nil {
			return 0, err
		}
		return len(before.Generations), nil
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
	case inLast == 0 && more > 0:
		err = usagef("run: -more: -for ended run %s before its last stage: go on with -for TIME", from.Name)
	case inLast > 0 && more == 0:
		config, err = experiments.Filled(x.Config)
	case inLast > 0:
		if config, err = x.Config.Longer(inLast + more); err != nil {
			err = usagef("run: -more: %w", err)
		}
	}
	if err != nil {
		return 0, err
	}
	x.Config, x.GoesOnFrom = config, from.ID
	fmt.Fprintf(in.stderr, "run %s is finished: going on from its end, after %s; its games are reused\n", from.Name,
		report.Count(played, "generation"))
	return played, nil
}

// timed returns the config for a run with -for: time alone ends its last stage, if the config says
// nothing of that.
func timed(c *config.Config) (*config.Config, error) {
	if !c.Stages[len(c.Stages)-1].Open {
		return c, nil
	}
	return experiments.Filled(c)
}

// lastOf returns the newest run of this config, or of the chain that began with it, with -for or
// without, and the run's own config. It returns nil if there is none. The newest run comes first in
// the list. Runs of a chain that were deleted are not missed. With more = 0, for -for, an
// unfinished run is passed over that its generations would end before the time is used.
func lastOf(runs []results.Run, c *config.Config, more int) (*results.Run, *config.Config, error) {
	filled, err := timed(c)
	if err != nil {
		filled = c
	}
	programs, err := experiments.Programs(&c.Heuristic)
	if err != nil {
		return nil, nil, err
	}
	for i := range runs {
		run := &runs[i]
		if run.BaseName != c.Name || run.Kind != experiments.KindTune || run.Signature != simulator.Signature ||
			run.Programs != programs || run.ConfigHash != c.Hash && run.Chain != c.Hash && run.Chain != filled.Hash {
			continue
		}
		config, err := run.Config()
		if err != nil {
			return nil, nil, err
		}
		if more == 0 && run.Status != experiments.Finished && filled != c && !experiments.EndsByTime(config) {
			continue
		}
		return run, config, nil
	}
	return nil, nil, nil
}
