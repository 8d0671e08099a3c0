package experiments

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tune2048/tuner"
)

// TestFirstOfEqualsIsChampion, whatever its number: the centre of a population comes before the
// start weights.
func TestFirstOfEqualsIsChampion(t *testing.T) {
	f := newFinalists(t)
	f.landscape.numbers = f.landscape.numbers[:1] // the label has no say in the games
	s, _ := stateOf(f.config, 1, f.landscape)
	var asked []tuner.Candidate
	for label := range 4 {
		asked = append(asked, tuner.Candidate{Values: []float64{1, float64(label)}})
	}
	numbers, err := s.register(context.Background(), asked, "", 0)
	must(t, err)
	for _, order := range [][]int{{0, 1, 2, 3}, {2, 0, 3, 1}, {3, 2, 1, 0}} {
		s, _ := stateOf(f.config, 1, f.landscape)
		if _, err := s.register(context.Background(), asked, "", 0); err != nil {
			t.Fatal(err)
		}
		if champion, err := s.playoff(context.Background(), order); err != nil || champion != order[0] {
			t.Errorf("of %v, equals of %d, the champion is %d: %v", order, len(numbers), champion, err)
		}
	}
}

// TestCentresAreFinalists: the centre of each population, and before them, where there are several,
// their mean.
func TestCentresAreFinalists(t *testing.T) {
	for populations, want := range map[int][]string{1: {tuner.OriginCentre, tuner.OriginStart}, 2: {tuner.OriginMean, tuner.OriginCentre, tuner.OriginCentre, tuner.OriginStart}} {
		c := synthetic(t, whole)
		c.Optimizer.Settings["populations"] = float64(populations)
		s, store := stateOf(c, 5, hill(1.5, 0.7, 0.4, 0.6))
		finalists, err := s.tune(context.Background())
		if err != nil || len(finalists) != 6 {
			t.Fatal(finalists, err)
		}
		for i, origin := range want {
			candidate := store.candidates[finalists[i]]
			if candidate.Origin != origin || origin != tuner.OriginStart && (candidate.Stage != "refine" || candidate.Generation != 2) {
				t.Errorf("%d populations, finalist %d: %s of generation %d of %s", populations, i, candidate.Origin, candidate.Generation, candidate.Stage)
			}
		}
	}
}

// TestProgressIsThatOfThePlan: the part at hand is the one whose games are played, and no more of
// it is left than its bound allows. Where nothing ends early, its last game leaves none.
func TestProgressIsThatOfThePlan(t *testing.T) {
	c := synthetic(t, strings.NewReplacer("ablation: {games: 0}", "ablation: {games: 8}", "generations: 2, games: 6, rounds: 2", "generations: 3, games: 6", "generations: 2, games: 6, rounds: 3", "generations: 3, games: 6",
		"validation: {games: 150}", "validation: {games: 20, search: [{depth: 1}, {depth: 2}, {depth: 3}]}").Replace(whole))
	plan := Plan(c)
	done, last := make([]int64, len(plan)), int64(0)
	left := make([]int64, len(plan))
	var failed error
	check := func(p Progress) {
		if p.Phase == "" {
			return // before the first block
		}
		b := p.Plan[p.Part]
		if b.Phase != p.Phase || b.Stage != p.Stage || b.Search != p.Search {
			return // a part begins, and its first block has not
		}
		done[p.Part] += p.Done - last
		last, left[p.Part] = p.Done, p.Left
		if p.Left < 0 || done[p.Part]+p.Left > b.Games {
			failed = fmt.Errorf("at %s %s %s %d games are done and %d left of at most %d", p.Phase, p.Stage, p.Search, done[p.Part], p.Left, b.Games)
		}
	}
	store := newMemory()
	x := Experiment{Config: c, Simulator: hill(1.5, 0.7, 0.4, 0.6), Store: store, Observe: check}
	if _, err := x.Run(context.Background()); err != nil || failed != nil || store.played() != int(last) {
		t.Error(err, failed, store.played(), last)
	}
	for i, b := range plan {
		if b.Phase == PhaseValidation && (done[i] != b.Games || left[i] != 0 || b.Expected != b.Games) {
			t.Errorf("%d games of %s at %s, %d left, %d expected of %d", done[i], b.Phase, b.Search, left[i], b.Expected, b.Games)
		}
		if b.Phase == PhaseTuning && left[i] > int64(3*2*8*6)/4 { // identical candidates play once
			t.Errorf("%d games of stage %s are left at its end", left[i], b.Stage)
		}
	}
}
