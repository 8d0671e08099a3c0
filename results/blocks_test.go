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
	if run = begin(t, s, spec("snake", "a")); !run.Resumed {
		t.Fatal("not resumed")
	}
	found, err := recall(s, run.ID, b.Block)
	if err != nil || found.Recorded || len(found.Evaluations) != 0 || len(found.Games) != 2 || found.Games[1] != b.games[1] || found.Games[3] != b.games[3] {
		t.Errorf("got %+v, %v", found, err)
	}
	for i := range b.games {
		must(t, b.add(s, run.ID, i)) // two of them for the second time
	}
	must(t, b.finish(s, run.ID, true))
	counts(t, s, "games", b.Games())
}

func TestEvaluationsForgetOnlyTheirOwnGames(t *testing.T) {
	s, _, w, run := begun(t)
	a, b := w.blocks[0], w.blocks[1]
	a.addAll(t, s, run.ID)
	must(t, b.add(s, run.ID, 0))
	must(t, a.finish(s, run.ID, false))
	counts(t, s, "games", 1)
	counts(t, s, "evaluations", len(a.evaluations))
}

func TestEvaluationsAreRecordedTogetherOrNotAtAll(t *testing.T) {
	s, _, w, run := begun(t)
	b := w.blocks[0]
	b.addAll(t, s, run.ID)
	good := b.evaluations
	for what, change := range map[string]func(e *experiments.Evaluation){
		"FOREIGN KEY":   func(e *experiments.Evaluation) { e.Candidate = 999 },
		"games >= 1":    func(e *experiments.Evaluation) { e.Scores = nil },
		"mean_score of": func(e *experiments.Evaluation) { e.Scores = []float64{1, math.NaN()} },
		"want a finite": func(e *experiments.Evaluation) { e.Scores = []float64{math.Inf(1)} },
	} {
		b.evaluations = slices.Clone(good)
		change(&b.evaluations[2])
		fails(t, what, b.finish(s, run.ID, false), what)
		counts(t, s, "evaluations", 0)
	}
	b.evaluations = good
	must(t, b.finish(s, run.ID, true)) // the games that were held back are still there
	must(t, b.finish(s, run.ID, true)) // changes nothing
	counts(t, s, "games", b.Games())
	for what, change := range map[string]func(e *experiments.Evaluation){
		"hash":   func(e *experiments.Evaluation) { e.GamesHash = "x" },
		"scores": func(e *experiments.Evaluation) { e.Scores = []float64{1, 2, 3, 4, 5} },
		"search": func(e *experiments.Evaluation) { e.Search = "depth 7" },
	} {
		b.evaluations = slices.Clone(good)
		change(&b.evaluations[0])
		fails(t, what, b.finish(s, run.ID, true), "candidate 0, game 0: other games are recorded there")
	}
}

func TestAReplayThatAsksForAnotherBlockIsAnError(t *testing.T) {
	s, _, w, run := begun(t)
	w.blocks[0].addAll(t, s, run.ID)
	for what, change := range map[string]func(*playedBlock){
		"candidates": func(b *playedBlock) { b.Candidates = []int{0, 4, 3} },
		"seeds":      func(b *playedBlock) { b.Seeds = []uint64{1, 2, 3, 4, 5} },
		"search":     func(b *playedBlock) { b.Search = "depth 7" },
		"generation": func(b *playedBlock) { b.Generation = 2 },
		"number":     func(b *playedBlock) { b.First++ },
	} {
		b := w.blocks[0]
		change(&b)
		fails(t, what, second(recall(s, run.ID, b.Block)), "the replay asks for another")
	}
}

func TestSeedsAndGamesHaveBounds(t *testing.T) {
	s, _, _, run := begun(t)
	fails(t, "a run", second(s.Begin(ctx, experiments.RunSpec{Name: "a", ConfigHash: "a", Seed: 1 << 53})), "seed BETWEEN")
	for what, g := range map[string]experiments.Game{
		"id / 1000000000 = run_id": {Place: experiments.Place{Game: gamesPerRun}},
		"CHECK constraint failed":  {Place: experiments.Place{Game: -1}},
		"seed BETWEEN":             {Seed: 1 << 53},
		"FOREIGN KEY":              {Place: experiments.Place{Candidate: 999}},
	} {
		must(t, s.AddGame(ctx, run.ID, g))
		fails(t, "", second(recall(s, run.ID, experiments.Block{})), what)
		s.pending = nil
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
	counts(t, s, "games", b.Games())
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
	now = now.Add(commitDelay - 1)
	must(t, b.add(s, run.ID, 1))
	seen(0)
	now = now.Add(1)
	must(t, b.add(s, run.ID, 2))
	seen(3)

	// Games that could not be committed are not lost.
	must(t, b.add(s, run.ID, 3))
	now = now.Add(commitDelay)
	fails(t, "", s.AddGame(ctx, run.ID, experiments.Game{Seed: 1 << 53}), "seed BETWEEN")
	s.pending = s.pending[:1] // as if the obstacle were gone
	must(t, s.Finish(ctx, run.ID, experiments.Failed))
	seen(4)
}

func TestGamesAreCommittedByTheThousand(t *testing.T) {
	s, _, _, run := begun(t)
	b := experiments.Block{Phase: experiments.PhaseTuning, Candidates: []int{0}, Seeds: make([]uint64, commitGames)}
	for i := range b.Games() {
		must(t, s.AddGame(ctx, run.ID, b.Game(i)))
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
					+ ((SELECT sum(games) FROM figures WHERE kind = 'candidate') IS NOT (SELECT max(played) FROM figures WHERE kind = 'generation'))`).Scan(&torn); err != nil || torn != 0 {
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
				must(t, second(recall(s, run.ID, b.Block))) // commits
			}
		}
		s.begun[run.ID].due = time.Time{} // every block's figures
		must(t, b.finish(s, run.ID, number%2 == 0))
	}
}
