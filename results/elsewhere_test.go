package results

import (
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// TestElsewhere: the games that a run takes from another one, and the games that it refuses once
// somebody has changed them.
func TestElsewhere(t *testing.T) {
	const all = 5 // games of the candidate
	for _, c := range []struct {
		change             string // to the database, by hand
		spec               func(*experiments.RunSpec)
		games, evaluations int
	}{
		{"", nil, all, 1},
		{"", func(s *experiments.RunSpec) { s.Objective = "mean_log_score" }, all, 0},
		{"", func(s *experiments.RunSpec) { s.Seed++ }, 0, 0},
		{"", func(s *experiments.RunSpec) { s.Signature = "changed play" }, 0, 0},
		{"DELETE FROM games", nil, 0, 1}, // their rows are not kept
		{"DELETE FROM games WHERE id % 5 = 1", nil, 0, 1},
		{"UPDATE games SET score = score + 4", nil, 0, 1},
		{"UPDATE games SET final_board = final_board + 1", nil, 0, 1},
		{"UPDATE games SET seed = seed + 1 WHERE id = 1000000001", nil, all - 1, 1},
		// Two seeds change places, so each game would have the outcome of the other.
		{`CREATE TEMP TABLE two AS SELECT id, seed FROM games WHERE id < 1000000002;
			UPDATE games SET seed = (SELECT seed FROM two WHERE two.id = 2000000001 - games.id) WHERE id < 1000000002`, nil, all - 2, 1},
		{"UPDATE evaluations SET mean_score = mean_score + 1", nil, 0, 0},
		{"UPDATE evaluations SET games_hash = 'x'", nil, 0, 0},
		{"UPDATE candidates SET play = 'x' WHERE number = 0; UPDATE candidates SET play = (SELECT play FROM candidates WHERE number = 1) WHERE number = 0", nil, 0, 0},
		{"UPDATE runs SET objective = 'mean_score', fingerprint = 'x'", nil, 0, 0},
		{"UPDATE runs SET status = 'interrupted'", nil, 0, 0},
	} {
		path := whole(t)
		edit(t, path, c.change)
		s := reopen(t, path)
		w := newWorld(random(1))
		own := spec("other", "other")
		if c.spec != nil {
			c.spec(&own)
		}
		run := begin(t, s, own)
		must(t, s.AddCandidates(ctx, run.ID, w.candidates[:3]))
		b := w.blocks[0]
		b.Candidates = []int{0}
		found := sure(s.Recall(ctx, run.ID, b.Block, true))(t)
		games, evaluations := found.Shared, found.Evaluations
		if len(games) != c.games || len(evaluations) != c.evaluations {
			t.Errorf("%s: got %d games and %d evaluations, want %d and %d", c.change, len(games), len(evaluations), c.games, c.evaluations)
		}
		for i, o := range games {
			if want := b.games[i]; o != want {
				t.Errorf("%s: game %d: got %+v, want %+v", c.change, i, o, want)
			}
		}
		if e, is := evaluations[0]; is && bits(e) != bits(b.evaluations[0]) {
			t.Errorf("%s: got %+v, want %+v", c.change, e, b.evaluations[0])
		}
	}
}

// TestElsewhereTakesRoundsApart: another run dealt the same games in other rounds.
func TestElsewhereTakesRoundsApart(t *testing.T) {
	s, _ := open(t)
	r := random(3)
	d := newDealer(r, func(int) simulator.Outcome { return randomOutcome(r) })
	first, second := d.block("tuning", "tune", "depth 1", 4, 0, 3, 0), d.block("tuning", "tune", "depth 1", 4, 1, 2, 0)
	candidate := []experiments.Candidate{{Origin: "start", PlayHash: "p"}}
	run := begin(t, s, spec("rounds", "rounds"))
	must(t, s.AddCandidates(ctx, run.ID, candidate))
	for _, b := range []playedBlock{first, second} {
		b.addAll(t, s, run.ID)
		must(t, b.finish(s, run.ID, true))
	}
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	other := begin(t, s, spec("other", "other"))
	must(t, s.AddCandidates(ctx, other.ID, candidate))
	wanted := experiments.Block{Phase: "tuning", Stage: "tune", Search: "depth 1", Generation: 4, Round: 1, Candidates: []int{0},
		Dealt: 2, Seeds: []uint64{first.Seeds[2], second.Seeds[0], second.Seeds[1], 7}}
	found := sure(s.Recall(ctx, other.ID, wanted, true))(t)
	games, evaluations := found.Shared, found.Evaluations
	if len(games) != 3 || len(evaluations) != 0 || games[0] != first.games[2] || games[1] != second.games[0] || games[2] != second.games[1] {
		t.Errorf("got %v, %v", games, evaluations)
	}
}
