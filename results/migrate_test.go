package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// withStep lets there be a version 2 until the test is over.
func withStep(t *testing.T, statements string) {
	t.Helper()
	steps = []string{statements}
	t.Cleanup(func() { steps = nil })
}

// TestMigration: an older database is brought up to date, by several processes at once as by one, with all that was in it.
func TestMigration(t *testing.T) {
	path := whole(t)
	withStep(t, "CREATE TABLE notes (text TEXT) STRICT; INSERT INTO notes VALUES ('once')")
	if _, err := OpenReader(path); err == nil || !strings.Contains(err.Error(), "its version is 1, this program reads 2") {
		t.Errorf("a reader of an older version: %v", err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			s, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s, err := Open(path)
	must(t, err)
	defer s.Close()
	if n := count(t, s, "notes"); n != 1 {
		t.Errorf("the step was done %d times", n)
	}
	if run := begin(t, s, spec("snake", "snake")); !run.Resumed || count(t, s, "games") == 0 {
		t.Errorf("got %+v", run)
	}
}

// TestFailedMigration: a step that fails leaves the database as it was, and the error says so.
func TestFailedMigration(t *testing.T) {
	path := whole(t)
	withStep(t, "CREATE TABLE notes (text TEXT) STRICT; INSERT INTO missing VALUES (1)")
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "from version 1 to 2: no such table: missing") {
		t.Errorf("got %v", err)
	}
	steps = nil
	s, err := Open(path)
	must(t, err)
	defer s.Close()
	if tables := count(t, s, "sqlite_schema WHERE name = 'notes'"); tables != 0 {
		t.Error("half a step was done")
	}
}

// TestOldColumns: a file of version 1 with the columns that recorded wrong workers is read as it is.
// The first writer drops the columns and keeps the rows.
func TestOldColumns(t *testing.T) {
	old := schema
	for _, change := range [][2]string{
		{"\tchampion_id ", `	played_again   INTEGER NOT NULL DEFAULT 0, -- games that were forgotten and played again, since a worker had told wrong of one
	champion_id `},
		{"\tgames_per_second ", `	repeated         INTEGER NOT NULL, -- of the run, that somebody else had told of before
	audited          INTEGER NOT NULL, -- of its games, that another one played too, and that came out the same
	games_per_second `},
		{"\tUNIQUE (run_id, name)", `	cut_off          TEXT,             -- why its games are not believed any more; NULL: they are
	first_game       INTEGER,          -- number of the run's first game that it told of; NULL: none, or it is cut off and all were checked
	UNIQUE (run_id, name)`},
	} {
		if strings.Count(old, change[0]) != 1 {
			t.Fatalf("the schema has not one %q", change[0])
		}
		old = strings.Replace(old, change[0], change[1], 1)
	}
	path := filepath.Join(t.TempDir(), "tune.db")
	db := raw(t, path)
	execute(t, db, old+fmt.Sprintf("; PRAGMA application_id = %d; PRAGMA user_version = 1", applicationID))
	execute(t, db, `INSERT INTO runs (id, name, base_name, kind, config_yaml, config_hash, seed, objective, signature, own_games_only, status,
			played_again, go_version, goarch, started_at, updated_at)
		VALUES (1, 'snake', 'snake', 'tune', 'yaml', 'hash', 5, 'mean_score', 'x', 0, 'interrupted', 20, 'go', 'amd64', '2026-01-31T22:00:00.000Z', '2026-01-31T23:00:00.000Z');
		INSERT INTO workers VALUES (1, 1, 'w', 8, 'v1', 'x', 5, 4, 3, 2.5, '2026-01-31T22:00:00.000Z', '2026-01-31T23:00:00.000Z', 'why', 7)`)
	must(t, db.Close())
	check := func(r *Reader) {
		t.Helper()
		w, err := r.Workers(t.Context(), 1)
		if err != nil || len(w) != 1 || w[0].Name != "w" || w[0].Games != 5 || w[0].Speed != 2.5 || w[0].LastSeen.Hour() != 23 {
			t.Errorf("got %+v, %v", w, err)
		}
		if run, err := r.Find(t.Context(), "snake"); err != nil || run.Signature != "x" || run.Champion != -1 || run.Updated.Hour() != 23 {
			t.Errorf("got %+v, %v", run, err)
		}
	}
	r, err := OpenReader(path)
	must(t, err)
	check(r)
	must(t, r.Close())
	for range 2 { // the second time there is nothing to drop
		s, err := Open(path)
		must(t, err)
		check(s.Reader())
		for _, gone := range []string{"'workers') WHERE name IN ('repeated', 'audited', 'cut_off', 'first_game')", "'runs') WHERE name = 'played_again'"} {
			if n := count(t, s, "pragma_table_info("+gone); n != 0 {
				t.Errorf("%d columns are left: %s", n, gone)
			}
		}
		must(t, s.Close())
	}
}

func TestOpenRefusesANewerVersion(t *testing.T) {
	path := whole(t)
	db := raw(t, path)
	execute(t, db, fmt.Sprintf("PRAGMA user_version = %d", newestVersion()+1))
	must(t, db.Close())
	refused(t, path, ErrNewer, "update this program", fmt.Sprint(newestVersion()+1))
}

// TestIdentifyWhileTheFileIsCreated: what is read of a file to know it is of one moment.
func TestIdentifyWhileTheFileIsCreated(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "tune.db")
		reader, err := connect(writing, path, "rwc", busyTimeout)
		must(t, err)
		var created atomic.Bool
		done := make(chan error, 1)
		go func() {
			s, err := Open(path)
			if err == nil {
				err = s.Close()
			}
			created.Store(true)
			done <- err
		}()
		for !created.Load() {
			if _, err := identify(context.Background(), reader, "open", path); errors.Is(err, ErrForeign) {
				t.Fatalf("a database that is just being created: %v", err)
			}
		}
		must(t, <-done)
		must(t, reader.Close())
	}
}

// TestOtherSchema: a file with other tables or views than the schema's is refused before anything is asked of it; what its
// owner added is not looked at.
func TestOtherSchema(t *testing.T) {
	for change, refused := range map[string]bool{
		"CREATE TABLE mine (a); CREATE VIEW yours AS SELECT 1; CREATE INDEX fast ON games (score); ANALYZE": false,
		"DROP VIEW verdicts":                                   true,
		"DROP TABLE spreads":                                   true,
		"ALTER TABLE evaluations DROP COLUMN m2_fitness":       true,
		"ALTER TABLE games ADD COLUMN comment TEXT":            true,
		"DROP VIEW progress; CREATE VIEW progress AS SELECT 1": true,
	} {
		path := whole(t)
		db, err := sql.Open("sqlite3", path)
		must(t, err)
		_, err = db.Exec(change)
		must(t, err)
		must(t, db.Close())
		s, err := Open(path)
		if (err != nil) != refused || refused && !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", change, err)
		}
		if err == nil {
			s.Close()
		}
		if r, err := OpenReader(path); (err != nil) != refused {
			t.Errorf("%s: reading: %v", change, err)
		} else if err == nil {
			r.Close()
		}
	}
}
