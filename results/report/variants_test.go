package report

import (
	"context"
	"fmt"
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
		c := parsed(t, strings.Replace(small, "validation: {games: 4, search: [{depth: 3}, {depth: 5}]}",
			"validation: {games: 40, search: [{depth: 1}]}\n"+edit, 1))
		run := sure(experiments.Experiment{Config: c, Simulator: simulator.NewPool(2), Store: store, New: true}.Run(ctx))(t)
		runs = append(runs, sure(store.Reader().Find(ctx, run.Name))(t))
		if len(runs) < 4 && text(runs[len(runs)-1]) != "" {
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

// TestEndings: a report tells how other endings of its run were judged, and whose champion scored
// more. The same champion is no other one.
func TestEndings(t *testing.T) {
	ctx := context.Background()
	store := sure(results.Open(filepath.Join(t.TempDir(), "tune.db")))(t)
	defer store.Close()
	text := strings.NewReplacer("validation: {games: 4, search: [{depth: 3}, {depth: 5}]}",
		"validation: {games: 40, search: [{depth: 1}]}",
		"min: 0, max: 3000, start: 270", "min: -3000, max: 3000, start: -2000").Replace(small)
	for generations := 2; generations < 8; generations++ {
		c := sure(parsed(t, text).WithGenerations(generations))(t)
		sure(experiments.Experiment{Config: c, Simulator: simulator.NewPool(2), Store: store}.Run(ctx))(t)
		stored := sure(store.Reader().Find(ctx, "small"))(t)
		rec := sure(read(ctx, store.Reader(), stored))(t)
		var told, highest string
		most := rec.Players[0].Fitness.Value
		champion := sure(store.Reader().Candidate(ctx, stored.ID, stored.Champion))(t)
		for i, e := range sure(store.Reader().Endings(ctx, stored))(t) {
			if i == 0 {
				continue
			}
			judged, same := e.Headline.Champions()[0].Fitness,
				sure(store.Reader().Candidate(ctx, e.ID, e.Champion))(t).PlayHash == champion.PlayHash
			if !same && judged.Value > most {
				most, highest = judged.Value, e.Name
			}
			told += fmt.Sprintf("%s %v %s", e.Name, same, rec.unit.Estimate(judged))
			if i <= maxEndings {
				words := map[bool]string{true: " had the same champion, which scored ", false: " scored "}[same]
				if note := rec.others.endings; !strings.Contains(note, e.Name+words+rec.unit.Estimate(judged)) {
					t.Errorf("%s: got %q, want %s%s%s", stored.Name, note, e.Name, words, rec.unit.Estimate(judged))
				}
			}
		}
		if (told == "") != (generations == 2) || rec.others.higher != highest {
			t.Errorf("after %d generations: %q; got %q as the highest, want %q", generations, told, rec.others.higher, highest)
		}
	}
}
