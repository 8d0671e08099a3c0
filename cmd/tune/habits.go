package main

import (
	"cmp"
	"flag"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tune2048/configs/config"
)

// Habits: what people type because other programs have it, and what to write here instead.

// habit is a flag of other programs that a subcommand lacks.
type habit struct {
	flags    string // names, separated by spaces
	commands string // likewise: the subcommands that the remedy is for; empty: all
	remedy   string // VALUE stands for the value; one that begins with a flag is for commands that have it
}

// inConfig are the subcommands that play by a config.
const inConfig = "run check resume eval"

// habits are looked up in their order.
var habits = []habit{
	{"seed random-seed", inConfig, "seed is a key of the config: seed: VALUE"},
	{"depth plies", inConfig, "depth is a key of the config: search: {depth: VALUE}"},
	{"games", inConfig, "games are a key of the config: stages: [{games: VALUE}]"},
	{"population pop popsize", inConfig, "population is a key of the config: optimizer: {population: VALUE}"},
	{"optimizer algorithm sampler", inConfig, "algorithm is a key of the config: optimizer: {algorithm: VALUE}"},
	{"playoff", inConfig, "playoff is a key of the config: playoff: {games: VALUE}"},
	{"validation", inConfig, "validation is a key of the config: validation: {games: VALUE}"},
	{"ablation", inConfig, "ablation is a key of the config: ablation: {games: VALUE}"},
	{"objective", inConfig, "objective is a key of the config: objective: VALUE"},
	{"name", inConfig, "name is a key of the config: name: VALUE"},
	{"set override D", inConfig, "change the key in the config, or in a copy of it"},
	{"j jobs n-jobs n_jobs threads cores cpus parallel processes", "", "-workers VALUE"},
	{"time timeout duration max-time hours", "", "-for VALUE"},
	{"iterations iters epochs steps gens trials n-trials n_trials", "", "-generations VALUE"},
	{"dry-run dryrun n estimate validate", "run", "tune check says what a run takes: tune check -config FILE"},
	{"continue resume", "run", "the same command as before resumes its run, and so does tune resume RUN"},
	{"o out output", "run resume", "a run goes into the database of -db, and then tune report and tune export take -o"},
	{"out output", "", "-o VALUE"},
	{"o out output", "", "stdout is the output: > FILE"},
	{"v vv verbose q quiet silent debug progress log-level", "", "progress goes to stderr: 2> FILE keeps it"},
	{"csv", "", "-json"},
	{"format output-format", "query", "-csv or -json"},
	{"format output-format", "", "-json"},
	{"y yes force", "", "-yes"},
	{"y yes force overwrite", "", "-f"},
	{"rm remove", "", "-delete NAME"},
	{"rename", "", "-name OLD NEW"},
	{"d database", "", "-db VALUE"},
	{"c cfg conf", "", "-config VALUE"},
	{"port", "", "-addr 127.0.0.1:VALUE"},
	{"host bind address", "", "-addr VALUE:8048"},
	{"host url address connect", "worker", "-server VALUE"},
	{"token", "", "-token-file FILE, which other users of the machine cannot read"},
}

// wantedValue is where the value of a flag belongs in a remedy.
var wantedValue = regexp.MustCompile(`\bVALUE\b`)

// unknownFlag says what to write instead of a flag that a subcommand does not have. The value is
// empty if there is none.
func (in *invocation) unknownFlag(f *flag.FlagSet, name, value string) string {
	for _, h := range habits {
		if !slices.Contains(strings.Fields(h.flags), name) ||
			h.commands != "" && !slices.Contains(strings.Fields(h.commands), in.command.name) {
			continue
		}
		needed, isFlag := strings.CutPrefix(strings.Fields(h.remedy)[0], "-")
		if isFlag && f.Lookup(strings.TrimRight(needed, ",")) == nil {
			continue
		}
		text := wantedValue.ReplaceAllLiteralString(h.remedy, cmp.Or(quoted(value), "VALUE"))
		if isFlag {
			return "; write " + text
		}
		return "; " + text
	}
	var names []string
	f.VisitAll(func(g *flag.Flag) { names = append(names, "-"+g.Name) })
	return config.DidYouMean("-"+name, names)
}

// quoted is a word for a shell, or nothing.
func quoted(word string) string {
	if word == "" {
		return ""
	}
	return quote(word)
}

// databaseFile matches the name of a database of ours or of somebody else.
var databaseFile = regexp.MustCompile(`(?i)\.(db|sqlite3?)$`)

// misplaced says with which flag an argument belongs that the subcommand does not take, or nothing.
// before are the arguments that it took.
func (in *invocation) misplaced(f *flag.FlagSet, argument string, before []string) string {
	has := func(name string) bool { return f.Lookup(name) != nil }
	_, notNumber := strconv.Atoi(argument)
	_, port, noAddress := net.SplitHostPort(argument)
	ending := strings.ToLower(filepath.Ext(argument))
	switch word := quote(argument); {
	case has("db") && databaseFile.MatchString(argument):
		return "-db " + word
	case has("config") && isConfig(argument) && (given(f, "config") || slices.ContainsFunc(before, isConfig)):
		return "one config at a time"
	case has("config") && isConfig(argument):
		return "-config " + word
	case in.command.name == "eval" && ending != "":
		return "< " + word
	case has("board") && strings.Contains(argument, "/") && strings.Contains(argument, " "):
		return "-board " + word
	case has("o") && ending != "" && endings[ending] != "":
		return "-o " + word
	case has("more") && notNumber == nil:
		return "-more " + argument
	case has("addr") && notNumber == nil:
		return "-addr 127.0.0.1:" + argument
	case has("addr") && noAddress == nil && port != "":
		return "-addr " + word
	case has("server") && strings.Contains(argument, "://"):
		return "-server " + word
	case has("server") && noAddress == nil && port != "":
		return "-server nats://" + word
	}
	return ""
}

// withoutValue names a flag whose value was left out, so that the next flag stands in its place.
func withoutValue(f *flag.FlagSet, args []string) (name, next string) {
	flagOf := func(text string) *flag.Flag {
		if bare := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "-"); bare != text {
			return f.Lookup(bare)
		}
		return nil
	}
	for i := 0; i < len(args)-1 && args[i] != "--"; i++ {
		g := flagOf(args[i])
		if g == nil {
			continue
		}
		if s, ok := g.Value.(interface{ IsBoolFlag() bool }); ok && s.IsBoolFlag() {
			continue
		}
		i++
		if flagOf(args[i]) != nil {
			return g.Name, args[i]
		}
	}
	return "", ""
}
