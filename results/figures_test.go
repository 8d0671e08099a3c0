package results

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"tune2048/experiments"
)

// figureRows are the rows of the tables of figures.
func figureRows(t *testing.T, s *Store) (all [][]any) {
	t.Helper()
	for _, table := range []string{"standings", "generations", "tiles"} {
		all = append(all, sure(rows(s.reader, "SELECT * FROM "+table))(t)...)
	}
	return all
}

// TestFiguresAreWrittenAgain: the tables of figures may be deleted at any time. The run's next
// process writes the same rows, whether or not it finds anything new.
func TestFiguresAreWrittenAgain(t *testing.T) {
	for _, status := range []string{experiments.Finished, experiments.Interrupted, experiments.Failed} {
		s, _ := open(t)
		w := recordRun(t, s, "snake", 1)
		want := figureRows(t, s)
		if len(want) < len(w.candidates) {
			t.Fatalf("%d figures", len(want))
		}
		if status != experiments.Finished {
			execute(t, s.writer, "UPDATE endings SET status = '"+status+"', fingerprint = NULL, finished_at = NULL")
		}
		for what, statement := range map[string]string{
			"all":  "DELETE FROM standings; DELETE FROM generations; DELETE FROM tiles",
			"some": "DELETE FROM standings WHERE position % 3 = 1; UPDATE tiles SET games = games + 1",
		} {
			if status == experiments.Finished && what != "all" {
				continue // it is only looked at
			}
			execute(t, s.writer, statement)
			if reflect.DeepEqual(figureRows(t, s), want) {
				t.Fatalf("%s: nothing was changed", what)
			}
			run := begin(t, s, spec("snake", "snake"))
			must(t, s.Finish(ctx, run.ID, status))
			if got := figureRows(t, s); !reflect.DeepEqual(got, want) {
				t.Errorf("%s of a run that is %s: got %d figures, want %d", what, status, len(got), len(want))
			}
		}
	}
}

// TestFiguresAreWrittenNowAndThen: when a phase begins, and within it once a minute at most.
func TestFiguresAreWrittenNowAndThen(t *testing.T) {
	s, _, w, run := begun(t)
	now := time.Now()
	s.clock = func() time.Time { return now }
	var played, want int64
	for i, b := range w.blocks {
		due := i == 0 || b.Phase != w.blocks[i-1].Phase
		if i%2 == 1 {
			now, due = now.Add(figuresPause), true
		}
		must(t, b.finish(s, run.ID, false))
		if played += int64(len(b.games)); due {
			want = played
		}
		var got int64
		must(t, s.reader.db.QueryRow("SELECT sum(games) FROM standings").Scan(&got))
		if got != want {
			t.Errorf("after block %d: the figures are of %d games, want %d", i, got, want)
		}
	}
}

// TestTunedYieldsByCandidate: the evaluations of a stage of tuning, of some candidates or of all,
// by candidate and then by number.
func TestTunedYieldsByCandidate(t *testing.T) {
	s, _ := open(t)
	w := recordRun(t, s, "snake", 1)
	recordRun(t, s, "rows", 2)
	run := sure(s.reader.Find(ctx, "snake"))(t).ID
	for _, e := range w.evaluations(experiments.PhaseTuning) {
		for _, numbers := range [][]int{nil, {}, {e.Candidate}, {3, 1, 2}} {
			for i, below := range []int{0, e.Number, 1_000_000, 1_000_000} {
				from := i / 3 * e.Number
				var got []experiments.Evaluation
				for one, err := range s.Tuned(ctx, run, e.Place, numbers, from, below) {
					must(t, err)
					got = append(got, one)
				}
				want := slices.Collect(w.again(e.Place, numbers, from, below))
				for i := range want {
					want[i].Key, want[i].Each = "", nil
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("candidates %v below %d: got %+v, want %+v", numbers, below, got, want)
				}
			}
		}
	}
}

// TestLooksWriteNoFigures: a look at the centre is a part of its stage. Its phase begins hundreds
// of times in a night.
func TestLooksWriteNoFigures(t *testing.T) {
	s, _, _, run := begun(t)
	s.clock = func() time.Time { return time.Time{}.Add(time.Hour) }
	for i, phase := range []string{experiments.PhaseTuning, experiments.PhaseCentre, experiments.PhaseTuning, experiments.PhaseCentre, experiments.PhasePlayoff} {
		must(t, s.AddEvaluations(ctx, run.ID, []experiments.Evaluation{plain(experiments.Place{Phase: phase, Search: "depth 1"}, 90_000+i, 500)}, false))
		figured := 0
		must(t, s.reader.db.QueryRow("SELECT figured FROM endings").Scan(&figured))
		if want := 90_001 + i/4*4; figured != want {
			t.Errorf("after %d, %s: figures of %d evaluations, want %d", i, phase, figured, want)
		}
	}
}
