package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/bot"
	"tune2048/experiments"
	"tune2048/experiments/cluster"
	"tune2048/results"
	"tune2048/results/report"
)

// runFlags are the flags of run; check has those that the plan depends on, and resume those that
// the run's own config leaves open.
type runFlags struct {
	given         *flag.FlagSet
	stored        string // name of the run that resume goes on with, by its own config; the others have a file
	config        string
	paths         []string // of all configs
	generations   string   // as given: N, or a list for the stages
	workers, more int
	seeds         int // searches, one after the other; 0: one
	limit         time.Duration
	began, until  time.Time // of the time of -for; then the command ends, whatever is under way
	tuned         bool      // the config has the generations of another search: the time only cuts them short
	anew, asJSON  bool
	serve         bool
	at            serveFlags
	access        cluster.Access // of workers
}

// errTimeIsUp ends a run with -for whose games under way take too long.
var errTimeIsUp = errors.New("the time of -for is over")

// lockPatience is how long a run waits for another program's transaction in its database. Somebody
// may have forgotten one in an SQL shell and needs time to read the warning.
const lockPatience = 10 * time.Minute

// definePlan defines the flags that the plan depends on.
func (r *runFlags) definePlan(f *flag.FlagSet) {
	f.StringVar(&r.config, "config", "", "the config `FILE`, which may also stand without -config")
	f.StringVar(&r.generations, "generations", "",
		"play `N` generations in each stage, whatever the config and its max_games say; a list such as 10,30 has a number "+
			"for each stage, and leaves out those that it does not reach")
	r.definePace(f)
}

// definePace defines the flags of how fast and how long a run plays.
func (r *runFlags) definePace(f *flag.FlagSet) {
	r.given = f
	workersFlag(f, &r.workers, 0,
		"play this `NUMBER` of games at once; no result depends on it. 0, with -listen or -server: leave them all to workers")
	f.Var((*timeFlag)(&r.limit), "for",
		"be done after this `TIME`, such as 8h, 90m or 2d: tuning has at least half of it, and ends at the last generation "+
			"that "+
			"leaves time for playoff, validation and ablation, which play fewer games than are written if they must; a "+
			"resumed run "+
			"has the whole time again")
}

// defineRun defines the flags of a run that begins or goes on.
func (r *runFlags) defineRun(in *invocation, f *flag.FlagSet) {
	in.databaseFlag(f)
	f.Var(&wholeNumber{&r.more, 1, 1_000_000}, "more",
		"go on with this experiment's run for `N` more generations, and judge it again: it keeps its name; if several "+
			"stages had "+
			"-generations, give them again")
	f.BoolVar(&r.asJSON, "json", false, "print the report of the run as JSON, as tune report -json does")
	f.BoolVar(&r.serve, "serve", false,
		"show the run to a browser until it ends, as tune serve does; the address is printed")
	r.at.define(f)
	f.Lookup("token-file").Usage = "-serve and -listen ask for the token in this `FILE`, of 16 characters at least; a " +
		"-server is shown it"
	f.StringVar(&r.access.Listen, "listen", "",
		"let workers play too (tune worker): listen for them at `HOST:PORT`, such as 0.0.0.0:4222; beyond this machine it "+
			"needs -token-file")
	f.StringVar(&r.access.Server, "server", "",
		"let workers play too, and meet them at the NATS server at this `URL`, such as nats://host:4222")
}

// checkRun checks these flags together, and reads the token.
func (in *invocation) checkRun(r *runFlags) (err error) {
	name := in.command.name
	if r.access.Given() {
		r.access.Token, err = readToken(r.at.tokenFile)
		if err != nil {
			return err
		}
		if err := r.access.Check(); err != nil {
			return usagef("%s: %w", name, err)
		}
	}
	switch {
	case !r.serve && (given(r.given, "addr") || given(r.given, "token-file") && !r.access.Given()):
		return usagef("%s: -addr and -token-file go with -serve, -token-file also with -listen and -server", name)
	case r.more > 0 && (r.anew || r.limit > 0):
		return usagef("%s: -more: want it without -new and -for", name)
	}
	return nil
}

// parsePlan parses the flags and returns the paths of the configs, at most so many, or the name of
// the run to resume.
func (in *invocation) parsePlan(f *flag.FlagSet, r *runFlags, most int) (paths []string, err error) {
	paths, err = in.parse(f, most)
	switch {
	case err != nil:
		return nil, err
	case r.config != "" && len(paths) > 0:
		several := ""
		if most > 1 && paths[0] != r.config {
			several = fmt.Sprintf("; to run both, one after the other: %s %s %s", program, quote(r.config), quote(paths[0]))
		}
		return nil, usagef("%s: want %s or -config %s, not both%s", in.command.name, paths[0], r.config, several)
	case r.workers == 0 && !r.access.Given():
		return nil, usagef("%s: -workers: want 1 to 1024, got 0", in.command.name)
	case len(paths) == 0:
		paths = []string{r.config}
	}
	return paths, nil
}

// loadPlan returns the config of a path, with the generations of the flag, which win over
// max_games.
func (in *invocation) loadPlan(r *runFlags, path string) (*config.Config, error) {
	r.config = path
	c, err := in.load(path)
	if err != nil || !given(r.given, "generations") {
		return c, err
	}
	var generations []int
	for number := range strings.SplitSeq(r.generations, ",") {
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, usagef("%s: -generations: want a number such as 30, or one for each stage such as 10,30, got %q",
				in.command.name, r.generations)
		}
		generations = append(generations, n)
	}
	changed, err := c.WithGenerations(generations...)
	if err != nil {
		err = usagef("%s: -generations: %w", in.command.name, err)
	}
	return changed, err
}

// runExperiment runs the experiment of a config, or resumes it.
func runExperiment(ctx context.Context, in *invocation) (err error) {
	began := time.Now()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a reader that leaves, such as head, ends no run
	f := in.flags()
	var r runFlags
	r.definePlan(f)
	r.defineRun(in, f)
	f.BoolVar(&r.anew, "new", false, "begin a new run even if this experiment has run before")
	f.Var(&wholeNumber{&r.seeds, 2, report.MostSearches}, "seeds",
		"run the experiment with `N` seeds, the config's and the next ones, then let their champions play fresh games "+
			"against each other on this machine; -for bounds all of it together")
	r.paths, err = in.parsePlan(f, &r, math.MaxInt)
	if err != nil {
		return err
	}
	if err := in.checkRun(&r); err != nil {
		return err
	}
	var configs []*config.Config
	var valid []string // paths
	var failed error
	for _, path := range r.paths {
		if isCommand := func(c command) bool { return c.name == path }; slices.ContainsFunc(commands(), isCommand) &&
			!isFile(path) {
			return usagef("run: %s is a subcommand: write it first: tune %s", path, path)
		}
		c, err := in.loadPlan(&r, path)
		if err == nil {
			err = experiments.CheckPlan(c)
		}
		if err != nil {
			failed = errors.Join(failed, usageError{err})
			continue
		}
		if r.more > 0 && given(r.given, "generations") && len(c.Stages) == 1 {
			return usagef("run: want one of -generations %s, which ends the tuning there, and -more %d, which goes on from "+
				"where it ended", r.generations, r.more)
		}
		idle, _ := c.Idle()
		for _, sentence := range idle {
			fmt.Fprintf(in.stderr, "warning: %s: %s\n", path, sentence)
		}
		configs, valid = append(configs, c), append(valid, path)
	}
	switch {
	case len(r.paths) == 1 && failed != nil:
		return failed
	case len(r.paths) > 1 && (r.seeds > 0 || r.anew || r.asJSON):
		return usagef("run: -seeds, -json and -new: want one config, got %d", len(r.paths))
	case r.seeds > 0 && r.more > 0:
		return usagef("run: -seeds: want it without -more, which goes on with one run")
	case r.seeds > 0 && r.workers == 0:
		return usagef("run: -seeds: want -workers 1 at least: the champions play against each other on this machine")
	}
	r.paths, r.began, r.until = valid, began, experiments.Deadline(began, r.limit)
	return in.writeRun(ctx, &r, func(store *results.Store) error {
		if r.seeds > 0 {
			return in.runSeeds(ctx, store, configs[0], &r)
		}
		return in.runAll(ctx, store, configs, r, failed)
	})
}

// writeRun opens the database to write it, and serves it meanwhile if that is asked for.
func (in *invocation) writeRun(ctx context.Context, r *runFlags, do func(*results.Store) error) error {
	return in.write(func(store *results.Store) error {
		if r.serve {
			unserve, err := in.serveBeside(ctx, r)
			if err != nil {
				return err
			}
			defer unserve() // first: whoever closes the database last makes it one file, and a reader cannot
		}
		return do(store)
	})
}

// runAll carries out experiments one after the other, and shares the time of -for among those that
// are left. It goes on where one failed, and returns all errors, failed among them.
func (in *invocation) runAll(ctx context.Context, store *results.Store, configs []*config.Config, r runFlags,
	failed error) error {
	if failed != nil {
		fmt.Fprintf(in.stderr, "%v\nthe other experiments go on\n", failed)
	}
	end := r.began.Add(r.limit)
	for i, c := range configs {
		r.config = r.paths[i]
		one := r
		one.paths = r.paths[i:] // those before it are not carried on by the command that resumes it
		if len(configs) > 1 {
			text := fmt.Sprintf("experiment %d of %d: %s", i+1, len(configs), r.config)
			if r.limit > 0 {
				one.share(end, len(configs)-i, i == 0)
				text += ", for " + shortTime(one.limit)
			}
			fmt.Fprintln(in.stderr, text)
		}
		done, clock, err := in.carryOut(ctx, store, experiments.Experiment{Config: c}, &one)
		if err == nil {
			err = in.printRun(&one, done, clock.Last)
		}
		if err == nil {
			continue
		}
		if ctx.Err() != nil || len(configs) == 1 {
			return errors.Join(failed, err)
		}
		err = fmt.Errorf("%s: %w", r.config, err)
		failed = errors.Join(failed, err)
		if i < len(configs)-1 {
			fmt.Fprintf(in.stderr, "%v\nthe other experiments go on\n", err)
		}
	}
	return failed
}

// share gives an experiment, or a search, its share of what is left of the time, of so many. The
// first one began with the command.
func (r *runFlags) share(end time.Time, of int, first bool) {
	if !first {
		r.began = time.Now()
	}
	r.limit = max(time.Millisecond, time.Until(end)/time.Duration(of)).Round(time.Millisecond)
	if r.limit > 10*time.Second {
		r.limit = r.limit.Round(time.Second)
	}
	// One that is a little late takes time from the next one, and only one that is very late ends
	// early.
	if until := experiments.Deadline(r.began, max(r.limit*3/2, r.limit+2*time.Second)); of > 1 && until.Before(r.until) {
		r.until = until
	}
}

// printRun prints a run's report and the next steps.
func (in *invocation) printRun(r *runFlags, run report.Report, last experiments.Progress) error {
	if r.asJSON {
		return writeJSON(in.stdout, run)
	}
	db := in.databaseOption()
	if err := in.printReports(false, run); err != nil {
		return err
	}
	reused := last.Reused
	if last.Run.Status == experiments.Finished { // before: nothing was played
		reused = run.Status.Games
	}
	fmt.Fprintf(in.stdout, "candidate %d, %s games (%s reused), %s. Next:\n",
		run.Run.Champion, report.Grouped(run.Status.Games), report.Grouped(reused), in.database)
	in.printSteps(report.Step{What: "look at it", Command: program + " report" + db + " " + quote(run.Name)})
	in.printSteps(run.Next...)
	return nil
}

// printSteps prints what to do next.
func (in *invocation) printSteps(steps ...report.Step) {
	for _, s := range steps {
		fmt.Fprintf(in.stdout, "  %-16s  %s\n", s.What, s.Command)
	}
}

// printReports prints reports for a person: the verdict first, bold on a terminal that shows it.
// NO_COLOR (no-color.org) asks for plain text. Text escapes what is not its own.
func (in *invocation) printReports(wide bool, reports ...report.Report) error {
	known := os.Getenv("TERM") != "" && os.Getenv("TERM") != "dumb"
	bold := terminal(in.data) != nil && known && os.Getenv("NO_COLOR") == ""
	columns := width(in.data)
	if wide {
		columns = 0
	}
	return report.Text(in.data, columns, bold, reports...)
}

// carryOut wires store, simulator, experiment and display, and returns the report of the finished
// run and the clock of its games. If the run did not end, it prints the command that resumes it.
func (in *invocation) carryOut(ctx context.Context, store *results.Store, x experiments.Experiment, r *runFlags) (
	done report.Report, clock *experiments.Clock, err error) {
	c := x.Config
	x.Store, x.New = store, r.anew
	played := 0 // generations of the run that this one goes on from
	// with -seeds a finished run has had its share
	if r.more > 0 || r.limit > 0 && !r.anew && r.seeds == 0 {
		played, err = in.continueRun(ctx, store.Reader(), &x, r.more)
		if err != nil {
			return done, nil, err
		}
	}
	if r.limit > 0 && x.Config == c && !r.tuned {
		x.Config = timed(c)
	}
	if err := experiments.CheckPlan(x.Config); err != nil {
		return done, nil, err
	}
	limited := ctx
	if r.limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadlineCause(ctx, r.until, errTimeIsUp)
		defer cancel()
	}
	display := newDisplay(in.screen, x.Config, newClock(limited, x.Config, r.workers, r.limit),
		func(p experiments.Progress) string {
			why := ""
			if p.Run.Renamed && !p.Run.Resumed && !r.anew {
				why = unlike(ctx, store.Reader(), x.Config, p.Run.ID)
			}
			return greeting(p.Run, r.anew, r.more > 0 || r.limit > 0, why)
		})
	display.clock.Began, display.clock.Warned = r.began, r.tuned
	if r.limit > 0 {
		x.Limit = limit{display, played}
	}
	in.warnBy(display.warn)
	leave, err := in.gather(ctx, &x, r, display) // sets x.Simulator; leave sends workers away
	if err != nil {
		display.close(false)
		return done, nil, err
	}
	x.Observe = display.observe
	stored, err := display.watch(ctx, store, func() (int64, error) {
		defer leave()
		run, err := x.Run(limited)
		return run.ID, err
	})
	if err == nil {
		done, err = report.Build(ctx, store.Reader(), stored, report.Call{Program: program, Config: r.config,
			Generations: typed(r.given, "generations")})
	}
	var wrong *cluster.Mismatch
	switch {
	case err == nil:
	case ctx.Err() != nil:
		if !errors.Is(err, context.Canceled) { // it also met with this on the way out
			fmt.Fprintf(in.stderr, "tune: %v\n", err)
			err = ctx.Err()
		}
		fmt.Fprintf(in.stderr, "interrupted: what was recorded is saved; resume with:\n  %s\n", r.resume())
	case limited.Err() != nil:
		err = fmt.Errorf("-for %s is over %s: %swhat was recorded is saved; give more time; go on with:\n  %s",
			shortTime(r.limit), moment(display.status()), unanswered(c.Heuristic.Bot), r.resume())
	case errors.As(err, &wrong):
		run, bot := display.clock.Last.Run.Name, ""
		if c.Heuristic.Bot != nil {
			bot = " -config " + quote(in.configs[0])
		}
		err = fmt.Errorf("run %s: %w (all stored games stay, the worker's among them; check them with: %s verify %s "+
			"-all%s%s)", run, err, program, quote(run), bot, in.databaseOption())
		fmt.Fprintf(in.stderr, "the run stopped; stop worker %s too, then resume with:\n  %s\n", wrong.Worker,
			r.resume())
	case !errors.Is(err, experiments.ErrBusy) && display.clock.Last.Run.ID > 0: // it began
		fmt.Fprintf(in.stderr, "the run stopped; all that was recorded before is kept. Mend the cause, then resume with:\n "+
			" %s\n",
			r.resume())
		if c.Heuristic.Bot != nil {
			fmt.Fprintln(in.stderr, "If you change a file of the bot, that command begins a new run.")
		}
	}
	return done, display.clock, err
}

// maxWaited is how long an answer may be due when a run ends before the user hears of it.
const maxWaited = time.Second

// moment says when a run stopped, by the line that shows where it is.
func moment(status string) string {
	if status == "" {
		return "before the first game"
	}
	return "in the middle of its games (" + strings.TrimSpace(status) + ")"
}

// unanswered says that a bot left the run waiting for its answer, far longer than for those before
// it. Otherwise it is empty.
func unanswered(program *bot.Program) string {
	if program == nil {
		return ""
	}
	waits := program.Watch.Waits()
	if waits.Cut < max(maxWaited, stuckTimes*waits.Answered) {
		return ""
	}
	return fmt.Sprintf("bot %s has not answered for %s: %s, or it takes longer for this answer than -for leaves; ",
		strings.Join(program.Command, " "),
		waits.Cut.Round(time.Second), program.Remedy())
}

// resume is the command that takes the run up again.
func (r runFlags) resume() string {
	configs := " -config " + quote(r.config)
	if r.stored != "" {
		configs = " resume " + quote(r.stored)
		for _, path := range r.paths { // of its bot
			configs += " -config " + quote(path)
		}
		return program + configs + typed(r.given)
	}
	if len(r.paths) > 1 {
		configs = ""
		for _, path := range r.paths {
			configs += " " + quote(path)
		}
	}
	return program + configs + typed(r.given)
}

// quote makes a path safe to paste into a shell.
func quote(path string) string { return results.ShellWord(path) }
