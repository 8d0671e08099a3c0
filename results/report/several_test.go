package report

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// ran is a run whose champion has games of this mean at depth 3, with a standard deviation of 10.
func ran(name string, mean float64, games int) Report {
	return ranBy(fitness.MeanScore, name, mean, games)
}

func ranBy(o fitness.Objective, name string, mean float64, games int) Report {
	return ranWith(&config.Config{Rules: engine.DefaultRules()}, o, name, mean, games)
}

func ranWith(config *config.Config, o fitness.Objective, name string, mean float64, games int) Report {
	scores, apart := make([]float64, games), 10*math.Sqrt(float64(games-1)/float64(games))
	for i := range scores {
		scores[i] = mean + apart*float64(2*(i%2)-1)
	}
	e := evaluated(experiments.PhaseValidation, "depth 3", 1, scores...)
	if o != fitness.MeanScore {
		e.Ranks = make([]byte, games)
	}
	run := summary.Run{Kind: experiments.KindTune, Objective: o, Champion: 1, HeldOutSalt: name}
	s := summary.Summarize(run, config, nil, slices.Values([]experiments.Evaluation{e}), nil)
	return Report{
		Run: results.Run{Name: name}, Name: name, Kind: experiments.KindTune, Unit: UnitOf(o), database: " -db x.db",
		HeldOut: heldOutSection{Players: s.Players}, summary: s,
	}
}

// TestSeveral: the verdict names the run that beats all others, and the order of the runs is none
// of a ranking. If the games are too few, it has the command that plays more.
func TestSeveral(t *testing.T) {
	share := ranBy(objective("{reach: 2048}"), "share", 120, 1000) // it is compared with nobody
	fours := ranWith(&config.Config{Rules: engine.Rules{FourProbability: 0.5}}, fitness.MeanScore, "fours", 90, 1000)
	bot := ran("b", 100.5, 1000)
	bot.Run.Programs = "[{}]"
	for _, c := range []struct {
		reports       []Report
		lead, command string
	}{
		{[]Report{ran("a", 100, 1000), ran("b", 110, 1000)}, "b is better than a by 10%", ""},
		{[]Report{ran("b", 110, 1000), share, ran("a", 100, 1000)}, "b is better than a by 10%", ""},
		{[]Report{ran("a", 100, 1000), ran("c", 105, 1000), ran("b", 110, 1000)}, "b is the best of 3 players: better than c by 4.8%", ""},
		{[]Report{ran("a", 100, 1000), ran("b", 100.5, 1000)}, "Neither is known to be better: the gain of b over a is between -0.4% and +1.4%", "tune compare -db x.db b a"},
		{[]Report{ran("a", 100, 1000), bot}, "Neither is known to be better: the gain of b over a is between -0.4% and +1.4%", "tune compare -db x.db b a -config FILE"},
		{[]Report{ran("a", 100, 1000), ran("c", 109.9, 1000), ran("b", 110, 1000)}, "Nobody is known to be the best: b has the highest mean score, and is not known to be better than c", "tune compare -db x.db b c"},
		{[]Report{ran("a", 100, 1000), {Name: "d", Unit: UnitOf(fitness.MeanScore)}}, "These runs have no held-out games at the same search, by the same objective and rules", ""},
		{[]Report{ran("a", 100, 1000), fours}, "These runs have no held-out games at the same search, by the same objective and rules", ""},
		{[]Report{ran("b", 110, 1000), ran("a", 100, 1000), fours}, "b is better than a by 10%", ""},
		{[]Report{fours, ran("b", 110, 1000), ran("a", 100, 1000)}, "b is better than a by 10%", ""},
	} {
		if s := newSeveral(c.reports); s.Lead != c.lead || s.Command != c.command {
			t.Errorf("got %q, %q; want %q, %q", s.Lead, s.Command, c.lead, c.command)
		}
	}
	s := newSeveral([]Report{ran("a", 100, 1000), ran("b", 110, 1000), {Name: "d", Unit: UnitOf(fitness.MeanScore)}, share})
	// The column of the fitness has points and a share, so the mean score has its own.
	rows, last := s.Tables[0].Rows, len(s.Tables[0].Columns)-1
	if len(rows) != 3 || s.Tables[0].Columns[3].Name != "fitness" || rows[2][3] != "0.0%" || rows[2][last] != "" || !strings.HasPrefix(rows[1][last], "+10% [") || rows[0][last] != "" {
		t.Errorf("%+v", s.Tables[0])
	}
}

// TestSeveralOfOneConfig: runs of one config share their held-out seeds. If their champions are
// equal, more games tell nothing.
func TestSeveralOfOneConfig(t *testing.T) {
	a, b := ran("a", 100, 1000), ran("b", 100.1, 1000)
	a.player, b.player = "equal", "equal"
	if s := newSeveral([]Report{a, b}); s.Command != "" {
		t.Errorf("%+v", s)
	}
	b.summary.HeldOutSalt = "a"
	if s := newSeveral([]Report{a, b}); s.Lead != "b is better than a by 0.1%" { // each seed has 0.1 more
		t.Errorf("%+v", s)
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

// TestSeveralPage: two runs of a database side by side have one verdict.
func TestSeveralPage(t *testing.T) {
	r := built(t, play(t, everything, nil))
	var b bytes.Buffer
	must(t, Page{Reports: []Report{r, r}}.Write(&b))
	if !strings.Contains(b.String(), `<h1 class="lead">Neither is known to be better by `) {
		t.Error("two equal runs are told apart")
	}
}
