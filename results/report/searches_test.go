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

// met is a comparison of players with these means. The last of them has the ratio to the first.
func met(verdict string, ratio stats.Estimate, means map[string]float64) Report {
	r := Report{Headline: Headline{Text: "a is the best"}}
	for name, mean := range means {
		r.HeldOut.Players = append(r.HeldOut.Players, summary.Player{Name: name, Search: "depth 3", Fitness: stats.Estimate{Value: mean}})
	}
	r.HeldOut.Gains = []gainRow{{Verdict: verdict, Ratio: &ratio, games: 150}}
	return r
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

// TestSearches: more tuning would hardly help only if all searches agree and have stopped.
func TestSearches(t *testing.T) {
	within := func(low, high float64) stats.Estimate {
		return stats.Estimate{Value: 1, Interval: stats.Interval{Low: low, High: high}}
	}
	three := map[string]float64{"a": 41210, "b": 40790, "c": 29100}
	for name, c := range map[string]struct {
		fresh                []Report
		going                bool   // the trend of the last run shows more gain
		players              string // of the runs
		verdict, lead, ended string // the last sentence
	}{
		"differ":     {[]Report{met(experiments.Better, within(1.3, 1.5), three)}, false, "ABC", "differ", "three searches ended at 41,210, 40,790 and 29,100: they differ", "better weights."},
		"worse":      {[]Report{met(experiments.Worse, within(0.96, 0.99), three)}, false, "ABC", "differ", "they differ", "better weights."},
		"too few":    {[]Report{met(experiments.Undecided, within(0.97, 1.09), three)}, false, "ABC", "unknown", "whether they agree is not known", "more than 8%."},
		"unbounded":  {[]Report{met(experiments.Undecided, stats.Estimate{Interval: stats.Unbounded()}, three)}, false, "ABC", "unknown", "", "more than 8%."},
		"elsewhere":  {[]Report{met(experiments.Worse, within(0.8, 0.9), three), met(experiments.NoDifference, within(0.97, 1.03), three)}, false, "ABC", "differ", "", "better weights."},
		"agree":      {[]Report{met(experiments.NoDifference, within(0.95, 1.03), three)}, false, "ABC", "agree", "they agree", "More tuning would hardly help."},
		"still grow": {[]Report{met(experiments.NoDifference, within(0.95, 1.03), three)}, true, "ABC", "agree", "they agree", "more tuning may help."},
		"twins":      {[]Report{met(experiments.NoDifference, within(0.95, 1.03), map[string]float64{"a": 41210, "c": 42000})}, false, "AAC", "agree", "ended at 41,210, 41,210 and 42,000: they agree", "hardly help."},
		"same games": {[]Report{met(experiments.SameGames, within(0.8, 1.2), three)}, false, "ABC", "agree", "they agree", "hardly help."},
		"score bot":  {[]Report{met(experiments.Better, within(1.3, 1.5), map[string]float64{"a": 40, "b": 9, "c": 3})}, false, "ABC", "differ", "ended at 40, 9 and 3: they differ", "better weights."},
		"all alike":  {nil, false, "AAA", "agree", "three searches ended at the same weights: they agree", "More tuning would hardly help."},
	} {
		var runs []Report
		for i, name := range []string{"a", "b", "c"} {
			r := ran(name, 100, 1000)
			r.player, r.Convergence.stopped = c.players[i:i+1], i < 2 || !c.going
			runs = append(runs, r)
		}
		s := NewSearches(runs, c.fresh)
		if s.Verdict != c.verdict || !strings.Contains(s.Lead, c.lead) || !strings.HasSuffix(s.Text[len(s.Text)-1], c.ended) {
			t.Errorf("%s: %q, %q, %q", name, s.Verdict, s.Lead, s.Text)
		}
		if best := map[bool]string{true: "c", false: "a"}[name == "twins"]; s.Best != best {
			t.Errorf("%s: the best is %s", name, s.Best)
		}
		if hardly := strings.Contains(strings.Join(s.Text, " "), "hardly"); hardly != (s.Verdict == "agree" && !c.going) {
			t.Errorf("%s: %q", name, s.Text)
		}
		if len(s.Table.Rows) != 3 || len(s.Table.Rows[2]) != len(s.Table.Columns) {
			t.Errorf("%s: %+v", name, s.Table)
		}
	}
	NewSearches([]Report{{}, {}}, nil) // somebody deleted all rows
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
	r := Report{Kind: experiments.KindTune, Status: status{State: experiments.Finished}, Convergence: convergenceSection{Text: "stopped", stopped: true}}
	for _, program := range []string{"tune", "go run ./cmd/tune", "../bin/tune"} {
		r.Suggest(program, "a folder/mine.yaml", " -db 'my db/x.db'", " -generations 10,30")
		want := "Another seed may find better weights: " + program + " -config 'a folder/mine.yaml' -db 'my db/x.db' -generations 10,30 -seeds 3"
		if notes := r.Tables()[slices.IndexFunc(r.Tables(), func(t Table) bool { return t.Section == "convergence" })].Notes; len(notes) != 2 || notes[1] != want || Wrap(notes[1], 80) != "Another seed may find\n"+want[22:]+"\n" {
			t.Errorf("%q\n%s", notes, Wrap(notes[1], 80))
		}
	}
}
