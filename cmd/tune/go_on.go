package main

import (
	"context"
	"fmt"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// Going on: a finished run that is asked for again with -more or -for is not read back. Another run goes on from where it
// ended: it has the same config but for the length of the last stage, so it takes over all games that both have in common.

// mostTimes is how many times the generations played so far may follow with -for: more than any night, and a number that does
// not hang on the clock.
const mostTimes = 10

// goOn changes the experiment into one that goes on from the newest run of this config, if that is finished, or into that run
// if it is not. Runs that differ in the length of their last stage only are of one config here. It returns how many generations
// the finished run played, and what to tell of it.
func (in *invocation) goOn(ctx context.Context, x *experiments.Experiment, reader *results.Reader, r runFlags) (played int, told string, err error) {
	from, config, err := lastOf(ctx, reader, x.Config)
	switch {
	case err != nil:
		return 0, "", err
	case from == nil && r.more > 0:
		return 0, "", usagef("run: -more: there is no run of this config to go on from: leave out -more")
	case from == nil:
		return 0, "", nil
	case from.Status != experiments.Finished:
		x.Config = config
		return 0, "", nil
	}
	generations, err := reader.Generations(ctx, from.ID)
	if err != nil {
		return 0, "", err
	}
	last := config.Stages[len(config.Stages)-1]
	inLast := 0
	for _, g := range generations {
		if g.Stage == last.Name {
			inLast++
		}
	}
	switch {
	case inLast == 0 && r.more > 0: // -for ended it in an earlier stage
		x.StopAfter = len(generations) + r.more*config.Restarts
	case inLast > 0:
		longer := inLast/config.Restarts + r.more
		if r.more == 0 {
			longer = max(last.Generations, mostTimes*longer)
		}
		if config, err = config.Longer(longer); err != nil {
			return 0, "", usagef("run: -more: %w", err)
		}
	}
	x.Config, x.GoOn = config, true
	return len(generations), fmt.Sprintf("run %s is finished: going on from its end, after %s; its games are read back",
		from.Name, plural(len(generations), "generation")), nil
}

// lastOf returns the newest run of the config, whatever the length of its last stage, with its own config; nil if there is none.
func lastOf(ctx context.Context, reader *results.Reader, c *configs.Config) (*results.Run, *configs.Config, error) {
	runs, err := reader.Runs(ctx)
	if err != nil {
		return nil, nil, err
	}
	want, err := c.Longer(1)
	if err != nil {
		return nil, nil, err
	}
	for _, run := range runs { // the newest first
		if run.BaseName != c.Name || run.Kind != experiments.KindTune || run.Signature != simulator.Signature {
			continue
		}
		config, err := configs.Parse([]byte(run.ConfigYAML), c.Path)
		if err != nil {
			continue // of another version of this program
		}
		if same, err := config.Longer(1); err == nil && same.Hash == want.Hash {
			config.Store = c.Store
			return &run, config, nil
		}
	}
	return nil, nil, nil
}
