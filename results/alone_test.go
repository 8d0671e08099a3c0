package results

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
)

// TestAlone: the views have one run's rows, as if no other were in the database. An earlier ending
// has the rows that its run had when it was the longest. Afterwards all are there.
func TestAlone(t *testing.T) {
	s, _ := open(t)
	recordRun(t, s, "other", 3)
	short, long := newEndings(random(1))
	earlier := find(t, s, "other").ID + 2
	short.recordAs(t, s, length(3))
	asked := map[string][]cells{}
	for _, view := range []string{"champions", "verdicts", "tile_rates", "runs"} {
		asked[view] = rowsByColumn(t, s.reader, "SELECT * FROM "+view+" WHERE "+
			map[bool]string{true: "id", false: "run_id"}[view == "runs"]+" = 3")
	}
	long.recordAs(t, s, length(5))
	recordRun(t, s, "another", 4)

	run := find(t, s, "snake@3")
	if run.ID != earlier {
		t.Fatalf("got %+v", run)
	}
	must(t, s.reader.Alone(ctx, run, func(alone *Reader) error {
		for view, want := range asked {
			for _, row := range want {
				for _, column := range []string{"run", "name"} {
					if row[column] == "snake" {
						row[column] = "snake@3"
					}
				}
			}
			if got := rowsByColumn(t, alone, "SELECT * FROM "+view); !reflect.DeepEqual(got, want) || len(want) == 0 {
				t.Errorf("%s: got\n%v, want\n%v", view, got, want)
			}
		}
		err := second(rows(alone, "DELETE FROM searches"))
		if err == nil || !strings.Contains(err.Error(), "only reads") {
			t.Errorf("a statement that deletes: %v", err)
		}
		return nil
	}))
	must(t, s.reader.Alone(ctx, find(t, s, "snake"), func(alone *Reader) error {
		for _, view := range append([]string{"games", "evaluations"}, views...) {
			got, want := rowsByColumn(t, alone, "SELECT * FROM "+view),
				rowsByColumn(t, s.reader, "SELECT * FROM "+view+" WHERE run_id = 3")
			if !reflect.DeepEqual(got, want) || len(want) == 0 {
				t.Errorf("%s: got %d rows, want %d", view, len(got), len(want))
			}
		}
		return nil
	}))
	if all := rowsByColumn(t, s.reader, "SELECT * FROM runs"); len(all) != 3 {
		t.Errorf("afterwards there are %d runs", len(all))
	}
}

// TestNoViewGoesBeyondTheEnding: a run whose search went on has in all views of an earlier ending
// the rows of a database in which it ended there.
func TestNoViewGoesBeyondTheEnding(t *testing.T) {
	clocks := []string{"started_at", "updated_at", "finished_at", "worked_ms", "silent_seconds"}
	views := func(r *Reader) map[string][]cells {
		all := map[string][]cells{}
		for _, text := range statements() {
			if view, found := strings.CutPrefix(text, "CREATE VIEW "); found {
				view, _, _ = strings.Cut(view, " ")
				for _, row := range rowsOfView(t, r, view) {
					all[view] = append(all[view], row.with(nil, clocks...))
				}
			}
		}
		return all
	}
	ended, _ := open(t)
	short, long := newEndings(random(1))
	short.recordAs(t, ended, length(3))
	want := views(ended.reader)

	s, _ := open(t)
	short.recordAs(t, s, length(3))
	see := func(when string, got map[string][]cells, but ...string) {
		t.Helper()
		for view, rows := range want {
			for i := range got[view] {
				for _, column := range []string{"run", "name"} {
					if got[view][i][column] == "snake@3" {
						got[view][i][column] = "snake"
					}
				}
			}
			if !slices.Contains(but, view) && (!reflect.DeepEqual(got[view], rows) || len(rows) == 0) {
				t.Errorf("%s: %s: got %d rows\n%v, want %d\n%v", when, view, len(got[view]), got[view], len(rows), rows)
			}
		}
	}
	alone := func(when, name string) {
		t.Helper()
		must(t, s.reader.Alone(ctx, find(t, s, name), func(alone *Reader) error {
			see(when, views(alone))
			return nil
		}))
	}
	run := begin(t, s, length(5))
	long.recordTuning(t, s, run.ID, true, random(1))
	must(t, s.writeFigures(ctx, run.ID, true))
	execute(t, s.writer, fmt.Sprintf(`INSERT INTO playing VALUES (%d, 1, 1000000001, 'tuning', 'refine', 'depth 5', 9, 0, 7, 0, 0, 0, 0,
		zeroblob(8), 0, NULL)`, GameID(1, long.length().Questions, 0)))
	alone("tuning", "snake")
	// Ranks are of a search, and progress is of its newest ending.
	see("of all", views(s.reader), "leaderboard", "champions", "progress")
	long.recordEnding(t, s, run.ID, true, random(1))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	recordRun(t, s, "another", 4)
	alone("finished", "snake@3")
}

// rowsOfView returns all rows of a view, with all columns.
func rowsOfView(t *testing.T, r *Reader, view string) (all []cells) {
	t.Helper()
	var names []string
	must(t, r.Query(ctx, "SELECT * FROM "+view, func(n []string) error { names = n; return nil },
		func(values []any) error {
			row := cells{}
			for i, name := range names {
				row[name] = values[i]
			}
			all = append(all, row)
			return nil
		}))
	return all
}
