package results

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"tune2048/experiments"
)

// rowsOf reads all tables, a text for each row. Every table has rows in it, so that a new one is
// not forgotten.
func rowsOf(t *testing.T, s *Store) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	tables := sure(collect(ctx, s.reader.db, scanText, "SELECT name FROM sqlite_schema "+
		"WHERE type = 'table' AND name NOT LIKE 'sqlite%'"))(t)
	for _, table := range tables {
		content := sure(rows(s.reader, "SELECT * FROM "+table))(t)
		for _, row := range content {
			all[table] = append(all[table], fmt.Sprint(row...))
		}
		if len(content) == 0 {
			t.Errorf("the test's world has nothing in the table %s", table)
		}
		slices.Sort(all[table])
	}
	return all
}

// playing adds a game under way to a run.
func playing(t *testing.T, s *Store, run int64) {
	t.Helper()
	execute(t, s.writer, fmt.Sprintf(`INSERT INTO playing SELECT max(id) + 50, run_id, candidate_id, phase, stage, search, generation, round, seed, 0, 0, 0, 0, zeroblob(8), 0, NULL
		FROM games WHERE run_id = %d`, run))
}

func TestDeleteLeavesTheOtherRunsAsTheyWere(t *testing.T) {
	s, path := open(t)
	recordRun(t, s, "first", 1)
	recordRun(t, s, "third", 3)
	playing(t, s, 1)
	want := rowsOf(t, s)
	recordRun(t, s, "second", 2)
	playing(t, s, 5)
	if slices.Equal(rowsOf(t, s)["standings"], want["standings"]) {
		t.Fatal("the second run has no figures")
	}
	must(t, second(s.Delete(ctx, "second")))
	got := rowsOf(t, s)
	for table := range want {
		if !slices.Equal(got[table], want[table]) {
			t.Errorf("table %s is not as it was: got %d rows, want %d", table, len(got[table]), len(want[table]))
		}
	}
	if lost, err := rows(s.reader, "SELECT * FROM pragma_foreign_key_check"); err != nil || len(lost) > 0 {
		t.Errorf("rows refer to nothing: %v, %v", lost, err)
	}
	if _, err := os.Stat(lockPath(path, 5)); err == nil {
		t.Error("the lock file of a run that is gone is left")
	}
	// The third run goes too: much of the file is free, and is given back.
	var before int64
	must(t, s.writer.QueryRow("SELECT page_size * page_count FROM pragma_page_size, pragma_page_count").Scan(&before))
	if free := sure(s.Delete(ctx, "third"))(t); free != 0 {
		t.Errorf("%d bytes spare", free)
	}
	must(t, s.Close())
	after := sure(os.Stat(path))(t)
	if after.Size() >= before {
		t.Errorf("%d bytes before, %d after", before, after.Size())
	}
	s = reopen(t, path)
	if run := begin(t, s, spec("first", "first")); run.Status != experiments.Finished {
		t.Errorf("the run that was left: %+v", run)
	}
	// A number is never used twice.
	if run := begin(t, s, spec("fourth", "x")); run.ID != 8 {
		t.Errorf("the next run has number %d", run.ID)
	}
	// What the writer records is checked again.
	if _, err := s.writer.Exec("UPDATE asked SET candidate_id = 77"); err == nil {
		t.Error("foreign keys are not enforced any more")
	}
}

func TestDeleteRefuses(t *testing.T) {
	s, path := open(t)
	recordRun(t, s, "snake", 1)
	fails(t, "unknown name", second(s.Delete(ctx, "snaek")), "did you mean snake", ErrNotFound)
	fails(t, "no name", second(s.Delete(ctx, "")), "")
	other := reopen(t, path)
	begin(t, other, spec("snake", "snake"))
	fails(t, "a run in use", second(s.Delete(ctx, "snake")), "(wait for it or stop it)", experiments.ErrBusy)
	must(t, other.Finish(ctx, 2, experiments.Interrupted))
	must(t, second(s.Delete(ctx, "snake")))
}
