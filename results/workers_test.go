package results

import (
	"reflect"
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// TestGamesKnowWhoPlayedThem: who played a game is recorded, and is no part of the game.
func TestGamesKnowWhoPlayedThem(t *testing.T) {
	s, _, w, run := begun(t)
	b := w.blocks[0]
	names := []string{"", "a", "b'\"\x00\u202e</script>", "a"}
	for i := range b.games {
		b.games[i].Worker = names[i%len(names)]
		must(t, b.add(s, run.ID, i))
	}
	found := sure(recall(s, run.ID, b.Block))(t)
	for i, o := range found.Games {
		if o != b.games[i] {
			t.Errorf("game %d: got %+v, want %+v", i, o, b.games[i])
		}
	}
	before := sure(rows(s.reader, "SELECT id, worker_id FROM games"))(t)
	for i := range b.games { // played again by somebody else
		b.games[i].Worker = "c"
		must(t, b.add(s, run.ID, i))
	}
	must(t, b.finish(s, run.ID, true))
	must(t, w.blocks[1].finish(s, run.ID, true))
	if got, err := rows(s.reader, "SELECT id, worker_id FROM games"); err != nil || !reflect.DeepEqual(got, before) {
		t.Errorf("got %v, want %v", got, before)
	}
	for i := range b.games {
		if g := sure(s.Reader().Game(ctx, run.ID, int64(i)))(t); g.Worker != names[i%len(names)] {
			t.Errorf("game %d was played by %q", i, g.Worker)
		}
	}
}

// TestAWorkerOfAFailedCommitIsRecordedByTheNext: what a transaction that was rolled back had
// numbered has no number.
func TestAWorkerOfAFailedCommitIsRecordedByTheNext(t *testing.T) {
	s, _, w, run := begun(t)
	b := w.blocks[0]
	must(t, s.AddGame(ctx, run.ID, experiments.Game{Place: experiments.Place{Candidate: 999}, Outcome: simulator.Outcome{Worker: "a"}}))
	fails(t, "", second(recall(s, run.ID, b.Block)), "FOREIGN KEY")
	s.pending = nil
	b.games[0].Worker, b.games[1].Worker = "b", "a"
	must(t, b.add(s, run.ID, 0))
	must(t, b.add(s, run.ID, 1))
	found, err := recall(s, run.ID, b.Block)
	if err != nil || found.Games[0].Worker != "b" || found.Games[1].Worker != "a" {
		t.Errorf("got %+v, %v", found, err)
	}
}
