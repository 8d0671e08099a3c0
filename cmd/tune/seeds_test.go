package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"tune2048/results"
)

// prints returns the fingerprint of each run of the database, by name.
func prints(t *testing.T, database string) (list []string) {
	t.Helper()
	reader, err := results.OpenReader(database)
	must(t, err)
	defer reader.Close()
	runs, err := reader.Runs(context.Background())
	must(t, err)
	for _, run := range runs {
		list = append(list, run.Name+" "+run.Status+" "+run.Fingerprint)
	}
	slices.Sort(list)
	return list
}

// TestSeedsInterrupted: a run of several seeds may be interrupted in any of its parts. The same
// command goes on with it, and it ends as a run that was not interrupted.
func TestSeedsInterrupted(t *testing.T) {
	config := shallow + "name: mine\nstages: [{generations: 4, games: 4}]\nplayoff: {finalists: 2, games: " +
		"10}\nvalidation: {games: 60}\nablation: {games: 20}\n"
	folder := func() string { // the run's database has the same name in each
		t.Chdir(t.TempDir())
		return write(t, "mine.yaml", config)
	}
	command := []string{"-config", folder(), "-seeds", "2", "-workers", "2"}
	code, want, stderr := invoke(context.Background(), command...)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	fingerprints := prints(t, results.DefaultPath)
	if len(fingerprints) != 3 {
		t.Fatal(fingerprints)
	}

	folder()
	command[4] = "-workers"
	command[5] = "1"
	resume := "resume with:\n  " + program + " " + strings.Join(command, " ") + "\n"
	for _, after := range []struct{ text, then string }{
		{"new run mine\"", "msg=progress"}, {"new run mine-seed-2049", "msg=progress"}, {"new run compare", ""},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		armed := false
		var out, err strings.Builder
		code := run(ctx, command, &out,
			io.MultiWriter(&err, atText{after.text, func() { armed = true }}, atText{after.then, func() {
				if armed {
					cancel()
				}
			}}))
		cancel()
		if code != exitInterrupted || out.Len() > 0 || !strings.HasSuffix(err.String(), resume) || !armed {
			t.Errorf("after %q: exit code %d\n%s%s", after.text, code, &out, &err)
		}
	}
	code, got, stderr := invoke(context.Background(), command...)
	if code != exitOK || got != want {
		t.Errorf("exit code %d, %s\n%s\nwant\n%s", code, stderr, got, want)
	}
	if found := prints(t, results.DefaultPath); !slices.Equal(found, fingerprints) {
		t.Errorf("got %q, want %q", found, fingerprints)
	}
}
