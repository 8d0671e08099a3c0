package experiments

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

// checkVerdicts reports a row of comparisons whose verdict claims a difference and whose p_adjusted
// does not, or the other way round. That is the promise of p_adjusted and level in the schema.
func checkVerdicts(rows []Comparison, seen map[string]int) error {
	for _, c := range rows {
		if claims := c.Verdict == Better || c.Verdict == Worse; claims != (c.Adjusted <= c.Level) {
			return fmt.Errorf("%s of %s: %s with a p of %v, adjusted %v at the level %v, ratio %v", c.Phase, c.Objective,
				c.Verdict, c.P, c.Adjusted, c.Level, c.Ratio)
		}
		if math.Abs(c.Level-0.05) > 1e-12 || c.Adjusted < c.P {
			return fmt.Errorf("%s of %s: p %v, adjusted %v at the level %v", c.Phase, c.Objective, c.P, c.Adjusted, c.Level)
		}
		seen[c.Phase+": "+c.Verdict]++
	}
	return nil
}

// TestVerdictsGoByTheAdjustedP: in every row of comparisons that runs of all objectives record, and
// tune compare.
func TestVerdictsGoByTheAdjustedP(t *testing.T) {
	seen := map[string]int{}
	for i, objective := range objectives() {
		c := synthetic(t, strings.NewReplacer("ablation: {games: 0}", "ablation: {games: 400, difference: 0.1}",
			"generations: 2,", "generations: 4,", "start: 0.2", "start: 0.45",
			"validation: {games: 150}", "validation: {games: 60, search: [{depth: 1}, {depth: 2}]}\nreferences: {x: {weights: "+
				"{a: 0.1}}, y: {from: champion, weights: {a: 0.9}}}").
			Replace(whole)+"objective: "+objective.String()+"\n")
		runs := many(60)
		stores := make([]*memory, runs)
		repeat(t, runs, func(run int) (err error) {
			stores[run], err = carryOutSynthetic(c, uint64(i*runs+run), hill(0.7, 0.7, 0.4, 0.6))
			return err
		})
		for _, s := range stores {
			if err := checkVerdicts(s.comparisons, seen); err != nil {
				t.Error(err)
			}
		}
	}
	for _, simulator := range []Simulator{equals{}, uneven{}} {
		store := &compared{}
		for seed := range many(50) {
			x := Contest{
				Config: alikes(uint64(seed), 3, 2), Simulator: simulator, Store: store,
				Plan: stats.Plan{Difference: 0.5, Level: 0.05, Power: 0.8, Looks: 2},
			}
			if _, err := x.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range store.runs {
			if err := checkVerdicts(r.comparisons, seen); err != nil {
				t.Error(err)
			}
		}
	}
	t.Log(seen)
	for _, phase := range []string{PhaseValidation, PhaseAblation, PhaseTrend, PhaseComparison} {
		if seen[phase+": "+Worse]+seen[phase+": "+Better] == 0 || seen[phase+": "+NoDifference] == 0 {
			t.Errorf("no row of %s claims a difference, or each does", phase)
		}
	}
}

// uneven is equals, but the second of three players is half as good.
type uneven struct{}

func (uneven) Play(ctx context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return landscape{numbers: []string{"line"}, mean: func(v []float64) float64 {
		if v[0] == 2 {
			return 0.5
		}
		return 1
	}}.Play(ctx, b, finished)
}
