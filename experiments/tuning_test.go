package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/portable"
	"tune2048/tuner"
)

// TestStagesHaveTheirGenerations: as many as the config says, or as are likely to fit into its
// games.
func TestStagesHaveTheirGenerations(t *testing.T) {
	resolved := synthetic(t, whole)
	for _, c := range []struct {
		population             float64
		maxGames, rounds, want int
	}{{8, 0, 1, 20}, {24, 0, 2, 20}, {8, 79, 1, 1}, {8, 80, 1, 2}, {8, 119, 1, 2}, {16, 160, 1, 2}, {8, 9999, 1, 20},
		{8, 80, 2, 2}} {
		setNumber(resolved, "population", c.population)
		stage := config.Stage{Generations: 20, Games: 5, MaxGames: c.maxGames, Rounds: c.rounds}
		most, games := stage.Length()
		if got, _, _ := foretell(resolved, stage, most, games, 0); got != c.want {
			t.Errorf("%+v: %d generations", c, got)
		}
	}
	for _, c := range []struct {
		population float64
		maxGames   int
		played     int64
		number     int
		want       bool
	}{{8, 0, 1000, 19, true}, {8, 0, 0, 20, false}, {8, 40, 0, 0, true}, {8, 100, 60, 1, true}, {8, 100, 61, 1, false},
		{16, 100, 20, 0, true}, {16, 100, 21, 0, false}} {
		setNumber(resolved, "population", c.population)
		stage := config.Stage{Generations: 20, Games: 5, Rounds: 2, MaxGames: c.maxGames}
		s := state{Experiment: Experiment{Config: resolved}, stage: &stageState{Stage: stage, before: 7},
			session: &session{games: 7 + c.played}}
		if s.fits(c.number) != c.want {
			t.Errorf("%+v: got %v", c, !c.want)
		}
	}
}

// TestRacesKeepWhatIsSelected: where every candidate has children, no race stops one.
func TestRacesKeepWhatIsSelected(t *testing.T) {
	for parents, raced := range map[float64]bool{1: false, 0.1: true} {
		c := synthetic(t, whole)
		setNumber(c, "parents", parents)
		s, store := stateOf(c, 5, hill(1.5, 0.7, 0.4, 0.6))
		if _, err := s.finish(context.Background()); err != nil {
			t.Fatal(err)
		}
		rounds := map[int]int{} // evaluations by round
		for _, e := range store.evaluations {
			rounds[e.Round]++
		}
		if stopped := rounds[1] < rounds[0]; stopped != raced {
			t.Errorf("parents %v: evaluations by round %v", parents, rounds)
		}
	}
}

// TestGenerationsMeanIsCovered: where all candidates are worth the same, the interval of their mean
// holds that in 95% of all generations: where their games are independent, where half of the
// variance is the seed's, and where all play alike.
func TestGenerationsMeanIsCovered(t *testing.T) {
	c := synthetic(t, strings.Replace(whole, "generations: 2, games: 6, rounds: 3", "generations: 100, games: 12", 1))
	for i, objective := range slices.Repeat(objectives()[:3], 3) {
		if testing.Short() && i%4 > 0 { // each objective and each correlation once
			continue
		}
		c.Objective = objective
		l := hill(0, 0, 0, 0)
		l.alike = float64(i/3) / 2
		s, store := stateOf(c, 3, l)
		if _, err := s.finish(context.Background()); err != nil {
			t.Fatal(err)
		}
		covered, all := 0, 0
		for _, g := range Fold(objective, nil, slices.Values(store.evaluations), nil).Generations {
			if g.Stage == "refine" {
				all++
				if g.MeanFitness.Interval.Contains(worth(objective, typicalMean)) {
					covered++
				}
			}
		}
		least, most := likely(all, 0.95)
		if l.alike == 1 && objective.Unit().Suffix == "%" {
			least = 80 // twelve games in all, which succeed or fail, have no normal mean
		}
		t.Logf("%s, correlation %v: %d of %d", objective, l.alike, covered, all)
		if covered < least || covered > most || all != 100 {
			t.Errorf("%s, correlation %v: the interval of the mean holds in %d of %d generations, want %d to %d", objective,
				l.alike, covered, all, least, most)
		}
	}
}

// TestOptimizersAreToldLowerBounds computes the bounds in the slow way, from all games of a stage.
// An optimizer that receives them asks for the run's candidates.
func TestOptimizersAreToldLowerBounds(t *testing.T) {
	c := synthetic(t, strings.NewReplacer("generations: 2, games: 6, rounds: 2", "generations: 12, games: 6, rounds: 3",
		"  - {name: refine, search: {depth: 2}, generations: 2, games: 6, rounds: 3}\n", "").Replace(whole))
	c.Seed = 8
	store := &keeper{memory: newMemory()}
	if _, err := (Experiment{Config: c, Simulator: hill(2, 0.9, 0.1, 0.9),
		Store: store}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	numbers := map[string]int{}
	for _, candidate := range store.candidates {
		var values []float64
		for _, w := range candidate.Weights {
			values = append(values, w.Value)
		}
		numbers[fmt.Sprint(values)] = candidate.Number
	}
	optimizer, err := tuner.New(c.Optimizer, tuner.NewSpace(c.Tunable()), portable.Hash(8, "optimizer"))
	must(t, err)
	for generation := range 12 {
		scores := map[int][]float64{} // of the stage so far, by candidate
		for _, g := range store.games {
			if g.Phase == PhaseTuning && g.Generation <= generation {
				scores[g.Candidate] = append(scores[g.Candidate], float64(g.Score))
			}
		}
		squares, freedom, means := 0.0, 0.0, map[int]float64{}
		for number, list := range scores {
			mean := 0.0
			for _, score := range list {
				mean += score / float64(len(list))
			}
			for _, score := range list {
				squares += (score - mean) * (score - mean)
			}
			means[number], freedom = mean, freedom+float64(len(list)-1)
		}
		var bounds []float64
		for _, a := range optimizer.Ask() {
			number, known := numbers[fmt.Sprint(a.Values)]
			if !known || len(scores[number]) == 0 {
				t.Fatalf("generation %d: the run did not ask for %v", generation, a.Values)
			}
			bounds = append(bounds, means[number]-1.645*math.Sqrt(squares/freedom/float64(len(scores[number]))))
		}
		must(t, optimizer.Tell(bounds))
	}
}
