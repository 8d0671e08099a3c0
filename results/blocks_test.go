package results

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tune2048/experiments"
)

// begun is a store with a run of a random world whose candidates are recorded.
func begun(t testing.TB) (*Store, string, *world, experiments.Run) {
	t.Helper()
	s, path := open(t)
	w := newWorld(random(1))
	run := begin(t, s, spec("snake", "a"))
	must(t, s.AddCandidates(context.Background(), run.ID, w.candidates))
	return s, path, &w, run
}

func count(t testing.TB, s *Store, table string) int {
	t.Helper()
	var n int
	must(t, s.reader.db.QueryRow("SELECT count(*) FROM "+table).Scan(&n))
	return n
}

func TestAnUnfinishedBlockHasGamesAndNoEvaluations(t *testing.T) {
	ctx := context.Background()
	s, path, w, run := begun(t)
	b := w.blocks[0]
	must(t, s.AddGame(ctx, run.ID, b.Block, 3, b.games[3]))
	must(t, s.AddGame(ctx, run.ID, b.Block, 1, b.games[1]))
	must(t, s.Close()) // without Finish, as a process that is told to go

	s, err := Open(path)
	must(t, err)
	defer s.Close()
	if run = begin(t, s, spec("snake", "a")); !run.Resumed {
		t.Fatal("not resumed")
	}
	if e, err := s.Evaluations(ctx, run.ID, b.Block); err != nil || len(e) != 0 {
		t.Errorf("evaluations: got %v, %v", e, err)
	}
	games, err := s.Games(ctx, run.ID, b.Block)
	if err != nil || len(games) != 2 || games[1] != b.games[1] || games[3] != b.games[3] {
		t.Errorf("games: got %v, %v", games, err)
	}
	for i := range b.games {
		must(t, s.AddGame(ctx, run.ID, b.Block, i, b.games[i])) // two of them for the second time
	}
	must(t, s.FinishBlock(ctx, run.ID, b.Block, b.evaluations, true))
	if n := count(t, s, "games"); n != b.Games() {
		t.Errorf("want %d games, got %d", b.Games(), n)
	}
}

func TestFinishBlockForgetsOnlyItsOwnGames(t *testing.T) {
	ctx := context.Background()
	s, _, w, run := begun(t)
	a, b := w.blocks[0], w.blocks[1]
	for i := range a.games {
		must(t, s.AddGame(ctx, run.ID, a.Block, i, a.games[i]))
	}
	must(t, s.AddGame(ctx, run.ID, b.Block, 0, b.games[0]))
	must(t, s.FinishBlock(ctx, run.ID, a.Block, a.evaluations, false))
	if n := count(t, s, "games"); n != 1 {
		t.Errorf("want the game of the other block, got %d", n)
	}
	if n := count(t, s, "evaluations"); n != len(a.evaluations) {
		t.Errorf("want %d evaluations, got %d", len(a.evaluations), n)
	}
}

func TestFinishBlockIsAllOrNothing(t *testing.T) {
	ctx := context.Background()
	s, _, w, run := begun(t)
	b := w.blocks[0]
	for i := range b.games[1:] {
		must(t, s.AddGame(ctx, run.ID, b.Block, i, b.games[i]))
	}
	err := s.FinishBlock(ctx, run.ID, b.Block, b.evaluations, true)
	if err == nil || !strings.Contains(err.Error(), "tuning explore at depth 3, generation 0, round 0: want all its 15 games to keep, got 14") {
		t.Fatalf("got %v", err)
	}
	if n := count(t, s, "evaluations"); n != 0 {
		t.Errorf("%d evaluations of a block that failed", n)
	}
	last := len(b.games) - 1
	must(t, s.AddGame(ctx, run.ID, b.Block, last, b.games[last]))
	must(t, s.FinishBlock(ctx, run.ID, b.Block, b.evaluations, true)) // the games that were held back are still there
	if err := s.FinishBlock(ctx, run.ID, b.Block, b.evaluations, true); err == nil || !strings.Contains(err.Error(), "recorded already") {
		t.Errorf("got %v", err)
	}
}

func TestAReplayThatAsksForAnotherBlockIsAnError(t *testing.T) {
	ctx := context.Background()
	s, _, w, run := begun(t)
	for _, b := range w.blocks[:2] {
		for i := range b.games {
			must(t, s.AddGame(ctx, run.ID, b.Block, i, b.games[i]))
		}
	}
	must(t, s.FinishBlock(ctx, run.ID, w.blocks[0].Block, w.blocks[0].evaluations, true))
	for what, change := range map[string]func(*experiments.Block){
		"candidates": func(b *experiments.Block) { b.Candidates = []int{0, 1, 3} },
		"order":      func(b *experiments.Block) { b.Candidates = []int{1, 0, 2} },
		"games":      func(b *experiments.Block) { b.Seeds = b.Seeds[:4] },
		"number":     func(b *experiments.Block) { b.First++ },
	} {
		b := w.blocks[0].Block
		change(&b)
		if _, err := s.Evaluations(ctx, run.ID, b); err == nil || !strings.Contains(err.Error(), "the replay asks for another") {
			t.Errorf("%s: got %v", what, err)
		}
	}
	for what, change := range map[string]func(*experiments.Block){
		"candidates": func(b *experiments.Block) { b.Candidates = []int{0, 4, 3} },
		"seeds":      func(b *experiments.Block) { b.Seeds = []uint64{1, 2, 3, 4, 5} },
		"search":     func(b *experiments.Block) { b.Search = "depth 7" },
		"generation": func(b *experiments.Block) { b.Generation = 2 },
	} {
		b := w.blocks[1].Block
		change(&b)
		if _, err := s.Games(ctx, run.ID, b); err == nil || !strings.Contains(err.Error(), "the replay asks for another") {
			t.Errorf("%s: got %v", what, err)
		}
	}
	// The same game with another outcome.
	b := w.blocks[1]
	other := b.games[0]
	other.Score++
	must(t, s.AddGame(ctx, run.ID, b.Block, 0, other))
	for what, err := range map[string]error{"Games": second(s.Games(ctx, run.ID, b.Block)), "Finish": s.Finish(ctx, run.ID, experiments.Failed)} {
		if err == nil || !strings.Contains(err.Error(), "with another outcome") {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if got := find(t, s, "snake"); got.Status != experiments.Failed || begin(t, s, spec("snake", "a")).ID != run.ID {
		t.Errorf("got %+v", got)
	}
}

func second[T any](_ T, err error) error { return err }

func TestGamesAndCandidatesHaveBounds(t *testing.T) {
	ctx := context.Background()
	s, _, _, run := begun(t)
	for what, b := range map[string]experiments.Block{
		"numbered in":        {Candidates: []int{0}, Seeds: []uint64{1, 2}, First: gamesPerRun - 1},
		"want a game in [0,": {Candidates: []int{}, Seeds: []uint64{1}},
		"seed in [0, 2^53)":  {Candidates: []int{0}, Seeds: []uint64{1 << 53}},
	} {
		if err := s.AddGame(ctx, run.ID, b, 0, experiments.Outcome{}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
	unknown := experiments.Block{Candidates: []int{999}, Seeds: []uint64{1}}
	must(t, s.AddGame(ctx, run.ID, unknown, 0, experiments.Outcome{}))
	if err := s.Finish(ctx, run.ID, experiments.Interrupted); err == nil || !strings.Contains(err.Error(), "FOREIGN KEY") {
		t.Errorf("got %v", err)
	}
}

func TestCancellingLosesNoGame(t *testing.T) {
	s, _, w, run := begun(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := w.blocks[0]
	for i := range b.games {
		must(t, s.AddGame(ctx, run.ID, b.Block, i, b.games[i]))
	}
	must(t, s.FinishBlock(ctx, run.ID, b.Block, b.evaluations, true))
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	if n := count(t, s, "games"); n != b.Games() {
		t.Errorf("got %d games", n)
	}
}

func TestTheClockCommitsGames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		s, err := Open(path)
		must(t, err)
		w := newWorld(random(1))
		run := begin(t, s, spec("snake", "a"))
		must(t, s.AddCandidates(ctx, run.ID, w.candidates))
		b := w.blocks[0]
		seen := func(want int) {
			t.Helper()
			if n := count(t, s, "games"); n != want {
				t.Errorf("want %d games, got %d", want, n)
			}
		}
		must(t, s.AddGame(ctx, run.ID, b.Block, 0, b.games[0]))
		time.Sleep(commitDelay - 1) // of the bubble's clock, which takes no time
		must(t, s.AddGame(ctx, run.ID, b.Block, 1, b.games[1]))
		synctest.Wait()
		seen(0)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		seen(2)

		// What the clock could not commit is told by the next call, and not lost.
		other := b.games[0]
		other.Score++
		must(t, s.AddGame(ctx, run.ID, b.Block, 0, other))
		time.Sleep(commitDelay)
		synctest.Wait()
		if err := s.AddGame(ctx, run.ID, b.Block, 2, b.games[2]); err == nil || !strings.Contains(err.Error(), "another outcome") {
			t.Errorf("got %v", err)
		}
		s.pending = s.pending[1:] // as if the obstacle were gone
		must(t, s.Finish(ctx, run.ID, experiments.Failed))
		seen(3)
		must(t, s.Close())
	})
}

func TestGamesAreCommittedByTheThousand(t *testing.T) {
	ctx := context.Background()
	s, _, _, run := begun(t)
	b := experiments.Block{Phase: experiments.PhaseTuning, Candidates: []int{0}, Seeds: make([]uint64, commitGames)}
	for i := range b.Games() {
		must(t, s.AddGame(ctx, run.ID, b, i, experiments.Outcome{Score: i}))
	}
	if n := count(t, s, "games"); n != commitGames {
		t.Errorf("got %d games", n)
	}
}

// A reader that looks at everything, all the time, from the same process and from a connection of its own.
func TestReadingWhileWriting(t *testing.T) {
	ctx := context.Background()
	s, path, w, run := begun(t)
	r, err := OpenReader(path)
	must(t, err)
	defer r.Close()
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			for _, reader := range []*Reader{r, s.Reader()} {
				for _, v := range views {
					if err := reader.Query(ctx, "SELECT * FROM "+v, func([]string) error { return nil }, func([]any) error { return nil }); err != nil {
						t.Errorf("%s: %v", v, err)
					}
				}
				// Blocks are there as a whole, or not at all.
				var torn sql.NullInt64
				if err := reader.db.QueryRow(`SELECT count(*) FROM (SELECT 1 FROM evaluations
					WHERE phase = 'tuning' AND round = 0 GROUP BY stage, generation HAVING count(*) <> 3)`).Scan(&torn); err != nil || torn.Int64 != 0 {
					t.Errorf("got %v torn blocks, %v", torn.Int64, err)
				}
			}
			select {
			case <-done:
				return
			default:
			}
		}
	}()
	for round := range 6 {
		for _, b := range w.blocks {
			b.Round += 2 * round
			b.First += int64(10_000 * round)
			for i := range b.games {
				must(t, s.AddGame(ctx, run.ID, b.Block, i, b.games[i]))
				if i%5 == 0 {
					_, err := s.Games(ctx, run.ID, b.Block) // commits
					must(t, err)
				}
			}
			must(t, s.FinishBlock(ctx, run.ID, b.Block, b.evaluations, round%2 == 0))
		}
	}
	close(done)
	<-stopped
}
