package report

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// TestVariants: of two runs the better one is expected to be too high by sqrt(a^2 + b^2) / sqrt(2
// pi), where a and b are the standard errors (Clark 1961). The same experiment once more and
// another objective are no variants.
func TestVariants(t *testing.T) {
	ctx := context.Background()
	store := sure(results.Open(filepath.Join(t.TempDir(), "tune.db")))(t)
	defer store.Close()
	play := func(edit string) results.Run {
		t.Helper()
		c := sure(configs.Parse([]byte(strings.Replace(small, "validation: {games: 4, search: [{depth: 3}, {depth: 5}]}", "validation: {games: 40, search: [{depth: 1}]}\n"+edit, 1)), "small.yaml"))(t)
		run := sure(experiments.Experiment{Config: c, Simulator: simulator.NewPool(2), Store: store, New: true}.Run(ctx))(t)
		found := sure(store.Reader().Find(ctx, run.Name))(t)
		return found
	}
	text := func(run results.Run) string {
		t.Helper()
		got := sure(variants(ctx, store.Reader(), run, "depth 1"))(t)
		return got
	}
	first := play("")
	again, other := play(""), play("objective: {reach: 64}")
	for _, run := range []results.Run{first, again, other} {
		if got := text(run); got != "" {
			t.Errorf("%s is the only variant: got %q", run.Name, got)
		}
	}
	second := play("ablation: {games: 0}")
	variance, sum := 0.0, 0.0
	for _, run := range []results.Run{first, second} {
		games, _ := factsOf(t, store.Reader().Path(), run.ID)
		var m stats.Moments
		for _, score := range games[fmt.Sprint("validation depth 1 ", run.Champion)].scores {
			m.Add(score)
		}
		variance, sum = variance+m.Variance()/40, sum+m.Mean
	}
	about := fmt.Sprintf("%.2g", 100*math.Sqrt(variance/(2*math.Pi))/(sum/2))
	db := strings.TrimPrefix(results.DatabaseFlag(store.Reader().Path())+" ", " ")
	for run, want := range map[*results.Run]string{
		&second: "this is variant 2 of small that was validated: the best score of 2 is too high by luck, by about " + about + "%; fresh games: tune compare " + db + "small small.4",
		&again:  "this is variant 1 of small that was validated: the best score of 2 is too high by luck, by about " + about + "%; fresh games: tune compare " + db + "small.4 small.2",
		&other:  "",
	} {
		if got := text(*run); got != want {
			t.Errorf("%s: got %q, want %q", run.Name, got, want)
		}
	}
}
