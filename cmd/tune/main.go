// Command tune finds the best weights for a 2048 heuristic described in a YAML file, honestly: it
// plays seeded games in parallel, keeps everything in SQLite, and reports held-out figures with
// intervals.
//
//	tune -config snake.yaml
//
// runs the experiment, or resumes it where it stopped. tune help lists the other subcommands: one
// file each. main.go has their table, flags.go the flags that several have, progress.go how they
// show progress, and players.go the players that they name.
// Data goes to stdout, progress and logs to stderr.
//
// Exit codes: 0 done; 1 the work failed, or verify found a difference; 2 wrong input: the command
// line, a config, weights, a bot, SQL, or the name of a run or a file; 130 interrupted (the run can
// be resumed).
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/bot"
	"tune2048/results"
	"tune2048/results/export"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	beFirst()
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup's promise: a terminal that closes ends nothing
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	// A second signal ends the process at once, also where it waits in a system call.
	context.AfterFunc(ctx, func() { time.AfterFunc(sameSignal, stop) })
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// sameSignal is how long a signal that comes again is the first one: GNU timeout sends it to the
// program, and then to its group. A person who presses Ctrl-C twice takes longer.
const sameSignal = 100 * time.Millisecond

// command is a subcommand.
type command struct {
	group   string // of the help
	name    string
	usage   string // follows the name
	summary string // at most 66 columns
	run     func(ctx context.Context, in *invocation) error
}

// program is the name by which the user calls this program, for the commands that it suggests.
var program = func() string {
	if strings.Contains(os.Args[0], "go-build") { // go run builds into such a folder
		return "go run ./cmd/tune"
	}
	return quote(os.Args[0])
}()

// commands lists the subcommands in the order of the help.
func commands() []command {
	return []command{
		{"Start", "init", "NAME", "write a shipped config to the current folder", initConfig},
		{"Start", "check", "-config FILE", "validate a config, estimate its games, time and disk", check},
		{"Start", "run", "FILE ...", "run experiments, or resume them where they stopped", runExperiment},
		{"Start", "resume", "[RUN]", "resume a stored run, or tune it on, by its own config", resumeRun},
		{"Look", "runs", "[-delete NAME | -name OLD NEW | -note NAME TEXT]",
			"list the runs in the database; rename or delete one", runs},
		{"Look", "import", "OTHER.db", "take over the runs of another database, with their games", importRuns},
		{"Look", "report", "[RUN]", "write a page that shows a run, in one file that opens offline", writeReport},
		{"Look", "serve", "[-addr HOST:PORT]", "show the runs in the database to a browser, live", serve},
		{"Look", "query", "[NAME [RUN]]", "answer a shipped query; without a name, list the queries", query},
		{"Look", "play", "[RUN]", "play and draw one game", play},
		{"Decide, use, extend", "compare", "PLAYER PLAYER ...", "find out which player is best, on fresh games", compare},
		{"Decide, use, extend", "verify", "[RUN | FILE.json]",
			"carry a run out again from its records, and play games of it again",
			verify},
		{"Decide, use, extend", "export", "[RUN | RUN:CANDIDATE | FILE] [-format FORMAT]",
			"write a champion for other programs",
			writeExport},
		{"Decide, use, extend", "move", `[RUN] -board "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"`,
			"value the moves of a board", move},
		{"Decide, use, extend", "worker", "-server URL", "play games for the runs of other machines", worker},
		{"Decide, use, extend", "eval", "-config FILE", "score candidates of another program's optimizer, as JSON lines",
			evalCandidates},
		{"Decide, use, extend", "version", "", "print versions, the platform, and the signature of the play", version},
	}
}

// invocation is one call of a subcommand.
type invocation struct {
	command        command
	args           []string
	database       string // of -db
	force          bool   // of -f
	stdout, stderr io.Writer
	data, screen   io.Writer      // stdout and stderr without escaping
	bots           []*bot.Program // of the configs that the user named
	configs        []string       // the files of the bots
	close          []func()       // called at the end
}

// usageError is a mistake of the user's: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run is the whole program; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &checkedWriter{w: stdout}
	code := dispatch(ctx, args, out, stderr)
	if code == exitOK && out.err != nil {
		return exitCode(fmt.Errorf("write the output: %w", out.err), &invocation{stderr: escapingWriter{stderr}})
	}
	return code
}

// checkedWriter remembers the first error, so that a full disk does not pass for success.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	name, help := "run", false
	switch {
	case len(args) == 0 || slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]):
		if len(args) < 2 {
			printHelp(stdout)
			return exitOK
		}
		name, args, help = args[1], append([]string{"-help"}, args[2:]...), true
	case args[0] == "-version" || args[0] == "--version":
		name, args = "version", args[1:]
	case !strings.HasPrefix(args[0], "-") && !isConfig(args[0]):
		name, args = args[0], args[1:]
	}
	var known []string
	for _, t := range topics {
		if t.name == name {
			io.WriteString(stdout, page(name))
			return exitOK
		}
		known = append(known, t.name)
	}
	for _, c := range commands() {
		if c.name == name {
			in := &invocation{command: c, args: args, stdout: escapingWriter{stdout}, stderr: escapingWriter{stderr},
				data: stdout, screen: stderr}
			defer func() {
				for _, end := range in.close {
					end()
				}
			}()
			return exitCode(c.run(ctx, in), in)
		}
		known = append(known, c.name)
	}
	if help {
		fmt.Fprintf(escapingWriter{stderr}, "tune: there is no help on %q%s\n", name, unknownTopic(name, known))
		return exitUsage
	}
	fmt.Fprintf(escapingWriter{stderr}, "tune: there is no subcommand %q%s (tune help lists them all)\n", name,
		meant(ctx, name, known))
	return exitUsage
}

// isConfig reports whether an argument is the path of a config, not a subcommand.
func isConfig(argument string) bool {
	return strings.HasSuffix(argument, ".yaml") || strings.HasSuffix(argument, ".yml")
}

// meant names the nearest meaning of a word that is no subcommand: a config, a run of the default
// database, or a subcommand.
func meant(ctx context.Context, word string, names []string) (hints string) {
	if databaseFile.MatchString(word) {
		return "; for a database: tune runs -db " + quote(word)
	}
	for _, path := range []string{word, word + ".yaml"} {
		if data, err := config.ReadFile(path); err == nil && looksLikeConfig.Match(data) && !export.IsRecord(data) {
			hints = "; for the config " + path + ": tune -config " + quote(path)
			break
		}
	}
	if reader, err := results.OpenReader(results.DefaultPath); err == nil {
		defer reader.Close()
		if run, err := reader.Find(ctx, word); err == nil {
			hints += "; for the run " + run.Name + ": tune report " + quote(run.Name)
		}
	}
	if strings.Contains(" stop kill cancel pause abort ", " "+word+" ") {
		hints += "; Ctrl-C in its terminal stops a run, and tune resume goes on with it"
	}
	if other := otherCommands[word]; other != "" {
		hints += "; did you mean tune " + other + "?"
	}
	return cmp.Or(hints, config.DidYouMean(word, names))
}

// otherCommands has for names that other programs have the command here.
var otherCommands = map[string]string{
	"list": "runs", "ls": "runs", "status": "runs", "delete": "runs -delete NAME", "rm": "runs -delete NAME",
	"remove": "runs -delete NAME",
	"rename": "runs -name OLD NEW", "show": "report", "results": "report", "result": "report", "start": "-config FILE",
	"tune":     "-config FILE",
	"continue": "resume", "sql": "query -sql STATEMENT", "new": "init NAME", "create": "init NAME",
	"validate": "check FILE", "lint": "check FILE", "test": "check FILE", "web": "serve", "dashboard": "serve",
	"watch": "serve", "ui": "serve",
	"best": "export", "weights": "export", "vs": "compare", "match": "compare", "eval-board": "move", "advise": "move",
}

// exitCode reports the error of a subcommand and says how the process ends.
func exitCode(err error, in *invocation) int {
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	fmt.Fprintf(in.stderr, "tune: %v\n", err)
	var failure *bot.Failure
	if errors.As(err, &failure) {
		failed := slices.IndexFunc(in.bots, func(p *bot.Program) bool {
			return p.Answers == bot.Moves && slices.Equal(p.Command, failure.Command) // others cannot be watched
		})
		if failed >= 0 {
			fmt.Fprintf(in.stderr, "to see it: echo %s > seen.json; %s play -config %s -seed %d -weights seen.json\n",
				quote(failure.JSON()), program, quote(in.configs[failed]), failure.Seed)
		}
	}
	if failure != nil || errors.As(err, new(*bot.Mute)) || errors.As(err, new(usageError)) || results.WrongInput(err) {
		return exitUsage
	}
	return exitFailed
}

// printHelp prints the groups of subcommands on one screen of a terminal: 24 lines of 80 columns.
func printHelp(w io.Writer) {
	fmt.Fprint(w, "tune finds the best weights for a 2048 heuristic. A config to begin with:\ntune init quickstart. Run "+
		"or resume it: tune -config FILE. Flags: tune help NAME\n")
	group := ""
	for _, c := range commands() {
		if c.group != group {
			fmt.Fprintln(w, c.group)
			group = c.group
		}
		fmt.Fprintf(w, "  %-11s %s\n", c.name, c.summary)
	}
	for _, t := range topics {
		if t.summary != "" {
			fmt.Fprintf(w, "tune help %-8s  %s\n", t.name, t.summary)
		}
	}
	fmt.Fprint(w, "Exit codes: 0 done, 1 the work failed, 2 wrong input, 130 interrupted\n")
}

// helpWidth is the width of the help in columns.
const helpWidth = 80

// synopsis is the command line of a subcommand.
func (c command) synopsis() string { return strings.TrimSpace("tune " + c.name + " " + c.usage) }

// flags returns an empty flag set that prints the subcommand's help.
func (in *invocation) flags() *flag.FlagSet {
	f := flag.NewFlagSet("tune "+in.command.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// parse parses flags and arguments in any order. It returns the arguments, and refuses more than
// most of them.
func (in *invocation) parse(f *flag.FlagSet, most int) (arguments []string, err error) {
	rest := in.args
	if name, next := withoutValue(f, rest); name != "" {
		return nil, usagef("%s: -%s: want a value, got the flag %s", in.command.name, name, next)
	}
	for {
		if err := f.Parse(rest); errors.Is(err, flag.ErrHelp) {
			in.printHelp(f)
			return nil, err
		} else if err != nil {
			if name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: "); unknown {
				typed, value := rest[len(rest)-f.NArg()-1], f.Arg(0)
				if _, behind, with := strings.Cut(typed, "="); with || strings.HasPrefix(value, "-") {
					value = behind
				}
				err = fmt.Errorf("there is no flag %s%s", name, in.unknownFlag(f, strings.TrimPrefix(name, "-"), value))
			}
			text := strings.Replace(err.Error(), ": parse error", ": want a whole number, 0 or more", 1)
			return nil, usagef("%s: %s (tune help %s)", in.command.name, text, in.command.name)
		}
		consumed := len(rest) - f.NArg()
		all := consumed > 0 && rest[consumed-1] == "--"
		rest = f.Args()
		if all {
			arguments, rest = append(arguments, rest...), nil
		} else if len(rest) > 0 {
			arguments, rest = append(arguments, rest[0]), rest[1:]
		}
		if len(arguments) > most {
			extra := arguments[most]
			if remedy := in.misplaced(f, extra, arguments[:most]); remedy != "" {
				return nil, usagef("%s: unexpected argument %q; want %s", in.command.name, extra, remedy)
			}
			return nil, usagef("%s: unexpected argument %q; want: %s", in.command.name, extra, in.command.synopsis())
		}
		if len(rest) == 0 {
			break
		}
	}
	_, behind, isURL := strings.Cut(in.database, "://")
	other := slices.IndexFunc(arguments, databaseFile.MatchString)
	takes := in.command.name == "import" || given(f, "note") || given(f, "name") // a file, or a text like one
	switch {
	case f.Lookup("db") == nil:
	case in.database == "":
		return nil, usagef("%s: -db: want a file, such as the default %s", in.command.name, results.DefaultPath)
	case isURL:
		return nil, usagef("%s: -db: want a file, not a URL: -db %s", in.command.name, quote(filepath.Base(behind)))
	case other >= 0 && !takes:
		return nil, usagef("%s: %s is a database; want -db %s", in.command.name, arguments[other], quote(arguments[other]))
	}
	return arguments, nil
}

// parseName parses flags and the argument, if there is one.
func (in *invocation) parseName(f *flag.FlagSet) (string, error) {
	arguments, err := in.parse(f, 1)
	return strings.Join(arguments, ""), err
}
