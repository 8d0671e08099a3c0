package results

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"tune2048/experiments"
)

// holdDatabase opens a transaction that writes, as somebody might in a shell.
func holdDatabase(t *testing.T, path string) *sql.DB {
	t.Helper()
	db := raw(t, path)
	execute(t, db, "BEGIN IMMEDIATE")
	return db
}

func TestAStoreGivesUp(t *testing.T) {
	s, path := open(t)
	run := begin(t, s, spec("snake", "a"))
	s.Wait(ctx, 3*time.Second, func(string) {
		s.patience = time.Millisecond // long enough
		s.notice = func(text string) { t.Errorf("it waits again: %s", text) }
	})
	shell := holdDatabase(t, path)
	err := s.AddCandidates(ctx, run.ID, newWorld(random(1)).candidates)
	if err == nil || !strings.Contains(err.Error(), "waited ") || !strings.Contains(err.Error(), "SQL shell") ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	// It does not wait as long again to end the run. Once the database is free it is as before.
	if err := s.Finish(ctx, run.ID, experiments.Failed); err == nil || s.patience > 0 {
		t.Errorf("finished while another program held the database: %v, patience %v", err, s.patience)
	}
	execute(t, shell, "ROLLBACK")
	must(t, s.Finish(ctx, run.ID, experiments.Failed))
}

func TestAnInterruptedStoreDoesNotWait(t *testing.T) {
	s, path, w, run := begun(t)
	ctx, cancel := context.WithCancel(ctx)
	s.Wait(ctx, time.Hour, func(string) { cancel() })
	shell := holdDatabase(t, path)
	defer execute(t, shell, "ROLLBACK")
	for i := range 3 {
		must(t, w.blocks[0].add(s, run.ID, i))
	}
	if err := s.SetChampion(ctx, run.ID, 1, "salt"); err == nil || ctx.Err() == nil {
		t.Errorf("it did not wait: %v", err)
	}
	if err := s.Finish(ctx, run.ID, experiments.Interrupted); err == nil {
		t.Error("the run was finished while another program held the database")
	}
}

// TestAReaderOfAFinishedFile: while somebody reads a file that nobody was writing, no run can
// begin.
func TestAReaderOfAFinishedFile(t *testing.T) {
	path := whole(t)
	shell := raw(t, path)
	execute(t, shell, "BEGIN")
	must(t, shell.QueryRow("SELECT count(*) FROM runs").Scan(new(int)))
	writer := sure(connect(writing, path, "rw", attempt))(t)
	defer writer.Close()
	fails(t, "", prepare(ctx, writer, "open", path),
		"such as a notebook or a shell with an open transaction (close the file there")
	execute(t, shell, "ROLLBACK")
	must(t, prepare(ctx, writer, "open", path))
}
