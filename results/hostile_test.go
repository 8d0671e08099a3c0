package results

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// whole returns the path of a database with the finished run snake.
func whole(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tune.db")
	s := sure(Open(path))(t)
	recordRun(t, s, "snake", 1)
	must(t, s.Close())
	return path
}

// TestForeignSchema: what a user adds for himself is welcome, and no connection trusts what
// somebody put into the schema.
func TestForeignSchema(t *testing.T) {
	path := whole(t)
	edit(t, path, "CREATE VIEW mine AS SELECT name FROM runs; CREATE TABLE notes (a); CREATE INDEX fast ON memo (games)")
	s := reopen(t, path)
	r := reading(t, path)
	for name, q := range map[string]querier{"writer": s.writer, "its reader": s.reader.db, "reader": r.db} {
		var trusted, checked, rows int
		must(t, q.QueryRowContext(ctx, "PRAGMA trusted_schema").Scan(&trusted))
		must(t, q.QueryRowContext(ctx, "PRAGMA cell_size_check").Scan(&checked))
		must(t, q.QueryRowContext(ctx, "SELECT count(*) FROM mine").Scan(&rows))
		if trusted != 0 || checked != 1 || rows != 1 {
			t.Errorf("%s: trusted_schema %d, cell_size_check %d, %d rows", name, trusted, checked, rows)
		}
	}
}

// TestHostileRows: whatever somebody wrote into the tables is an error or a figure, never a panic,
// an endless loop, or all of the memory.
func TestHostileRows(t *testing.T) {
	text := sure(os.ReadFile(whole(t)))(t)
	path := filepath.Join(memory(t), "tune.db")
	share := 3 // a third of all pairs is enough for every run of the tests
	if testing.Short() {
		share = 13 // one value for each column
	}
	for i, column := range []string{
		"searches.id", "searches.name", "searches.ending_id", "searches.sizes", "searches.unrepeatable", "endings.id",
		"endings.search_id", "endings.name",
		"endings.base_name", "endings.kind", "endings.config_yaml", "endings.seed", "endings.status", "endings.started_at",
		"endings.finished_at", "endings.done",
		"endings.expected_end", "endings.champion_id", "endings.fingerprint", "endings.generations", "endings.candidates",
		"endings.questions", "endings.stopped_after",
		"endings.sizes", "endings.figured", "endings.worked_ms", "endings.tuning", "asked.owner_id", "asked.duration_us",
		"candidates.id", "candidates.number", "candidates.dead", "candidates.origin", "candidates.names",
		"candidates.weights",
		"asked.games", "asked.slice", "asked.number", "asked.mean_score", "asked.candidate_id", "asked.memo_id",
		"asked.moves", "asked.phase",
		"slices.first_game", "slices.round", "slices.phase", "slices.search", "slices.seeds", "slices.number",
		"memo.key", "memo.only_run", "memo.games", "memo.scores", "memo.ranks", "memo.moves", "memo.nodes", "memo.boards",
		"memo.times", "memo.workers", "memo.failure",
		"playing.seed", "playing.score", "playing.candidate_id", "playing.search", "playing.rank", "playing.nodes",
		"playing.board", "comparisons.ratio", "comparisons.verdict", "comparisons.more_games", "comparisons.look",
		"standings.candidate_id", "standings.games", "standings.ranks", "standings.moves", "standings.mean_score",
		"standings.phase", "standings.position", "generations.played", "tiles.tile",
	} {
		table, name, _ := strings.Cut(column, ".")
		for k, value := range []string{"NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "9e999", "-9e999",
			"x'00ff'", "''", "char(27) || '[2J' || char(10)", "printf('%.*c', 100000, 'x')", "'nan'", "'depth 31'"} {
			if (i+k)%share > 0 {
				continue
			}
			must(t, os.WriteFile(path, text, 0o644))
			db := raw(t, path)
			// A file that was made with other constraints, and then got ours.
			execute(t, db, "PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on; PRAGMA synchronous = off; BEGIN")
			if _, err := db.Exec(fmt.Sprintf("UPDATE %s SET %s = %s WHERE rowid = (SELECT min(rowid) FROM %s)", table, name,
				value, table)); err != nil {
				// WITHOUT ROWID, or a type that STRICT refuses.
				db.Exec(fmt.Sprintf("UPDATE OR IGNORE %s SET %s = %s", table, name, value))
			}
			execute(t, db, "COMMIT")
			must(t, db.Close())
			useAll(path)
		}
	}
}

// useAll asks everything of a database. Errors are welcome.
func useAll(path string) {
	r, err := OpenReader(path)
	if err != nil {
		return
	}
	defer r.Close()
	runs, _ := r.Runs(ctx)
	ids := []int64{1, 2}
	for _, run := range runs {
		ids = append(ids, run.ID)
		r.Champion(ctx, run.Name)
		r.Summary(ctx, run, 0, nil, nil)
		r.Sample(ctx, run)
		r.Shown(ctx, run, []int{0, 3}, 2)
		r.Variants(ctx, run)
		r.Endings(ctx, run)
		r.Asked(ctx, run.BaseName, run.Tuning, run.Programs)
		r.Find(ctx, run.Root+"@5")
		r.Find(ctx, run.Root+openEnding)
	}
	for _, id := range ids[:min(len(ids), 3)] {
		r.Candidates(ctx, id, 0, 1000)
		r.Comparisons(ctx, id)
		fingerprint(ctx, r.at, id)
		r.Behind(ctx)
		r.Evaluations(ctx, id)
		r.GameOf(ctx, id, "validation", "depth 3", 2, 7)
		r.Replay(ctx, GameID(id, 1, 0))
		r.Latest(ctx, id)
	}
	r.Champion(ctx, "")
	r.Find(ctx, "snaek")
	statements := []string{"SELECT * FROM leaderboard LIMIT 10", "SELECT * FROM vectors", "SELECT * FROM games",
		"SELECT * FROM weights"}
	for _, q := range NamedQueries() {
		statements = append(statements, q.SQL)
	}
	for _, statement := range statements {
		rows(r, statement)
	}
}

func TestHostileEvaluationsAreDamage(t *testing.T) {
	for _, change := range []string{"asked SET games = 4611686018427387904", "asked SET games = 51",
		"asked SET games = -1", "asked SET games = 0", "asked SET games = games + 1",
		"slices SET first_game = -1", "memo SET scores = '[1,2'", "memo SET scores = '[]'",
		"memo SET failure = 'it exited'; UPDATE asked SET memo_id = 7777",
		"memo SET scores = '[1,2,3,4,9e999]' WHERE games = 5", "memo SET scores = '[1,2,3,4,NaN]' WHERE games = 5",
		"memo SET scores = '[1,2,3,4,-Inf]' WHERE games = 5",
		"memo SET ranks = '[11]' WHERE games = 5", "memo SET ranks = '[1,2,3,4,63]' WHERE games = 5",
		"memo SET ranks = '1,2,3,4,5' WHERE games = 5",
		"memo SET moves = '[1,2,3,4,x]' WHERE games = 5", "memo SET nodes = '[1]'"} {
		path := whole(t)
		edit(t, path, "PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on; UPDATE OR IGNORE "+change)
		if found, err := reading(t, path).Evaluations(ctx, 2); !errors.Is(err, ErrDamaged) &&
			!(err == nil && len(found) == 0) {
			t.Errorf("%s: got %d evaluations, %v", change, len(found), err)
		}
	}
}

// TestHugeCountsAreDamage: a row of the memo that claims more games than a slice has is refused
// before anything is made of that size.
func TestHugeCountsAreDamage(t *testing.T) {
	for _, games := range []string{"1000000000000000", "9223372036854775807", "-1"} {
		s, path, w, run := begun(t)
		b := w.blocks[0]
		must(t, b.finish(s, run.ID, true))
		edit(t, path, "PRAGMA ignore_check_constraints = on; UPDATE memo SET games = "+games+"; DELETE FROM asked")
		_, err := known(s, run.ID, b)
		fails(t, games, err, "no slice has "+games+" games", ErrDamaged)
	}
}

// TestLongTextsAreRefused: lists whose texts would take the memory are damage.
func TestLongTextsAreRefused(t *testing.T) {
	defer func(most held) { maxHeld = most }(maxHeld)
	maxHeld = 1 << 20
	text := sure(os.ReadFile(whole(t)))(t)
	path := filepath.Join(memory(t), "tune.db")
	for column, holder := range map[string]func(*Reader) error{
		"candidates.origin":    func(r *Reader) error { return second(r.Candidates(ctx, 2, 0, 1000)) },
		"comparisons.question": func(r *Reader) error { return second(r.Comparisons(ctx, 2)) },
		"endings.config_yaml":  func(r *Reader) error { return second(r.Runs(ctx)) },
		"searches.note":        func(r *Reader) error { return second(r.Find(ctx, "snake")) },
		"searches.name":        func(r *Reader) error { return second(r.Find(ctx, "snake")) },
	} {
		for length, want := range map[string]string{"1000": "", "1100000": "its texts are too long"} {
			must(t, os.WriteFile(path, text, 0o644))
			table, name, _ := strings.Cut(column, ".")
			edit(t, path, fmt.Sprintf("PRAGMA synchronous = off; UPDATE %s "+
				"SET %s = coalesce(%[2]s, '') || printf('%%.*c', %s, 'x')", table, name, length))
			if err := holder(reading(t, path)); want != "" {
				fails(t, column, err, want, ErrDamaged)
			} else if err != nil && column != "searches.name" {
				t.Errorf("%s: %v", column, err)
			}
		}
	}
}

// TestNewRunBeginsEmpty: it takes no rows that somebody put where its rows will lie.
func TestNewRunBeginsEmpty(t *testing.T) {
	path := whole(t)
	edit(t, path, `PRAGMA foreign_keys = off;
		CREATE TEMP TABLE next AS SELECT 3 AS id UNION ALL SELECT 4;
		INSERT INTO playing SELECT g.id % 50000000000 + 50000000000 * n.id, 3, candidate_id, phase, stage, search, generation, round, seed, 99999, 0, 0, 0, zeroblob(8), duration_us, NULL
			FROM games AS g, next AS n;
		INSERT INTO slices SELECT n.id, number, phase, stage, search, generation, round, first_game, seeds FROM slices, next AS n;
		INSERT INTO asked SELECT n.id, number, slice, phase, candidate_id, memo_id, games, 99999, 0, 99999, moves, nodes, duration_us FROM asked, next AS n;
		INSERT INTO candidates SELECT number + 1000000000 * n.id, 3, number, generation, stage, origin, name, dead, play, names, weights FROM candidates, next AS n`)
	s := reopen(t, path)
	if run := begin(t, s, spec("other", "hash")); run.ID != 4 {
		t.Fatal(run.ID)
	}
	r := s.Reader()
	for table, owner := range map[string]string{"playing": "id / 50000000000", "slices": "owner_id", "asked": "owner_id",
		"candidates": "id / 1000000000"} {
		if found := sure(rows(r, "SELECT count(*) FROM "+table+" WHERE "+owner+" > 2"))(t); found[0][0] != int64(0) {
			t.Errorf("%s: %v rows", table, found[0][0])
		}
	}
}

// TestQueriesWriteNothing: no statement of a reader changes the database or makes a file.
func TestQueriesWriteNothing(t *testing.T) {
	s, path := open(t)
	out := filepath.Join(t.TempDir(), "out.db")
	for _, reader := range []*Reader{reading(t, path), s.Reader()} {
		for statement, why := range map[string]string{
			"DELETE FROM endings": "tune query only reads", "DROP VIEW leaderboard": "tune query only reads",
			"DROP TABLE games":          "tune query only reads", // which is a view
			"PRAGMA user_version = 7":   "tune query only reads",
			"VACUUM INTO '" + out + "'": "", "ATTACH '" + out + "' AS other": "", "SELECT zeroblob(1000000000)": "",
		} {
			fails(t, statement, second(rows(reader, statement)), why)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file was written")
	}
}

// TestQueryEndsWhenAsked: a query without an end answers to its context.
func TestQueryEndsWhenAsked(t *testing.T) {
	r := reading(t, whole(t))
	ctx, cancel := context.WithCancel(ctx)
	err := r.Query(ctx, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT 0 "+
		"UNION ALL SELECT count(*) FROM c",
		func([]string) error { return nil }, func([]any) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
