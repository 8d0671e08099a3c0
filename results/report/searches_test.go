package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// met is a comparison of players with these means at depth 3, after one at depth 1.
func met(means map[string]float64) *Report {
	r := Report{HeldOut: heldOutSection{Players: []summary.Player{{Name: "a", Search: "depth 1", Fitness: stats.Estimate{Value: 9e9}}}}}
	for name, mean := range means {
		r.HeldOut.Players = append(r.HeldOut.Players, summary.Player{Name: name, Search: "depth 3", Fitness: stats.Estimate{Value: mean}})
	}
	return &r
}

// ran is a run whose champion has games of this mean at depth 3, with a standard deviation of 10.
func ran(name string, mean float64, games int) Report {
	scores, apart := make([]float64, games), 10*math.Sqrt(float64(games-1)/float64(games))
	for i := range scores {
		scores[i] = mean + apart*float64(2*(i%2)-1)
	}
	e := evaluated(experiments.PhaseValidation, "depth 3", 1, scores...)
	run := summary.Run{Kind: experiments.KindTune, Objective: fitness.MeanScore, Champion: 1}
	s := summary.Summarize(run, nil, nil, slices.Values([]experiments.Evaluation{e}), nil)
	return Report{Name: name, Kind: experiments.KindTune, Unit: UnitOf(fitness.MeanScore), HeldOut: heldOutSection{Players: s.Players}}
}

// TestApart: how far apart champions are, and which is best, also where two are the same player.
func TestApart(t *testing.T) {
	three := map[string]float64{"a": 41210, "b": 40790, "c": 29100}
	for _, c := range []struct {
		fresh               *Report
		players, best, text string
	}{
		{met(three), "ABC", "a", "The searches ended at 41,210, 40,790 and 29,100 on these games, 42% apart."},
		{met(map[string]float64{"a": 41210, "c": 42000}), "AAC", "c", "The searches ended at 41,210, 41,210 and 42,000 on these games, 2% apart."},
		{met(map[string]float64{"a": -4, "b": 9, "c": 3}), "ABC", "b", "The searches ended at -4, 9 and 3 on these games."},
		{nil, "AAA", "a", "All searches ended at the same weights."},
	} {
		var runs []Report
		for i, name := range []string{"a", "b", "c"} {
			r := ran(name, 100, 1000)
			r.player = c.players[i : i+1]
			runs = append(runs, r)
		}
		if best, text := Apart(runs, c.fresh); best != c.best || text != c.text {
			t.Errorf("got %q, %q, want %+v", best, text, c)
		}
		if table := Searches(runs); len(table.Rows) != 3 || len(table.Rows[2]) != len(table.Columns) {
			t.Errorf("%+v", table)
		}
	}
	Apart([]Report{{}, {}}, &Report{}) // somebody deleted all rows
}

// TestStoppedSearch: one search never says that more tuning would hardly help.
func TestStoppedSearch(t *testing.T) {
	for verdict, stopped := range map[string]bool{experiments.Flat: true, experiments.Falling: true, experiments.StillRising: false, experiments.Undecided: false} {
		text := trendText(UnitOf(fitness.MeanScore), "", 10, 20, experiments.Comparison{Verdict: verdict, Ratio: experiments.Unchanged})
		if strings.HasPrefix(text, "this search has stopped improving: it brought ") != stopped || strings.Contains(text, "hardly") {
			t.Errorf("%s: %q", verdict, text)
		}
	}
	// A test that stops early finds 25% here, and vouches for 1%.
	early := stats.Estimate{Value: 0.8, Interval: stats.Interval{Low: 0.65, High: 0.99}}
	if text := trendText(UnitOf(fitness.MeanScore), "", 10, 20, experiments.Comparison{Verdict: experiments.StillRising, Ratio: early}); !strings.Contains(text, "at least +1.0% ") || strings.Contains(text, "25") {
		t.Errorf("rising: %q", text)
	}
	r := Report{Kind: experiments.KindTune, Status: Status{State: experiments.Finished}, Convergence: convergenceSection{Text: "stopped", stopped: true}}
	for _, program := range []string{"tune", "go run ./cmd/tune", "../bin/tune"} {
		r.Suggest(program, "a folder/mine.yaml", " -db 'my db/x.db'", " -generations 10,30")
		want := "Another seed may find better weights: " + program + " -config 'a folder/mine.yaml' -db 'my db/x.db' -generations 10,30 -seeds 3"
		if notes := r.Tables()[slices.IndexFunc(r.Tables(), func(t Table) bool { return t.Section == "convergence" })].Notes; len(notes) != 2 || notes[1] != want || Wrap(notes[1], 80) != "Another seed may find\n"+want[22:]+"\n" {
			t.Errorf("%q\n%s", notes, Wrap(notes[1], 80))
		}
	}
}
