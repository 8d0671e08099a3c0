package results

import (
	"slices"
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// knows counts the games of a block that the memo has all of, and those that it has a part of.
func knows(t *testing.T, s *Store, run int64, b playedBlock) (whole, part int) {
	t.Helper()
	for i, k := range sure(known(s, run, b))(t) {
		n := len(k.Outcomes)
		for game, o := range k.Outcomes {
			want, _ := b.game(i%len(b.Candidates)*b.Games + game)
			want.Final, want.Capped, want.Duration, want.Worker, o.Duration = 0, false, 0, "", 0
			if o != want.Outcome {
				t.Errorf("game %d of question %d: got %+v, want %+v", game, i, o, want.Outcome)
			}
		}
		switch {
		case k.Evaluation != nil:
			t.Errorf("question %d is recorded as %+v", i, k.Evaluation)
		case n == b.Games:
			whole += n
		default:
			part += n
		}
	}
	return whole, part
}

// TestGamesOfOtherRuns: a run takes what was ever played, by keys alone, whatever it was for,
// unless one of the two is on its own.
func TestGamesOfOtherRuns(t *testing.T) {
	for _, c := range []struct {
		what        string
		first       func(*experiments.RunSpec) // of the run that played
		spec        func(*experiments.RunSpec) // of the run that asks
		block       func(*playedBlock)
		whole, part int // games
	}{
		{what: "an equal block", whole: 15},
		{what: "another objective", spec: func(s *experiments.RunSpec) { s.Objective = "mean_log_score" }, whole: 15},
		{what: "another place", block: func(b *playedBlock) { b.Generation, b.Round, b.number = 7, 3, 900 }, whole: 15},
		{what: "some candidates", block: func(b *playedBlock) {
			b.Candidates, b.games = []int{2, 0},
				append(b.games[10:15:15], b.games[:5]...)
		}, whole: 10},
		{what: "another search", block: func(b *playedBlock) { b.Search = "depth 7" }},
		{what: "other seeds", block: func(b *playedBlock) { b.stream.Seed++ }},
		{what: "fewer games", block: func(b *playedBlock) { *b = b.cut(4) }, whole: 12},
		{what: "more games", block: func(b *playedBlock) {
			more := *b
			more.Games, more.games = 7, nil
			for i := range b.Candidates {
				more.games = append(append(more.games, b.games[5*i:][:5]...), simulator.Outcome{}, simulator.Outcome{})
			}
			*b = more
		}, part: 15},
		{what: "on its own", spec: func(s *experiments.RunSpec) { s.New = true }},
		{what: "of a run on its own", first: func(s *experiments.RunSpec) { s.New = true }},
	} {
		s, _ := open(t)
		w := newWorld(random(1))
		of, own := spec("snake", "snake"), spec("other", "other")
		if c.first != nil {
			c.first(&of)
		}
		first := begin(t, s, of)
		must(t, s.AddCandidates(ctx, first.ID, w.candidates))
		must(t, w.blocks[0].finish(s, first.ID, false))
		if c.spec != nil {
			c.spec(&own)
		}
		run := begin(t, s, own)
		must(t, s.AddCandidates(ctx, run.ID, w.candidates))
		b := w.blocks[0]
		if c.block != nil {
			stream, search := b.stream, b.Search
			c.block(&b)
			if b.evaluate(); b.stream == stream && b.Search == search {
				for i := range b.questions { // the key has no place
					b.questions[i].Key = key(b.questions[i].Candidate, " ", search, " ", stream, " 0")
				}
			}
		}
		if whole, part := knows(t, s, run.ID, b); whole != c.whole || part != c.part {
			t.Errorf("%s: got %d and %d games, want %d and %d", c.what, whole, part, c.whole, c.part)
		}
	}
}

// TestGamesOfAllEndings: the games of a bot that does not repeat itself serve all endings of its
// run, and no other run. What is known of it is known of all.
func TestGamesOfAllEndings(t *testing.T) {
	s, _, w, first := begun(t)
	b, playoff := w.blocks[0], w.blocks[7]
	must(t, b.finish(s, first.ID, false))
	must(t, second(s.Judge(ctx, first.ID,
		experiments.Length{Generations: 1, Candidates: len(w.candidates), Questions: len(b.questions)})))
	must(t, playoff.finish(s, first.ID, false))
	must(t, s.SetUnrepeatable(ctx, first.ID, "a bot"))
	must(t, s.Finish(ctx, first.ID, experiments.Finished))
	counts(t, s, "memo WHERE only_run = 1", len(b.questions)+len(playoff.questions))
	playoff.number += 100
	playoff.evaluate()
	other := begin(t, s, spec("other", "other"))
	must(t, s.AddCandidates(ctx, other.ID, w.candidates))
	for i, hash := range []string{"second", "third"} {
		next := spec("snake", hash)
		next.Tuning = "a"
		run := begin(t, s, next)
		if run.Name != "snake" || !run.Another || find(t, s, "snake@open").Unrepeatable != "a bot" {
			t.Errorf("got %+v", run)
		}
		for _, k := range sure(known(s, run.ID, b))(t) {
			if k.Evaluation == nil {
				t.Errorf("the %s ending does not know its tuning: %+v", hash, k)
			}
		}
		if whole, _ := knows(t, s, run.ID, playoff); whole != len(playoff.games) {
			t.Errorf("the %s ending: got %d games of the playoff, want %d", hash, whole, len(playoff.games))
		}
		must(t, second(s.Judge(ctx, run.ID,
			experiments.Length{Generations: 2 + i, Candidates: len(w.candidates), Questions: len(b.questions)})))
		must(t, playoff.finish(s, run.ID, false))
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
	}
	counts(t, s, "memo", len(b.questions)+len(playoff.questions))
	for _, b := range []playedBlock{b, playoff} {
		if whole, _ := knows(t, s, other.ID, b); whole != 0 {
			t.Errorf("another run: got %d games, want none", whole)
		}
	}
	if got := find(t, s, "snake"); got.Fingerprint != "" || got.Unrepeatable != "a bot" {
		t.Errorf("got %+v", got)
	}
}

// TestFailuresServeTheirEnding: another ending of the run plays again what a bot could not after
// the tuning. A failure in the tuning is known to all endings.
func TestFailuresServeTheirEnding(t *testing.T) {
	s, _, w, first := begun(t)
	b, playoff := w.blocks[0], w.blocks[7]
	for _, block := range []playedBlock{b, playoff} {
		block.evaluations = slices.Clone(block.evaluations)
		for i := 1; i < 3; i++ {
			e := &block.evaluations[i]
			*e = experiments.Evaluation{Place: e.Place, Number: e.Number, Key: e.Key, Failure: "it exited"}
		}
		must(t, block.finish(s, first.ID, false))
		if !block.Tuned() {
			continue
		}
		must(t, second(s.Judge(ctx, first.ID,
			experiments.Length{Generations: 1, Candidates: len(w.candidates), Questions: len(b.questions)})))
	}
	must(t, s.Finish(ctx, first.ID, experiments.Finished))
	next := spec("snake", "longer")
	next.Tuning = "a"
	run := begin(t, s, next)
	if k := sure(known(s, run.ID, b))(t)[1]; k.Evaluation == nil || k.Evaluation.Failure != "it exited" {
		t.Errorf("of the tuning it knows %+v", k)
	}
	must(t, second(s.Judge(ctx, run.ID,
		experiments.Length{Generations: 2, Candidates: len(w.candidates), Questions: len(b.questions)})))
	if k := sure(known(s, run.ID, playoff))(t)[1]; k.Evaluation != nil || k.Failure != "" || len(k.Outcomes) != 0 {
		t.Errorf("of the playoff it knows %+v", k)
	}
	playoff.evaluations = slices.Clone(playoff.evaluations)
	e := &playoff.evaluations[2]
	*e = experiments.Evaluation{Place: e.Place, Number: e.Number, Key: e.Key, Failure: "it fell silent"}
	must(t, playoff.finish(s, run.ID, false))
	for ending, want := range map[int64][]string{first.ID: {"", "it exited", "it exited"},
		run.ID: {"", "", "it fell silent"}} {
		for i, e := range sure(s.reader.Evaluations(ctx, ending))(t)[len(b.evaluations):] {
			if e.Failure != want[i] {
				t.Errorf("ending %d: evaluation %d has the failure %q, want %q", ending, i, e.Failure, want[i])
			}
		}
	}
}

// TestFailuresServeTheirOwnRun: another run plays again what a bot could not, and what it then
// plays is no business of the first one.
func TestFailuresServeTheirOwnRun(t *testing.T) {
	s, path, w, first := begun(t)
	b := w.blocks[0]
	failed := b
	failed.evaluations = append([]experiments.Evaluation(nil), b.evaluations...)
	e := &failed.evaluations[1]
	*e = experiments.Evaluation{Place: e.Place, Number: e.Number, Key: e.Key, Failure: "it exited"}
	must(t, failed.finish(s, first.ID, false))
	edit(t, path, "INSERT INTO memo (key, only_run, games, scores, ranks, moves, nodes, failure) SELECT key, 0, 0, "+
		"'[]', '[]', '[]', '[]', failure FROM memo WHERE failure > ''")
	other := begin(t, s, spec("other", "other"))
	must(t, s.AddCandidates(ctx, other.ID, w.candidates))
	if whole, part := knows(t, s, other.ID, b); whole != 10 || part != 0 {
		t.Errorf("another run knows %d and %d games, want 10 and 0", whole, part)
	}
	if k := sure(known(s, other.ID, b))(t)[1]; k.Failure != "" {
		t.Errorf("another run gets the failure %s", k.Failure)
	}
	must(t, b.finish(s, other.ID, false))
	must(t, s.Close())
	s = reopen(t, path)
	begin(t, s, spec("snake", "a"))
	if k := sure(known(s, first.ID, b))(t)[1]; k.Evaluation == nil || k.Evaluation.Failure != "it exited" {
		t.Errorf("the first run knows %+v", k)
	}
}

// TestTwoRunsPlayTheSame: of two processes that play the same games the second one finds them in
// the memo when it records its own. Where they differ it keeps its own for itself.
func TestTwoRunsPlayTheSame(t *testing.T) {
	for what, change := range map[string]func(*playedBlock){
		"the same": func(*playedBlock) {},
		"longer":   func(b *playedBlock) { *b = b.cut(3) },
		"false":    func(b *playedBlock) { b.games[0].Score += 4 },
	} {
		s, _, w, first := begun(t)
		other := begin(t, s, spec("other", "other"))
		must(t, s.AddCandidates(ctx, other.ID, w.candidates))
		b := w.blocks[0]
		before := b
		before.games = append([]simulator.Outcome(nil), b.games...)
		change(&before)
		before.evaluate()
		must(t, before.finish(s, first.ID, false))
		must(t, b.finish(s, other.ID, false)) // it does not know
		want := 3
		if what == "false" {
			want = 4
		}
		counts(t, s, "memo", want)
		for run, block := range map[int64]playedBlock{first.ID: before, other.ID: b} {
			found := sure(s.reader.Evaluations(ctx, run))(t)
			for i := range found {
				if bitsOf(found[i]) != bitsOf(block.evaluations[i]) {
					t.Errorf("%s, run %d: got %+v, want %+v", what, run, found[i], block.evaluations[i])
				}
			}
		}
	}
}
