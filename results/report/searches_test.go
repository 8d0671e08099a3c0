package report

import (
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// met is a comparison of players a, b ... with these means at depth 3, after one at depth 1.
func met(means ...float64) *Report {
	r := Report{Unit: UnitOf(fitness.MeanScore)}
	r.HeldOut.Players = []summary.Player{{Name: "a", Search: "depth 1", Fitness: stats.Estimate{Value: 9e9}}}
	for i, mean := range means {
		r.HeldOut.Players = append(r.HeldOut.Players,
			summary.Player{Name: "abc"[i : i+1], Search: "depth 3", Fitness: stats.Estimate{Value: mean}})
	}
	return &r
}

// TestApart: how far apart champions are, and which is best.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		fresh      *Report
		best, text string
	}{
		{met(41210, 40790, 29100), "a", "The searches ended at 41,210, 40,790, 29,100 on these games, 42% apart."},
		{met(-4, 9, 3), "b", "The searches ended at -4, 9, 3 on these games."},
		{nil, "a", "All searches ended at the same weights."},
		{&Report{}, "a", ""}, // somebody deleted all rows
	} {
		if best, text := Apart([]Report{{Name: "a"}, {Name: "b"}, {Name: "c"}}, c.fresh); best != c.best || text != c.text {
			t.Errorf("got %q, %q, want %+v", best, text, c)
		}
	}
}

// TestStoppedSearch: one search never says that more tuning would hardly help.
func TestStoppedSearch(t *testing.T) {
	for verdict, stopped := range map[string]bool{experiments.NoDifference: true, experiments.Better: true,
		experiments.Worse: false, experiments.Undecided: false} {
		text := trendText(UnitOf(fitness.MeanScore), "", "", 10, 20,
			experiments.Comparison{Verdict: verdict, Ratio: experiments.Unchanged})
		if strings.HasPrefix(text, "this search has stopped improving: it brought ") != stopped ||
			strings.Contains(text, "hardly") {
			t.Errorf("%s: %q", verdict, text)
		}
	}
	// A test that stops early finds 25% here, which is too high: no figure is said.
	early := stats.Estimate{Value: 0.8, Interval: stats.Interval{Low: 0.65, High: 0.99}}
	if text := trendText(UnitOf(fitness.MeanScore), "", "", 10, 20,
		experiments.Comparison{Verdict: experiments.Worse,
			Ratio: early}); text != "more tuning is likely to help: the search still improved from 10 to 20 games" {
		t.Errorf("rising: %q", text)
	}
}

// TestGainOfFewerGames: a pair that was decided early has the gain of its own games, which may
// contradict the means of all.
func TestGainOfFewerGames(t *testing.T) {
	for games, want := range map[int]bool{1500: true, 1700: false} {
		var rec records
		rec.Players = []summary.Player{{Candidate: 1, Games: 1700}, {Candidate: 0, Games: 1700}}
		rec.Gains = []summary.Gain{{Comparison: experiments.Comparison{Candidate: 1, Games: games, BaselineGames: games}}}
		if notes := strings.Join(rec.compared(), " "); strings.Contains(notes, "the games that decided its pair") != want {
			t.Errorf("%d games: %q", games, notes)
		}
	}
}
