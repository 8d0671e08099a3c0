package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tune2048/tuner"
)

// TestFirstOfEqualsIsChampion, whatever its number: the centre of a population comes before the start weights.
func TestFirstOfEqualsIsChampion(t *testing.T) {
	f := newFinalists(t)
	f.landscape.numbers = f.landscape.numbers[:1] // the label has no say in the games
	s, _ := newState(f.config, 1, f.landscape)
	var asked []tuner.Candidate
	for label := range 4 {
		asked = append(asked, tuner.Candidate{Values: []float64{1, float64(label)}})
	}
	numbers, err := s.register(context.Background(), asked, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]int{{0, 1, 2, 3}, {2, 0, 3, 1}, {3, 2, 1, 0}} {
		s, _ := newState(f.config, 1, f.landscape)
		if _, err := s.register(context.Background(), asked, "", 0); err != nil {
			t.Fatal(err)
		}
		if champion, _, err := s.playoff(context.Background(), order); err != nil || champion != order[0] {
			t.Errorf("of %v, equals of %d, the champion is %d: %v", order, len(numbers), champion, err)
		}
	}
}

// TestCentresAreFinalists: those of all populations, and before them, where there are several, their mean.
func TestCentresAreFinalists(t *testing.T) {
	for _, restarts := range []int{1, 2} {
		c := synthetic(t, whole)
		c.Restarts = restarts
		s, store := newState(c, 5, hill(1.5, 0.7, 0.4, 0.6))
		finalists, err := s.tune(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var values [][]float64
		for i, number := range finalists[:2*restarts-1] {
			candidate, want := store.candidates[number], tuner.OriginCentre
			if restarts > 1 && i == 0 {
				want = tuner.OriginMean
			}
			if candidate.Origin != want || candidate.Stage != "refine" || candidate.Generation != 2*restarts {
				t.Errorf("%d restarts, finalist %d: %s of generation %d of %s", restarts, i, candidate.Origin, candidate.Generation, candidate.Stage)
			}
			values = append(values, s.candidates.vectors[number].Genome(&c.Family))
		}
		if restarts == 1 {
			continue
		}
		space, err := Space(&c.Family)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range space.Mean(values[1:], c.Family.ScaleFree()) {
			if math.Abs(values[0][i]-want) > 1e-3*math.Abs(want) || values[1][i] == values[2][i] {
				t.Errorf("of centres %v the mean has %v, want %v", values[1:], values[0][i], want)
			}
		}
	}
}

// TestProgressIsThatOfThePlan: what is left is that of the part of the plan at hand and of those to come.
func TestProgressIsThatOfThePlan(t *testing.T) {
	c := synthetic(t, strings.NewReplacer("ablation: {games: 0}", "ablation: {games: 8}",
		"validation: {games: 150}", "validation: {games: 20, search: [{depth: 1}, {depth: 2}, {depth: 3}]}", "generations: 2, games: 6, rounds: 3", "generations: 3, games: 6").Replace(whole))
	plan := Plan(c)
	done, last := make([]int64, len(plan)), int64(0)
	var failed error
	check := func(p Progress) {
		at := slices.IndexFunc(plan, func(b PlannedPart) bool { return b.Phase == p.Phase && b.Stage == p.Stage && b.Search == p.Search })
		if at < 0 {
			return // before the first block
		}
		done[at] += p.Done - last
		last = p.Done
		for i, left := range p.Left {
			want := plan[i].Games
			switch {
			case i < at:
				want = 0
			case i == at:
				want -= done[i]
			}
			if left.Games != want || left.Search != plan[i].Search {
				failed = fmt.Errorf("at %s %s %s part %d has %d games left at %s, want %d", p.Phase, p.Stage, p.Search, i, left.Games, left.Search, want)
			}
		}
	}
	x := Experiment{Config: c, Simulator: hill(1.5, 0.7, 0.4, 0.6), Store: newMemory(), Observe: check}
	if result, err := x.Run(context.Background()); err != nil || failed != nil || result.Games != last {
		t.Error(err, failed, result.Games, last)
	}
}
