package report

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// everything is a run of seconds with all phases, in a unit that is not the score.
const everything = `
name: everything
objective: {reach: 256}
heuristic:
  dead: 0
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: -1000, max: 1000, start: -500}}
    - {feature: corner, weight: {min: -1, max: 0}}
    - {feature: largest, weight: 0}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 10}
stages: [{name: early, generations: 3, games: 4}, {name: late, generations: 6, games: 10, rounds: 2}]
playoff: {finalists: 4, games: 100}
validation: {games: 200, search: [{depth: 1}, {depth: 2}]}
references: {no_empty: {from: champion, weights: {empty: 0}}}
ablation: {games: 600}
`

// play carries a config's run out, or as far as observe lets it, and returns the database.
func play(t *testing.T, text string, observe func(stop func(), p experiments.Progress, path string)) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "tune.db")
	store := sure(results.Open(path))(t)
	defer store.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	x := experiments.Experiment{Config: parsed(t, text), Store: store, Simulator: simulator.NewPool(2)}
	if observe != nil {
		x.Observe = func(p experiments.Progress) { observe(stop, p, path) }
	}
	if _, err := x.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return path
}

func parsed(t *testing.T, text string) *config.Config {
	t.Helper()
	c := sure(config.Parse([]byte(text), "test.yaml"))(t)
	return c
}

func opened(t *testing.T, path string) *results.Reader {
	t.Helper()
	reader := sure(results.OpenReader(path))(t)
	t.Cleanup(func() { reader.Close() })
	return reader
}

// alter changes a database by hand.
func alter(t *testing.T, path string, statements ...string) {
	t.Helper()
	db := sure(sql.Open("sqlite3", path))(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range append([]string{"PRAGMA ignore_check_constraints = on"}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// build returns the report on the newest run, after it was written in every form.
func build(t *testing.T, path string) (Report, error) {
	t.Helper()
	reader := opened(t, path)
	run, err := reader.Find(context.Background(), "")
	if err != nil {
		return Report{}, err
	}
	r, err := Build(context.Background(), reader, run, Call{})
	if err != nil {
		return r, err
	}
	if _, err := json.Marshal(r); err != nil {
		t.Errorf("JSON: %v", err)
	}
	if err := errors.Join(Page{Report: r}.Write(io.Discard), Text(io.Discard, 80, false, r)); err != nil {
		t.Errorf("page or text: %v", err)
	}
	return r, nil
}

func built(t *testing.T, path string) Report {
	t.Helper()
	r := sure(build(t, path))(t)
	return r
}

// TestReportSaysWhatTheRunFound: the answer and the games are as the stored facts say. Package
// summary tests its figures against the games, and the golden report has the other sections.
func TestReportSaysWhatTheRunFound(t *testing.T) {
	path := play(t, everything, nil)
	r := built(t, path)
	reader := opened(t, path)
	comparisons := map[string]experiments.Comparison{}
	for _, c := range sure(reader.Comparisons(context.Background(), r.Run.ID))(t) {
		comparisons[fmt.Sprint(c.Phase, " ", c.Search, " ", c.Candidate, " ", c.Baseline)] = c
	}
	if r.Status.State != "finished" || *r.Status.Done != 1 || r.Status.Games != r.Run.Games {
		t.Errorf("status %+v", r.Status)
	}

	var roles []string
	for _, p := range r.HeldOut.Players {
		roles = append(roles, p.Search+" "+string(p.Role)+" "+p.Name)
	}
	want := []string{
		"depth 1 champion champion", "depth 1 start start weights", "depth 1 reference no_empty",
		"depth 2 champion champion", "depth 2 start start weights", "depth 2 reference no_empty",
	}
	if !slices.Equal(roles, want) || len(r.HeldOut.Gains) != 4 {
		t.Fatalf("players %q, gains %+v", roles, r.HeldOut.Gains)
	}
	champion := r.Run.Champion
	for i, search := range []string{"depth 1", "depth 2"} {
		p, g := r.HeldOut.Players[3*i:3*i+3], r.HeldOut.Gains[2*i:2*i+2]
		for k, over := range p[1:] {
			c := comparisons[fmt.Sprint("validation ", search, " ", champion, " ", over.Candidate)]
			if c.Difference.Value != p[0].Fitness.Value-over.Fitness.Value || g[k].Difference != c.Difference || g[k].P != c.P ||
				g[k].Adjusted != c.Adjusted ||
				g[k].Verdict != c.Verdict || g[k].Confidence != c.Confidence || (g[k].Ratio == nil) != (over.Fitness.Value == 0) ||
				g[k].Over != over.Name {
				t.Errorf("%+v, want %+v", g[k], c)
			}
		}
	}
	if p := r.HeldOut.Playoff; p.Candidate != champion || p.Games != 100 ||
		math.Abs(*r.HeldOut.Flatter-(p.Fitness.Value/r.HeldOut.Players[0].Fitness.Value-1)) > 1e-9 {
		t.Errorf("flattered by %v of %+v", *r.HeldOut.Flatter, p)
	}

	checkGames(t, path, r)

	db := results.DatabaseFlag(path)
	if m := r.Provenance; m.File != "FILE" ||
		!slices.Equal(m.Commands, []string{"tune -config FILE" + db + " -generations 3,6", "tune verify" + db + " everything",
			"tune report" + db + " everything"}) ||
		!slices.Contains(m.Facts, Fact{"fingerprint", r.Run.Fingerprint}) {
		t.Errorf("made %+v", m)
	}
	if again, err := config.Parse([]byte(r.Provenance.Config), r.Provenance.File); err != nil ||
		again.Hash != r.Run.ConfigHash {
		t.Errorf("the config of the report is another one: %v", err)
	}
}

// checkGames holds distributions and replays against the rows of the games.
func checkGames(t *testing.T, path string, r Report) {
	t.Helper()
	db := sure(sql.Open("sqlite3", path))(t)
	defer db.Close()
	scores, boards := map[int][]int{}, map[int64]string{}
	rows := sure(db.Query("SELECT id, candidate_id % 1000000000, score, final_board FROM games " +
		"WHERE phase = 'validation' AND search = 'depth 2'"))(t)
	for rows.Next() {
		var number, score int
		var id int64
		var final string
		must(t, rows.Scan(&id, &number, &score, &final))
		scores[number], boards[id] = append(scores[number], score), final
	}
	must(t, rows.Err())
	if r.Games.Search != "depth 2" || len(r.Games.Distribution) != 2 || len(r.Games.Replays) != 3 {
		t.Fatalf("games %+v", r.Games)
	}
	for i, number := range []int{r.Run.Champion, 0} {
		d := r.Games.Distribution[i]
		slices.Sort(scores[number])
		if d.Games != 200 || len(d.Quantiles) != 100 || !slices.IsSorted(d.Quantiles) {
			t.Errorf("%+v", d)
		}
		for k, got := range d.Quantiles { // the definition of type 7: the order statistic at (n - 1)q, from 0
			at, rest := math.Modf(199 * (float64(k) + 0.5) / 100)
			low, high := float64(scores[number][int(at)]), float64(scores[number][int(at)+1])
			if want := low + rest*(high-low); math.Abs(got-want) > 1e-4*want {
				t.Errorf("quantile %d of %s: %v, want %v", k, d.Player, got, want)
			}
		}
	}
	own := scores[r.Run.Champion]
	for i, want := range []int{own[99], own[199], own[0]} {
		replay := r.Games.Replays[i]
		final, ok := boards[replay.Game]
		if replay.Score != float64(want) || !ok || slices.Max(replay.Final[:]) != replay.MaxTile {
			t.Errorf("%s: %+v, want the score %d", replay.Which, replay, want)
		}
		for cell, face := range replay.Final {
			if rank := sure(strconv.ParseUint(final[cell:cell+1], 16, 8))(t); face != int(1<<rank)&^1 {
				t.Errorf("%s: %v, want the board %s", replay.Which, replay.Final, final)
			}
		}
	}
}

// TestReportOfARunUnderWay: there is a report at every moment of a run, which says no more than is
// known.
func TestReportOfARunUnderWay(t *testing.T) {
	for _, c := range []struct {
		phase      string
		generation int
		verdict    string
		want       string
	}{
		{experiments.PhaseTuning, 0, verdictUnknown, "not validated yet: interrupted"},
		{experiments.PhaseTuning, 2, verdictUnknown, "not validated yet: interrupted"},
		{experiments.PhasePlayoff, 0, verdictUnknown, "not validated yet: interrupted"},
		{experiments.PhaseValidation, 0, verdictUnknown, "not validated yet: interrupted"},
		{experiments.PhaseAblation, 0, experiments.Better, "better than the start weights at depth 2, by "},
	} {
		t.Run(fmt.Sprint(c.phase, c.generation), func(t *testing.T) {
			path := play(t, everything, func(stop func(), p experiments.Progress, _ string) {
				if p.Phase == c.phase && p.Generation == c.generation && p.Last > 0 {
					stop()
				}
			})
			r := built(t, path)
			if r.Headline.Verdict != c.verdict || !strings.HasPrefix(r.Headline.Text, c.want) ||
				r.Status.State != experiments.Interrupted {
				t.Errorf("%+v", r.Headline)
			}
			alter(t, path, "UPDATE endings SET status = 'running'") // and nobody is: it was killed
			r = built(t, path)
			if r.Status.State != "killed" || r.Status.Doing != "" {
				t.Errorf("%+v", r.Status)
			}
		})
	}
}

// TestReportOfARunGoingOn: while a process works on it the report names its phase.
func TestReportOfARunGoingOn(t *testing.T) {
	seen := map[string]bool{}
	play(t, everything, func(_ func(), p experiments.Progress, path string) {
		at := fmt.Sprint(p.Phase, p.Stage, p.Generation, p.Search)
		if seen[at] {
			return
		}
		seen[at] = true
		r, err := build(t, path)
		if err != nil || r.Status.State != "running" || r.Status.Doing == "" ||
			(r.Headline.Verdict == verdictUnknown) != strings.Contains(r.Headline.Text, r.Status.Doing) {
			t.Errorf("%s: %v, %+v, %+v", at, err, r.Status, r.Headline)
		}
	})
	if len(seen) < 12 {
		t.Errorf("%d moments", len(seen))
	}
}

// TestAhead: a run under way says what follows, stage by stage and search by search.
func TestAhead(t *testing.T) {
	c, looked := parsed(t, everything), experiments.Place{Phase: experiments.PhaseCentre, Stage: "late", Search: "depth 1"}
	const judged = "validation at depth 1, validation at depth 2, ablation at depth 1"
	for at, want := range map[experiments.Place]string{
		{}: "stage early at depth 1, stage late at depth 1, playoff at depth 1, " + judged,
		{Phase: experiments.PhaseTuning, Stage: "early", Search: "depth 1", Generation: 2,
			Candidate: 7}: "stage late at depth 1, playoff at depth 1, " + judged,
		looked: "playoff at depth 1, " + judged,
		{Phase: experiments.PhasePlayoff, Search: "depth 1"}:    judged,
		{Phase: experiments.PhaseValidation, Search: "depth 1"}: "validation at depth 2, ablation at depth 1",
		{Phase: experiments.PhaseAblation, Search: "depth 1"}:   "",
		{Phase: experiments.PhaseTrend, Search: "depth 1"}:      "",
	} {
		if got := ahead(c, at); got != want {
			t.Errorf("%v: got %q, want %q", at, got, want)
		}
	}
	if got := ahead(nil, experiments.Place{Phase: experiments.PhaseComparison}); got != "" {
		t.Errorf("of a comparison: %q", got)
	}
}

// lookedAt is a run whose two stages are looked at twice each.
const lookedAt = `
name: looked
heuristic:
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: -1000, max: 1000, start: -500}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 10}
stages: [{name: early, generations: 10, games: 20}, {name: late, generations: 10, games: 20}]
playoff: {finalists: 2, games: 20}
validation: {games: 20, search: [{depth: 1}, {depth: 2}]}
ablation: {games: 0}
`

// TestOneFigureBeforeTheVerdicts: at every moment of a run the page, the list of runs, now.json and
// the query best have the same figure, the last look at the centre. From the first look on there is
// one, also when a stage, the playoff or the validation begins. The verdicts alone take it away.
func TestOneFigureBeforeTheVerdicts(t *testing.T) {
	best := results.NamedQueries()[slices.IndexFunc(results.NamedQueries(),
		func(q results.NamedQuery) bool { return q.Name == "best" })].SQL
	seen, moments, look := map[string]bool{}, map[string]int{}, -1
	play(t, lookedAt, func(_ func(), p experiments.Progress, path string) {
		at := fmt.Sprint(p.Phase, p.Stage, p.Generation, p.Search, p.Centre != nil && p.Centre.Generation == p.Generation)
		if seen[at] {
			return
		}
		seen[at] = true
		ctx, reader := t.Context(), opened(t, path)
		run := sure(reader.Find(ctx, "looked"))(t)
		r := sure(Build(ctx, reader, run, Call{}))(t)
		var rows [][]any
		must(t, reader.Query(ctx, best, func([]string) error { return nil },
			func(row []any) error { rows = append(rows, row); return nil }))
		c := r.Status.Centre
		if c == nil {
			if look >= 0 || len(rows) > 0 || len(Listing(run)) > 0 {
				t.Errorf("%s: now.json has no figure: %v, %+v", at, rows, Listing(run))
			}
			return
		}
		moments[p.Phase+p.Stage]++
		look = run.Headline.Centre.Candidate
		if text := Listing(run)[0].Text; !strings.HasSuffix(r.Headline.Lead, ": "+c.Text) ||
			!strings.HasSuffix(text, " "+c.Text) || !strings.HasPrefix(text, c.Search+": ") {
			t.Errorf("%s: now.json has %s, the page %s, the list %s", at, c.Text, r.Headline.Lead, text)
		}
		if len(rows) != 1 || rows[0][2] != "so far" || math.Abs(rows[0][6].(float64)/c.Fitness.Value-1) > 1e-12 ||
			rows[0][12] != int64(c.Played) || rows[0][14] != int64(look) || rows[0][3] != nil ||
			rows[0][7] != nil && (math.Abs(rows[0][7].(float64)/c.Fitness.Interval.Low-1) > 1e-12 ||
				math.Abs(rows[0][8].(float64)/c.Fitness.Interval.High-1) > 1e-12) {
			t.Errorf("%s: best has %v, want candidate %d with %+v", at, rows, look, c)
		}
		if len(r.HeldOut.Players) > 0 || r.Weights.Rows[0].Centre == nil && p.Phase == experiments.PhaseTuning {
			t.Errorf("%s: %+v, %+v", at, r.HeldOut.Players, r.Weights.Tuned)
		}
		if last := run.Headline.Last.Stage; last != "" &&
			strings.Contains(r.Headline.Lead, " in stage early") != (last != c.Stage) {
			t.Errorf("%s: in stage %s the page says %s", at, last, r.Headline.Lead)
		}
	})
	if len(moments) != 4 || moments[experiments.PhaseTuning+"late"] < 10 {
		t.Errorf("%v", moments)
	}
}

// compared returns the database of a comparison of players that differ in their weight of empty.
func compared(t *testing.T, weights map[string]float64) (path string) {
	t.Helper()
	c := parsed(t, everything)
	var players []config.Player
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		values := sure(c.Vector(map[string]float64{"empty": weights[name]}, c.Heuristic.Dead))(t)
		players = append(players, config.NewPlayer(name, c.Heuristic, values, c.Heuristic.Dead))
	}
	path = filepath.Join(t.TempDir(), "tune.db")
	contest(t, path, fitness.MeanScore, players...)
	return path
}

// contest compares players in a database, by an objective.
func contest(t *testing.T, path string, o fitness.Objective, players ...config.Player) {
	t.Helper()
	store := sure(results.Open(path))(t)
	c := config.NewContest(7, engine.DefaultRules(), []engine.Settings{engine.FixedDepth(1)}, players)
	c.Objective = o
	_, err := experiments.Contest{Config: c, Plan: stats.DefaultPlan(), Games: 300, Simulator: simulator.NewPool(2),
		Store: store}.Run(context.Background())
	must(t, errors.Join(err, store.Close()))
}

// TestReportOfComparisons: who is best, in a run without champion. A player keeps its name, be it
// champion.
func TestReportOfComparisons(t *testing.T) {
	for _, x := range []struct {
		weights       map[string]float64
		verdict, want string
	}{
		{map[string]float64{"good|": 1000, "bad": -1000}, experiments.Better, "good| is better than bad, by "},
		{map[string]float64{"champion": 1000, "start weights": -1000}, experiments.Better,
			"champion is better than start weights, by "},
		{map[string]float64{"champion": -1000, "start weights": 1000}, experiments.Better,
			"start weights is better than champion, by "},
		{map[string]float64{"bad": -1000, "good|": 1000, "middling": 999}, verdictNone, "nobody is known to be the best: "},
	} {
		r := built(t, compared(t, x.weights))
		n := len(x.weights)
		if r.Headline.Verdict != x.verdict || !strings.HasPrefix(r.Headline.Text, x.want) || len(r.HeldOut.Players) != n ||
			len(r.HeldOut.Gains) != n*(n-1)/2 ||
			len(r.Games.Distribution) != n || len(r.Games.Replays) != 3 {
			t.Errorf("%+v\n%+v", r.Headline, r.HeldOut)
		}
	}
}

// TestReportOfAStoppedComparison: its games are fresh ones, since it holds out none.
func TestReportOfAStoppedComparison(t *testing.T) {
	path := compared(t, map[string]float64{"good": 1000, "bad": -1000})
	alter(t, path, "DELETE FROM comparisons", "UPDATE endings SET status = 'failed'")
	if h := built(t, path).Headline; h.Text != "not validated yet: failed" {
		t.Errorf("%+v", h)
	}
}

// TestReportOfChangedRows: rows that this program did not write make a report or an error that
// names run and file.
func TestReportOfChangedRows(t *testing.T) {
	path := play(t, everything, nil)
	whole := sure(os.ReadFile(path))(t)
	for _, c := range []struct{ statement, want string }{
		{"UPDATE endings SET champion_id = 1000000003", ""},
		{"UPDATE endings SET champion_id = NULL", ""},
		{"UPDATE endings SET champion_id = 1999999999", ""},
		{"UPDATE endings SET config_yaml = 'nothing'", "its stored config cannot be read"},
		{"UPDATE endings SET kind = 'compare'", "its stored config cannot be read"},
		{"UPDATE memo SET scores = replace(scores, ']', '')", "want lists with games"},
		{"UPDATE memo SET scores = replace(scores, ']', 'e999]')", "want lists with games"},
		{"UPDATE memo SET scores = replace(scores, '[', '[-')", ""},
		{"UPDATE memo SET ranks = replace(ranks, '[', '[3')", "want lists with games"},
		{"UPDATE memo SET ranks = replace(ranks, '[', '[0*')", "want lists with games"},
		{"UPDATE asked SET moves = -1, nodes = -1", ""},
		{"UPDATE asked SET mean_score = 9e999, sd_score = -1, fitness = 9e999", ""},
		{"UPDATE asked SET candidate_id = 1000000000", ""},
		{"UPDATE asked SET candidate_id = -1", ""},
		{"UPDATE slices SET search = phase || number, stage = stage || generation, phase = 'tuning'", ""},
		{"UPDATE slices SET generation = generation + 1000000000", ""},
		{"UPDATE slices SET generation = -1 - generation", ""},
		{"UPDATE slices SET phase = 'playoff', round = number", ""},
		{"UPDATE asked SET phase = 'playoff'", "has no game"},
		{"DELETE FROM slices", ""},
		{"DELETE FROM asked", ""},
		{"DELETE FROM memo", ""},
		{"DELETE FROM asked WHERE phase = 'validation'", ""},
		{"DELETE FROM asked WHERE phase = 'tuning'", ""},
		{"UPDATE comparisons SET ratio = NULL, ratio_ci_low = NULL, ratio_ci_high = NULL", ""},
		{"UPDATE comparisons SET verdict = 'none', question = 'without nothing', more_games = 9000000000000000000", ""},
		{"UPDATE candidates SET names = replace(names, '[\"', '[\"other')", ""},
		{"UPDATE candidates SET names = NULL", "want a list of weights"},
		{"UPDATE candidates SET names = '[]', weights = '[]'", ""},
		{"DELETE FROM comparisons", ""},
		{"UPDATE memo SET boards = NULL, times = NULL", ""},
		{"UPDATE memo SET boards = x'77'", ""},
		{"DELETE FROM standings", ""},
		{"UPDATE candidates SET generation = -1000000, stage = 'early'", ""},
		{"UPDATE candidates SET stage = 'late', generation = 9000000000", ""},
		{"UPDATE asked SET duration_us = -9000000000000000000", ""},
		{"UPDATE slices SET seeds = ''", "want a seed"},
		{"UPDATE memo SET times = '[-9000000000000000000]', workers = 'x'", ""},
		{"UPDATE asked SET games = 50", "the database is damaged"},
		{"UPDATE asked SET number = 999990000 - number", ""},
		{"UPDATE slices SET first_game = first_game + 50000", "has no game"},
		{"UPDATE asked SET games = 9000000000000000000", "no slice has"},
	} {
		changed := filepath.Join(t.TempDir(), "tune.db")
		must(t, os.WriteFile(changed, whole, 0o644))
		alter(t, changed, "PRAGMA foreign_keys = off", c.statement)
		_, err := build(t, changed)
		switch {
		case err == nil && c.want != "":
			t.Errorf("%s: want an error with %q", c.statement, c.want)
		case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: want %q, got %v", c.statement, c.want, err)
		case err != nil && !strings.Contains(err.Error(), " of "+changed+": ") &&
			!strings.HasPrefix(err.Error(), "report on run everything of "+changed+": "):
			t.Errorf("%s: the error names neither run nor file: %v", c.statement, err)
		}
	}
}

// TestReportOfManyCandidates: a page of a long run stays small, and has its last generation.
func TestReportOfManyCandidates(t *testing.T) {
	path := play(t, everything, nil)
	const many = 100_000
	alter(t, path, "PRAGMA foreign_keys = off",
		// What follows the tuning has larger numbers than all of it.
		`UPDATE candidates SET id = id + 1000000, number = number + 1000000 WHERE id >= 2000000000`,
		`UPDATE asked SET candidate_id = candidate_id + 1000000 WHERE candidate_id >= 2000000000`,
		`UPDATE asked SET number = number + 2000000, slice = slice + 2000000 WHERE owner_id = 2`,
		`UPDATE slices SET number = number + 2000000 WHERE owner_id = 2`,
		`UPDATE comparisons SET candidate_id = candidate_id + iif(candidate_id >= 2000000000, 1000000, 0), baseline_id = baseline_id + iif(baseline_id >= 2000000000, 1000000, 0)`,
		`UPDATE endings SET candidates = 1000000, questions = 2000000, champion_id = champion_id + iif(champion_id >= 2000000000, 1000000, 0)`,
		fmt.Sprintf(`CREATE TEMP TABLE more AS WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n`, 999+many),
		`INSERT INTO candidates SELECT 1000000000 + i, 1, i, i - 1000, 'more', 'mutation', '', 'worst', '', '["empty","corner"]', json_array(-i / 1000000.0, -i / 1000000.0) FROM more`,
		`INSERT INTO memo SELECT 1000000 + i, CAST(printf('%016d', i) AS BLOB), 0, 1, '[1]', '[9]', '[1]', '[1]', NULL, NULL, NULL, NULL FROM more WHERE i < 6000`,
		`INSERT INTO slices SELECT 1, 1000000 + i, 'tuning', 'more', 'depth 1', i - 1000, 0, 0, '0000000000000001' FROM more WHERE i < 6000`,
		`INSERT INTO asked SELECT 1, 1000000 + i, 1000000 + i, NULL, 1000000000 + i, 1000000 + i, 1, 1, 0, 1, 1, 1, 1 FROM more WHERE i < 6000`,
		`DELETE FROM samples`, `DELETE FROM generations`, `UPDATE endings SET ranked = 0`)
	r := built(t, path)
	g := r.Convergence.Generations
	if len(g) < 500 || len(g) > maxGenerations || r.Convergence.Every < 2 || g[len(g)-1].Generation != 5000 {
		t.Errorf("%d generations, each %d, the last is %d", len(g), r.Convergence.Every, g[len(g)-1].Generation)
	}
	if d := r.Weights.Tuned; d.All < 5000 || len(d.Fitness) > d.All/10 || len(r.Weights.Rows[0].Values) != len(d.Fitness) {
		t.Errorf("%d of %d candidates are drawn", len(d.Fitness), d.All)
	}
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(r); err != nil || text.Len() > 500_000 {
		t.Errorf("%d bytes, %v", text.Len(), err)
	}
}
