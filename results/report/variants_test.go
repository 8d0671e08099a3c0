package report

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// TestVariants: the same experiment once more and another objective are no variants.
func TestVariants(t *testing.T) {
	ctx := context.Background()
	store := sure(results.Open(filepath.Join(t.TempDir(), "tune.db")))(t)
	defer store.Close()
	play := func(edit string) results.Run {
		t.Helper()
		c := sure(config.Parse([]byte(strings.Replace(small, "validation: {games: 4, search: [{depth: 3}, {depth: 5}]}", "validation: {games: 40, search: [{depth: 1}]}\n"+edit, 1)), "small.yaml"))(t)
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
	db := strings.TrimPrefix(results.DatabaseFlag(store.Reader().Path())+" ", " ")
	bot := second
	bot.Programs = "[{}]"
	for run, want := range map[*results.Run]string{
		&second: "this is variant 2 of small that was validated: the best score of 2 is too high by luck; fresh games: tune compare " + db + "small small.4",
		&bot:    "this is variant 2 of small that was validated: the best score of 2 is too high by luck; fresh games: tune compare " + db + "small small.4 -config FILE",
		&again:  "this is variant 1 of small that was validated: the best score of 2 is too high by luck; fresh games: tune compare " + db + "small.4 small.2",
		&other:  "",
	} {
		if got := text(*run); got != want {
			t.Errorf("%s: got %q, want %q", run.Name, got, want)
		}
	}
}
