package results

import (
	"reflect"
	"testing"
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
	found := sure(known(s, run.ID, b))(t)
	for i := range b.games {
		if g, question := b.game(i); found[question].Outcomes[i%b.Games] != g.Outcome {
			t.Errorf("game %d: got %+v, want %+v", i, found[question].Outcomes[i%b.Games], g.Outcome)
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
		g, _ := b.game(i)
		if g, err := s.Reader().Game(ctx, Run{ID: run.ID}, GameID(run.ID, g.Number, g.Index)); err != nil || g.Worker != names[i%len(names)] {
			t.Errorf("game %d was played by %q, %v", i, g.Worker, err)
		}
	}
}
