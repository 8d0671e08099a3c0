package results

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tune2048/experiments"
)

// TestCosts: the time of a run's games is their sum, wherever one reads it and whether or not rows
// of games are kept.
func TestCosts(t *testing.T) {
	s, _ := open(t)
	for _, keep := range []bool{true, false} {
		name := fmt.Sprint("keep-", keep)
		w := newWorld(random(5))
		run := begin(t, s, spec(name, name))
		w.record(t, s, run.ID, keep, random(6))
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
		want := map[string]time.Duration{}
		for _, b := range w.blocks {
			for _, g := range b.games {
				want[b.Search] += g.Duration
			}
		}
		costs := sure(s.Reader().Costs(ctx, run.ID))(t)
		if len(costs) != len(want) {
			t.Fatalf("%s: got %+v", name, costs)
		}
		for _, c := range costs {
			if got := c.Time.Round(time.Microsecond); got != want[c.Search] {
				t.Errorf("%s: %s took %v, want %v", name, c.Search, got, want[c.Search])
			}
		}
		all, err := rows(s.Reader(), "SELECT search, games * ms_per_game, games * moves_per_game * ms_per_move FROM ("+
			strings.TrimSuffix(strings.TrimSpace(queryNamed(t, "cost")), ";")+") WHERE run = '"+name+"'")
		if err != nil || len(all) != len(want) {
			t.Errorf("%s: query cost has %d rows, %v", name, len(all), err)
		}
		for _, row := range all {
			for _, ms := range row[1:] {
				got, _ := ms.(float64)
				if search := fmt.Sprint(row[0]); time.Duration(got*float64(time.Millisecond)).Round(time.Microsecond) != want[search] {
					t.Errorf("%s: query cost says %v ms at %s, want %v", name, ms, search, want[search])
				}
			}
		}
	}
}
