package results

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
)

// version4 returns the path of a file that the program at commit 50db9161 made. It has a run with
// two endings, a comparison, and a run that was killed.
func version4(t *testing.T) string {
	t.Helper()
	file := sure(os.Open("testdata/version4.db.gz"))(t)
	defer file.Close()
	path := filepath.Join(t.TempDir(), "tune.db")
	must(t, os.WriteFile(path, sure(io.ReadAll(sure(gzip.NewReader(file))(t)))(t), 0o644))
	return path
}

// texts are the rows of a statement, as text.
func rowTexts(t *testing.T, path, statement string) (all []string) {
	t.Helper()
	db := raw(t, path)
	defer db.Close()
	for row, err := range each(ctx, db, scanText, statement) {
		must(t, err)
		all = append(all, row)
	}
	return all
}

// TestVersion4IsTakenOver: each view has the same rows of the longest ending as before, by
// whichever command the file is opened first, and the table of endings has the shorter one. Games
// that a run took from the memo are listed, too. A copy stays.
func TestVersion4IsTakenOver(t *testing.T) {
	path := version4(t)
	// A worker, games under way, and games that were not kept.
	edit(t, path, `PRAGMA foreign_keys = off; INSERT INTO workers VALUES (77, 1, 'elsewhere'), (78, 4, 'elsewhere');
		UPDATE games SET worker_id = iif(run_id = 4, 78, 77) WHERE id % 3 = 0 AND run_id <> 2; DELETE FROM asked WHERE run_id = 4 AND number > 80; DELETE FROM games WHERE id % 7 = 0`)
	asked := []string{"SELECT json_array(name, base_name, kind, config_yaml, config_hash, tuning, seed, objective, " +
		"signature, status, champion_id % 10000000, held_out_salt, done, " +
		"started_at, worked_ms) FROM runs WHERE name NOT LIKE '%@%' ORDER BY name"}
	named := map[string]string{"evaluations": "evaluations AS v JOIN runs AS r ON r.id = v.run_id"}
	for _, name := range []string{"leaderboard", "champions", "convergence", "tile_rates", "verdicts", "vectors",
		"evaluations"} {
		var columns []string // ids are others
		for _, column := range rowTexts(t, path, "SELECT name FROM pragma_table_info('"+name+
			"') WHERE name NOT IN ('run_id', 'weights')") {
			column = "v." + column
			if strings.HasSuffix(column, "_id") {
				column += " % 10000000"
			}
			columns = append(columns, column)
		}
		from, run := name+" AS v", "v.run"
		if named[name] != "" {
			from, run = named[name], "r.name"
		}
		list := strings.ReplaceAll(strings.Join(columns, ", "), "v.key", "hex(v.key)")
		if name == "verdicts" { // version 4 does not name the centres of a trend
			run = "v.phase <> 'trend' AND " + run
		}
		asked = append(asked, "SELECT json_array("+list+") AS text FROM "+from+" WHERE "+run+" NOT LIKE '%@%' ORDER BY text")
	}
	const games = "SELECT json_array(r.name, g.id % 50000000000, candidate_id % 10000000, phase, stage, search, " +
		"generation, round, g.seed, score, max_tile, moves, nodes, capped, " +
		"final_board, duration_us, (SELECT w.name FROM workers AS w WHERE w.id = worker_id)) AS text FROM games AS g " +
		"JOIN runs AS r ON r.id = g.run_id WHERE r.name NOT LIKE '%@%' ORDER BY text"
	played := rowTexts(t, path, games)
	before := map[string][]string{}
	for _, statement := range asked {
		before[statement] = rowTexts(t, path, statement)
	}
	shorter := rowTexts(t, path, "SELECT json_array(held_out_salt, champion_id % 10000000, config_hash, "+
		"finished_at) FROM runs WHERE name = 'small@3'")
	r := sure(OpenReader(path))(t)
	for _, statement := range asked {
		if got := rowTexts(t, path, statement); len(got) == 0 || !slices.Equal(got, before[statement]) {
			t.Errorf("%.60s: got %d rows, want %d: %s", statement, len(got), len(before[statement]),
				firstUnlike(got, before[statement]))
		}
	}
	if got := rowTexts(t, path, "SELECT json_array(held_out_salt, champion_id % 10000000, config_hash, finished_at) "+
		"FROM endings WHERE generations = 3"); !slices.Equal(got, shorter) {
		t.Errorf("the shorter ending is %v, was %v", got, shorter)
	}
	listed := map[string]bool{}
	for _, row := range rowTexts(t, path, games) {
		listed[row] = true
	}
	for _, row := range played {
		if !listed[row] {
			t.Errorf("a game is lost: %s", row)
		}
	}
	under := rowTexts(t, path, "SELECT count(*) || '' FROM playing")[0]
	if len(listed) <= len(played) || under == "0" { // those that the longer ending took from the shorter one
		t.Errorf("%d games were played, %d are listed, %s are under way", len(played), len(listed), under)
	}
	for _, run := range sure(r.Runs(ctx))(t) {
		print := sure(fingerprint(ctx, r.at, run.ID))(t)
		if finished := run.Status == experiments.Finished; finished != (print == run.Fingerprint) || run.Tuner != "" {
			t.Errorf("%s, %s by tuner %q: its fingerprint is %s, its content has %s", run.Name, run.Status, run.Tuner,
				run.Fingerprint, print)
		}
	}
	must(t, r.Close())
	for _, check := range []string{"PRAGMA integrity_check", "SELECT count(*) || '' FROM pragma_foreign_key_check"} {
		if got := rowTexts(t, path, check); !slices.Equal(got, []string{"ok"}) && !slices.Equal(got, []string{"0"}) {
			t.Errorf("%s: got %v", check, got)
		}
	}
	if got := rowTexts(t, path+".version4", "SELECT user_version || '' FROM pragma_user_version"); !slices.Equal(got,
		[]string{"4"}) {
		t.Errorf("the copy is of version %v", got)
	}
	s := reopen(t, path)
	newest := sure(s.reader.Runs(ctx))(t)[0].ID
	if run := begin(t, s, spec("new", "new")); run.ID != newest+2 { // a number is never used twice
		t.Errorf("the next run has number %d after %d", run.ID, newest)
	}
}

// firstUnlike shows where two lists part.
func firstUnlike(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("got %s, want %s", got[i], want[i])
		}
	}
	return "one has more rows"
}

// TestATakeoverIsClosed: by a command that only reads, whatever the journal of the file is.
func TestATakeoverIsClosed(t *testing.T) {
	for _, mode := range []string{"DELETE", "WAL"} {
		path := version4(t)
		edit(t, path, "PRAGMA journal_mode = "+mode)
		must(t, sure(OpenReader(path))(t).Close())
		if beside := sure(filepath.Glob(path + "-*"))(t); len(beside) > 0 {
			t.Errorf("%s: beside the file are %v", mode, beside)
		}
	}
}

// TestATakeoverLeavesWhatIsNotOurs: views and indexes of the file's owner, whatever they are
// called. An index of what is a view now goes.
func TestATakeoverLeavesWhatIsNotOurs(t *testing.T) {
	path := version4(t)
	edit(t, path, `CREATE TABLE mine (a); CREATE INDEX mine_a ON mine (a); CREATE INDEX seeds ON runs (seed); CREATE INDEX fast ON memo (games); CREATE INDEX gone ON games (score);
		CREATE VIEW name AS SELECT name FROM runs; CREATE VIEW fitness AS SELECT 1 AS fitness`)
	const own = "SELECT type || ' ' || name || ' ' || sql FROM sqlite_schema " +
		"WHERE name IN ('mine', 'mine_a', 'fast', 'name', 'fitness') ORDER BY 1"
	want := rowTexts(t, path, own)
	reading(t, path)
	if got := rowTexts(t, path, own); len(want) != 5 || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	path = version4(t)
	edit(t, path, "CREATE TRIGGER mine AFTER INSERT ON runs BEGIN DELETE FROM memo; END")
	fails(t, "a trigger", second(OpenReader(path)), "it has a trigger, mine")
	if got := rowTexts(t, path, "SELECT user_version || '' FROM pragma_user_version"); !slices.Equal(got, []string{"4"}) {
		t.Errorf("the file is of version %v", got)
	}
}

// TestATakeoverIsWholeOrNot: one that fails leaves the file as it was, and the next one begins
// anew.
func TestATakeoverIsWholeOrNot(t *testing.T) {
	path := version4(t)
	want := rowTexts(t, path, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
	must(t, os.WriteFile(path+".version4", []byte("somebody's file"), 0o644))
	must(t, os.WriteFile(path+".version4.part", []byte("of a process that was killed"), 0o644))
	edit(t, path, "PRAGMA ignore_check_constraints = ON; UPDATE runs SET id = 200000 WHERE id = 3") // no number of this version
	fails(t, "a false row", second(OpenReader(path)), "CHECK constraint failed")
	edit(t, path, "PRAGMA ignore_check_constraints = ON; UPDATE runs SET id = 3 WHERE id = 200000")
	if got := rowTexts(t, path, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"); !slices.Equal(got,
		want) {
		t.Errorf("the schema is another one: %s", firstUnlike(got, want))
	}
	for run := range int64(4) {
		lock := sure(acquire(lockPath(path, 1+run)))(t)
		fails(t, "a run under way", second(OpenReader(path)), "is under way with an older program")
		must(t, lock.release())
	}
	s := reopen(t, path)
	counts(t, s, "endings", 4)
	if got := sure(filepath.Glob(path + ".version4*"))(t); !slices.Equal(got,
		[]string{path + ".version4", path + ".version4.2"}) {
		t.Errorf("beside the file are %v", got)
	}
	if got := string(sure(os.ReadFile(path + ".version4"))(t)); got != "somebody's file" {
		t.Errorf("somebody's file holds %.20q", got)
	}
}
