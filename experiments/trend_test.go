package experiments

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestTrend: where tuning goes on rising it is said so, and hardly ever where all weights are alike.
func TestTrend(t *testing.T) {
	text := strings.NewReplacer("restarts: 2\n", "", "ablation: {games: 0}", "ablation: {games: 1200, difference: 0.1}",
		"generations: 2, games: 6, rounds: 3", "generations: 12, games: 6").Replace(whole)
	c := synthetic(t, text)
	for name, steepness := range map[string]float64{"flat": 0, "steep": 6} {
		runs := many(100)
		verdicts := make([]string, runs)
		covered := make([]bool, runs)
		repeat(t, runs, func(i int) error {
			l := hill(steepness, 0.9, 0.1, 0.9)
			s, store := newState(c, uint64(i), l)
			if _, err := s.tune(context.Background()); err != nil {
				return err
			}
			trend, err := s.trend(context.Background())
			if err != nil {
				return err
			}
			if trend.Generation != 5 || trend.Generations != 12 {
				return fmt.Errorf("the earlier centre is that after generation %d of %d", trend.Generation, trend.Generations)
			}
			verdicts[i] = trend.Change.Verdict
			earlier, last := l.truth(store.candidates[trend.Change.Candidate]), l.truth(store.candidates[trend.Change.Baseline])
			covered[i] = trend.Change.Ratio.Interval.Contains(earlier / last)
			return nil
		})
		count, held := map[string]int{}, 0
		for i := range runs {
			count[verdicts[i]]++
			if covered[i] {
				held++
			}
		}
		t.Log(name, count, held)
		if held < runs*90/100 {
			t.Errorf("%s: the interval holds in %d of %d runs", name, held, runs)
		}
		if name == "flat" && (count[StillRising] > runs*8/100 || count[Flat] < runs*40/100) || name == "steep" && count[StillRising] < runs*20/100 {
			t.Errorf("%s: %v", name, count)
		}
	}
}

// TestStopWithoutProgress: a stage that is asked to ends when nothing rises any more, and not before.
func TestStopWithoutProgress(t *testing.T) {
	c := synthetic(t, strings.NewReplacer("restarts: 2\n", "", "generations: 2, games: 6, rounds: 3", "generations: 60, games: 6, stop: {no_progress: 8}").Replace(whole))
	played := map[float64]int{} // generations on average
	for _, steepness := range []float64{0, 3} {
		generations := make([]int, many(40))
		repeat(t, len(generations), func(i int) error {
			_, store, err := carryOutSynthetic(c, uint64(i), hill(steepness, 0.95, 0.05, 0.95))
			last := store.generations[len(store.generations)-1]
			generations[i] = last.Number + 1
			if last.Number < 59 && last.Number-last.Rose != 8 {
				t.Errorf("the stage ended in generation %d, the last progress was in %d", last.Number, last.Rose)
			}
			return err
		})
		for _, n := range generations {
			played[steepness] += n
		}
		played[steepness] /= len(generations)
	}
	t.Log(played)
	if flat, steep := played[0], played[3]; flat < 9 || flat > 25 || steep < flat+3 {
		t.Errorf("%d generations on average where nothing rises, %d where there is much to find", flat, steep)
	}
}

// TestStopWithoutProgressOfEach: several populations have the time of each.
func TestStopWithoutProgressOfEach(t *testing.T) {
	c := synthetic(t, strings.NewReplacer("generations: 2, games: 6, rounds: 3", "generations: 60, games: 6, stop: {no_progress: 8}").Replace(whole))
	repeat(t, 5, func(i int) error {
		s, store := newState(c, uint64(i), hill(0, 0, 0, 0))
		_, err := s.tune(context.Background())
		last := store.generations[len(store.generations)-1]
		if since := last.Number - last.Rose; last.Number == 119 || last.Number%2 == 0 || since != 16 && since != 17 { // both have as many
			t.Errorf("the stage ended in generation %d, the last progress was in %d", last.Number, last.Rose)
		}
		if want := (FlatStage{last.Stage, last.Number + 1, last.Rose}); len(s.flat) != 1 || s.flat[0] != want {
			t.Errorf("told %v, want %v", s.flat, want)
		}
		return err
	})
}

// TestTrendNeedsTwoHalves of two generations each.
func TestTrendNeedsTwoHalves(t *testing.T) {
	for _, generations := range []int{3, 4} {
		c := synthetic(t, strings.NewReplacer("restarts: 2\n", "", "ablation: {games: 0}", "ablation: {games: 8}", "generations: 2, games: 6, rounds: 3", fmt.Sprintf("generations: %d, games: 6", generations)).Replace(whole))
		s, store := newState(c, 2, hill(6, 0.9, 0.1, 0.9))
		if _, err := s.tune(context.Background()); err != nil {
			t.Fatal(err)
		}
		trend, err := s.trend(context.Background())
		if err != nil || (trend != nil) != (generations == 4) || trend != nil && (trend.Generation != 1 || len(store.contrasts) != 1) {
			t.Errorf("%d generations: %+v, %v", generations, trend, err)
		}
		// Where nothing moved there is nothing to compare.
		s.centres = [][]float64{s.centres[0], s.centres[0], s.centres[0], s.centres[0]}
		if trend, err := s.trend(context.Background()); trend != nil || err != nil {
			t.Errorf("of one centre: %+v, %v", trend, err)
		}
	}
}
