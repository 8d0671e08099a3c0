package report

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// TestVariants: the same experiment once more and another objective are no variants.
func TestVariants(t *testing.T) {
	ctx := context.Background()
	store := sure(results.Open(filepath.Join(t.TempDir(), "tune.db")))(t)
	defer store.Close()
	var runs []results.Run
	text := func(run results.Run) string {
		text, rival, err := variants(ctx, store.Reader(), run, "depth 1")
		must(t, err)
		return strings.TrimSpace(text + " " + rival)
	}
	for _, edit := range []string{"", "", "objective: {reach: 64}", "ablation: {games: 0}"} {
		c := parsed(t, strings.Replace(small, "validation: {games: 4, search: [{depth: 3}, {depth: 5}]}", "validation: {games: 40, search: [{depth: 1}]}\n"+edit, 1))
		run := sure(experiments.Experiment{Config: c, Simulator: simulator.NewPool(2), Store: store, New: true}.Run(ctx))(t)
		if runs = append(runs, sure(store.Reader().Find(ctx, run.Name))(t)); len(runs) < 4 && text(runs[len(runs)-1]) != "" {
			t.Errorf("%s is the only variant: got %q", run.Name, text(runs[len(runs)-1]))
		}
	}
	for i, want := range []string{"", "1 small.4", "", "2 small"} {
		if number, rival, ok := strings.Cut(want, " "); ok {
			want = "this is variant " + number + " of small that was validated: the best score of 2 is too high by luck " + rival
		}
		if got := text(runs[i]); i > 0 && got != want {
			t.Errorf("run %d: got %q, want %q", i, got, want)
		}
	}
}
