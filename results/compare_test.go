package results

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"tune2048/experiments"
)

// TestHeldOutGames: only games that nothing was chosen by, all of a candidate's together.
func TestHeldOutGames(t *testing.T) {
	ctx := context.Background()
	w, s, _ := recorded(t, 8)
	all, err := s.Reader().HeldOutGames(ctx, "")
	must(t, err)
	const run = 2 // of snake
	seen := 0
	for _, m := range all {
		if m.Run != "snake" {
			continue
		}
		seen++
		number := int(m.Candidate - run*candidatesPerRun)
		games := w.gamesOf(number, func(b experiments.Block) bool { return b.Phase == experiments.PhaseValidation && b.Search == m.Search })
		want := evaluate(number, games)
		near(t, "mean", m.Score.Mean, want.Score.Mean, 1e-12)
		near(t, "squares", m.Score.M2, want.Score.M2, 1e-9)
		us := int64(0)
		for _, g := range games {
			us += g.DurationUS
		}
		if m.Phase != experiments.PhaseValidation || m.Score.N != len(games) || m.Moves != want.Moves || m.Nodes != want.Nodes ||
			m.Name != w.candidates[number].Name || m.TimedMoves != m.Moves || m.TimedUS != us {
			t.Errorf("got %+v, want %+v and %d µs", m, want, us)
		}
	}
	if seen != 6 { // 3 players at 2 searches
		t.Errorf("got %d figures of 6", seen)
	}
	one, err := s.Reader().HeldOutGames(ctx, "depth 5")
	must(t, err)
	if len(one)*2 != len(all) {
		t.Errorf("got %d figures at depth 5 of %d", len(one), len(all))
	}
}

func TestCandidateByID(t *testing.T) {
	ctx := context.Background()
	w, s, _ := recorded(t, 8)
	run, c, err := s.Reader().CandidateByID(ctx, 2*candidatesPerRun+3)
	must(t, err)
	if run.Name != "snake" || !reflect.DeepEqual(c, w.candidates[3]) {
		t.Errorf("got %+v of %s", c, run.Name)
	}
	for _, id := range []int64{0, -1, 3, 2*candidatesPerRun + 999999, 77 * candidatesPerRun} {
		if _, _, err := s.Reader().CandidateByID(ctx, id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%d: %v", id, err)
		}
	}
}

// TestReopenedBlockGrows: a block that is finished again with more games leaves no trace of having been smaller.
func TestReopenedBlockGrows(t *testing.T) {
	ctx := context.Background()
	r := random(5)
	block := experiments.Block{Phase: experiments.PhaseComparison, Search: "depth 3", Round: 1, Candidates: []int{0}, First: 50}
	var games []experiments.Outcome
	for range 9 {
		block.Seeds = append(block.Seeds, r.Uint64()>>11)
		games = append(games, randomOutcome(r))
	}
	fill := func(s *Store, sizes ...int) string {
		run := begin(t, s, spec("compare", "x"))
		must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0, Origin: "compared"}}))
		for _, n := range sizes {
			recorded, err := s.Recorded(ctx, run.ID, block.Phase, block.Search)
			must(t, err)
			b := block
			b.Seeds = block.Seeds[:n]
			if recorded[1] > 0 {
				must(t, s.Reopen(ctx, run.ID, b))
			}
			for i := recorded[1]; i < n; i++ {
				must(t, s.AddGame(ctx, run.ID, b, i, games[i]))
			}
			must(t, s.FinishBlock(ctx, run.ID, b, []experiments.Evaluation{evaluate(0, games[:n])}, true))
		}
		recorded, err := s.Recorded(ctx, run.ID, block.Phase, block.Search)
		must(t, err)
		if !reflect.DeepEqual(recorded, map[int]int{1: 9}) {
			t.Errorf("recorded %v", recorded)
		}
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
		found, err := s.Reader().Find(ctx, "compare")
		must(t, err)
		board, err := s.Reader().Leaderboard(ctx, Filter{}, 0)
		must(t, err)
		if len(board) != 1 || board[0].Games != 9 || found.Games != 9 {
			t.Errorf("got %+v of %+v", board, found)
		}
		return found.Fingerprint
	}
	grown, _ := open(t)
	whole, _ := open(t)
	if fill(grown, 4, 5, 9) != fill(whole, 9) {
		t.Error("another fingerprint than in one go")
	}
}
