package results

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAReaderThatStays: a run notices that a transaction which somebody left open makes the
// write-ahead log grow: once when it is large, and again when it has doubled. The log is cut
// afterwards.
func TestAReaderThatStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	s := reopen(t, path)
	now := time.Date(2026, 10, 2, 22, 0, 0, 0, time.Local)
	s.clock = func() time.Time { return now }
	_, run := beginWorld(t, s)
	var notices []string
	s.Wait(ctx, time.Hour, func(text string) { notices = append(notices, text) })
	other := raw(t, path)
	execute(t, other, "PRAGMA synchronous = off; CREATE TABLE notes (a); INSERT INTO notes VALUES (NULL)")
	generations := 0
	goesOn := func(megabytes int, want ...string) {
		t.Helper()
		must(t, second(other.Exec("UPDATE notes SET a = zeroblob(?)", megabytes*1_000_000)))
		now, generations = now.Add(time.Minute), generations+1
		notices = nil
		must(t, setSize(s, run.ID, generations))
		if got := strings.Join(notices, "\n"); len(notices) != len(want) || !strings.Contains(got, strings.Join(want, "")) {
			t.Errorf("want %q, got %q", want, got)
		}
	}
	goesOn(80) // one large transaction, which nobody holds

	shell := raw(t, path)
	execute(t, shell, "BEGIN")
	var runs int
	must(t, shell.QueryRow("SELECT count(*) FROM runs").Scan(&runs))
	goesOn(1)
	goesOn(81, "somebody has been reading "+path+" for long")
	if text := s.Reader().LargeLog(); !strings.Contains(text, "close the notebook or shell that holds it open") {
		t.Errorf("a page says %q", text)
	}
	goesOn(1)
	goesOn(40)
	goesOn(81, path+"-wal has grown to 2")
	execute(t, shell, "ROLLBACK")
	goesOn(1)
	goesOn(1)
	if text := s.Reader().LargeLog(); text != "" {
		t.Errorf("afterwards a page says %q", text)
	}
}
