package results

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/experiments"
)

// replay records the world as a pipeline does: what is there is skipped. It calls step after each
// game.
func (w *world) replay(s *Store, run int64, step func()) error {
	ctx := context.Background()
	stored, err := s.Candidates(ctx, run)
	if err != nil {
		return err
	}
	if err := s.AddCandidates(ctx, run, w.candidates[len(stored):]); err != nil {
		return err
	}
	for i, b := range w.blocks {
		found, err := s.Recall(ctx, run, b.Block, false)
		if err != nil {
			return err
		}
		if found.Finished {
			if b.generation != nil { // a process may have been killed in between
				if err := s.AddGeneration(ctx, run, *b.generation); err != nil {
					return err
				}
			}
			continue
		}
		for index, o := range b.games {
			if recorded, ok := found.Games[index]; ok {
				if recorded != o {
					return fmt.Errorf("game %d of block %d: got %+v, want %+v", index, i, recorded, o)
				}
				continue
			}
			if err := b.add(s, run, index); err != nil {
				return err
			}
			step()
			if index%3 == 0 { // the clock, which tests do not wait for
				if _, err := s.Recall(ctx, run, b.Block, false); err != nil {
					return err
				}
			}
		}
		if err := b.finish(s, run, i%2 == 0); err != nil {
			return err
		}
	}
	if err := s.SetChampion(ctx, run, w.champion, "salt"); err != nil {
		return err
	}
	return s.AddComparisons(ctx, run, w.comparisons)
}

// write records a world, and says so game by game, until it is killed.
func write(path string) error {
	s, err := Open(path)
	if err != nil {
		return err
	}
	run, err := s.Begin(context.Background(), spec("snake", "a"))
	if err != nil {
		return err
	}
	w := newWorld(random(1))
	if err := w.replay(s, run.ID, func() { fmt.Println("game") }); err != nil {
		return err
	}
	fmt.Println("end")
	return s.Finish(context.Background(), run.ID, experiments.Finished)
}

func TestAKilledRunResumesToTheSameResults(t *testing.T) {
	w := newWorld(random(1))
	s, _ := open(t)
	run := begin(t, s, spec("snake", "a"))
	must(t, w.replay(s, run.ID, func() {}))
	must(t, s.Finish(context.Background(), run.ID, experiments.Finished))
	want, views := find(t, s, "snake").Fingerprint, viewRows(t, s)

	path := filepath.Join(t.TempDir(), "tune.db")
	for _, games := range []int{1, 20, 7, 60, 33} { // then it is killed
		p := start(t, "write", path)
		for range games {
			if p.line(t) == "end" {
				break
			}
		}
		must(t, p.cmd.Process.Kill())
		p.cmd.Wait()
		checkBlocks(t, path, &w)
	}
	s, err := Open(path)
	must(t, err)
	defer s.Close()
	if run = begin(t, s, spec("snake", "a")); !run.Resumed || run.Status == experiments.Interrupted {
		t.Errorf("got %+v", run)
	}
	must(t, w.replay(s, run.ID, func() {}))
	must(t, s.Finish(context.Background(), run.ID, experiments.Finished))
	if got := find(t, s, "snake").Fingerprint; got != want {
		t.Errorf("got %s, want %s as without interruptions", got, want)
	}
	if got := viewRows(t, s); got != views {
		t.Errorf("the views say\n%s\nwithout interruptions\n%s", got, views)
	}
}

// viewRows are the rows of the views but for times.
func viewRows(t *testing.T, s *Store) string {
	t.Helper()
	var all strings.Builder
	for _, view := range []string{"leaderboard", "champions", "convergence", "tile_rates", "verdicts"} {
		must(t, s.Reader().Query(context.Background(), "SELECT * FROM "+view, func([]string) error { return nil }, func(row []any) error {
			_, err := fmt.Fprintln(&all, row...)
			return err
		}))
	}
	return all.String()
}

// checkBlocks fails unless each block is finished with all it is to have, or has some games and
// nothing else.
func checkBlocks(t *testing.T, path string, w *world) {
	t.Helper()
	ctx := context.Background()
	s, err := Open(path)
	must(t, err)
	defer s.Close()
	for i, b := range w.blocks {
		found, err := s.Recall(ctx, 1, b.Block, false)
		must(t, err)
		games, err := s.playedOf(ctx, 1, b.Block)
		must(t, err)
		switch kept := i%2 == 0; {
		case !found.Finished:
		case len(found.Evaluations) != len(b.evaluations), kept && len(games) != b.Games(), !kept && len(games) != 0:
			t.Errorf("block %d has %d evaluations and %d games", i, len(found.Evaluations), len(games))
		}
	}
}
