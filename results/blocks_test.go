package results

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// begun is a store with a run of a random world whose candidates are recorded.
func begun(t testing.TB) (*Store, string, *world, experiments.Run) {
	t.Helper()
	s, path := open(t)
	w, run := beginWorld(t, s)
	return s, path, w, run
}

func beginWorld(t testing.TB, s *Store) (*world, experiments.Run) {
	t.Helper()
	w := newWorld(random(1))
	run := begin(t, s, spec("snake", "a"))
	must(t, s.AddCandidates(ctx, run.ID, w.candidates))
	return &w, run
}

// counts fails unless a table has this number of rows.
func counts(t testing.TB, s *Store, table string, want int) {
	t.Helper()
	var n int
	must(t, s.reader.db.QueryRow("SELECT count(*) FROM "+table).Scan(&n))
	if n != want {
		t.Errorf("want %d rows of %s, got %d", want, table, n)
	}
}

func TestAnUnfinishedBlockHasGamesAndNoEvaluations(t *testing.T) {
	s, path, w, run := begun(t)
	b := w.blocks[0]
	must(t, b.add(s, run.ID, 3))
	must(t, b.add(s, run.ID, 1))
	must(t, s.Close()) // without Finish, as a process that is told to go

	s = reopen(t, path)
	run = begin(t, s, spec("snake", "a"))
	if !run.Resumed {
		t.Fatal("not resumed")
	}
	found, err := known(s, run.ID, b)
	if err != nil || found[0].Evaluation != nil || len(found[0].Outcomes) != 2 || found[0].Outcomes[1] != b.games[1] ||
		found[0].Outcomes[3] != b.games[3] {
		t.Errorf("got %+v, %v", found, err)
	}
	for i := range b.games {
		must(t, b.add(s, run.ID, i)) // two of them for the second time
	}
	must(t, b.finish(s, run.ID, true))
	counts(t, s, "games", len(b.games))
}

func TestEvaluationsForgetOnlyTheirOwnGames(t *testing.T) {
	s, _, w, run := begun(t)
	a, b := w.blocks[0], w.blocks[1]
	a.addAll(t, s, run.ID)
	must(t, b.add(s, run.ID, 0))
	must(t, a.finish(s, run.ID, false))
	counts(t, s, "games", 1)
	counts(t, s, "asked", len(a.evaluations))
}

func TestEvaluationsAreRecordedTogetherOrNotAtAll(t *testing.T) {
	s, _, w, run := begun(t)
	b := w.blocks[0]
	b.addAll(t, s, run.ID)
	good := b.evaluations
	for what, change := range map[string]func(e *experiments.Evaluation){
		"FOREIGN KEY": func(e *experiments.Evaluation) { e.Candidate = 999 },
		"games BETWEEN": func(e *experiments.Evaluation) {
			e.Scores, e.Each = make([]float64, 51), make([]experiments.Detail, 51)
		},
		"mean_score of": func(e *experiments.Evaluation) { e.Scores[1] = math.NaN() },
		"want a finite": func(e *experiments.Evaluation) { e.Scores[0] = math.Inf(1) },
	} {
		b.evaluations = slices.Clone(good)
		b.evaluations[2].Scores = slices.Clone(good[2].Scores)
		change(&b.evaluations[2])
		fails(t, what, b.finish(s, run.ID, false), what)
		counts(t, s, "asked", 0)
		counts(t, s, "memo", 0)
	}
	b.evaluations = good
	must(t, b.finish(s, run.ID, true)) // the games that were held back are still there
	must(t, b.finish(s, run.ID, true)) // changes nothing
	counts(t, s, "games", len(b.games))
	counts(t, s, "memo", len(b.questions))
}

func TestAReplayThatAsksForAnotherBlockIsAnError(t *testing.T) {
	s, _, w, run := begun(t)
	w.blocks[0].addAll(t, s, run.ID)
	for what, change := range map[string]func(*playedBlock){
		"candidates": func(b *playedBlock) { b.Candidates = []int{0, 4, 3} },
		"seeds":      func(b *playedBlock) { b.stream.Seed++ },
		"search":     func(b *playedBlock) { b.Search = "depth 7" },
		"generation": func(b *playedBlock) { b.Generation = 2 },
		"number":     func(b *playedBlock) { b.number++ },
	} {
		b := w.blocks[0]
		change(&b)
		b.evaluate()
		fails(t, what, second(known(s, run.ID, b)), "the replay asks for another")
		if what != "seeds" { // these are in the key
			continue
		}
		must(t, w.blocks[0].finish(s, run.ID, true))
		fails(t, what, second(known(s, run.ID, b)), "the replay asks for another")
		must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
		must(t, second(s.Delete(ctx, "snake")))
		w, run = beginWorld(t, s)
		w.blocks[0].addAll(t, s, run.ID)
	}
}

func TestCancellingLosesNoGame(t *testing.T) {
	s, _, w, run := begun(t)
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	b := w.blocks[0]
	b.addAll(t, s, run.ID)
	must(t, b.finish(s, run.ID, true))
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	counts(t, s, "games", len(b.games))
}

// TestTheClockCommitsGames: a game that ends half a second after the last commit is committed, with
// those before it.
func TestTheClockCommitsGames(t *testing.T) {
	s := reopen(t, filepath.Join(t.TempDir(), "tune.db"))
	now := time.Now()
	s.clock = func() time.Time { return now }
	w, run := beginWorld(t, s)
	b := w.blocks[0]
	seen := func(want int) { t.Helper(); counts(t, s, "games", want) }
	must(t, b.add(s, run.ID, 0))
	now = now.Add(500*time.Millisecond - 1)
	must(t, b.add(s, run.ID, 1))
	seen(0)
	now = now.Add(1)
	must(t, b.add(s, run.ID, 2))
	seen(3)

	// Games that could not be committed are not lost.
	must(t, b.add(s, run.ID, 3))
	now = now.Add(500 * time.Millisecond)
	fails(t, "", s.AddGame(ctx, run.ID, experiments.Game{Seed: 1 << 53}), "seed BETWEEN")
	s.pending = s.pending[:1] // as if the obstacle were gone
	must(t, s.Finish(ctx, run.ID, experiments.Failed))
	seen(4)
}

func TestGamesAreCommittedByTheThousand(t *testing.T) {
	s, _, _, run := begun(t)
	for i := range commitGames {
		must(t, s.AddGame(ctx, run.ID, experiments.Game{Number: i}))
	}
	counts(t, s, "games", commitGames)
}

// A reader that looks at everything, all the time, from the same process and from a connection of
// its own.
func TestReadingWhileWriting(t *testing.T) {
	s, path, w, run := begun(t)
	r := reading(t, path)
	var group sync.WaitGroup
	done := make(chan struct{})
	group.Go(func() {
		for {
			for _, reader := range []*Reader{r, s.Reader()} {
				for _, v := range views {
					if _, err := rows(reader, "SELECT * FROM "+v); err != nil {
						t.Errorf("%s: %v", v, err)
					}
				}
				// Blocks and figures are there as a whole, or not at all.
				var torn int
				if err := reader.db.QueryRow(`SELECT (SELECT count(*) FROM (SELECT 1 FROM evaluations GROUP BY generation HAVING count(*) <> 3))
					+ ((SELECT sum(games) FROM standings) IS NOT (SELECT max(played) FROM generations))`).Scan(&torn); err != nil || torn != 0 {
					t.Errorf("%d blocks are torn, %v", torn, err)
				}
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	defer group.Wait()
	defer close(done)
	d := newDealer(random(2), func(int) simulator.Outcome { return w.blocks[0].games[0] })
	for number := range 60 {
		b := d.block("tuning", "explore", "depth 3", number, 0, 5, 0, 1, 2)
		for i := range b.games {
			must(t, b.add(s, run.ID, i))
			if i%5 == 0 {
				must(t, second(known(s, run.ID, b))) // commits
			}
		}
		s.begun[run.ID].due = time.Time{} // every block's figures
		must(t, b.finish(s, run.ID, number%2 == 0))
	}
}

// TestReusedGamesCountTheirTimeOnce: each game of the memo has its own time, whether an evaluation
// reuses games of the row, follows them, or is another run's.
func TestReusedGamesCountTheirTimeOnce(t *testing.T) {
	s, _, _, run := begun(t)
	other := begin(t, s, spec("rows", "b"))
	must(t, s.AddCandidates(ctx, other.ID, newWorld(random(1)).candidates))
	const each = 10 * time.Millisecond
	scores := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}
	for _, step := range []struct {
		run                          int64
		number, first, games, played int
		want                         int // games of the row
	}{
		{run.ID, 0, 0, 3, 3, 3},
		{run.ID, 0, 0, 5, 2, 5}, // three of them again
		{run.ID, 1, 5, 2, 2, 7}, // the next ones of the slice
		{run.ID, 1, 5, 4, 2, 9},
		{other.ID, 0, 0, 10, 1, 10}, // nine of them again
		{other.ID, 1, 2, 3, 0, 10},
	} {
		e := plain(experiments.Place{Phase: experiments.PhaseComparison, Search: "depth 1"}, 0,
			scores[step.first:][:step.games]...)
		e.Number, e.First = step.number, step.first
		q := experiments.Question{Evaluation: e, Seeds: e.Stream(2048, ""), Games: step.games}
		q.Scores, q.Each = nil, nil
		known := sure(s.Known(ctx, step.run, []experiments.Question{q}))(t)[0]
		for i := range step.games {
			o := known.Outcomes[i]
			if _, have := known.Outcomes[i]; have != (i < step.games-step.played) || have && o.Duration != each {
				t.Errorf("%+v: game %d: %v, %+v", step, i, have, o)
			}
			if i >= step.games-step.played {
				o.Score, o.Duration = e.Scores[i], each
				must(t, s.AddGame(ctx, step.run,
					experiments.Game{Place: e.Place, Number: e.Number, Index: e.First + i, Seed: q.Seeds.At(e.First + i), Outcome: o}))
			}
			e.Time += o.Duration
		}
		must(t, s.AddEvaluations(ctx, step.run, []experiments.Evaluation{e}, true))
		var games, us int
		must(t, s.reader.db.QueryRow("SELECT games, (SELECT sum(value) FROM json_each(times)) FROM memo").Scan(&games, &us))
		if games != step.want || time.Duration(us)*time.Microsecond != time.Duration(games)*each {
			t.Errorf("%+v: %d games have %d us", step, games, us)
		}
		counts(t, s, "memo", 1)
		counts(t, s, "playing", 0)
	}
	counts(t, s, "games", 5+4+10+3)
}
