package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endless is a config whose searches take longer than anybody lives.
const endless = `
name: endless
heuristic: {features: [{feature: empty, weight: {min: 0, max: 9, start: 1}}, {feature: line, weight: 1}]}
search: {depth: 31}
optimizer: {population: 2}
stages: [{generations: 1, games: 1}]
playoff: {finalists: 1, games: 2, rounds: 1}
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
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDeepSearchesEnd: Ctrl-C ends a command in the middle of a move, however deep the search.
func TestDeepSearchesEnd(t *testing.T) {
	config := write(t, filepath.Join(t.TempDir(), "endless.yaml"), endless)
	board := "0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4"
	for _, args := range [][]string{
		{"play", "-config", config},
		{"move", "-config", config, "-board", board},
		{"-config", config, "-db", filepath.Join(t.TempDir(), "tune.db")},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		if code, stdout, stderr := invoke(ctx, args...); code != exitInterrupted {
			t.Errorf("%v: exit code %d: %s%s", args, code, stdout, stderr)
		}
	}
}

// TestPlanOfDeepSearches: the plan of a run that never ends says so, at once.
func TestPlanOfDeepSearches(t *testing.T) {
	config := write(t, filepath.Join(t.TempDir(), "endless.yaml"), endless)
	if code, stdout, stderr := invoke(context.Background(), "check", "-config", config); code != exitOK || !strings.Contains(stdout, "over a month") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

// TestFilesThatNeverEnd: a pipe that nobody writes into and a device without an end are refused, whatever reads them.
func TestFilesThatNeverEnd(t *testing.T) {
	folder := t.TempDir()
	config := write(t, filepath.Join(folder, "endless.yaml"), endless)
	pipe := filepath.Join(folder, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		for _, args := range [][]string{
			{"compare", path, config}, {"check", "-config", path}, {"move", "-config", config, "-weights", path, "-board", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0"},
			{"compare", config, path, "-config", config},
		} {
			args = append(args, "-db", filepath.Join(folder, "none.db"))
			if args[0] == "check" || args[0] == "move" {
				args = args[:len(args)-2]
			}
			if code, _, stderr := invoke(context.Background(), args...); code != exitUsage || !strings.Contains(stderr, "want a regular file") {
				t.Errorf("%v: exit code %d: %s", args, code, stderr)
			}
		}
	}
}
