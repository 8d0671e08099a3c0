package experiments

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestTrend: where tuning goes on rising it is said so, and hardly ever where all weights are
// alike.
func TestTrend(t *testing.T) {
	text := strings.NewReplacer("population: 16", "population: 8", "ablation: {games: 0}",
		"ablation: {games: 1200, difference: 0.1}",
		"generations: 2, games: 6, rounds: 3", "generations: 12, games: 6").Replace(whole)
	c := synthetic(t, text)
	for name, steepness := range map[string]float64{"flat": 0, "steep": 6} {
		const runs = 100 // also with -short: a second, and fewer show no share of 8%
		verdicts := make([]string, runs)
		covered := make([]bool, runs)
		repeat(t, runs, func(i int) error {
			l := hill(steepness, 0.9, 0.1, 0.9)
			s, store := stateOf(c, uint64(i), l)
			if _, err := s.finish(context.Background()); err != nil {
				return err
			}
			if err := s.trend(context.Background()); err != nil {
				return err
			}
			change := store.comparisons[0]
			centre := store.candidates[change.Candidate].Weights
			if want := s.stage.centres.after(5); s.stage.centres.n != 12 || centre[0].Value != want[0] {
				return fmt.Errorf("the earlier centre is %v, want %v, after generation 6 of %d", centre, want, s.stage.centres.n)
			}
			verdicts[i] = change.Verdict
			earlier, last := l.truth(store.candidates[change.Candidate]), l.truth(store.candidates[change.Baseline])
			covered[i] = change.Ratio.Interval.Contains(earlier / last)
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
		if name == "flat" && (count[Worse] > runs*8/100 || count[NoDifference] < runs*40/100) || name == "steep" &&
			count[Worse] < runs*20/100 {
			t.Errorf("%s: %v", name, count)
		}
	}
}

// TestTrendNeedsTwoHalves of two generations each.
func TestTrendNeedsTwoHalves(t *testing.T) {
	for _, generations := range []int{3, 4} {
		c := synthetic(t, strings.NewReplacer("population: 16", "population: 8", "ablation: {games: 0}",
			"ablation: {games: 8}", "generations: 2, games: 6, rounds: 3",
			fmt.Sprintf("generations: %d, games: 6", generations)).Replace(whole))
		s, store := stateOf(c, 2, hill(6, 0.9, 0.1, 0.9))
		if _, err := s.finish(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := s.trend(context.Background()); err != nil || len(store.comparisons) != generations-3 {
			t.Errorf("%d generations: %+v, %v", generations, store.comparisons, err)
		}
		// Where nothing moved there is nothing to compare.
		same := s.stage.centres.after(s.stage.centres.n - 1)
		s.stage.centres = centres{4, [][]float64{same, same, same, same}}
		if err := s.trend(context.Background()); len(store.comparisons) != generations-3 || err != nil {
			t.Errorf("of one centre: %+v, %v", store.comparisons, err)
		}
	}
}
