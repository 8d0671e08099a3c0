package results

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// TestGamesKnowWhoPlayedThem: who played a game is recorded, and is no part of the game.
func TestGamesKnowWhoPlayedThem(t *testing.T) {
	ctx := context.Background()
	s, _, w, run := begun(t)
	b := w.blocks[0]
	names := []string{"", "a", "b'\"\x00\u202e</script>", "a"}
	for i := range b.games {
		b.games[i].Worker = names[i%len(names)]
		must(t, b.add(s, run.ID, i))
	}
	found, err := s.Recall(ctx, run.ID, b.Block, false)
	must(t, err)
	for i, o := range found.Games {
		if o != b.games[i] {
			t.Errorf("game %d: got %+v, want %+v", i, o, b.games[i])
		}
	}
	before := fmt.Sprint(rowsIn(t, s, "SELECT id, worker_id FROM games"))
	for i := range b.games { // played again by somebody else
		b.games[i].Worker = "c"
		must(t, b.add(s, run.ID, i))
	}
	must(t, b.finish(s, run.ID, true))
	if got := fmt.Sprint(rowsIn(t, s, "SELECT id, worker_id FROM games")); got != before {
		t.Errorf("got %s, want %s", got, before)
	}
	i := 0
	for g, err := range s.Reader().Games(ctx, run.ID) {
		must(t, err)
		if g.Worker != names[i%len(names)] {
			t.Errorf("game %d was played by %q", i, g.Worker)
		}
		i++
	}
	workers, err := s.Reader().Workers(ctx, run.ID)
	must(t, err)
	wanted := []experiments.Worker{{Name: "a"}, {Name: names[2]}, {Name: "c"}}
	for i, want := range wanted {
		got := workers[i]
		if got.FirstSeen.IsZero() || got.LastSeen != got.FirstSeen {
			t.Errorf("got %+v", got)
		}
		got.FirstSeen, got.LastSeen = time.Time{}, time.Time{}
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func rowsIn(t *testing.T, s *Store, query string) (rows [][]any) {
	t.Helper()
	must(t, s.reader.Query(context.Background(), query, func([]string) error { return nil }, func(row []any) error {
		rows = append(rows, append([]any(nil), row...))
		return nil
	}))
	return rows
}

// TestAWorkerOfAFailedCommitIsRecordedByTheNext: what a transaction that was rolled back had
// numbered has no number.
func TestAWorkerOfAFailedCommitIsRecordedByTheNext(t *testing.T) {
	ctx := context.Background()
	s, _, w, run := begun(t)
	b := w.blocks[0]
	must(t, s.AddGame(ctx, run.ID, experiments.Game{Place: experiments.Place{Candidate: 999}, Outcome: simulator.Outcome{Worker: "a"}}))
	if _, err := s.Recall(ctx, run.ID, b.Block, false); err == nil || !strings.Contains(err.Error(), "FOREIGN KEY") {
		t.Fatalf("got %v", err)
	}
	s.pending = nil
	b.games[0].Worker, b.games[1].Worker = "b", "a"
	must(t, b.add(s, run.ID, 0))
	must(t, b.add(s, run.ID, 1))
	found, err := s.Recall(ctx, run.ID, b.Block, false)
	if err != nil || found.Games[0].Worker != "b" || found.Games[1].Worker != "a" {
		t.Errorf("got %+v, %v", found, err)
	}
}

// TestTheRosterIsRecorded: with each commit, and added to the counts of earlier processes.
func TestTheRosterIsRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		at := func() time.Time { return time.Now().UTC().Round(0) }
		began := at()
		a := experiments.Worker{Name: "a", Cores: 4, Version: "v1", Signature: "x", Games: 10, Speed: 2.5, FirstSeen: at()}
		open := func() (*Store, experiments.Run) {
			s, err := Open(path)
			must(t, err)
			s.Roster(func() []experiments.Worker {
				a.LastSeen = at()
				return []experiments.Worker{a, {Name: "idle", Cores: 1}}
			})
			return s, begin(t, s, spec("snake", "a"))
		}
		check := func(s *Store, run experiments.Run, want experiments.Worker) {
			t.Helper()
			got, err := s.Reader().Workers(ctx, run.ID)
			if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
				t.Errorf("got %+v, %v, want %+v", got, err, want)
			}
		}
		s, run := open()
		n := 0
		commit := func() { n++; must(t, s.SetStop(ctx, run.ID, n)) }
		commit()
		want := a
		check(s, run, want)
		a.Games = 20
		time.Sleep(rosterEvery - 1)
		commit()
		check(s, run, want)
		time.Sleep(time.Nanosecond)
		commit()
		want = a
		check(s, run, want)
		a.Games = 21
		must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
		want.Games = 21
		check(s, run, want)
		must(t, s.Close())

		time.Sleep(time.Hour)
		a = experiments.Worker{Name: "a", Cores: 8, Version: "v2", Signature: "y", Games: 5, Speed: 1, FirstSeen: at()}
		s, run = open()
		defer s.Close()
		commit()
		want = a
		want.Games, want.FirstSeen = 26, began
		check(s, run, want)
	})
}
