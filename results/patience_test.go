package results

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"tune2048/experiments"
)

// hold opens a transaction that writes, as somebody might in a shell.
func holdDatabase(t *testing.T, path string) *sql.Conn {
	t.Helper()
	c, err := raw(t, path).Conn(context.Background())
	must(t, err)
	_, err = c.ExecContext(context.Background(), "BEGIN IMMEDIATE")
	must(t, err)
	return c
}

func rollback(t *testing.T, c *sql.Conn) {
	t.Helper()
	_, err := c.ExecContext(context.Background(), "ROLLBACK")
	must(t, err)
	must(t, c.Close())
}

func TestAStoreWaitsForATransaction(t *testing.T) {
	s, path := open(t)
	run := begin(t, s, spec("snake", "a"))
	var told []string
	c := holdDatabase(t, path)
	s.Wait(context.Background(), time.Hour, func(text string) {
		if told = append(told, text); len(told) == 1 {
			rollback(t, c)
		}
	})
	must(t, s.AddCandidates(context.Background(), run.ID, newWorld(random(1)).candidates))
	if len(told) != 2 || !strings.Contains(told[0], "held by another program") || !strings.Contains(told[1], "is free again") {
		t.Errorf("told %q", told)
	}
}

func TestAStoreGivesUp(t *testing.T) {
	s, path := open(t)
	run := begin(t, s, spec("snake", "a"))
	s.Wait(context.Background(), time.Second, nil)
	c := holdDatabase(t, path)
	began := time.Now()
	err := s.AddCandidates(context.Background(), run.ID, newWorld(random(1)).candidates)
	if err == nil || !strings.Contains(err.Error(), "waited ") || !strings.Contains(err.Error(), "SQL shell") || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if waited := time.Since(began); waited < time.Second {
		t.Errorf("gave up after %v", waited)
	}
	// It does not wait as long again to end the run, and once the database is free it is as before.
	s.patience.limit = time.Hour
	s.patience.tell = func(text string) {
		t.Errorf("it waits again: %s", text)
		s.patience.limit = 0
	}
	if err := s.Finish(context.Background(), run.ID, experiments.Failed); err == nil {
		t.Error("finished while another program held the database")
	}
	rollback(t, c)
	must(t, s.Finish(context.Background(), run.ID, experiments.Failed))
	if s.patience.spent {
		t.Error("the store stays impatient")
	}
}

func TestAnInterruptedStoreDoesNotWait(t *testing.T) {
	s, path := open(t)
	run := begin(t, s, spec("snake", "a"))
	w := newWorld(random(1))
	must(t, s.AddCandidates(context.Background(), run.ID, w.candidates))
	ctx, cancel := context.WithCancel(context.Background())
	s.Wait(ctx, time.Hour, nil)
	c := holdDatabase(t, path)
	defer rollback(t, c)
	for i := range 3 {
		must(t, s.AddGame(ctx, run.ID, w.blocks[0].Block, i, w.blocks[0].games[i]))
	}
	time.AfterFunc(300*time.Millisecond, cancel)
	s.SetChampion(ctx, run.ID, 1)
	if ctx.Err() == nil {
		t.Error("it did not wait")
	}
	if err := s.Finish(context.Background(), run.ID, experiments.Interrupted); err == nil || s.Lost() != 3 {
		t.Errorf("%d games lost, %v", s.Lost(), err)
	}
}
