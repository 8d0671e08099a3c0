package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHabits: what people type as other programs have it is answered by what to write here, and the
// exit code of wrong input.
func TestHabits(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"-config a.yaml -seed 5": "run: there is no flag -seed; seed is a key of the config: seed: 5 " +
			"(tune help run)",
		"-config a.yaml -seed=5":             "seed is a key of the config: seed: 5 (",
		"-config a.yaml --seed":              "seed is a key of the config: seed: VALUE (",
		"check a.yaml -depth 1":              "search: {depth: 1} (",
		"-config a.yaml -games 100":          "stages: [{games: 100}] (",
		"-config a.yaml -set seed=7":         "change the key in the config, or in a copy of it (",
		"-config a.yaml -j 4":                "there is no flag -j; write -workers 4 (",
		"compare a b -threads 2":             "write -workers 2 (",
		"-config a.yaml -dry-run -workers 2": "tune check says what a run takes: tune check -config FILE (",
		"-config a.yaml -resume":             "and so does tune resume RUN (",
		"-config a.yaml -o x.json": "a run goes into the database of -db, and then tune report and tune " +
			"export take -o (",
		"query best -o x.csv":         "stdout is the output: > FILE (",
		"report mine --output x.html": "there is no flag -output; write -o x.html (",
		"-config a.yaml --verbose":    "there is no flag -verbose; progress goes to stderr: 2> FILE keeps it (",
		"-config a.yaml -timeout 2h":  "write -for 2h (",
		"query best -format csv":      "write -csv or -json (",
		"runs -delete a -y":           "there is no flag -y; write -yes (",
		"worker -host here":           "write -server here (",
		"serve -host 0.0.0.0":         "write -addr 0.0.0.0:8048 (",
		"check -confg x":              "there is no flag -confg; did you mean -config? (",
		"check a.yaml b.yaml":         `check: unexpected argument "b.yaml"; want one config at a time`,
		"check -config a.yaml b.yaml": "check: want b.yaml or -config a.yaml, not both\n",
		"run -config a.yaml b.yaml": "run: want b.yaml or -config a.yaml, not both; to run both, one after " +
			"the other: ",
		"resume mine 20":                      `resume: unexpected argument "20"; want -more 20`,
		"move mine other 0":                   `move: unexpected argument "other"; want: tune move [RUN] -board`,
		"-config a.yaml -db -for 8h":          "run: -db: want a value, got the flag -for",
		"export mine -o -o":                   "export: -o: want a value, got the flag -o",
		"runs -db sqlite:///study.db":         "runs: -db: want a file, not a URL: -db study.db",
		"report results/tune.db":              "report: results/tune.db is a database; want -db results/tune.db",
		"query l.db best":                     "query: l.db is a database; want -db l.db",
		"serve l.db":                          `serve: unexpected argument "l.db"; want -db l.db`,
		"l.db":                                `there is no subcommand "l.db"; for a database: tune runs -db l.db`,
		"stop":                                "Ctrl-C in its terminal stops a run, and tune resume goes on with it",
		"stop mine":                           "Ctrl-C in its terminal stops a run, and tune resume goes on with it",
		"export mine -format python -o bot.c": "export: -o bot.c is c, -format says python: which?",
		"export mine -format tables -o a.bin -bot": "flag needs an argument: -bot",
		"runs -forget a":         "want RUN:KEYS",
		"query champions -sql x": "query: want the shipped query champions or -sql, not both",
	} {
		code, stdout, stderr := invoke(context.Background(), strings.Fields(line)...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d\n%s%swant %s", line, code, stdout, stderr, want)
		}
	}
}

// TestFlagsThatContradict tries all pairs of flags of a run that cannot both be obeyed.
func TestFlagsThatContradict(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	one := write(t, filepath.Join(folder, "one.yaml"), suggestedConfig)
	two := write(t, filepath.Join(folder, "two.yaml"),
		strings.Replace(suggestedConfig, "stages: [", "stages: [{name: first, generations: 1, games: 2}, ", 1))
	for line, want := range map[string]string{
		"-generations 5 -more 5": "run: want one of -generations 5, which ends the tuning there, and " +
			"-more 5",
		"-more 5 -new":     "-more: want it without -new and -for",
		"-more 5 -for 1h":  "-more: want it without -new and -for",
		"-more 5 -seeds 2": "-seeds: want it without -more",
		"-listen 127.0.0.1:0 -server nats://x:4222": "-listen and -server: want one of them",
		"-seeds 2 -workers 0 -listen 127.0.0.1:0":   "-seeds: want -workers 1 at least",
		"-workers 0":        "-workers: want 1 to 1024, got 0",
		"-addr 127.0.0.1:0": "-addr and -token-file go with -serve",
		"-token-file x":     "-addr and -token-file go with -serve",
		"-seeds 2 " + two:   "not both",
	} {
		args := append([]string{"-config", one, "-db", filepath.Join(folder, "none.db")}, strings.Fields(line)...)
		if code, _, stderr := invoke(context.Background(), args...); code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d\n%swant %s", line, code, stderr, want)
		}
	}
	// The generations of the stages before the last one say which run goes on.
	_, _, stderr := invoke(context.Background(), "-config", two, "-db", filepath.Join(folder, "none.db"), "-generations",
		"2", "-more", "1")
	if !strings.Contains(stderr, "there is no run of this config") {
		t.Error(stderr)
	}
	if _, err := os.Stat(filepath.Join(folder, "none.db")); err == nil {
		t.Log("a refused command left a database") // -more looks into it
	}
}

// TestWrongInputHasOneExitCode: what the user named and is not there or not what it should be has
// the code of wrong input, whatever it is.
func TestWrongInputHasOneExitCode(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	one, db := write(t, path("one.yaml"), suggestedConfig), path("one.db")
	write(t, path("text.db"), "no database\n")
	write(t, path("bot.sh"), "#!/bin/sh\nread line; echo wrong\n")
	must(t, os.Chmod(path("bot.sh"), 0o755))
	wrong := write(t, path("bot.yaml"), "player: {command: [./bot.sh], answers: games, weights: {w: {min: 0, max: "+
		"1}}}\nstages: [{generations: 1, games: 2}]\n")
	absent := write(t, path("absent.yaml"), "player: {command: [./absent.sh], answers: games, weights: {w: {min: 0, "+
		"max: 1}}}\nstages: [{generations: 1, games: 2}]\n")
	if code, _, stderr := invoke(context.Background(), "-config", one, "-db", db, "-generations", "1"); code != exitOK {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{
		{"report", "nosuch"}, {"report", "-db", path("text.db")}, {"report", "-db", path("none.db")},
		{"report", "-db", folder},
		{"export", "nosuch"}, {"export", "one:99"}, {"verify", "nosuch"}, {"runs", "-delete", "nosuch"}, {"resume", "nosuch"},
		{"compare", "nosuch", "one"}, {"query", "best", "nosuch"}, {"query", "nosuch"}, {"query", "-sql", "nonsense"},
		{"query", "-sql", "select nonsense"}, {"query", "-sql", "select 1; select 2"}, {"query", "-sql", "delete from runs"},
		{"query", "-sql", "attach 'x' as y"}, {"query", "-sql", "select nosuch()"}, {"import", path("text.db")},
		{"import", path("none.db")},
		{"-config", one, "-db", path("text.db")}, {"-config", one, "-db", path("nowhere/none.db")},
		{"-config", path("none.yaml")},
		{"check", "-config", wrong}, {"-config", wrong}, {"check", "-config", absent}, {"-config", absent},
	} {
		if !strings.Contains(strings.Join(args, " "), "-db") { // otherwise a database appears beside the test
			args = append(args, "-db", db)
		}
		if code, _, stderr := invoke(context.Background(), args...); code != exitUsage {
			t.Errorf("%q: code %d\n%s", args, code, stderr)
		}
	}
}
