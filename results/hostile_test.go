package results

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tune2048/experiments"
)

// whole returns the path of a database with a finished run.
func whole(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tune.db")
	s, err := Open(path)
	must(t, err)
	r := random(1)
	w := newWorld(r)
	run := begin(t, s, spec("snake", "a"))
	w.record(t, s, run.ID, true, r)
	must(t, s.Finish(context.Background(), run.ID, experiments.Finished))
	must(t, s.Close())
	return path
}

// TestAlteredSchema: a file whose schema does other things than ours is refused before anything of it is used; what a
// user added for himself is not.
func TestAlteredSchema(t *testing.T) {
	for statement, want := range map[string]string{
		"CREATE TRIGGER evil AFTER INSERT ON runs BEGIN DELETE FROM games; END":                                                     `trigger "evil"`,
		"CREATE TABLE mine (a); CREATE TRIGGER evil AFTER INSERT ON mine BEGIN DELETE FROM games; END":                              `trigger "evil"`,
		"DROP VIEW champions; CREATE VIEW champions AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT * FROM c": `view "champions" is not`,
		"DROP VIEW leaderboard":                       `view "leaderboard" is missing`,
		"PRAGMA foreign_keys = off; DROP TABLE games": `"games" is missing`,
		"ALTER TABLE runs ADD COLUMN bomb TEXT GENERATED ALWAYS AS (hex(zeroblob(1000000)))":                          `table "runs" is not`,
		"DROP TABLE comparisons; CREATE VIRTUAL TABLE comparisons USING fts3(run_id)":                                 `table "comparisons" is not`,
		"PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'games'": `table "games" is not`,
		"DROP INDEX pools_by_mean": `index "pools_by_mean" is missing`,
		"CREATE UNIQUE INDEX evil ON pools (ranking_id, candidate_id, setting_id)": `index "evil"`,
		"CREATE INDEX evil ON games (hex(zeroblob(score)))":                        `index "evil"`,
		"CREATE INDEX evil ON games (score) WHERE hex(zeroblob(score)) > ''":       `index "evil"`,
		"PRAGMA user_version = 0":  "missing|already exists|trigger",
		"PRAGMA user_version = -1": "version is -1",
		"PRAGMA user_version = 1":  "is not what this program makes|trigger|missing",
	} {
		path := whole(t)
		db := raw(t, path)
		execute(t, db, statement)
		must(t, db.Close())
		_, readErr := OpenReader(path)
		s, writeErr := Open(path)
		for _, err := range []error{readErr, writeErr} {
			found := false
			for _, w := range strings.Split(want, "|") {
				found = found || err != nil && strings.Contains(err.Error(), w)
			}
			if !found {
				t.Errorf("%s: want %q, got %v", statement, want, err)
			}
		}
		if s != nil {
			s.Close()
		}
	}
	path := whole(t)
	db := raw(t, path)
	execute(t, db, "CREATE VIEW mine AS SELECT name FROM runs; CREATE TABLE notes (a); CREATE INDEX fast ON games (score); ANALYZE")
	must(t, db.Close())
	r, err := OpenReader(path)
	must(t, err)
	must(t, r.Close())
	s, err := Open(path)
	must(t, err)
	must(t, s.Close())
}

// TestNothingBesideTheDatabaseIsFollowed: files beside a database that are links or pipes lead nowhere.
func TestNothingBesideTheDatabaseIsFollowed(t *testing.T) {
	ctx := context.Background()
	for _, kind := range []string{"link", "pipe"} {
		for _, ending := range []string{"-wal", "-shm", "-journal", ".run-1.lock"} {
			path := whole(t)
			precious := filepath.Join(t.TempDir(), "precious")
			must(t, os.WriteFile(precious, []byte("precious"), 0o644))
			db := raw(t, path)
			execute(t, db, "UPDATE runs SET status = 'running'")
			must(t, db.Close())
			if kind == "link" {
				must(t, os.Symlink(precious, path+ending))
			} else {
				must(t, syscall.Mkfifo(path+ending, 0o644))
			}
			r, readErr := OpenReader(path)
			if readErr == nil { // alive looks at the lock
				if _, err := r.Runs(ctx); err != nil {
					t.Error(err)
				}
				must(t, r.Close())
			}
			s, err := Open(path)
			if err == nil {
				_, err = s.Begin(ctx, spec("snake", "a"))
				must(t, s.Close())
			}
			if err == nil || !strings.Contains(err.Error(), path+ending) || !strings.Contains(err.Error(), "want a regular file") {
				t.Errorf("%s %s: got %v", kind, ending, err)
			}
			if (readErr == nil) != strings.HasSuffix(ending, "lock") {
				t.Errorf("%s %s: a reader: got %v", kind, ending, readErr)
			}
			if text, err := os.ReadFile(precious); err != nil || string(text) != "precious" {
				t.Errorf("%s %s: what it leads to has %q, %v", kind, ending, text, err)
			}
		}
	}
}

// TestLinkToTheDatabase: the path itself may be a link.
func TestLinkToTheDatabase(t *testing.T) {
	path := whole(t)
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	s, err := Open(link)
	must(t, err)
	must(t, s.Close())
}

// TestHostileRows: whatever somebody wrote into the tables is an error or a figure, never a panic, an endless loop, or all
// of the memory.
func TestHostileRows(t *testing.T) {
	ctx := context.Background()
	text, err := os.ReadFile(whole(t))
	must(t, err)
	path := filepath.Join(memory(t), "tune.db")
	for i, column := range []string{
		"runs.id", "runs.name", "runs.base_name", "runs.kind", "runs.config_yaml", "runs.seed", "runs.status", "runs.started_at",
		"runs.finished_at", "runs.champion_id", "runs.fingerprint", "runs.stopped_after",
		"candidates.id", "candidates.number", "candidates.dead", "candidates.origin", "weights.name", "weights.value", "weights.position",
		"evaluations.games", "evaluations.first_game", "evaluations.mean_score", "evaluations.m2_score", "evaluations.candidate_id",
		"evaluations.reached_128", "evaluations.moves", "evaluations.round", "evaluations.phase", "evaluations.search",
		"games.seed", "games.score", "games.candidate_id", "games.search", "games.capped", "games.nodes",
		"pools.games", "pools.moves", "pools.m2_score", "pools.mean_score", "rankings.setting_id", "rankings.phase", "comparisons.ratio",
		"generations.games", "generations.candidates", "blocks.games",
	} {
		table, name, _ := strings.Cut(column, ".")
		for k, value := range []string{"NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "9e999", "-9e999",
			"x'00ff'", "''", "char(27) || '[2J' || char(10)", "printf('%.*c', 100000, 'x')", "'nan'", "'depth 31'"} {
			if (i+k)%3 > 0 {
				continue // a third of all pairs is enough for every run of the tests
			}
			must(t, os.WriteFile(path, text, 0o644))
			db := raw(t, path)
			// As a file that was made with other constraints and then told to have ours.
			db.SetMaxOpenConns(1)
			execute(t, db, "PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on; PRAGMA synchronous = off; BEGIN")
			if _, err := db.Exec(fmt.Sprintf("UPDATE %s SET %s = %s WHERE rowid = (SELECT min(rowid) FROM %s)", table, name, value, table)); err != nil {
				// WITHOUT ROWID, or a type that STRICT refuses.
				db.Exec(fmt.Sprintf("UPDATE OR IGNORE %s SET %s = %s", table, name, value))
			}
			execute(t, db, "COMMIT")
			must(t, db.Close())
			useAll(ctx, path)
		}
	}
}

// useAll asks everything of a database. Errors are welcome.
func useAll(ctx context.Context, path string) {
	r, err := OpenReader(path)
	if err != nil {
		return
	}
	defer r.Close()
	runs, _ := r.Runs(ctx)
	ids := []int64{1}
	for _, run := range runs {
		ids = append(ids, run.ID)
		r.Champion(ctx, run.Name)
	}
	for _, id := range ids[:min(len(ids), 3)] {
		r.Candidates(ctx, id)
		r.Contrasts(ctx, id)
		r.Fingerprint(ctx, id)
		r.StoredEvaluations(ctx, id)
		for range r.StoredGames(ctx, id) {
			continue
		}
		r.GameOfRun(ctx, GameID(id, 1))
		r.CandidateByID(ctx, candidateID(id, 1))
	}
	r.Champion(ctx, "")
	r.Find(ctx, "snaek")
	r.Leaderboard(ctx, Filter{}, 10)
	r.HeldOutGames(ctx, "")
	for _, q := range NamedQueries() {
		r.Query(ctx, q.SQL, func([]string) error { return nil }, func([]any) error { return nil })
	}
}

func TestHostileEvaluationsAreDamage(t *testing.T) {
	for _, change := range []string{"games = 4611686018427387904", "first_game = -1", "m2_score = -1.0", "mean_score = 9e999", "candidate_id = 7"} {
		path := whole(t)
		db := raw(t, path)
		db.SetMaxOpenConns(1)
		execute(t, db, "PRAGMA foreign_keys = off; UPDATE OR IGNORE evaluations SET "+change)
		must(t, db.Close())
		r, err := OpenReader(path)
		must(t, err)
		if _, err := r.StoredEvaluations(context.Background(), 1); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v", change, err)
		}
		must(t, r.Close())
	}
}

// TestHostileName: the name of a run that is resumed is shown in commands to be pasted.
func TestHostileName(t *testing.T) {
	for _, name := range []string{"x; rm -rf ~", "snake.2; rm -rf ~", "-x", "../snake", ""} {
		path := whole(t)
		db := raw(t, path)
		if _, err := db.Exec("UPDATE runs SET name = ?", name); err != nil {
			t.Fatal(err)
		}
		must(t, db.Close())
		s, err := Open(path)
		must(t, err)
		if _, err := s.Begin(context.Background(), spec("snake", "a")); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: got %v", name, err)
		}
		must(t, s.Close())
	}
}

// TestQueriesWriteNothing: no statement of a reader makes a file.
func TestQueriesWriteNothing(t *testing.T) {
	r, err := OpenReader(whole(t))
	must(t, err)
	defer r.Close()
	out := filepath.Join(t.TempDir(), "out.db")
	for _, statement := range []string{"VACUUM INTO '" + out + "'", "ATTACH '" + out + "' AS other", "SELECT zeroblob(1000000000)"} {
		if err := r.Query(context.Background(), statement, func([]string) error { return nil }, func([]any) error { return nil }); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file was written")
	}
}

// TestQueryEndsWhenAsked: a query without an end answers to its context.
func TestQueryEndsWhenAsked(t *testing.T) {
	r, err := OpenReader(whole(t))
	must(t, err)
	defer r.Close()
	ctx, cancel := context.WithCancel(context.Background())
	err = r.Query(ctx, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT 0 UNION ALL SELECT count(*) FROM c",
		func([]string) error { return nil }, func([]any) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
