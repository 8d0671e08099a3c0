package results

import (
	"slices"
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// TestEvaluationsOfOtherRuns: a run takes another run's evaluations by their keys alone, unless one
// of the two is on its own.
func TestEvaluationsOfOtherRuns(t *testing.T) {
	for _, c := range []struct {
		what   string
		change string // to the database, by hand; the run with the games has number 1
		spec   func(*experiments.RunSpec)
		block  func(*playedBlock)
		taken  int // evaluations
	}{
		{what: "an equal block", taken: 3},
		{what: "another objective", spec: func(s *experiments.RunSpec) { s.Objective = "mean_log_score" }, taken: 3},
		{what: "another phase and place", block: func(b *playedBlock) { b.Phase, b.Generation, b.First = "playoff", 7, 900 }, taken: 3},
		{what: "some candidates", block: func(b *playedBlock) { b.Candidates, b.Keys = []int{2, 0}, []string{b.Keys[2], b.Keys[0]} }, taken: 2},
		{what: "other seeds", block: func(b *playedBlock) { b.Keys = []string{"x", b.Keys[1], "y"} }, taken: 1},
		{what: "fewer games", block: func(b *playedBlock) { b.Seeds = b.Seeds[:4] }},
		{what: "of an interrupted run", change: "UPDATE runs SET status = 'interrupted'", taken: 3},
		{what: "without rows of games", change: "DELETE FROM games", taken: 3},
		{what: "on its own", spec: func(s *experiments.RunSpec) { s.New = true }},
		{what: "of a run on its own", change: "UPDATE runs SET own_games_only = 1", taken: 3},
		{what: "not to be repeated", change: "UPDATE runs SET unrepeatable = 'a bot'"},
		{what: "not to be repeated, in the chain", change: "UPDATE runs SET unrepeatable = 'a bot'", spec: func(s *experiments.RunSpec) { s.GoesOnFrom = 1 }, taken: 3},
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
		if c.block != nil {
			c.block(&b)
		}
		found := sure(recall(s, run.ID, b.Block))(t)
		if len(found.Evaluations) != c.taken || len(found.Games) != 0 || found.Recorded {
			t.Errorf("%s: got %+v, want %d evaluations", c.what, found, c.taken)
		}
		for number, e := range found.Evaluations {
			if bits(e) != bits(w.blocks[0].evaluations[number]) {
				t.Errorf("%s: got %+v, want %+v", c.what, e, w.blocks[0].evaluations[number])
			}
		}
	}
}

// TestEvaluationsAlongAChain: the games of a bot that does not repeat itself serve all runs that go
// on from it, also through a run between. They serve no other branch.
func TestEvaluationsAlongAChain(t *testing.T) {
	s, _, w, first := begun(t)
	b := w.blocks[0]
	must(t, b.finish(s, first.ID, false))
	must(t, s.SetUnrepeatable(ctx, first.ID, "a bot"))
	then := func(name string, from experiments.Run) experiments.Run {
		next := spec(name, name)
		next.GoesOnFrom = from.ID
		return begin(t, s, next)
	}
	second := then("second", first)
	third := then("third", second)
	for run, want := range map[experiments.Run]int{second: 3, third: 3, then("other", experiments.Run{}): 0} {
		if found := sure(recall(s, run.ID, b.Block))(t); len(found.Evaluations) != want || found.Recorded {
			t.Errorf("%s: got %+v, want %d", run.Name, found, want)
		}
	}
}

// TestOwnEvaluationsComeFirst: of several evaluations with one key a run takes its own. It has
// recorded a block if each is at its place.
func TestOwnEvaluationsComeFirst(t *testing.T) {
	s, _, w, before := begun(t)
	b := w.blocks[0]
	must(t, b.finish(s, before.ID, false))
	other := begin(t, s, spec("other", "other"))
	must(t, s.AddCandidates(ctx, other.ID, w.candidates))
	elsewhere := b
	elsewhere.First += 500
	elsewhere.evaluate()
	must(t, elsewhere.finish(s, other.ID, false))
	if found := sure(recall(s, other.ID, b.Block))(t); found.Recorded || len(found.Evaluations) != 3 || found.Evaluations[2].Game != 510 {
		t.Errorf("at another place: %+v", found)
	}
	must(t, b.finish(s, other.ID, false))
	last := begin(t, s, spec("last", "last"))
	must(t, s.AddCandidates(ctx, last.ID, w.candidates))
	must(t, elsewhere.finish(s, last.ID, false))
	for _, run := range []experiments.Run{before, other} {
		if found := sure(recall(s, run.ID, b.Block))(t); !found.Recorded || found.Evaluations[2].Game != 10 {
			t.Errorf("%s: %+v", run.Name, found)
		}
	}
}

// TestEqualPlayersOfABlock: two candidates that play alike have one key. Each has its evaluation,
// and a block of them is recorded as any other.
func TestEqualPlayersOfABlock(t *testing.T) {
	s, _, w, run := begun(t)
	same := randomOutcome(random(1))
	b := newDealer(random(2), func(int) simulator.Outcome { return same }).block("validation", "", "depth 3", 0, 0, 5, 1, 2, 0)
	b.Keys[1] = b.Keys[0]
	b.evaluations[1].Key = b.Keys[0]
	other := begin(t, s, spec("other", "other"))
	must(t, s.AddCandidates(ctx, other.ID, w.candidates))
	b.addAll(t, s, run.ID)
	must(t, b.finish(s, run.ID, false))
	for of, own := range map[int64]bool{run.ID: true, other.ID: false} {
		found := sure(recall(s, of, b.Block))(t)
		if len(found.Evaluations) != 3 || found.Recorded != own || len(found.Games) != 0 {
			t.Errorf("run %d: got %+v", of, found)
		}
		for i, number := range b.Candidates {
			if e := found.Evaluations[number]; own && e.Candidate != number || !slices.Equal(e.Scores, b.evaluations[i].Scores) {
				t.Errorf("run %d, candidate %d: got %+v", of, number, e)
			}
		}
	}
}
