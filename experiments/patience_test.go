package experiments

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments/fitness"
)

// TestPatience: a stage whose centre does not rise ends after as many generations as its patience
// at least, once the games would have shown a rise of 3%. The candidates, finalists and held-out
// games are those of a config with that length. A stage that rises goes on until it does not, and
// little is lost. A short stage never knows.
func TestPatience(t *testing.T) {
	const long = 1000
	run := func(length string, seed uint64, slope float64) (generations int, store *memory) {
		c := synthetic(t, fmt.Sprintf("%soptimizer: {algorithm: genetic, population: 8}\nstages: [{%s, games: "+
			"20}]\nplayoff: {games: 10}\nvalidation: {games: 20}\nablation: {games: 0}", quick, length))
		c.Seed = seed
		store = newMemory()
		rises := landscape{numbers: []string{"a"}, mean: func(x []float64) float64 { return 1 + slope*x[0] }}
		x := Experiment{Config: c, Simulator: rises, Store: store, Observe: func(p Progress) { generations = p.Generations }}
		_, err := x.Run(t.Context())
		must(t, err)
		return generations, store
	}
	flat, store := run(fmt.Sprintf("generations: %d, patience: 20", long), 1, 0)
	if flat < 21 || flat >= long {
		t.Errorf("a flat search lasted %d generations", flat)
	}
	_, straight := run(fmt.Sprintf("generations: %d", flat), 1, 0)
	played := func(m *memory) (all []string) {
		for _, e := range m.evaluations {
			if e.Phase != PhaseCentre {
				all = append(all, fmt.Sprint(e.Place.block(), m.candidates[e.Candidate].PlayHash, e.Key))
			}
		}
		return all
	}
	if !slices.Equal(played(store), played(straight)) {
		t.Error("the run is not the one of that length")
	}
	steep, store := run(fmt.Sprintf("generations: %d, patience: 20", long), 1, 3)
	worth := func(number int) float64 { return store.candidates[number].Weights[0].Value }
	if steep <= 21 || worth(store.champion) < 0.9 {
		t.Errorf("a search that rose lasted %d generations, and its champion has %v of 1", steep, worth(store.champion))
	}
	if short, _ := run("generations: 80, patience: 1", 1, 0); short != 80 {
		t.Errorf("by so few games patience ended a stage after %d generations", short)
	}
}

// TestPatienceIsSound: of centres that are better than the reference by more than what is worth
// waiting for, at most 5% of stages are ended; of centres that are as good, most are, and not long
// after the planned games. So it is of each objective.
func TestPatienceIsSound(t *testing.T) {
	stages := many(400)
	for _, objective := range objectives() {
		for _, c := range []struct {
			gain        float64
			least, most float64 // share of stages that end
		}{{1.045, 0, 0.05}, {1, 0.85, 1}, {0.98, 0.9, 1}} {
			if objective.Unit().Suffix == "%" && c.gain > 1 { // a share rises by more than the mean
				continue
			}
			ended := 0
			var mutex sync.Mutex
			repeat(t, stages, func(i int) error {
				random, r := portable.NewSource(uint64(i)), rise{reference: []float64{0}}
				for generation := 1; generation < 160; generation++ {
					var sides [2][]float64
					for k, mean := range [2]float64{typicalMean, typicalMean * c.gain} {
						for range 100 {
							sides[k] = append(sides[k], figure(objective, random, mean))
						}
					}
					r.add(objective, sides[0], sides[1])
					if r.over(10, generation) {
						mutex.Lock()
						ended++
						mutex.Unlock()
						break
					}
				}
				return nil
			})
			share := float64(ended) / float64(stages)
			t.Logf("%s, gain %v: %.1f%% end", objective, c.gain, 100*share)
			if share < c.least || share > c.most {
				t.Errorf("%s, gain %v: %.1f%% of stages end, want %v to %v", objective, c.gain, 100*share, c.least, c.most)
			}
		}
	}
}

// figure is the figure of a game that is drawn.
func figure(o fitness.Objective, random *portable.Source, mean float64) float64 {
	game := draw(random, mean)
	rank := byte(0)
	for 1<<rank < game.MaxTile {
		rank++
	}
	return o.Figures([]float64{game.Score}, []byte{rank})[0]
}
