package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
	"tune2048/results/report"
)

// Going on: -more or -for on a finished run give it another ending. The search goes on from where
// it is, and the new ending judges it there.

// continueRun makes the experiment go on from the longest ending of its run, for more generations,
// or with 0 for the time of -for. If an ending is open, the experiment becomes that. continueRun
// returns the number of generations that the longest ending judges: one that goes on plays as many
// at least.
func (in *invocation) continueRun(ctx context.Context, reader *results.Reader, x *experiments.Experiment, more int) (
	judged int, err error) {
	runs, err := in.askedBefore(ctx, reader, x)
	if err != nil {
		return 0, err
	}
	open, last := endingsOf(runs, x.Config, more)
	if last != nil {
		judged = last.Generations
	}
	unshown := false
	if open == nil && last != nil {
		unshown, err = isUnshown(ctx, reader, *last, more)
		if err != nil {
			return 0, err
		}
		if unshown {
			fmt.Fprintf(in.stderr, "run %s ended as this command asks, and its process ended before it showed that: here it "+
				"is; the same command again goes on\n", last.Name)
			open = last
		}
	}
	if open != nil {
		config, err := open.Config()
		if err != nil {
			return 0, err
		}
		if more > 0 && config.IsEndless() && !unshown {
			return 0, usagef("%s: -more: run %s was begun with -for and is not finished: resume it with -for TIME",
				in.command.name, open.Root)
		} else if more > 0 && !unshown {
			fmt.Fprintf(in.stderr, "run %s is not finished: it ends as it was asked to, and -more %d is not added\n", open.Root,
				more)
		}
		in.nameBot(&config.Heuristic)
		config.Store.Games, config.Note = x.Config.Store.Games, x.Config.Note
		x.Config, x.GoOn = config, config.IsEndless() && !unshown
		if x.Resume != 0 {
			x.Resume = open.ID
		}
		return judged, nil
	}
	switch {
	case last == nil && more > 0:
		if older := tunedOtherwise(ctx, reader, x.Config); older != "" {
			return 0, usagef("%s: -more: %s", in.command.name, older)
		}
		files := ""
		if x.Config.Heuristic.Bot != nil {
			files = " and of these files of its bot"
		}
		return 0, usagef("run: -more: there is no run of this config%s in %s to go on from: leave out -more, name "+
			"another database with -db, or give the -generations of that run", files, in.database)
	case last == nil:
		return 0, nil
	}
	stages := x.Config.Stages
	beyond := last.Stage == stages[len(stages)-1].Name
	switch {
	case !beyond && more > 0:
		return 0, usagef("%s: -more: -for ended run %s before its last stage: go on with -for TIME", in.command.name,
			last.Name)
	case !beyond:
		x.Config, x.GoOn = timed(x.Config), true
	case more == 0:
		x.Config, x.GoOn = x.Config.Endless(), true
	default:
		x.Config = x.Config.Longer(last.InStage + more)
	}
	return judged, nil
}

// isUnshown reports whether the longest ending is the answer to the command, with this number of
// -more or with 0 for -for, and its process was killed before it had shown that.
func isUnshown(ctx context.Context, reader *results.Reader, last results.Run, more int) (bool, error) {
	if !reader.Unshown(last) {
		return false, nil
	}
	if more == 0 {
		return last.StoppedAfter > 0, nil
	}
	endings, err := reader.Endings(ctx, last)
	return slices.ContainsFunc(endings, func(before results.Run) bool {
		return before.Status == experiments.Finished && before.Generations == last.Generations-more
	}), err
}

// timed returns the config for a run with -for: time alone ends its last stage, if the config says
// nothing of that.
func timed(c *config.Config) *config.Config {
	if !c.Stages[len(c.Stages)-1].Open() {
		return c
	}
	return c.Endless()
}

// askedBefore returns the endings of the run that the experiment goes on with, the newest first.
func (in *invocation) askedBefore(ctx context.Context, reader *results.Reader,
	x *experiments.Experiment) ([]results.Run, error) {
	if x.Resume != 0 {
		run, err := reader.Run(ctx, x.Resume)
		if err != nil {
			return nil, err
		}
		return reader.Endings(ctx, run)
	}
	programs, err := experiments.Programs(&x.Config.Heuristic)
	if err != nil {
		return nil, err
	}
	return reader.Asked(ctx, x.Config.Name, x.Config.Tuning(), programs)
}

// endingsOf returns the open one of a run's endings, and its longest finished one, or nil. more = 0
// stands for -for: then the open ending has the config's own length, or only time ends it. Another
// could end too early.
func endingsOf(runs []results.Run, c *config.Config, more int) (open, longest *results.Run) {
	for i := range runs {
		run := &runs[i]
		switch {
		case run.Status == experiments.Finished:
			if longest == nil || run.Generations > longest.Generations {
				longest = run
			}
		case open == nil && (run.ConfigHash == run.Tuning || more > 0 || timed(c) == c && run.ConfigHash == c.Hash):
			open = run
		}
	}
	return open, longest
}

// tunedOtherwise says that another version of the tuner made the run of a config, or nothing.
func tunedOtherwise(ctx context.Context, reader *results.Reader, c *config.Config) string {
	run, err := reader.Find(ctx, c.Name)
	if err != nil || run.Tuner == experiments.Tuner || run.Tuning != c.Tuning() || run.Kind != experiments.KindTune {
		return ""
	}
	return otherVersion("tuner", run.Name)
}

// otherVersion says that another version of a part of the program made a run.
func otherVersion(part, run string) string {
	return fmt.Sprintf("another version of the %s made run %s, so it does not go on: a new run begins anew, or from its "+
		"champion by the config of %s init -from %s", part, run, program, quote(run))
}

// maxDifferences is how many differences of a config from another one are named.
const maxDifferences = 3

// unlike compares a config's run with the newest other run of its experiment. It says why they are
// two: the configs differ, or the files of the bot, or the version of the play. It is empty if
// there is no other run, or no difference.
func unlike(ctx context.Context, reader *results.Reader, c *config.Config, run int64) string {
	if older := tunedOtherwise(ctx, reader, c); older != "" {
		return older
	}
	runs, _ := reader.Runs(ctx) // the run itself says what is wrong
	for _, other := range runs {
		if other.ID == run || other.BaseName != c.Name || other.Kind != experiments.KindTune {
			continue
		}
		before, err := other.Config()
		if err != nil {
			return ""
		}
		var texts []string
		for _, d := range c.Differences(before) {
			texts = append(texts, d.String())
		}
		if more := len(texts) - maxDifferences; more > 0 {
			texts = append(texts[:maxDifferences], fmt.Sprintf("and %d more", more))
		}
		programs, _ := experiments.Programs(&c.Heuristic)
		switch {
		case len(texts) > 0:
			return fmt.Sprintf("it differs from %s in %s", other.Root, strings.Join(texts, "; "))
		case programs != other.Programs:
			return fmt.Sprintf("the files of its bot are not as in %s", other.Root)
		case other.Signature != simulator.Signature:
			return fmt.Sprintf("another version of the play made %s", other.Root)
		}
		return ""
	}
	return ""
}

// foreseen says with which run a config would go on, or which new one it would begin and why.
// limited: with -for, which goes on with a finished run.
func foreseen(ctx context.Context, reader *results.Reader, c *config.Config, limited bool) (string, error) {
	programs, err := experiments.Programs(&c.Heuristic)
	if err != nil {
		return "", err
	}
	endings, err := reader.Asked(ctx, c.Name, c.Tuning(), programs)
	if err != nil {
		return "", err
	}
	if len(endings) == 0 {
		text := "a new run begins"
		if why := unlike(ctx, reader, c, 0); why != "" {
			text += ": " + why
		}
		return text, nil
	}
	name, tuned := endings[0].Root, 0
	for _, e := range endings {
		tuned = max(tuned, e.Generations)
		switch {
		case e.Alive:
			return fmt.Sprintf("run %s is under way", name), nil
		case e.Status != experiments.Finished:
			return fmt.Sprintf("run %s (%s) goes on: it has %s", name, e.State(), report.Count(e.Generations, "generation")), nil
		case e.ConfigHash == c.Hash && !limited:
			return fmt.Sprintf("run %s has finished, and its result is shown again; -more 20 or -for goes on", name), nil
		}
	}
	return fmt.Sprintf("run %s goes on: it has %s, whose games are reused", name, report.Count(tuned, "generation")), nil
}
