package tuner

import (
	"slices"
	"testing"
	"testing/synctest"
)

// TestRelay: auto asks for what a genetic algorithm asks for, for 30 generations, and then for
// samples of a distribution. It has no distribution of more parameters than the CMA-ES can hold.
func TestRelay(t *testing.T) {
	for _, parameters := range []int{2, mostDimensions + 1} {
		space := cube(parameters, 0, 1, 0.5)
		optimizer := newOptimizer(t, Options{Algorithm: "auto", Settings: set{"population": 4}}, space, 1)
		for generation := range 33 {
			candidates := mustAsk(t, optimizer, space)
			var fitness []float64
			for _, c := range candidates {
				fitness = append(fitness, c.Values[0])
			}
			sampled := slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Origin == originSampled })
			if want := generation >= 30 && parameters == 2; sampled != want {
				t.Errorf("%d parameters, generation %d: %v", parameters, generation, candidates[1].Origin)
			}
			mustTell(t, optimizer, fitness)
		}
	}
}

// TestExplorations counts in turns of 50,000 samples, which are 120 generations here. The leader
// has as many turns as all challengers, and one more. The challenger of turn 1 is behind after one
// turn, so it ends. The challenger of turn 3 is ahead where the leader was after one turn and after
// two, so it leads. No exploration leaves a goroutine behind.
func TestExplorations(t *testing.T) {
	space := cube(2, 0, 1, 0.5)
	synctest.Test(t, func(t *testing.T) {
		optimizer, err := New(Options{Algorithm: "auto", Settings: set{"population": 4}}, NewSpace(space), 1)
		if err != nil {
			t.Fatal(err)
		}
		defer optimizer.Close()
		var began []int         // generations
		var centres [][]float64 // before each generation
		for generation := range 850 {
			centres = append(centres, optimizer.Centre())
			candidates := mustAsk(t, optimizer, space)
			if !slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Origin != originRandom }) {
				began = append(began, generation)
			}
			var fitness []float64
			for _, c := range candidates {
				fitness = append(fitness, c.Values[0])
			}
			mustTell(t, optimizer, fitness)
			mean := 2.0
			switch {
			case generation >= 360: // the second challenger
				mean = 3
			case generation >= 120 && generation < 240:
				mean = 1
			}
			optimizer.Spent(417, mean)
		}
		if want := []int{120, 360, 840}; !slices.Equal(began, want) {
			t.Errorf("challengers begin in generations %v, want %v", began, want)
		}
		if n := len(optimizer.Centres()); n != 4 {
			t.Errorf("%d centres, want those of 4 explorations", n)
		}
		for _, span := range [][2]int{{120, 240}, {360, 600}, {840, 850}} { // while a challenger plays
			for _, centre := range centres[span[0]:span[1]] {
				if !slices.Equal(centre, centres[span[0]]) {
					t.Fatalf("the answer changes while a challenger plays, from generation %d on", span[0])
				}
			}
		}
		if slices.Equal(centres[599], centres[600]) {
			t.Error("a challenger that has caught up is not the answer")
		}
		mustNextStage(t, optimizer)
		for range 2 * turnGenerations {
			if c := mustAsk(t, optimizer, space)[0]; c.Origin == originRandom {
				t.Fatal("a challenger plays in a later stage")
			}
			mustTell(t, optimizer, make([]float64, 4))
			optimizer.Spent(50_000, 0)
		}
	})
}
