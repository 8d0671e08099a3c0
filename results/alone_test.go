package results

import (
	"reflect"
	"strings"
	"testing"
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
