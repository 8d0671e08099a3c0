package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
)

// endless is a config whose searches take longer than anybody lives.
const endless = `
name: endless
heuristic: {features: [{feature: empty, weight: {min: 0, max: 9, start: 1}}, {feature: line, weight: 1}]}
search: {depth: 31}
optimizer: {algorithm: genetic, population: 2}
stages: [{generations: 1, games: 1}]
playoff: {finalists: 2, games: 2, rounds: 1}
validation: {games: 2}
`

// invoke runs the program in this process.
func invoke(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(ctx, args, &out, &err)
	return code, out.String(), err.String()
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// searching reports whether a player is at a search, and no estimate of one: that is on a
// goroutine's stack.
func searching() bool {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	return slices.ContainsFunc(strings.Split(string(all), "\n\n"), func(stack string) bool {
		at := strings.Contains(stack, "engine.(*Searcher).Search(") || strings.Contains(stack, "engine.(*Searcher).Best(")
		return at && !strings.Contains(stack, "experiments.(*costs).price(")
	})
}

// TestDeepSearchesEnd: Ctrl-C ends a command in the middle of a move, however deep the search. The
// plan of a run that never ends says so, at once.
func TestDeepSearchesEnd(t *testing.T) {
	config := write(t, filepath.Join(t.TempDir(), "endless.yaml"), endless)
	board := "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"
	for _, args := range [][]string{
		{"play", "-config", config},
		{"move", "-config", config, "-board", board},
		{"-config", config, "-db", filepath.Join(t.TempDir(), "tune.db")},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		ended, began := make(chan struct{}), make(chan bool, 1)
		go func() {
			look := time.NewTicker(time.Millisecond)
			defer look.Stop()
			for {
				select {
				case <-ended:
					began <- false
					return
				case <-look.C:
				}
				if searching() {
					cancel()
					began <- true
					return
				}
			}
		}()
		code, stdout, stderr := invoke(ctx, args...)
		close(ended)
		if !<-began || code != exitInterrupted {
			t.Errorf("%v: ended before a search, or with another exit code than an interrupted one: %d: %s%s", args, code,
				stdout, stderr)
		}
		cancel()
	}
	if code, stdout, stderr := invoke(context.Background(), "check", "-config", config); code != exitOK ||
		!strings.Contains(stdout, "over a month") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

// TestFilesThatNeverEnd: a pipe that nobody writes into and a device without an end are refused,
// whatever reads them.
func TestFilesThatNeverEnd(t *testing.T) {
	folder := t.TempDir()
	config := write(t, filepath.Join(folder, "endless.yaml"), endless)
	pipe := filepath.Join(folder, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		for _, args := range [][]string{
			{"compare", path, config}, {"check", "-config", path},
			{"move", "-config", config, "-weights", path, "-board", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0"},
			{"compare", config, path, "-config", config},
		} {
			args = append(args, "-db", filepath.Join(folder, "none.db"))
			if args[0] == "check" || args[0] == "move" {
				args = args[:len(args)-2]
			}
			if code, _, stderr := invoke(context.Background(), args...); code != exitUsage ||
				!strings.Contains(stderr, "want a regular file") {
				t.Errorf("%v: exit code %d: %s", args, code, stderr)
			}
		}
	}
}

// TestQuote: what is printed to be pasted means the same to a shell.
func TestQuote(t *testing.T) {
	for path, want := range map[string]string{
		"a/b-1.yaml": "a/b-1.yaml", "my db/x.db": "'my db/x.db'", "it's": `'it'\''s'`, "$(reboot)": "'$(reboot)'",
		"-x.yaml": "./-x.yaml",
		"a\n;b":   `$'a\n;b'`, "\x1b[2J'": `$'\u001b[2J\''`, "{a,b}[c]": "'{a,b}[c]'", "": "''", "größe": "'größe'",
		"a\\b\x7f": `$'a\\b\u007f'`,
	} {
		got := quote(path)
		if got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
		shell, err := exec.LookPath("bash")
		if err != nil {
			continue
		}
		command := exec.Command(shell, "-c", "printf %s "+got)
		command.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		if out, err := command.Output(); err != nil || string(out) != path && string(out) != "./"+path {
			t.Errorf("%q: the shell says %q, %v", path, out, err)
		}
	}
}

// hostileDatabase is a database with a small finished run, changed by some SQL.
func hostileDatabase(t *testing.T, statements ...string) string {
	t.Helper()
	folder := t.TempDir()
	config := write(t, filepath.Join(folder, "ok.yaml"),
		strings.ReplaceAll(strings.ReplaceAll(endless, "depth: 31", "depth: 1"), "endless", "ok")+"ablation: {games: 0}\n")
	path := filepath.Join(folder, "tune.db")
	if code, _, stderr := invoke(context.Background(), "-config", config, "-db", path); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	byHand(t, path, strings.Join(statements, ";"))
	return path
}

// evil is a text that a terminal would obey.
const evil = "\x1b]0;owned\a\nforged\u202e\x7f\u009b2J"

// evilDatabase is a database with evil names.
func evilDatabase(t *testing.T) string {
	t.Helper()
	return hostileDatabase(t, "UPDATE searches SET name = '"+evil+"', note = '"+evil+"'", "UPDATE endings SET kind = '"+
		evil+"'", "UPDATE asked SET phase = '"+evil+"' WHERE phase = 'validation'", "UPDATE slices SET phase = '"+evil+
		"' WHERE phase = 'validation'",
		"UPDATE candidates SET name = '"+evil+"', origin = '"+evil+"'")
}

// outputs are commands in all their formats that are harmless wherever they write.
var outputs = [][]string{
	{"runs"}, {"runs", "-all"}, {"runs", "-delete", evil}, {"query", "-sql", "select name, kind from runs"},
	{"query", "-sql", "select 1 as '" + evil + "'"},
	{"query", "-json", "-sql", "select name as '" + evil + "', cast(kind as blob) as kind from runs"}, {"export"},
	{"verify"},
	{"verify", "-json", "-all"}, {"compare", "0", "ok:0"}, {"compare", "-json", "0", "ok:0"}, {"query", "best"},
	{"query", "best", "-wide"}, {"query", "best", "-json"},
	{"export", "nobody"}, {"query", "-schema"},
	{"report", "-json"}, {"export", "-format", "yaml"}, {"export", "-format", "flat"}, {"export", "-format", "c"},
	{"export", "-format", "python"}, {"export", "-format", "javascript"}, {"export", "-format", "html", "-o", "-"},
	{"export", "-format", "tables"}, {"play", "-json"},
	{"move", evil, "-board", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0"}, {"init", "-from", evil}, {"check", "-config", evil},
}

// checkHarmless fails if a terminal would obey an output, or if a line of stdout is forged. The
// lines of a page mean nothing.
func checkHarmless(t *testing.T, args []string, stdout, stderr string) {
	t.Helper()
	for _, r := range stdout + stderr {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			t.Errorf("%q: %U in:\n%q\n%q", args, r, stdout, stderr)
			break
		}
	}
	if strings.Contains(stdout, "\nforged") && !strings.Contains(stdout, "<html") && args[0] != "compare" {
		t.Errorf("%q: a line is forged:\n%s", args, stdout)
	}
}

// TestTerminalObeysNothing: names from somebody else's database are shown, not obeyed. Files and
// pipes get the formats that only programs read as they are: see TestTerminalObeysNoFormat.
func TestTerminalObeysNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	db := evilDatabase(t)
	if _, _, stderr := invoke(context.Background(), "runs", "-db",
		filepath.Join(t.TempDir(), "\x1b[2J.db")); !strings.Contains(stderr, `\u001b[2J.db`) {
		t.Errorf("%q", stderr)
	}
	for _, args := range outputs {
		_, stdout, stderr := invoke(context.Background(), append(args, "-db", db)...)
		checkHarmless(t, args, stdout, stderr)
		if slices.Contains(args, "-json") && args[0] != "play" && stdout != "" && !json.Valid([]byte(stdout)) {
			t.Errorf("%q: no JSON: %s", args, stdout)
		}
	}
	for _, args := range raw {
		_, stdout, _ := invoke(context.Background(), append(args, "-db", db)...)
		if !strings.Contains(stdout, "\x1b") {
			t.Errorf("%q: a program gets other data: %q", args, stdout)
		}
	}
}

// raw are the formats that programs read as they are.
var raw = [][]string{{"query", "-csv", "-sql", "select name as '" + evil + "', kind from runs"},
	{"query", "-csv", "best"}, {"report", "-o", "-"}}

// TestLongValues: a table shows the beginning of a long text in somebody else's database.
func TestLongValues(t *testing.T) {
	db := hostileDatabase(t)
	if _, stdout, _ := invoke(context.Background(), "query", "-db", db, "-sql",
		"select printf('%.*c', 2000000, 'x') as long, 'end' as short", "-wide"); !strings.Contains(stdout, "x…  end\n") ||
		len(stdout) > 5000 {
		t.Errorf("%d bytes: %.100s", len(stdout), stdout)
	}
}

// TestStoredConfigReadsNoFile: the config in somebody else's database names a file of the user's.
// Nothing reads it.
func TestStoredConfigReadsNoFile(t *testing.T) {
	secret := write(t, filepath.Join(t.TempDir(), "secret"), "swordfish")
	db := hostileDatabase(t, "UPDATE endings SET config_yaml = config_yaml || char(10) || 'references: {x: "+secret+"}'")
	for _, args := range [][]string{
		{"verify"}, {"export"}, {"compare", "ok", "ok:0"},
	} {
		code, stdout, stderr := invoke(context.Background(), append(args, "-db", db)...)
		if code == exitOK || !strings.Contains(stderr, "refers to no files") || strings.Contains(stdout+stderr, "swordfish") {
			t.Errorf("%v: exit code %d: %s%s", args, code, stdout, stderr)
		}
	}
}
