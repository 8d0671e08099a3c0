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
	"reflect"
	"slices"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
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

func parsed(t *testing.T, text string) *configs.Config {
	t.Helper()
	c := sure(configs.Parse([]byte(text), "test.yaml"))(t)
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
	r, err := Build(context.Background(), reader, run)
	if err != nil {
		return r, err
	}
	if _, err := json.Marshal(r); err != nil {
		t.Errorf("JSON: %v", err)
	}
	if err := errors.Join(Markdown(io.Discard, r), Text(io.Discard, 80, false, r)); err != nil {
		t.Errorf("Markdown or text: %v", err)
	}
	return r, nil
}

func built(t *testing.T, path string) Report {
	t.Helper()
	r := sure(build(t, path))(t)
	return r
}

// TestReportSaysWhatTheRunFound holds every section against the rows of the store.
func TestReportSaysWhatTheRunFound(t *testing.T) {
	path := play(t, everything, nil)
	r := built(t, path)
	standings, comparisons := rowsOf(t, path, r.Run.ID)
	same := func(what string, got estimate, value float64, i stats.Interval) {
		t.Helper()
		if got.Value != value || got.Interval != i {
			t.Errorf("%s: got %v %v, want %v %v", what, got.Value, got.Interval, value, i)
		}
	}
	if r.Status.State != "finished" || *r.Status.Done != 1 || r.Status.Games != r.Run.Games {
		t.Errorf("status %+v", r.Status)
	}

	var roles []string
	for _, p := range r.HeldOut.Players {
		roles = append(roles, p.Search+" "+p.Role+" "+p.Name)
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
		p, g := r.HeldOut.Players[3*i:], r.HeldOut.Gains[2*i:]
		of := func(number int) results.Standing { return standings[fmt.Sprint("validation ", search, " ", number)] }
		against := func(number int) experiments.Comparison {
			return comparisons[fmt.Sprint("validation ", search, " ", champion, " ", number)]
		}
		other := p[2].Candidate
		same("champion", p[0].Fitness, of(champion).Fitness.Mean, of(champion).FitnessInterval)
		same("start's score", p[1].Score, of(0).Score.Mean, of(0).Interval)
		same("reference", p[2].Fitness, of(other).Fitness.Mean, of(other).FitnessInterval)
		same("gain", g[0].Difference, against(0).Difference.Value, against(0).Difference.Interval)
		same("ratio", *g[1].Ratio, against(other).Ratio.Value, against(other).Ratio.Interval)
		if text := newGain(r.Unit, against(0), championName, startName).Text; g[0].Text != text || g[0].Verdict != against(0).Verdict || g[1].Over != "no_empty" {
			t.Errorf("gains %+v, want %s", g[:2], text)
		}
		for k, tile := range p[0].Tiles {
			if tile.Share != float64(of(champion).Reached[k])/200 || tile.Low > tile.Share || tile.High < tile.Share || tile.Tile != experiments.Tiles[k] {
				t.Errorf("%s: %+v", search, tile)
			}
		}
	}
	won := standings[fmt.Sprint("playoff depth 1 ", champion)]
	same("playoff", r.HeldOut.Playoff.Fitness, won.Fitness.Mean, won.FitnessInterval)
	if flatter := won.Fitness.Mean/r.HeldOut.Players[0].Fitness.Value - 1; *r.HeldOut.Flatter != flatter {
		t.Errorf("flattered by %v, want %v", *r.HeldOut.Flatter, flatter)
	}

	c := r.Convergence
	if len(c.Stages) != 2 || c.Stages[0].To != 120 || c.Stages[1].From != 120 || len(c.Generations) != 9 || c.Every != 1 || c.Generations[3].Stage != "late" ||
		c.Generations[3].Number != 1 || c.Generations[2].Games != 120 || c.Generations[8].Games != c.Stages[1].To {
		t.Errorf("convergence %+v", c)
	}
	if !strings.Contains(c.Text, "from 420 to 720 games, in stage late") || len(c.Centres) != 2 || c.Centres[0].Generation != 3 || c.Centres[1].Generation != 6 ||
		c.Centres[0].Games != c.Generations[5].Games || c.Centres[1].Games != c.Generations[8].Games {
		t.Errorf("%s\ncentres %+v", c.Text, c.Centres)
	}

	w := r.Weights
	if len(w.Weights) != 2 || w.Weights[0].Min != -1000 || w.Weights[0].Start != -500 || *w.Weights[0].Champion != w.Finalists[0].Values[0] ||
		*w.Weights[1].Champion != w.Finalists[0].Values[1] {
		t.Errorf("weights %+v", w.Weights)
	}
	for _, weight := range w.Weights {
		if inside := *weight.Champion > weight.Min+0.02*(weight.Max-weight.Min) && *weight.Champion < weight.Max-0.02*(weight.Max-weight.Min); inside != (weight.Edge == "") {
			t.Errorf("%s is at its edge %q", weight.Name, weight.Edge)
		}
		if b := weight.Population; b == nil || !(weight.Min <= b.P05 && b.P05 <= b.P25 && b.P25 <= b.P50 && b.P50 <= b.P75 && b.P75 <= b.P95 && b.P95 <= weight.Max) {
			t.Errorf("%s: population %+v", weight.Name, b)
		}
	}
	if len(w.Finalists) != 4 || !w.Finalists[0].Champion || w.Finalists[0].Number != champion || w.Finalists[3].Rank != 4 {
		t.Errorf("finalists %+v", w.Finalists)
	}
	if d := w.Candidates; d.Of != len(d.Number) || d.Of < 40 || len(d.Values[1]) != d.Of || d.Number[0] != 0 || d.Values[0][0] != -500 {
		t.Errorf("candidates %+v", d)
	}
	checkDots(t, path, w.Candidates)

	if len(r.Matters.Features) != 4 {
		t.Errorf("matters %+v", r.Matters)
	}
	for _, c := range comparisons {
		if name, ok := strings.CutPrefix(c.Question, "without "); ok {
			_, _, text := ablationText(c)
			if i := slices.IndexFunc(r.Matters.Features, func(f ablated) bool { return f.Name == name }); i < 0 || r.Matters.Features[i].Text != text || r.Matters.Features[i].Games != c.Games {
				t.Errorf("%+v in %+v", c, r.Matters.Features)
			}
		}
	}
	if !slices.IsSortedFunc(r.Matters.Features, func(a, b ablated) int { return int(math.Copysign(1, worth(a.Change)-worth(b.Change))) }) {
		t.Errorf("not the most valuable first: %+v", r.Matters.Features)
	}
	checkGames(t, path, r)

	if m := r.Made; m.File != "everything.yaml" || !slices.Equal(m.Commands, []string{"tune -config everything.yaml", "tune verify everything", "tune report everything"}) ||
		!slices.Contains(m.Facts, fact{"fingerprint", r.Run.Fingerprint}) {
		t.Errorf("made %+v", m)
	}
	if again, err := configs.Parse([]byte(r.Made.Config), r.Made.File); err != nil || again.Hash != r.Run.ConfigHash {
		t.Errorf("the config of the report is another one: %v", err)
	}
}

// rowsOf returns a run's standings by phase, search and candidate, and its comparisons by phase,
// search, candidate and baseline.
func rowsOf(t *testing.T, path string, run int64) (map[string]results.Standing, map[string]experiments.Comparison) {
	t.Helper()
	reader := opened(t, path)
	all, err := reader.Standings(context.Background(), run)
	compared, wrong := reader.Comparisons(context.Background(), run)
	must(t, errors.Join(err, wrong))
	standings, comparisons := map[string]results.Standing{}, map[string]experiments.Comparison{}
	for _, s := range all {
		standings[fmt.Sprint(s.Phase, " ", s.Search, " ", s.Candidate)] = s
	}
	for _, c := range compared {
		comparisons[fmt.Sprint(c.Phase, " ", c.Search, " ", c.Candidate, " ", c.Baseline)] = c
	}
	return standings, comparisons
}

// checkDots holds each candidate against its row of the last stage in which it played.
func checkDots(t *testing.T, path string, c tunedCandidates) {
	t.Helper()
	db := sure(sql.Open("sqlite3", path))(t)
	defer db.Close()
	late := 0
	for i, number := range c.Number {
		var stage string
		var games int
		var fitness float64
		err := db.QueryRow("SELECT stage, games, fitness_shrunk FROM standings WHERE phase = 'tuning' AND candidate_id = ? ORDER BY began DESC", 1_000_000+number).
			Scan(&stage, &games, &fitness)
		if err != nil || c.Stage[i] != slices.Index([]string{"early", "late"}, stage) || c.Games[i] != games || math.Abs(c.Fitness[i]-fitness) > 1e-5 {
			t.Errorf("candidate %d: %v, stage %d, %d games, fitness %v; want %s, %d, %v", number, err, c.Stage[i], c.Games[i], c.Fitness[i], stage, games, fitness)
		}
		late += c.Stage[i]
	}
	if late == 0 || late == len(c.Number) {
		t.Errorf("%d of %d candidates played in the last stage", late, len(c.Number))
	}
}

// checkGames holds distributions and replays against the rows of the games.
func checkGames(t *testing.T, path string, r Report) {
	t.Helper()
	reader := opened(t, path)
	scores := map[int][]int{}
	microseconds, moves := map[string]float64{}, map[string]float64{} // by search and player
	boards := map[int64]engine.Board{}
	for g, err := range reader.Games(context.Background(), r.Run.ID) {
		must(t, err)
		if g.Phase == experiments.PhaseValidation {
			player := fmt.Sprint(g.Search, " ", g.Candidate)
			microseconds[player] += float64(g.Duration.Microseconds())
			moves[player] += float64(g.Moves)
		}
		if g.Phase == experiments.PhaseValidation && g.Search == "depth 2" {
			scores[g.Candidate] = append(scores[g.Candidate], g.Score)
			boards[results.GameID(r.Run.ID, g.Game)] = g.Final
		}
	}
	for _, p := range r.HeldOut.Players {
		player, got := fmt.Sprint(p.Search, " ", p.Candidate), 0.
		if p.MSPerMove != nil {
			got = *p.MSPerMove
		}
		if want := microseconds[player] / 1000 / moves[player]; !(math.Abs(got/want-1) <= 1e-9) {
			t.Errorf("%s: %v ms a move, want %v", player, got, want)
		}
	}
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
		faces := final.Faces()
		if replay.Score != want || !ok || replay.Final[0] != faces[0][0] || replay.Final[7] != faces[1][3] || slices.Max(replay.Final[:]) != replay.MaxTile {
			t.Errorf("%s: %+v, want the score %d and the board\n%v", replay.Which, replay, want, final)
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
		{experiments.PhaseTuning, 0, verdictUnknown, "not validated yet: the run was interrupted"},
		{experiments.PhaseTuning, 2, verdictUnknown, "not validated yet: the run was interrupted"},
		{experiments.PhasePlayoff, 0, verdictUnknown, "not validated yet: the run was interrupted"},
		{experiments.PhaseValidation, 0, verdictUnknown, "not validated yet: the run was interrupted"},
		{experiments.PhaseAblation, 0, verdictBetter, "better than the start weights at depth 2, by "},
	} {
		t.Run(fmt.Sprint(c.phase, c.generation), func(t *testing.T) {
			path := play(t, everything, func(stop func(), p experiments.Progress, _ string) {
				if p.Phase == c.phase && p.Generation == c.generation && p.Last > 0 {
					stop()
				}
			})
			r := built(t, path)
			if r.Headline.Verdict != c.verdict || !strings.HasPrefix(r.Headline.Text, c.want) || r.Status.State != experiments.Interrupted {
				t.Errorf("%+v", r.Headline)
			}
			alter(t, path, "UPDATE runs SET status = 'running'") // and nobody is: it was killed
			if r = built(t, path); r.Status.State != "killed" || r.Status.Doing != "" {
				t.Errorf("%+v", r.Status)
			}
		})
	}
}

// TestReportOfAnOlderRun: rows of the phase sensitivity, which programs no longer play, change
// nothing else. A config with the old phase gets an error that names the new one.
func TestReportOfAnOlderRun(t *testing.T) {
	path := play(t, everything, nil)
	want := built(t, path)
	alter(t, path, "INSERT INTO candidates SELECT run_id * 1000000 + 9999, run_id, 9999, 0, '', 'shifted', 'empty up', dead, 'other' FROM candidates WHERE number = 0",
		"CREATE TEMP TABLE older AS SELECT * FROM comparisons WHERE phase = 'ablation' LIMIT 1",
		"UPDATE older SET phase = 'sensitivity', look = 0, candidate_id = (SELECT max(id) FROM candidates)", "INSERT INTO comparisons SELECT * FROM older",
		"CREATE TEMP TABLE stood AS SELECT * FROM standings WHERE phase = 'validation' LIMIT 1",
		"UPDATE stood SET phase = 'sensitivity', candidate_id = (SELECT max(id) FROM candidates)", "INSERT INTO standings SELECT * FROM stood")
	got := built(t, path)
	for name, part := range map[string][2]any{
		"headline": {got.Headline, want.Headline}, "held out": {got.HeldOut, want.HeldOut}, "convergence": {got.Convergence, want.Convergence},
		"weights": {got.Weights, want.Weights}, "matters": {got.Matters, want.Matters}, "games": {got.Games, want.Games},
	} {
		if !reflect.DeepEqual(part[0], part[1]) {
			t.Errorf("%s: got %+v\nwant %+v", name, part[0], part[1])
		}
	}
	alter(t, path, "UPDATE runs SET config_yaml = replace(config_yaml, 'references:', 'sensitivity: {games: 20, step: 0.1, search: {depth: 1, min_probability: 0}}' || char(10) || 'references:')")
	if _, err := build(t, path); err == nil || !strings.Contains(err.Error(), ":15: sensitivity.games: want 0, got 20: this program has no sensitivity any more; references: ") {
		t.Errorf("got %v", err)
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
		if err != nil || r.Status.State != "running" || r.Status.Doing == "" || (r.Headline.Verdict == verdictUnknown) != strings.Contains(r.Headline.Text, r.Status.Doing) {
			t.Errorf("%s: %v, %+v, %+v", at, err, r.Status, r.Headline)
		}
	})
	if len(seen) < 12 {
		t.Errorf("%d moments", len(seen))
	}
}

// compared returns the database of a comparison of players that differ in their weight of empty.
func compared(t *testing.T, weights map[string]float64) (path string) {
	t.Helper()
	c := parsed(t, everything)
	var players []configs.Player
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		values := sure(c.Vector(map[string]float64{"empty": weights[name]}))(t)
		players = append(players, configs.NewPlayer(name, c.Family, values, c.Family.Dead))
	}
	path = filepath.Join(t.TempDir(), "tune.db")
	store := sure(results.Open(path))(t)
	config, _ := configs.NewContest(7, c.Rules, engine.FixedDepth(1), players)
	_, err := experiments.Contest{Configs: []*configs.Contest{config}, Plan: stats.DefaultPlan(), Games: 300, Simulator: simulator.NewPool(2), Store: store}.Run(context.Background())
	must(t, errors.Join(err, store.Close()))
	return path
}

// TestReportOfComparisons: who is best, in a run without champion.
func TestReportOfComparisons(t *testing.T) {
	for _, x := range []struct {
		weights       map[string]float64
		verdict, want string
	}{
		{map[string]float64{"good|": 1000, "bad": -1000}, verdictBetter, "good| is better than bad, by "},
		{map[string]float64{"bad": -1000, "good|": 1000, "middling": 999}, verdictNone, "nobody is known to be the best: "},
	} {
		r := built(t, compared(t, x.weights))
		n := len(x.weights)
		if r.Headline.Verdict != x.verdict || !strings.HasPrefix(r.Headline.Text, x.want) || len(r.HeldOut.Players) != n || len(r.HeldOut.Gains) != n*(n-1)/2 ||
			len(r.Games.Distribution) != n || len(r.Games.Replays) != 3 {
			t.Errorf("%+v\n%+v", r.Headline, r.HeldOut)
		}
	}
}

// TestReportOfChangedRows: rows that this program did not write make a report or an error that
// names run and file.
func TestReportOfChangedRows(t *testing.T) {
	path := play(t, everything, nil)
	whole := sure(os.ReadFile(path))(t)
	for _, c := range []struct{ statement, want string }{
		{"UPDATE runs SET champion_id = 1000003", ""},
		{"UPDATE runs SET champion_id = NULL", ""},
		{"UPDATE runs SET champion_id = 1999999", "candidate 999999, is none of its candidates"},
		{"UPDATE runs SET config_yaml = 'nothing'", "its stored config cannot be read"},
		{"UPDATE runs SET kind = 'compare'", "its stored config cannot be read"},
		{"UPDATE standings SET games = 0", "has 0 games"},
		{"UPDATE standings SET reached_2048 = 100000", "reach a tile"},
		{"UPDATE standings SET reached_128 = -1", "reach a tile"},
		{"UPDATE standings SET mean_score = 9e999 WHERE phase = 'validation'", "is +Inf"},
		{"UPDATE standings SET fitness_shrunk = -9e999 WHERE phase = 'tuning'", "is -Inf"},
		{"UPDATE standings SET fitness = 0, fitness_ci_low = NULL, fitness_ci_high = NULL", ""},
		{"UPDATE standings SET began = 7", ""},
		{"UPDATE generations SET mean_fitness = 9e999", "is +Inf: tune verify says whether somebody changed the database"},
		{"UPDATE generations SET generation = generation + 1000000000", ""},
		{"UPDATE generations SET stage = stage || generation, generation = -1 - generation", ""},
		{"UPDATE generations SET games = 9000000000000000000", ""},
		{"UPDATE comparisons SET difference = 9e999", "is +Inf"},
		{"UPDATE comparisons SET ratio = NULL, ratio_ci_low = NULL, ratio_ci_high = NULL", ""},
		{"UPDATE comparisons SET verdict = 'none', question = 'without nothing', more_games = 9000000000000000000", ""},
		{"UPDATE weights SET value = 9e999", "weights of candidate 0"},
		{"UPDATE weights SET name = 'other' || position", ""},
		{"DELETE FROM weights", "is none of its candidates"},
		{"DELETE FROM generations", ""},
		{"DELETE FROM comparisons", ""},
		{"DELETE FROM standings", ""},
		{"DELETE FROM games", ""},
		{"DELETE FROM spreads", ""},
		{"UPDATE candidates SET generation = -1000000, stage = 'early'", ""},
		{"UPDATE candidates SET stage = 'late', generation = 9000000000", ""},
		{"UPDATE games SET score = -1000000000000 WHERE phase = 'validation'", ""},
		{"UPDATE games SET score = 9000000000000000000 WHERE phase = 'validation'", ""},
		{"UPDATE evaluations SET duration_us = -9000000000000000000", "integer overflow"},
		{"UPDATE games SET seed = -1", "want a seed"},
		{"UPDATE evaluations SET first_game = 0, games = 900000000", "the database is damaged"},
		{"UPDATE evaluations SET games = 9000000000000000000", "integer overflow"},
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
		case err != nil && (!strings.Contains(err.Error(), changed) || !strings.Contains(err.Error(), "everything")):
			t.Errorf("%s: the error names neither run nor file: %v", c.statement, err)
		}
	}
}

// TestReportOfManyCandidates: a page stays small, and has those whom it names.
func TestReportOfManyCandidates(t *testing.T) {
	path := play(t, everything, nil)
	const many = 100_000
	alter(t, path, "PRAGMA foreign_keys = off",
		fmt.Sprintf(`CREATE TEMP TABLE more AS WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n`, 999+many),
		`INSERT INTO candidates SELECT 1000000 + i, 1, i, i / 100, 'early', 'mutation', '', 'worst', '' FROM more`,
		`INSERT INTO weights SELECT 1000000 + i, p, CASE p WHEN 0 THEN 'empty' ELSE 'corner' END, -i / 1000000.0 FROM more, (SELECT 0 AS p UNION SELECT 1)`,
		`INSERT INTO standings SELECT 1, 'tuning', 'early', 'depth 1', 1000000 + i, 1, 1, 0, 10, 1000, 1, NULL, NULL, 0.5, NULL, NULL, 0.5, 0.4, 0.3, 10, 9, 8, 0, 0, 0, 0, 0, 0, 0, 100, 100 FROM more`,
		`INSERT INTO generations SELECT 1, 100 + i, 'more', 'depth 1', i - 1000, 10, 100, 9, 8, 7, 1, 0.5, 0.4, 0.3, 0.5 FROM more WHERE i < 6000`)
	r := sure(build(t, path))(t)
	c, g := r.Weights.Candidates, r.Convergence.Generations
	if c.Of < many || len(c.Number) < 3000 || len(c.Number) > mostDots+10 || !slices.Contains(c.Number, 0) {
		t.Errorf("%d of %d candidates", len(c.Number), c.Of)
	}
	for _, f := range r.Weights.Finalists { // a population's centre has not played in the tuning
		if f.Origin != "centre" && !slices.Contains(c.Number, f.Number) {
			t.Errorf("finalist %d is left out", f.Number)
		}
	}
	gaps := map[int]int{}
	for i := 100; i < len(c.Number); i++ {
		gaps[c.Number[i]-c.Number[i-1]]++
	}
	if gaps[26] < 3000 {
		t.Errorf("not even: gaps %v", gaps)
	}
	if len(g) < 500 || len(g) > mostGenerations || r.Convergence.Every < 2 || g[len(g)-1].Number != 5000 {
		t.Errorf("%d generations, each %d, the last is %d", len(g), r.Convergence.Every, g[len(g)-1].Number)
	}
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(r); err != nil || text.Len() > 1_000_000 {
		t.Errorf("%d bytes, %v", text.Len(), err)
	}
}
