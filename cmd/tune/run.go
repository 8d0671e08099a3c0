package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// runFlags are what run takes beside the config.
type runFlags struct {
	config, database     string
	workers, generations int
	limit                time.Duration
	fresh, asJSON        bool
}

// lockPatience is how long a run waits for somebody else's transaction in its database: long enough for who forgot one in an
// SQL shell to read the warning.
const lockPatience = 10 * time.Minute

const defaultDatabase = "results/tune.db"

func databaseFlag(f *flag.FlagSet, path *string) {
	f.StringVar(path, "db", defaultDatabase, "database `FILE`")
}

// runExperiment runs the experiment of a config, or resumes it.
func runExperiment(ctx context.Context, in *invocation) error {
	f := in.flags()
	var r runFlags
	f.StringVar(&r.config, "config", "", "`FILE` of the config")
	databaseFlag(f, &r.database)
	f.IntVar(&r.workers, "workers", runtime.NumCPU(), "games played at once; no result depends on it")
	f.IntVar(&r.generations, "generations", 0, "generations of each stage, instead of the config's")
	f.DurationVar(&r.limit, "for", 0, "be done after this `TIME`, such as 8h: tuning ends at the last generation that leaves time for playoff, validation and sensitivity")
	f.BoolVar(&r.fresh, "new", false, "start afresh even if this experiment has run before")
	f.BoolVar(&r.asJSON, "json", false, "print the result as JSON")
	if err := in.parseFlags(f); err != nil {
		return err
	}
	if r.workers < 1 || r.workers > 1024 {
		return usagef("run: -workers: want 1 to 1024, got %d", r.workers)
	}
	if given(f, "for") && r.limit <= 0 {
		return usagef("run: -for: want a positive time such as 8h, got %v", r.limit)
	}
	c, err := in.load(r.config)
	if err != nil {
		return err
	}
	if given(f, "generations") {
		if c, err = c.WithGenerations(r.generations); err != nil {
			return usagef("run: -generations: %w", err)
		}
	}
	if err := experiments.CheckPlan(c); err != nil {
		return usageError{err}
	}
	return in.runConfig(ctx, c, r)
}

// runConfig wires store, simulator, experiment and display.
func (in *invocation) runConfig(ctx context.Context, c *configs.Config, r runFlags) error {
	began := time.Now()
	store, err := in.openStore(ctx, r.database)
	if err != nil {
		return err
	}
	display := newDisplay(in.screen, c, r, began)
	store.Wait(ctx, lockPatience, display.warn)
	x := experiments.Experiment{
		Config: c, Store: store, Simulator: simulator.NewPool(r.workers), New: r.fresh, Observe: display.observe,
	}
	if r.limit > 0 {
		b := newBudget(c, r, began, display)
		x.Stop = b.stop
		x.Observe = func(p experiments.Progress) { display.observe(p); b.observe(p) }
	}
	result, err := x.Run(ctx)
	display.close(err == nil)
	err = errors.Join(err, store.Close())
	switch {
	case err == nil:
		return in.printResult(c, r, result)
	case ctx.Err() != nil:
		if !errors.Is(err, context.Canceled) { // it also met with this on the way out
			fmt.Fprintf(in.stderr, "tune: %v\n", err)
			err = ctx.Err()
		}
		saved := "everything finished so far is saved"
		if lost := store.Lost(); lost > 0 {
			saved = fmt.Sprintf("everything but the last %s is saved (the database could not be written)", plural(lost, "game"))
		}
		fmt.Fprintf(in.stderr, "interrupted: %s; resume with:\n  %s\n", saved, r.resume())
	case !errors.Is(err, experiments.ErrBusy):
		fmt.Fprintf(in.stderr, "the run stopped; what is recorded is kept; once the cause is mended, resume with:\n  %s\n", r.resume())
	}
	return err
}

// resume is the command that takes the run up again.
func (r runFlags) resume() string {
	command := program + " -config " + quote(r.config)
	if r.database != defaultDatabase {
		command += " -db " + quote(r.database)
	}
	if r.generations > 0 {
		command += fmt.Sprintf(" -generations %d", r.generations)
	}
	if r.workers != runtime.NumCPU() {
		command += fmt.Sprintf(" -workers %d", r.workers)
	}
	if r.limit > 0 {
		command += " -for " + r.limit.String()
	}
	if r.asJSON {
		command += " -json"
	}
	return command
}

// shellSafe are the characters that mean themselves to every shell.
const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%"

// quote makes a path safe to paste into a shell.
func quote(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path // not a flag
	}
	if path != "" && strings.Trim(path, shellSafe) == "" {
		return path
	}
	if cell(path) != path { // what a terminal would obey; bash and zsh know $''
		return "$'" + strings.ReplaceAll(cell(strings.ReplaceAll(path, `\`, `\\`)), "'", `\'`) + "'"
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
