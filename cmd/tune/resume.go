package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// resumeRun goes on with a stored run by the config that is stored with it. The command of a bot
// is started only if the user names its config.
func resumeRun(ctx context.Context, in *invocation) error {
	began := time.Now()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a reader that leaves, such as head, ends no run
	f := in.flags()
	var r runFlags
	r.definePace(f)
	r.defineRun(in, f)
	f.Lookup("more").Usage = "go on with the run for `N` more generations, and judge it again: it keeps its name"
	configs := in.botFlag(f)
	names, err := in.parsePlan(f, &r, 1)
	if err == nil {
		err = in.checkRun(&r)
	}
	if err != nil {
		return err
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	run, err := unfinished(ctx, reader, names[0])
	if err != nil {
		return err
	}
	c, err := in.storedConfig(run, *configs)
	if err != nil {
		return err
	}
	if c.IsEndless() && !run.Judged && r.limit == 0 && r.more == 0 {
		return usagef("resume: run %s was begun with -for and is not finished: resume it with -for TIME", run.Root)
	}
	r.stored, r.paths = run.Root, *configs
	if len(r.paths) > 0 {
		r.config = r.paths[0]
	}
	r.began, r.until = began, experiments.Deadline(began, r.limit)
	return in.writeRun(ctx, &r, func(store *results.Store) error {
		done, clock, err := in.carryOut(ctx, store, experiments.Experiment{Config: c, Resume: run.ID}, &r)
		if err != nil {
			return err
		}
		return in.printRun(&r, done, clock.Last)
	})
}

// unfinished returns the newest ending of a run that is not finished, or the one that the run
// shows. Without a name it is of the one run that waits to be resumed.
func unfinished(ctx context.Context, reader *results.Reader, name string) (results.Run, error) {
	db := results.DatabaseFlag(reader.Path())
	if name != "" {
		run, err := reader.Find(ctx, name)
		if err != nil {
			return run, err
		}
		if run.Name != name { // it was open, and somebody has ended it
			return run, nil
		}
		all, err := reader.Endings(ctx, run)
		if open := slices.IndexFunc(all, isUnfinished); open >= 0 && name == run.Root {
			run = all[open]
		}
		return run, err
	}
	all, err := reader.Runs(ctx)
	if err != nil {
		return results.Run{}, err
	}
	var waiting []results.Run // one of each run
	var lines []string
	for _, run := range all {
		other := slices.ContainsFunc(waiting, func(w results.Run) bool { return w.Root == run.Root })
		if !isUnfinished(run) || run.Alive || run.Kind.HasPlayers() || other {
			continue
		}
		waiting = append(waiting, run)
		lines = append(lines, fmt.Sprintf("  %s resume %s%s   %s", program, quote(run.Root), db, where(run)))
	}
	switch len(waiting) {
	case 0:
		return results.Run{}, usagef("resume: no run in %s waits to be resumed; to tune on with a finished one: "+
			"%s resume RUN%s -more 20", reader.Path(), program, db)
	case 1:
		return waiting[0], nil
	}
	return results.Run{}, usagef("resume: several runs in %s wait to be resumed:\n%s", reader.Path(),
		strings.Join(lines, "\n"))
}

func isUnfinished(run results.Run) bool { return run.Status != experiments.Finished }

// storedConfig returns the config by which a run goes on, with its bot as the user named it. It
// refuses a run that this program cannot go on with.
func (in *invocation) storedConfig(run results.Run, configs []string) (*config.Config, error) {
	switch {
	case run.Kind.HasPlayers():
		return nil, usagef("resume: %s is a comparison, and its question is not stored: the same command as before, "+
			"%s compare PLAYER PLAYER ..., goes on with it", run.Name, program)
	case run.Tuner != experiments.Tuner:
		return nil, usagef("resume: %s", otherVersion("tuner", run.Root))
	case run.Signature != simulator.Signature:
		return nil, usagef("resume: %s", otherVersion("play", run.Root))
	}
	c, err := run.Config()
	if err != nil {
		return nil, err
	}
	if c.Heuristic.Bot == nil {
		if len(configs) > 0 {
			return nil, usagef("resume: -config is for the bot of a run: run %s has none, and goes on by its own config; "+
				"for another one: %s -config %s", run.Root, program, quote(configs[0]))
		}
		return c, nil
	}
	if err := in.nameBot(&c.Heuristic); err != nil {
		return nil, err
	}
	switch programs, err := experiments.Programs(&c.Heuristic); {
	case err != nil:
		return nil, err
	case programs != run.Programs:
		return nil, usagef("resume: the files of the bot of run %s are not those that played: %s -config %s begins a new "+
			"run with these files", run.Root, program, quote(configs[0]))
	}
	return c, nil
}
