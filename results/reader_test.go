package results

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"tune2048/experiments"
)

func TestReadModel(t *testing.T) {
	ctx := context.Background()
	w, s, path := recorded(t, 8)
	r, err := OpenReader(path)
	must(t, err)
	defer r.Close()

	runs, err := r.Runs(ctx)
	must(t, err)
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

	c, err := r.Champion(ctx, "snake")
	must(t, err)
	if !reflect.DeepEqual(c.Candidate, w.candidates[w.champion]) || !reflect.DeepEqual(c.Start, w.candidates[0]) {
		t.Errorf("got %+v", c)
	}
	for i, h := range c.HeldOut {
		e := w.blocks[len(w.blocks)-2+i].evaluations
		contrast := w.contrasts[i]
		if !h.Compared || h.Search != contrast.Search || h.Mean.Value != e[0].Score.Mean || h.Mean.Interval != e[0].Interval ||
			h.Start.Value != e[1].Score.Mean || h.Start.Interval != e[1].Interval || h.Games != 30 || h.StartGames != 30 ||
			h.Gain.Value != contrast.Difference || h.Gain.Interval != contrast.Interval ||
			h.Ratio.Value != contrast.Ratio || h.Ratio.Interval != contrast.RatioInterval || h.Playoff.Games != 20 {
			t.Errorf("got %+v", h)
		}
	}

	standings, err := r.Leaderboard(ctx, Filter{Run: "snake", Phase: experiments.PhasePlayoff}, 2)
	must(t, err)
	if len(standings) != 2 || standings[0].Rank != 1 || standings[0].Search != "depth 5" || standings[0].Mean.Value < standings[1].Mean.Value {
		t.Errorf("got %+v", standings)
	}
	var weights map[string]float64
	must(t, json.Unmarshal([]byte(standings[0].Weights), &weights))
	for _, v := range w.candidates[standings[0].Candidate].Weights {
		if weights[v.Name] != v.Value {
			t.Errorf("weight %s: got %v, want %v", v.Name, weights[v.Name], v.Value)
		}
	}
	if all, err := r.Leaderboard(ctx, Filter{}, 0); err != nil || len(all) < 3*len(w.candidates) {
		t.Errorf("got %d rows, %v", len(all), err)
	}

	generations, err := r.Convergence(ctx, "snake")
	must(t, err)
	if len(generations) != 5 || generations[0].Stage != "explore" || generations[4].Number != 1 || generations[4].Candidates != 3 {
		t.Errorf("got %+v", generations)
	}
	rates, err := r.TileRates(ctx, "snake", experiments.PhaseValidation)
	must(t, err)
	if len(rates) != 2*3*len(experiments.Tiles) || rates[0].Tile != 128 || rates[0].Games != 30 || !rates[0].Share.Interval.Contains(rates[0].Share.Value) {
		t.Errorf("got %d, %+v", len(rates), rates[0])
	}

	var n int
	for g, err := range r.Games(ctx, run.ID, Filter{Phase: experiments.PhaseValidation, Search: "depth 5"}) {
		must(t, err)
		if g.Outcome != last.games[n] || g.Seed != last.Seeds[n%30] || g.Candidate != last.Candidates[n/30] {
			t.Fatalf("game %d: %+v", n, g)
		}
		if one, err := r.Game(ctx, g.ID); err != nil || one != g {
			t.Fatalf("got %+v, %v", one, err)
		}
		n++
	}
	if n != last.Games() {
		t.Errorf("got %d games", n)
	}
	if all, err := r.Candidates(ctx, run.ID); err != nil || !reflect.DeepEqual(all, w.candidates) {
		t.Errorf("got %+v, %v", all, err)
	}

	if _, err := r.Candidate(ctx, run.ID, 99); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := r.Game(ctx, 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	begin(t, s, spec("young", "a"))
	if _, err := r.Champion(ctx, "young"); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "no champion yet") {
		t.Errorf("got %v", err)
	}
}

func TestQuery(t *testing.T) {
	s, _ := open(t)
	var names []string
	var rows [][]any
	err := s.Reader().Query(context.Background(), "SELECT 1 AS a, 'x' AS b, NULL AS c, sqrt(2.25) AS d, sqrt(4) AS e, sqrt(-1) AS f, sqrt('x') AS g",
		func(n []string) error { names = n; return nil },
		func(r []any) error { rows = append(rows, append([]any(nil), r...)); return nil })
	must(t, err)
	if !reflect.DeepEqual(names, []string{"a", "b", "c", "d", "e", "f", "g"}) ||
		!reflect.DeepEqual(rows, [][]any{{int64(1), "x", nil, 1.5, 2.0, nil, nil}}) {
		t.Errorf("got %v, %v", names, rows)
	}
	if err := s.Reader().Query(context.Background(), "SELEC", nil, nil); err == nil || !strings.Contains(err.Error(), "syntax error") {
		t.Errorf("got %v", err)
	}
}
