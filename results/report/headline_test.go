package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
	"tune2048/tuner"
)

var inf = math.Inf(1)

func objective(text string) fitness.Objective {
	o, err := config.ParseObjective(text)
	if err != nil {
		panic(err)
	}
	return o
}

// overStart is the gain of a champion over the start weights.
func overStart(c experiments.Comparison) summary.Gain {
	return summary.Gain{Comparison: c, Player: summary.Player{Name: summary.ChampionName, Role: summary.Champion},
		Over: summary.Player{Name: summary.StartName, Role: summary.Start}}
}

// evaluated is an evaluation of games with these scores.
func evaluated(phase, search string, candidate int, scores ...float64) experiments.Evaluation {
	return experiments.Evaluation{
		Place: experiments.Place{Phase: phase, Search: search, Candidate: candidate}, Scores: scores,
	}
}

// recordsOf are the records of a run with this champion.
func recordsOf(champion int, evaluations []experiments.Evaluation, comparisons ...experiments.Comparison) *records {
	run := summary.Run{Kind: experiments.KindTune, Objective: fitness.MeanScore, Champion: champion}
	s := summary.Summarize(run, nil, nil, nil, slices.Values(evaluations), nil, comparisons)
	return &records{
		unit: UnitOf(fitness.MeanScore), run: results.Run{Run: run, Headline: s},
		config: &config.Config{Optimizer: &tuner.Genetic{}, Stages: make([]config.Stage, 1)}, Summary: s,
	}
}

// TestHeadlines: the answer in one sentence, in the unit of each objective, whatever it is.
func TestHeadlines(t *testing.T) {
	around := func(value, low, high float64) stats.Estimate {
		return stats.Estimate{Value: value, Interval: stats.Interval{Low: low, High: high}}
	}
	open := stats.Estimate{Value: 1.2, Interval: stats.Unbounded()}
	score, log, reach := fitness.MeanScore, objective("mean_log_score"), objective("{reach: 2048}")
	for _, c := range []struct {
		objective                     fitness.Objective
		verdict                       string
		difference, ratio             stats.Estimate
		wantVerdict, text, lead, sure string
	}{
		{score, experiments.Better, around(19176.4, 18432, 19921), around(1.5947, 1.5662, 1.6238), experiments.Better,
			"better than the start weights, by 59% [57, 62]", "Better than the start weights by 59%",
			"95% interval +57% to +62%"},
		{score, experiments.NoDifference, around(253, -380, 886), around(1.0078, 0.988, 1.028), verdictNone,
			"no gain found: the difference is between -1.2% and +2.8%",
			"No gain found: the difference is between -1.2% and +2.8%", "95% interval -1.2% to +2.8%"},
		{score, experiments.NoDifference, around(653, 20, 1286), around(1.0202, 1.001, 1.04), verdictNone,
			"no gain found: the difference is between +0.1% and +4.0%",
			"No gain found: the difference is between +0.1% and +4.0%", "95% interval +0.1% to +4.0%"},
		{score, experiments.Worse, around(-12247, -12800, -11700), around(0.62, 0.6, 0.64), experiments.Worse,
			"worse than the start weights, by 38% [36, 40]", "Worse than the start weights by 38%", "95% interval -40% to -36%"},
		{score, experiments.Better, around(999, 900, 1100), around(inf, 0, 0), experiments.Better,
			"better than the start weights, by 999 points [900, 1,100]", "Better than the start weights by 999 points",
			"95% interval +900 to +1,100 points"},
		{score, experiments.NoDifference, around(200, -9000, 9400), open, verdictNone,
			"no gain found: the games are too few to tell", "No gain found: the games are too few to tell", ""},
		{log, experiments.Better, around(0.458, 0.43, 0.486), around(1.581, 1.537, 1.626), experiments.Better,
			"better than the start weights, by 58% [54, 63] in geometric mean score",
			"Better than the start weights by 58% in geometric mean score", "95% interval +54% to +63%"},
		{reach, experiments.Better, around(0.204, 0.19, 0.218), around(1.29, 1.26, 1.32), experiments.Better,
			"better than the start weights, by 20.4 percentage points [19.0, 21.8]",
			"Better than the start weights by 20.4 percentage points", "95% interval +19.0 to +21.8 percentage points"},
	} {
		gain := overStart(experiments.Comparison{
			Search: "depth 3", Candidate: 7, Difference: c.difference, Ratio: c.ratio, Confidence: 0.95, Verdict: c.verdict,
			Games: 6000, BaselineGames: 6000,
		})
		want := Headline{Verdict: c.wantVerdict, Text: c.text, Lead: c.lead, Sure: "6,000 held-out games each, depth 3"}
		if c.sure != "" {
			want.Sure = c.sure + ", " + want.Sure
		}
		players := []summary.Player{{Role: summary.Champion, Search: "depth 3", Candidate: 7},
			{Role: summary.Start, Search: "depth 3"}}
		got, known := answerOf(players, gainRows([]summary.Gain{gain}, UnitOf(c.objective)), "")
		want.gain = got.gain
		if got != want || !known {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		// A list has the same words, and none before the gain is recorded.
		run := results.Run{Run: summary.Run{Objective: c.objective}}
		run.Headline.Players = players
		without := Listing(run)[0].Text
		run.Headline.Gains = []summary.Gain{gain}
		if with := Listing(run)[0].Text; with != without+"; "+c.text || strings.Contains(without, ";") {
			t.Errorf("a list has %q, without a gain %q, want %q", with, without, c.text)
		}
	}
}

// TestHeadlineOfTheStart: weights that nothing beat are no gain of 0%.
func TestHeadlineOfTheStart(t *testing.T) {
	rec := recordsOf(0, []experiments.Evaluation{evaluated(experiments.PhaseValidation, "depth 1", 0,
		make([]float64, 200)...)}, experiments.Comparison{
		Phase: experiments.PhaseValidation, Search: "depth 1", Games: 200, BaselineGames: 200, Ratio: experiments.Unchanged,
		Confidence: 0.95, P: 1, Adjusted: 1,
		Verdict: experiments.NoDifference,
	})
	r := rec.report(Call{})
	want := Headline{Verdict: verdictNone, Text: "no gain found: the start weights are the champion",
		Sure: "200 held-out games, depth 1", gain: "the same weights"}
	want.Lead = capital(want.Text)
	got := r.Headline
	if got != want || len(r.HeldOut.Players) != 2 || len(r.HeldOut.Drawn) > 0 {
		t.Errorf("%+v, %+v", got, r.HeldOut)
	}
	if rows := r.Tables[0].Rows; rows[1][len(rows[1])-1] != got.gain {
		t.Errorf("got the rows %q", rows)
	}
}

// TestHeadlineOfSeveralSearches: the one that is validated last is the answer, and the others stand
// beside it.
func TestHeadlineOfSeveralSearches(t *testing.T) {
	var evaluations []experiments.Evaluation
	var comparisons []experiments.Comparison
	for i, search := range []string{"depth 1", "depth 3", "depth 5"} {
		for _, number := range []int{0, 5} {
			evaluations = append(evaluations, evaluated(experiments.PhaseValidation, search, number, 900, 1100))
		}
		comparisons = append(comparisons, experiments.Comparison{
			Phase: experiments.PhaseValidation, Search: search, Candidate: 5, Confidence: 0.95, P: 0.001, Adjusted: 0.002,
			Verdict: []string{experiments.NoDifference, experiments.Better, experiments.Better}[i],
			Ratio:   stats.Estimate{Value: 1.5, Interval: stats.Interval{Low: 1.4, High: 1.6}},
		})
	}
	rec := recordsOf(5, evaluations, comparisons...)
	// A reference that is better is not left to the list.
	published := overStart(experiments.Comparison{
		Search: "depth 3", Candidate: 5, Verdict: experiments.Worse,
		Ratio: stats.Estimate{Value: 0.8, Interval: stats.Interval{Low: 0.7, High: 0.9}},
	})
	published.Over = summary.Player{Name: "published", Role: summary.Reference}
	rec.Gains = append(rec.Gains, published)
	published.Search = engine.Settings{Bot: true}.String() // which a bot does not search by
	rec.Gains = append(rec.Gains, published)
	if g := (gainRow{published, rec.unit}); g.played() != "0 held-out games each" {
		t.Errorf("of a bot: %q", g.played())
	}
	const text, lead = "better than the start weights at depth 5, by 50% [40, 60]",
		"Better than the start weights at depth 5 by 50%"
	const beside = "At depth 1: no gain found: the difference is between +40% and +60%. At depth 3: better than the " +
		"start weights, by 50% [40, 60]. At depth 3 it is worse than published, by 20% [10, 30]. It is worse than " +
		"published, by 20% [10, 30]."
	if h, _ := rec.headline(); h.Verdict != experiments.Better || h.Text != text || h.Lead != lead || h.Beside != beside {
		t.Errorf("%+v", h)
	}
}

// TestPlayoffText: the figure by which the champion was chosen stands beside the held-out one.
func TestPlayoffText(t *testing.T) {
	rec := recordsOf(0, nil)
	rec.Gains, rec.Playoff = make([]summary.Gain, 1),
		[]summary.Player{{Search: "depth 5", Fitness: stats.Estimate{Value: 53390}}}
	for search, want := range map[string]string{
		"depth 3": "in the playoff the champion's mean score was 53,390, which is too high on average: the best was chosen",
		"depth 5": "in the playoff the champion's mean score was 53,390, on held-out games 51,430",
	} {
		rec.Players = []summary.Player{{Role: summary.Champion, Search: search, Fitness: stats.Estimate{Value: 51430},
			Standing: new(experiments.Standing)}}
		if got := rec.playoffText(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestSoFar: a run under way says how good the centre of its search is, by games that chose
// nothing, and over the start weights once that is known. Never does it say how good its candidates
// are. The held-out games say nothing before the verdicts: other searches come, and the verdicts
// hold together.
func TestSoFar(t *testing.T) {
	looks := func(se float64, number int) (all []experiments.Evaluation) {
		all = stageOf("tune", 1, 9000, 9000, 9000)
		for g := range number {
			for candidate, mean := range []float64{1000, 1500} {
				e := evaluated(experiments.PhaseCentre, "depth 1", candidate*(10+g), mean-se, mean+se, mean-se, mean+se)
				e.Stage, e.Generation = "tune", g
				all = append(all, e)
			}
		}
		return all
	}
	next := evaluated(experiments.PhaseTuning, "depth 1", 7, 1000, 2000)
	next.Stage, next.Number = "refine", 99
	held := append(looks(10, 2), evaluated(experiments.PhaseValidation, "depth 1", 11, 1190, 1200, 1210),
		evaluated(experiments.PhaseValidation, "depth 1", 0, 990, 1000, 1010))
	for _, c := range []struct {
		champion int
		games    []experiments.Evaluation
		lead     string
		differ   int
	}{
		{-1, looks(1, 0), "Not validated yet", 0},
		{-1, looks(10, 1), "The search so far: mean score 1,500 [1,482, 1,518]", 0},
		{-1, looks(10, 2), "The search so far: +50% [", 1},
		{-1, looks(900, 2), "The search so far: mean score 1,500 [", 0},
		{11, held, "The search so far: +50% [", 1},
		{-1, append(looks(10, 2), next), "The search in stage tune: +50% [", 1},
	} {
		rec := recordsOf(c.champion, c.games)
		rec.status.State = experiments.Running
		if centre := rec.run.Headline.Centre; centre != nil {
			rec.status.Centre = newCentre(rec.Objective, centre, rec.run.Headline.Last.Stage, false)
		}
		r := rec.report(Call{})
		if h, held := r.Headline, r.HeldOut; !strings.HasPrefix(h.Lead, c.lead) ||
			!strings.HasPrefix(h.Text, "not validated yet") || len(held.Drawn) != c.differ ||
			len(held.Players) > 0 || held.Playoff != nil {
			t.Errorf("want %s: %+v, %+v", c.lead, h, held)
		}
		var list string // has the same figure
		for _, l := range Listing(rec.run) {
			list += l.Text
		}
		if _, figure, _ := strings.Cut(c.lead, "The search "); !strings.Contains(list,
			strings.Replace(figure, ": ", " ", 1)) {
			t.Errorf("want %s: a list has %q", c.lead, list)
		}
	}
}

// TestEqualScoresAreNamed: forty games that all score 1 have no interval. The answer is undecided,
// and it says how often other scores may come.
func TestEqualScoresAreNamed(t *testing.T) {
	ones, zeros := slices.Repeat([]float64{1}, 40), make([]float64, 40)
	rec := recordsOf(7, []experiments.Evaluation{
		evaluated(experiments.PhaseValidation, "bot", 7, ones...), evaluated(experiments.PhaseValidation, "bot", 0, zeros...),
	}, experiments.Comparison{
		Phase: experiments.PhaseValidation, Search: "bot", Candidate: 7, Games: 40, BaselineGames: 40, Confidence: 0.95,
		Verdict:    experiments.Undecided,
		Difference: stats.Estimate{Value: 1, Interval: stats.Unbounded()},
		Ratio:      stats.Estimate{Value: inf, Interval: stats.Unbounded()},
	})
	rec.config.Heuristic.Bot = &bot.Program{Answers: bot.Games}
	r := rec.report(Call{})
	const champion, start = "of the games of the champion all 40 scored 1: others may come in up to 9% of games",
		"of the games of the start weights all 40 scored 0: others may come in up to 9% of games"
	if h := r.Headline; h.Text != "undecided: "+champion || h.Verdict != verdictNone ||
		strings.Contains(h.Sure, "interval") {
		t.Errorf("got %+v", h)
	}
	if notes := r.HeldOut.Notes; len(notes) != 3 || notes[0] != champion || notes[1] != start ||
		!strings.Contains(notes[2], "score: {min: 0, max: 1}") {
		t.Errorf("got the notes %q", notes)
	}
	table := r.Tables[0]
	if got := table.Rows; got[0][2] != "1" || got[1][2] != "0" || got[1][len(got[1])-1] != "undecided" {
		t.Errorf("got the rows %q", got)
	}
	for games, want := range map[int]string{2: "84%", 400: "0.9%", 5000: "0.07%"} {
		p := summary.Player{Name: "a", Games: games, Standing: new(experiments.Standing),
			Score: stats.Estimate{Interval: stats.Unbounded()}}
		if text := equalText(p); !strings.HasSuffix(text, "up to "+want+" of games") {
			t.Errorf("%d games: %s", games, text)
		}
	}
}
