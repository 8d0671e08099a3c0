package results

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/tuner/fitness"
)

func TestReadModel(t *testing.T) {
	w, s, path := recorded(t, 8)
	r := reading(t, path)

	runs := sure(r.Runs(ctx))(t)
	if len(runs) != 3 || runs[0].Name != "another" || runs[1].Name != "snake" {
		t.Fatalf("got %+v", runs)
	}
	run := runs[1]
	last := w.blocks[len(w.blocks)-1]
	if run.ID != 2 || run.Kind != "tune" || run.Seed != 2048 || run.Status != experiments.Finished || run.Alive ||
		run.Candidates != len(w.candidates) || run.Games != last.First+int64(last.Games()) || run.Champion != w.champion ||
		run.Started.IsZero() || run.Finished.Before(run.Started) || len(run.HeldOut) != 2 {
		t.Errorf("got %+v", run)
	}

	run, c, err := r.Champion(ctx, "snake")
	must(t, err)
	if !reflect.DeepEqual(c, w.candidates[w.champion]) {
		t.Errorf("got %+v", c)
	}
	for i, h := range run.HeldOut {
		e := w.blocks[len(w.blocks)-2+i].evaluations
		comparison := w.comparisons[i]
		if h.Verdict == "" || h.Search != comparison.Search || h.Mean.Value != e[0].Score.Mean || h.Mean.Interval != e[0].Interval ||
			h.Objective != fitness.MeanScore || h.Fitness != h.Mean || h.StartFitness != h.Start || h.Verdict != comparison.Verdict ||
			h.Start.Value != e[1].Score.Mean || h.Start.Interval != e[1].Interval || h.Games != 30 ||
			h.Gain != comparison.Difference || h.Ratio != comparison.Ratio {
			t.Errorf("got %+v", h)
		}
	}

	n := 0
	for g, err := range r.Games(ctx, run.ID) {
		must(t, err)
		if at := int(g.Game - last.First); at >= 0 {
			want := last.Game(at)
			want.Outcome = last.games[at]
			if g != want {
				t.Fatalf("got %+v, want %+v", g, want)
			}
			if one, err := r.Game(ctx, run.ID, g.Game); err != nil || one != g {
				t.Fatalf("got %+v, %v", one, err)
			}
		}
		n++
	}
	if n != int(run.Games) {
		t.Errorf("got %d games", n)
	}
	evaluations := sure(r.Evaluations(ctx, run.ID))(t)
	for _, b := range w.blocks {
		if !reflect.DeepEqual(evaluations[:len(b.evaluations)], b.evaluations) {
			t.Fatalf("got %+v", evaluations)
		}
		evaluations = evaluations[len(b.evaluations):]
	}
	if of, one, err := r.CandidateByID(ctx, candidateID(2, 3)); err != nil || of.Name != "snake" || !reflect.DeepEqual(one, w.candidates[3]) {
		t.Errorf("got %+v, %v", one, err)
	}

	begin(t, s, spec("young", "a"))
	for what, err := range map[string]error{
		"no candidate 99":               second(r.Candidate(ctx, run.ID, 99)),
		"candidate -1: there is no run": third(r.CandidateByID(ctx, -1)),
		"candidate 77: there is no run": third(r.CandidateByID(ctx, 77)),
		"no champion yet":               third(r.Champion(ctx, "young")),
		"there is no run number 77":     second(r.Replay(ctx, GameID(77, 0))),
		"no row of its game 9999":       second(r.Replay(ctx, GameID(2, 9999))),
		"did you mean snake?":           second(r.Find(ctx, "snaek")),
	} {
		if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
}

func TestQuery(t *testing.T) {
	s, _ := open(t)
	var names []string
	var got []any
	must(t, s.Reader().Query(ctx, "SELECT 1 AS a, 'x' AS b, NULL AS c, 2.5 AS d",
		func(n []string) error { names = n; return nil }, func(r []any) error { got = slices.Clone(r); return nil }))
	if !reflect.DeepEqual(names, []string{"a", "b", "c", "d"}) || !reflect.DeepEqual(got, []any{int64(1), "x", nil, 2.5}) {
		t.Errorf("got %v, %v", names, got)
	}
	fails(t, "", s.Reader().Query(ctx, "SELEC", nil, nil), "syntax error")
}

// TestFinishedBlockGrows: finishing a block again with more games leaves no trace of the smaller
// block, and finishing it with as many or fewer changes nothing.
func TestFinishedBlockGrows(t *testing.T) {
	block := experiments.Block{Phase: experiments.PhaseComparison, Search: "depth 3", Round: 1, Candidates: []int{0}, First: 50}
	r := random(5)
	whole := playedBlock{Block: block}
	for range 9 {
		whole.Seeds = append(whole.Seeds, r.Uint64()>>11)
		whole.games = append(whole.games, randomOutcome(r))
	}
	fill := func(s *Store, sizes ...int) (Run, string) {
		run := begin(t, s, spec("compare", "x"))
		must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0, Origin: "compared"}}))
		for _, n := range sizes {
			b := whole
			b.Seeds = whole.Seeds[:n]
			found := sure(s.Recall(ctx, run.ID, b.Block, false))(t)
			for i := len(found.Games); i < n; i++ {
				must(t, b.add(s, run.ID, i))
			}
			e := evaluate(b.Game(0).Place, b.games[:n])
			b.evaluations = []experiments.Evaluation{e}
			b.standings = []experiments.Standing{{Evaluations: 1, Generations: 1, Sample: e.Sample, Interval: e.Interval, Sums: e.Sums}}
			must(t, b.finish(s, run.ID, true))
		}
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
		return find(t, s, "compare"), viewRows(t, s)
	}
	s, _ := open(t)
	grown, grownRows := fill(s, 4, 5, 9, 9, 4)
	s, _ = open(t)
	once, onceRows := fill(s, 9)
	if grown.Fingerprint != once.Fingerprint || grownRows != onceRows || once.Games != 9 {
		t.Errorf("grown:\n%s\nin one go:\n%s", grownRows, onceRows)
	}
}

func TestZeroHasNoMinus(t *testing.T) {
	if got := Cells([]any{math.Copysign(0, -1)})[0]; got != "0" {
		t.Errorf("got %s, want 0", got)
	}
}

// TestGamesOfAnUnfinishedRun: the games of blocks that are not finished count, wherever their
// numbers are. Each player of a comparison has a part of the numbers, and its blocks grow.
func TestGamesOfAnUnfinishedRun(t *testing.T) {
	s, _, w, run := begun(t)
	execute(t, s.writer, "UPDATE runs SET kind = 'compare'")
	d := newDealer(random(1), func(int) simulator.Outcome { return randomOutcome(random(1)) })
	want := int64(0)
	for number := range w.candidates[:3] {
		for round := range 2 {
			d.next = int64(number)*100_000_000 + int64(10*round)
			b := d.block(experiments.PhaseComparison, "", "depth 3", 0, 2*number+round, 10, number)
			for i := range 10 - 3*round { // the second block is not finished
				must(t, b.add(s, run.ID, i))
				want++
			}
			if round == 0 {
				must(t, b.finish(s, run.ID, number != 1)) // one keeps no rows
			}
		}
	}
	must(t, s.flush())
	if got := find(t, s, "snake").Games; got != want {
		t.Errorf("the run has %d games, want %d", got, want)
	}
}

// viewRows are the rows of the views but for times.
func viewRows(t *testing.T, s *Store) string {
	t.Helper()
	text := ""
	for _, view := range []string{"leaderboard", "champions", "convergence", "tile_rates", "verdicts"} {
		all := sure(rows(s.Reader(), "SELECT * FROM "+view))(t)
		for _, row := range all {
			text += fmt.Sprintln(row...)
		}
	}
	return text
}
