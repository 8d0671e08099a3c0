package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tune2048/results"
)

var hammerNames = [2]string{"anvil", "horseshoe"}

// TestTwoProcessesAndReaders: two experiments run into one database at once while four readers look
// at it without a break, two of this project's and two sqlite3 shells that wait as long. Nobody
// ever finds the database locked, both experiments find what they find alone, and the database is
// whole.
func TestTwoProcessesAndReaders(t *testing.T) {
	folder := t.TempDir()
	shared := filepath.Join(folder, "shared.db")
	var alone, together [2]*process
	var databases [2]string
	for i, name := range hammerNames {
		text := fmt.Sprintf("seed: %d", 1000+i) + strings.Replace(fmt.Sprintf(everywhere, 60), "everywhere", name, 1)
		config := write(t, filepath.Join(folder, name+".yaml"), text)
		databases[i] = filepath.Join(folder, name+".db")
		alone[i] = start(t, folder, "-config", config, "-db", databases[i])
	}
	for _, p := range alone {
		succeed(t, p)
	}
	for i, name := range hammerNames {
		together[i] = start(t, folder, "-config", filepath.Join(folder, name+".yaml"), "-db", shared)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for i := range 4 {
		readers.Go(func() { look(t, shared, i, done) })
	}
	for _, p := range together {
		succeed(t, p)
	}
	close(done)
	readers.Wait()
	if got, want := prints(t, shared), append(prints(t, databases[0]), prints(t, databases[1])...); !slices.Equal(got, want) {
		t.Errorf("together the runs have %q, alone %q", got, want)
	}
	succeed(t, start(t, folder, "verify", "-db", shared, "-games", "100"))
}

// succeed waits for a process that must not meet a lock.
func succeed(t *testing.T, p *process) {
	t.Helper()
	if code, stderr := p.end(t); code != exitOK || strings.Contains(stderr, "locked") || strings.Contains(stderr, "busy") {
		t.Fatalf("%v: exit code %d, stderr:\n%s", p.Args, code, stderr)
	}
}

// look asks the questions of people and pages about a run that goes on, until stop is closed. Odd
// readers are shells, the first one keeps the database open, the last ones may be the last to close
// it.
func look(t *testing.T, database string, i int, done <-chan struct{}) {
	queries := []string{
		"SELECT * FROM leaderboard LIMIT 5",
		"SELECT * FROM champions WHERE run = '" + hammerNames[i/2] + "'",
		"SELECT * FROM convergence WHERE run = '" + hammerNames[i/2] + "'",
		"SELECT * FROM tile_rates WHERE run = '" + hammerNames[i/2] + "' AND phase = 'validation'",
	}
	_, err := exec.LookPath("sqlite3")
	shell := err == nil && i%2 == 1
	var reader *results.Reader
	for {
		select {
		case <-done:
			if reader != nil {
				reader.Close()
			}
			return
		default:
		}
		if reader == nil {
			var err error
			if reader, err = results.OpenReader(database); err != nil {
				if !errors.Is(err, fs.ErrNotExist) && !unborn(err) { // the runs are creating it
					t.Error(err)
				}
				continue
			}
		}
		for _, q := range queries {
			var err error
			if shell {
				var out []byte
				if out, err = exec.Command("sqlite3", "-cmd", ".timeout 10000", database, q).CombinedOutput(); err != nil {
					err = fmt.Errorf("sqlite3: %w: %s", err, out)
				}
			} else {
				err = reader.Query(context.Background(), q, func([]string) error { return nil }, func([]any) error { return nil })
			}
			if err != nil {
				t.Errorf("%s: %v", q, err)
			}
		}
		if i > 0 {
			if err := reader.Close(); err != nil {
				t.Error(err)
			}
			reader = nil
		}
	}
}

// unborn reports whether a database has no tables yet.
func unborn(err error) bool {
	return strings.Contains(err.Error(), "it is empty") || strings.Contains(err.Error(), "version")
}
