package report

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// ran is a run whose champion has games of this mean at depth 3, with a standard deviation of 10.
func ran(name string, mean float64, games int) Report {
	return ranBy(fitness.MeanScore, name, mean, games)
}

func ranBy(o fitness.Objective, name string, mean float64, games int) Report {
	scores, apart := make([]float64, games), 10*math.Sqrt(float64(games-1)/float64(games))
	for i := range scores {
		scores[i] = mean + apart*float64(2*(i%2)-1)
	}
	e := evaluated(experiments.PhaseValidation, "depth 3", 1, scores...)
	if o != fitness.MeanScore {
		e.Ranks = make([]byte, games)
	}
	run := summary.Run{Kind: experiments.KindTune, Objective: o, Champion: 1}
	s := summary.Summarize(run, nil, nil, slices.Values([]experiments.Evaluation{e}), nil)
	return Report{
		Run: results.Run{Name: name}, Name: name, Kind: experiments.KindTune, Unit: UnitOf(o), database: " -db x.db",
		HeldOut: heldOutSection{Players: s.Players}, summary: s,
		Weights: weightsSection{Rows: []weightSummary{{Name: "empty", Champion: &mean}, {Name: "line", Champion: new(7.0)}}},
	}
}

// TestSeveral: the verdict names the run that beats all others, and the order of the runs is none
// of a ranking. If the games are too few, it has the command that plays more.
func TestSeveral(t *testing.T) {
	share := ranBy(objective("{reach: 2048}"), "share", 120, 1000) // it is compared with nobody
	share.Weights = weightsSection{}
	for _, c := range []struct {
		reports       []Report
		lead, command string
	}{
		{[]Report{ran("a", 100, 1000), ran("b", 110, 1000)}, "b is better than a by 10%", ""},
		{[]Report{ran("b", 110, 1000), share, ran("a", 100, 1000)}, "b is better than a by 10%", ""},
		{[]Report{ran("a", 100, 1000), ran("c", 105, 1000), ran("b", 110, 1000)}, "b is the best of 3 players: better than c by 4.8%", ""},
		{[]Report{ran("a", 100, 1000), ran("b", 100.5, 1000)}, "Neither is known to be better: the gain of b over a is between -0.4% and +1.4%", "tune compare -db x.db b a"},
		{[]Report{ran("a", 100, 1000), ran("c", 109.9, 1000), ran("b", 110, 1000)}, "Nobody is known to be the best: b has the highest mean score, and is not known to be better than c", "tune compare -db x.db b c"},
		{[]Report{ran("a", 100, 1000), {Name: "d", Unit: UnitOf(fitness.MeanScore)}}, "These runs have no held-out games at the same search", ""},
	} {
		if s := newSeveral(c.reports); s.Lead != c.lead || s.Command != c.command {
			t.Errorf("got %q, %q; want %q, %q", s.Lead, s.Command, c.lead, c.command)
		}
	}
	s := newSeveral([]Report{ran("a", 100, 1000), ran("b", 110, 1000), {Name: "d", Unit: UnitOf(fitness.MeanScore)}, share})
	if len(s.Tables) != 2 {
		t.Fatalf("%+v", s.Tables)
	}
	// The column of the fitness has points and a share, so the mean score has its own.
	rows, last := s.Tables[0].Rows, len(s.Tables[0].Columns)-1
	if len(rows) != 3 || s.Tables[0].Columns[3].Name != "fitness" || rows[2][3] != "0.0%" || rows[2][last] != "" || !strings.HasPrefix(rows[1][last], "+10% [") || rows[0][last] != "" {
		t.Errorf("%+v", s.Tables[0])
	}
	if w := s.Tables[1]; len(w.Rows) != 1 || strings.Join(w.Rows[0], " ") != "empty 100 110" { // line is the same, and d has no weights
		t.Errorf("%+v", w)
	}
}

// TestSeveralAsksStoredComparisons: where held-out games cannot tell, a stored comparison that
// decided gives the verdict, whoever asked it first. The reader is sent to no games that were
// played.
func TestSeveralAsksStoredComparisons(t *testing.T) {
	for _, c := range []struct {
		verdict       string
		low, high     float64 // of the ratio of a to b
		lead, command string
	}{
		{experiments.Better, 1.02, 1.08, "a is better than b by 5.0%", ""},
		{experiments.Worse, 0.9, 0.99, "b is better than a by 5.3%", ""},
		{experiments.NoDifference, 0.98, 1.02, "Neither is known to be better: the gain of b over a is between -2.0% and +2.0%", ""},
		{experiments.Undecided, 0.9, 1.1, "Neither is known to be better: the gain of b over a is between -0.4% and +1.4%", "tune compare -db x.db b a"},
	} {
		ratio := stats.Estimate{Value: (c.low + c.high) / 2, Interval: stats.Interval{Low: c.low, High: c.high}}
		if c.verdict == experiments.Worse {
			ratio.Value = 0.95
		}
		stored := newGain(UnitOf(fitness.MeanScore), summary.Gain{Comparison: experiments.Comparison{Phase: experiments.PhaseComparison, Search: "depth 3", Candidate: 1, Games: 700, BaselineGames: 700, Confidence: 0.95, Ratio: ratio, Smallest: 0.05, Verdict: c.verdict}})
		stored.keys, stored.played = [2]string{"A", "B"}, stored.played+", run compare"
		a, b := ran("a", 100, 1000), ran("b", 100.5, 1000)
		a.player, b.player, a.contests, b.contests = "A", "B", []gainRow{stored}, []gainRow{stored}
		for _, reports := range [][]Report{{a, b}, {b, a}} {
			s := newSeveral(reports)
			if s.Lead != c.lead || s.Command != c.command || strings.Contains(s.Sure, "700 fresh games each, depth 3, run compare") != (c.command == "") {
				t.Errorf("%s: got %q, %q, %q", c.verdict, s.Lead, s.Sure, s.Command)
			}
		}
	}
}

// TestSeveralJudgesAllPairs: five equal runs have ten pairs. One of them would differ by chance if
// each pair were judged by itself.
func TestSeveralJudgesAllPairs(t *testing.T) {
	var reports []Report
	for i, mean := range []float64{100, 100.1, 100.2, 100.3, 101} { // alone p = 0.025 for the first and the last
		reports = append(reports, ran(string(rune('a'+i)), mean, 1000))
	}
	if s := newSeveral(reports); s.Command == "" || !strings.HasSuffix(s.Tables[0].Rows[4][5], "not known to differ") {
		t.Errorf("%q, %+v", s.Lead, s.Tables[0].Rows)
	}
	if s := newSeveral([]Report{reports[0], reports[4]}); s.Lead != "e is better than a by 1.0%" {
		t.Errorf("%q", s.Lead)
	}
}

// TestStoredComparisonsAreReadForSeveral: a page of several runs has the stored comparisons of
// their champions. The report of one run reads none, so a broken one does not disturb it.
func TestStoredComparisonsAreReadForSeveral(t *testing.T) {
	path, ctx := play(t, everything, nil), context.Background()
	r := built(t, path)
	c, weights := parsed(t, everything), map[string]float64{}
	for _, w := range r.Weights.Weights {
		weights[w.Name] = *w.Champion
	}
	champion := configs.NewPlayer("champion", c.Family, sure(c.Vector(weights))(t), c.Family.Dead)
	contest(t, path, c.Objective, champion, configs.NewPlayer("start", c.Family, c.Family.Values(), c.Family.Dead))
	meet := func() ([]Report, error) {
		reports := []Report{built(t, path), r}
		must(t, Meet(ctx, opened(t, path), reports[:1]))
		return reports, Meet(ctx, opened(t, path), reports)
	}
	if reports := sure(meet())(t); len(reports[0].contests) != 1 || !strings.HasSuffix(reports[0].contests[0].played, "300 fresh games each, depth 1, run compare") {
		t.Errorf("%+v", reports[0].contests)
	}
	alter(t, path, "UPDATE runs SET started_at = 'never' WHERE kind = 'compare'")
	if _, err := meet(); err == nil {
		t.Error("the broken comparison is not read for two runs either")
	}
}

// TestSeveralPage: two runs of a database side by side have one verdict.
func TestSeveralPage(t *testing.T) {
	r := built(t, play(t, everything, nil))
	var b bytes.Buffer
	must(t, Page{Reports: []Report{r, r}}.Write(&b))
	if !strings.Contains(b.String(), `<h1 class="lead">Neither is known to be better by `) || strings.Contains(b.String(), "Weights that differ") {
		t.Error("two equal runs are told apart")
	}
}
