package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/cluster"
	"tune2048/results"
	"tune2048/results/report"
)

// runFlags are the flags of run; check has those that the plan depends on.
type runFlags struct {
	given         *flag.FlagSet
	config        string
	generations   string // as given: N, or a list for the stages
	workers, more int
	seeds         int // searches, one after the other; 0: one
	limit         time.Duration
	anew, asJSON  bool
	serve         bool
	at            serveFlags
	cluster       clusterFlags
}

// lockPatience is how long a run waits for another program's transaction in its database. Somebody
// may have forgotten one in an SQL shell and needs time to read the warning.
const lockPatience = 10 * time.Minute

// definePlan defines the flags that the plan depends on.
func (r *runFlags) definePlan(f *flag.FlagSet) {
	r.given = f
	f.StringVar(&r.config, "config", "", "the config `FILE`, which may also stand without -config")
	workersFlag(f, &r.workers, 0,
		"play this `NUMBER` of games at once; no result depends on it. 0, with -listen or -server: leave them all to workers")
	f.StringVar(&r.generations, "generations", "",
		"play `N` generations in each stage, whatever the config and its max_games say; a list such as 10,30 has a number "+
			"for each stage, and leaves out those that it does not reach")
	f.DurationVar(&r.limit, "for", 0,
		"be done after this `TIME`, such as 8h or 30m: tuning ends at the last generation that leaves time for playoff, "+
			"validation and ablation")
}

// loadPlan parses the flags and returns the config that they choose.
func (in *invocation) loadPlan(f *flag.FlagSet, r *runFlags) (*configs.Config, error) {
	path, err := in.parseName(f)
	if path != "" && r.config == "" {
		f.Set("config", path)
		path = ""
	}
	switch {
	case err != nil:
		return nil, err
	case path != "":
		return nil, usagef("%s: want %s or -config %s, not both", in.command.name, path, r.config)
	case r.workers == 0 && !r.cluster.asked():
		return nil, usagef("%s: -workers: want 1 to 1024, got 0", in.command.name)
	case given(f, "for") && r.limit <= 0:
		return nil, usagef("%s: -for: want a positive time such as 8h, got %v", in.command.name, r.limit)
	}
	c, err := in.load(r.config)
	if err != nil || !given(f, "generations") {
		return c, err
	}
	return in.withGenerations(c, r.generations)
}

// withGenerations returns the config with the generations of the flag, which win over max_games.
func (in *invocation) withGenerations(c *configs.Config, text string) (*configs.Config, error) {
	var generations []int
	for number := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, usagef("%s: -generations: want a number such as 30, or one for each stage such as 10,30, got %q",
				in.command.name, text)
		}
		generations = append(generations, n)
	}
	changed, err := c.WithGenerations(generations...)
	if err != nil {
		return nil, usagef("%s: -generations: %w", in.command.name, err)
	}
	var overridden []string
	for _, stage := range c.Stages[:len(changed.Stages)] {
		if stage.MaxGames > 0 {
			overridden = append(overridden, fmt.Sprintf("max_games %d of stage %s", stage.MaxGames, stage.Name))
		}
	}
	if len(overridden) > 0 {
		fmt.Fprintf(in.stderr, "-generations %s overrides %s\n", text, strings.Join(overridden, ", "))
	}
	return changed, nil
}

// runExperiment runs the experiment of a config, or resumes it.
func runExperiment(ctx context.Context, in *invocation) error {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a reader that leaves, such as head, ends no run
	f := in.flags()
	var r runFlags
	r.definePlan(f)
	in.databaseFlag(f)
	f.BoolVar(&r.anew, "new", false, "begin a new run even if this experiment has run before")
	f.Var(&wholeNumber{&r.more, 1, 1_000_000}, "more",
		"go on from where this experiment's last run ended, for `N` more generations")
	f.Var(&wholeNumber{&r.seeds, 2, report.MostSearches}, "seeds",
		"run the experiment with `N` seeds, the config's and the next ones, then let their champions play fresh games "+
			"against each other on this machine; -for bounds all of it together")
	f.BoolVar(&r.asJSON, "json", false, "print the report of the run as JSON, as tune report -json does")
	f.BoolVar(&r.serve, "serve", false,
		"show the run to a browser until it ends, as tune serve does; the address is printed")
	r.at.define(f)
	f.Lookup("token-file").Usage = "-serve and -listen ask for the token in this `FILE`, of 16 characters at least; a " +
		"-server is shown it"
	r.cluster.define(f)
	c, err := in.loadPlan(f, &r)
	if err != nil {
		return err
	}
	if err := checkCluster(&r.cluster, r.at.tokenFile); err != nil {
		return err
	}
	if err := experiments.CheckPlan(c); err != nil {
		return usageError{err}
	}
	switch {
	case !r.serve && given(f, "addr"):
		return usagef("run: -addr goes with -serve")
	case !r.serve && !r.cluster.asked() && given(f, "token-file"):
		return usagef("run: -token-file goes with -serve, -listen or -server")
	case r.more > 0 && (r.anew || r.limit > 0):
		return usagef("run: -more: want it without -new and -for")
	}
	searches, err := in.searches(c, &r)
	if err != nil {
		return err
	}
	if _, err := os.Stat(in.database); r.more > 0 && errors.Is(err, fs.ErrNotExist) {
		return in.nothingToGoOnFrom() // without making one
	}
	unserve := func() {}
	if r.serve {
		if unserve, err = in.serveBeside(ctx, &r); err != nil {
			return err
		}
		defer unserve()
	}
	if r.seeds > 0 {
		return in.runSeeds(ctx, searches, &r, unserve)
	}
	run, err := in.carryOut(ctx, c, &r, "", unserve)
	if err != nil {
		return err
	}
	return in.printRun(&r, run)
}

// printRun prints a run's report and the next steps.
func (in *invocation) printRun(r *runFlags, run carried) error {
	if r.asJSON {
		return writeJSON(in.stdout, run.Report)
	}
	db := in.databaseOption()
	run.Suggest(program, r.config, db, r.length(), run.name)
	if err := in.printReports(run.Report); err != nil {
		return err
	}
	reused := run.left.Last.ReadBack
	if run.left.Last.Run.Status == experiments.Finished { // before: nothing was played
		reused = run.Status.Games
	}
	fmt.Fprintf(in.stdout, "candidate %d, %s games (%s reused), %s. Next:\n",
		run.Run.Champion, report.Grouped(run.Status.Games), report.Grouped(reused), in.database)
	look := program + " report" + db
	if run.name != "" {
		look += " " + quote(run.name)
	}
	return in.printSteps(append([]report.Step{{What: "look at it", Command: look}}, run.Next...))
}

// printSteps prints what to do next.
func (in *invocation) printSteps(steps []report.Step) (err error) {
	for _, s := range steps {
		if err == nil {
			_, err = fmt.Fprintf(in.stdout, "  %-16s  %s\n", s.What, s.Command)
		}
	}
	return err
}

// length is the flag -generations for a command, empty if it was not given.
func (r *runFlags) length() string {
	return typed(r.given, func(name string) bool { return name == "generations" })
}

// printReports prints reports for a person: the verdict first, in colours on a terminal. Text
// escapes what is not its own.
func (in *invocation) printReports(reports ...report.Report) error {
	colours := terminal(in.data) != nil && inColours(os.Getenv)
	return report.Text(in.data, width(in.data), colours, reports...)
}

// carried is a run that was carried out, with its report.
type carried struct {
	report.Report
	name string            // for commands; empty: they mean the run without it
	left *experiments.Pace // knows the times of its games
}

// carryOut wires store, simulator, experiment and display, and returns the finished run. If the run
// did not end, it prints the command that resumes it. It says told when the run begins, and calls
// last before it closes the database.
func (in *invocation) carryOut(ctx context.Context, c *configs.Config, r *runFlags, told string,
	last func()) (done carried, err error) {
	store, err := results.Open(in.database)
	if err != nil {
		return done, err
	}
	x := experiments.Experiment{Config: c, Store: store, New: r.anew}
	if r.limit > 0 {
		x.Config, err = timed(c)
	}
	// generations of the run that this one goes on from
	played := 0
	// with -seeds a finished run has had its share
	if err == nil && (r.more > 0 || r.limit > 0 && !r.anew && r.seeds == 0) {
		played, told, err = in.continueRun(ctx, &x, c, store.Reader(), r)
	}
	if err == nil {
		err = experiments.CheckPlan(x.Config)
	}
	if err != nil {
		return done, errors.Join(err, store.Close())
	}
	c = x.Config
	display := newDisplay(in.screen, c, *r)
	store.Wait(ctx, lockPatience, display.warn)
	store.Foresee(display.estimate)
	var leave func() // workers; gather sets x.Simulator
	if leave, err = in.gather(ctx, &x, r, display); err != nil {
		display.close(false)
		return done, errors.Join(err, store.Close())
	}
	x.Observe = display.observe
	if display.goes = x.GoesOnFrom > 0; told != "" {
		display.say(told)
	}
	if c.Family.Idle() {
		display.warn(idle(c))
	}
	if r.limit > 0 {
		x.Stop = func(next experiments.PlannedPart) bool {
			return display.left.Last.Generations >= played && display.ends(next)
		}
	}
	run, err := x.Run(ctx)
	display.close(err == nil)
	leave()
	if done.left = display.left; err == nil {
		var stored, newest results.Run
		if stored, err = store.Reader().Run(ctx, run.ID); err == nil {
			done.Report, err = report.Build(ctx, store.Reader(), stored)
		}
		if newest, _ = store.Reader().Find(ctx, ""); newest.ID != run.ID {
			done.name = run.Name
		}
	}
	last() // whoever closes the database last makes it one file, and a reader cannot
	err = errors.Join(err, store.Close())
	var wrong *cluster.Mismatch
	switch {
	case err == nil:
	case ctx.Err() != nil:
		saved := "everything finished so far is saved"
		if !errors.Is(err, context.Canceled) { // it also met with this on the way out
			saved = "what was recorded before is saved"
			fmt.Fprintf(in.stderr, "tune: %v\n", err)
			err = ctx.Err()
		}
		fmt.Fprintf(in.stderr, "interrupted: %s; resume with:\n  %s\n", saved, r.resume())
	case errors.As(err, &wrong):
		run := display.left.Last.Run.Name
		err = fmt.Errorf("run %s: %w (all stored games stay, the worker's among them; check these with: %s verify %s "+
			"-worker %s%s)",
			run, err, program, quote(run), quote(wrong.Worker), in.databaseOption())
		fmt.Fprintf(in.stderr, "the run stopped; stop worker %s too, then resume with:\n  %s\n", wrong.Worker, r.resume())
	case !errors.Is(err, experiments.ErrBusy) && display.left.Last.Run.ID > 0: // it began
		fmt.Fprintf(in.stderr,
			"the run stopped; all that was recorded before is kept. Once the cause is mended, resume with:\n  %s\n", r.resume())
	}
	return done, err
}

// resume is the command that takes the run up again.
func (r runFlags) resume() string {
	return program + " -config " + quote(r.config) + typed(r.given,
		func(name string) bool { return name != "config" && name != "new" })
}

// quote makes a path safe to paste into a shell.
func quote(path string) string { return results.ShellWord(path) }
