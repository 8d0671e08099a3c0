package results

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/summary"
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
	if run.ID != 4 || run.Kind != "tune" || run.Seed != 2048 || run.Status != experiments.Finished || run.Alive ||
		run.Candidates != len(w.candidates) || run.Games != int64(w.played()) || run.Champion != w.champion ||
		run.Started.IsZero() || run.Finished.Before(run.Started) {
		t.Errorf("got %+v", run)
	}

	run = sure(r.Champion(ctx, "snake"))(t)
	if c := sure(r.Candidate(ctx, run.ID, run.Champion))(t); !reflect.DeepEqual(c, w.candidates[w.champion]) {
		t.Errorf("got %+v", c)
	}
	if made := summary.Summarize(run.Run, nil, nil, nil, slices.Values(w.evaluations(experiments.PhaseValidation)), nil,
		w.comparisons); len(made.Players) != 4 || !reflect.DeepEqual(run.Headline, made) {
		t.Errorf("got %+v", run.Headline)
	}
	whole := summary.Summarize(run.Run, nil, w.candidates, nil, slices.Values(w.evaluations()), nil, w.comparisons)
	if got, err := r.Summary(ctx, run, 0, nil, w.candidates); err != nil || !reflect.DeepEqual(got, whole) {
		t.Errorf("got %+v, %v", got, err)
	}
	if at, games, err := r.Latest(ctx, run.ID); err != nil || at.Phase != last.Phase || at.Search != last.Search ||
		games != 0 {
		t.Errorf("got %+v, %d, %v", at, games, err)
	}
	if got := sure(r.Evaluations(ctx, run.ID))(t); !reflect.DeepEqual(got, w.evaluations()) {
		t.Fatalf("got %+v", got)
	}
	for _, b := range w.blocks {
		for i := range b.games {
			want, _ := b.game(i)
			want.Run = run.ID
			id, found := GameID(w.owner(3, 4, want.Number), want.Number, want.Index), int64(0)
			found = id
			if b.Phase != experiments.PhaseTuning {
				found = sure(r.GameOf(ctx, run.ID, want.Phase, want.Search, want.Candidate, want.Index))(t)
			}
			if g, err := r.Game(ctx, run, id); err != nil || g != want || found != id {
				t.Fatalf("got %+v, %d, %v, want %+v", g, found, err, want)
			}
		}
	}
	must(t, second(s.writer.Exec("UPDATE memo SET boards = NULL, times = NULL")))
	want, _ := w.blocks[1].game(7)
	want.Run, want.Final, want.Capped, want.Duration = run.ID, 0, false, 0
	if g, err := r.Game(ctx, run, GameID(3, want.Number, want.Index)); err != nil || g != want {
		t.Errorf("got %+v, %v, want %+v", g, err, want)
	}

	execute(t, s.writer, "UPDATE memo SET failure = 'it fell silent' WHERE id IN (SELECT memo_id FROM asked "+
		"WHERE candidate_id = 3000000003); UPDATE asked SET games = 0 WHERE candidate_id = 3000000003")
	var sampled []int
	for _, c := range sure(r.Shown(ctx, run, []int{4, 4, 99}, 1))(t) {
		sampled = append(sampled, c.Number)
	}
	if want := []int{0, 1, 2, 3, 4, 7, w.reference}; !slices.Equal(sampled, want) { // the given one, one that failed, and those that played later
		t.Errorf("got candidates %v, want %v", sampled, want)
	}

	begin(t, s, spec("young", "a"))
	for what, err := range map[string]error{
		"no candidate 99":           second(r.Candidate(ctx, run.ID, 99)),
		"no champion yet":           second(r.Champion(ctx, "young")),
		"there is no run number 77": second(r.Replay(ctx, GameID(77, 0, 0))),
		"asked for no such game":    second(r.Replay(ctx, GameID(2, 9999, 0))),
		"did you mean snake?":       second(r.Find(ctx, "snaek")),
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
	for statement, want := range map[string]string{"SELEC": "syntax error",
		"SELECT * FROM run": "no such table: run (tune query -schema lists"} {
		fails(t, statement, second(rows(s.Reader(), statement)), want)
	}
}

// TestABatchGrows: a batch with more games leaves no trace of the smaller one. A batch with as many
// or fewer changes nothing.
func TestABatchGrows(t *testing.T) {
	r := random(5)
	most := newDealer(r, func(int) simulator.Outcome { return randomOutcome(r) }).block(experiments.PhaseComparison, "",
		"depth 3", 0, 1, 9, 0)
	fill := func(s *Store, sizes ...int) (Run, [][]any) {
		comparison := spec("compare", "x")
		comparison.Kind = experiments.KindCompare
		run := begin(t, s, comparison)
		must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0, Origin: "compared"}}))
		for _, n := range sizes {
			b := most.cut(n)
			found := sure(known(s, run.ID, b))(t)[0]
			for i := len(found.Outcomes); i < n && found.Evaluation == nil; i++ {
				must(t, b.add(s, run.ID, i))
			}
			must(t, b.finish(s, run.ID, true))
		}
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
		return find(t, s, "compare"), figureRows(t, s)
	}
	s, _ := open(t)
	grown, grownRows := fill(s, 4, 5, 9, 9, 4)
	s, _ = open(t)
	once, onceRows := fill(s, 9)
	if grown.Fingerprint != once.Fingerprint || !reflect.DeepEqual(grownRows, onceRows) || once.Games != 9 {
		t.Errorf("grown:\n%v\nin one go:\n%v", grownRows, onceRows)
	}
}

// TestNumbersForTheEye: without a minus before zero, and none so wide that it ruins a table. Whole
// numbers and weights are copied, so they are in full.
func TestNumbersForTheEye(t *testing.T) {
	got := Cells([]any{math.Copysign(0, -1), 1e-4 / 3, -12345.678, 412.545, 123456789.0, 1<<53 - 1.0, 0.1 + 0.2, -1e38,
		math.MaxFloat64, math.Inf(1)})
	if want := []string{"0", "3.333e-05", "-12346", "412.545", "123456789", "9007199254740991", "0.3", "-1e+38",
		"1.798e+308", "+Inf"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestGamesAreSummedFromTheFigures: at any moment a run's games are those of its evaluations,
// whenever its figures were written. Before the last figures no evaluation is read for them.
func TestGamesAreSummedFromTheFigures(t *testing.T) {
	for seed := range uint64(20) {
		s, _, w, run := begun(t)
		now, r := time.Now(), random(seed)
		s.clock = func() time.Time { return now }
		games := func(what string) {
			t.Helper()
			var want int64
			must(t, s.reader.db.QueryRow("SELECT sum(games) FROM asked").Scan(&want))
			if got := find(t, s, run.Name); got.Games != want || got.Candidates != len(w.candidates) {
				t.Errorf("seed %d, %s: %d games of %d candidates, want %d of %d", seed, what, got.Games, got.Candidates, want,
					len(w.candidates))
			}
		}
		for i, b := range w.blocks {
			if r.IntN(2) == 0 {
				now = now.Add(figuresPause)
			}
			must(t, b.finish(s, run.ID, false))
			games(fmt.Sprint("block ", i))
		}
		if behind := sure(s.reader.Behind(ctx))(t); len(behind) > 0 && (!behind[0].Alive || behind[0].Games <= 0) {
			t.Errorf("seed %d: a run under way is behind: %+v", seed, behind)
		}
		must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
		if behind := sure(s.reader.Behind(ctx))(t); len(behind) > 0 {
			t.Errorf("seed %d: behind %+v", seed, behind)
		}
		want := find(t, s, run.Name).Games
		execute(t, s.writer, "UPDATE asked SET games = games + 1000 WHERE number = 0")
		if got := find(t, s, run.Name).Games; got != want {
			t.Errorf("seed %d: %d games, want %d: all evaluations were read", seed, got, want)
		}
	}
}
