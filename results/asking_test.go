package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/experiments"
)

// TestPairsAreGamesOfASeed: the view pairs has each pair of games behind a comparison once, however
// often the comparison was asked for, also where one of the two played more games. The view games
// joined with itself has the same ones.
func TestPairsAreGamesOfASeed(t *testing.T) {
	s, _ := open(t)
	w := newWorld(random(1))
	again := w.comparisons[0]
	again.Look = 1
	w.comparisons = append(w.comparisons, again)
	run := begin(t, s, spec("snake", "snake"))
	w.record(t, s, run.ID, true, random(1))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	recordRun(t, s, "other", 3)
	execute(t, s.writer, "UPDATE asked SET games = games - 7 WHERE phase = 'validation' AND candidate_id = 1000000000")
	const columns = "phase, search, candidate_id, baseline_id, seed, score, baseline_score, difference, typeof(difference)"
	want := sure(rows(s.reader, `SELECT DISTINCT d.phase, d.search, d.candidate_id, d.baseline_id, a.seed, a.score, b.score, a.score - b.score, 'real' FROM comparisons AS d
		JOIN games AS a ON a.run_id = d.run_id AND a.candidate_id = d.candidate_id AND a.phase = d.phase AND a.search = d.search
		JOIN games AS b ON b.run_id = d.run_id AND b.candidate_id = d.baseline_id AND b.phase = d.phase AND b.search = d.search AND b.seed = a.seed
		WHERE d.run_id = 1 ORDER BY 1, 2, 3, 4, 5`))(t)
	got := sure(rows(s.reader, "SELECT "+columns+" FROM pairs WHERE run = 'snake' AND player = 'champion' "+
		"AND baseline = 'start' ORDER BY 1, 2, 3, 4, 5"))(t)
	if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != 2*23 {
		t.Errorf("got %d pairs\n%v, want %d\n%v", len(got), got, len(want), want)
	}
}

// TestEachViewNamesItsRun: as run and run_id, and the run that worked last comes first.
func TestEachViewNamesItsRun(t *testing.T) {
	s, _ := open(t)
	short, long := newEndings(random(1))
	short.recordAs(t, s, length(3))
	recordRun(t, s, "other", 3)
	long.recordAs(t, s, length(5)) // goes on
	execute(t, s.writer, `UPDATE searches SET ranges = '[{"name": "a"}]'`)
	all := sure(collect(ctx, s.reader.db, scanText, "SELECT name FROM sqlite_schema "+
		"WHERE type = 'view' AND name <> 'weights'"))(t)
	for _, view := range all {
		names := "run, run_id"
		if view == "runs" { // other names keep a join with another view's run free of doubt
			names = "name, id"
		}
		found := sure(rows(s.reader, "SELECT "+names+" FROM "+view))(t)
		var runs []string
		for _, row := range found {
			if name := fmt.Sprint(row...); len(runs) == 0 || runs[len(runs)-1] != name {
				runs = append(runs, name)
			}
		}
		if !slices.Equal(runs, []string{"snake1", "other3"}) {
			t.Errorf("%s: the runs come as %v", view, runs)
		}
	}
}

// TestRanges: the view has the ranges of the config that a run began with.
func TestRanges(t *testing.T) {
	s, _ := open(t)
	asked := spec("snake", "a")
	asked.ConfigYAML = `name: snake
heuristic:
  features:
    - {feature: empty, weight: {min: 10, max: 1000, start: 270, scale: log}}
    - {feature: snake, decay: {min: 0.1, max: 0.9, start: 0.5}, weight: 7}
    - {feature: merges, weight: {min: 1, max: 9, start: 2, whole: true}}
`
	c := sure(config.Parse([]byte(asked.ConfigYAML), "snake.yaml"))(t)
	begin(t, s, asked)
	var want [][]any
	for i, w := range c.Tunable() {
		whole := int64(0)
		if w.Whole {
			whole = 1
		}
		want = append(want, []any{"snake", int64(i), w.Name, w.Min, w.Max, w.Value, w.Scale, whole})
	}
	got := sure(rows(s.reader, "SELECT run, position, name, min, max, start, scale, whole FROM ranges"))(t)
	if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != 3 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestVectorsSayHowACandidateDid: its games of tuning, their mean, and where it played last.
func TestVectorsSayHowACandidateDid(t *testing.T) {
	s, _ := open(t)
	recordRun(t, s, "other", 3)
	w := recordRun(t, s, "snake", 1)
	for _, row := range sure(rows(s.reader, "SELECT number, games, mean_score, last_generation, last_round "+
		"FROM vectors WHERE run = 'snake'"))(t) {
		games, sum, generation, round := 0, 0.0, any(nil), any(nil)
		for _, e := range w.evaluations(experiments.PhaseTuning) {
			if int64(e.Candidate) != row[0] {
				continue
			}
			games += len(e.Scores)
			sum += float64(total(e.Scores))
			generation, round = int64(e.Generation), int64(e.Round)
		}
		want := []any{row[0], nil, nil, nil, nil}
		if games > 0 {
			want = []any{row[0], int64(games), sum / float64(games), generation, round}
		}
		if mean, is := row[2].(float64); is {
			row[2] = float64(int64(mean*1000+0.5)) / 1000
			want[2] = float64(int64(want[2].(float64)*1000+0.5)) / 1000
		}
		if fmt.Sprint(row) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", row, want)
		}
	}
}

// TestReusedGames: games that a process plays for a run are its own, and those that were there
// before are reused, after an interruption, too.
func TestReusedGames(t *testing.T) {
	s, _ := open(t)
	first := recordRun(t, s, "first", 1)
	see := func(name string, want ...any) {
		t.Helper()
		got := sure(rows(s.reader, "SELECT r.games, r.reused_games, p.games, p.reused_games FROM runs AS r "+
			"JOIN progress AS p ON run = name WHERE run = '"+name+"'"))(t)
		run := find(t, s, name)
		got[0] = append(got[0], run.Games, run.Reused)
		if !slices.Equal(got[0], slices.Concat(want, want, want)) {
			t.Errorf("%s: got %v, want %v", name, got[0], want)
		}
	}
	all := int64(first.played())
	see("first", all, int64(0))

	run := begin(t, s, spec("second", "second"))
	tuned, _ := first.parts()
	must(t, s.AddCandidates(ctx, run.ID, tuned.candidates))
	for i, b := range tuned.blocks {
		if i == 0 {
			b.addAll(t, s, run.ID) // somebody played it anew
		}
		must(t, b.finish(s, run.ID, true))
	}
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	games := int64(tuned.played())
	see("second", games, games-int64(len(tuned.blocks[0].games)))
	execute(t, s.writer, "UPDATE endings SET played_games = NULL")
	if got := sure(rows(s.reader, "SELECT reused_games FROM runs WHERE name = 'second'"))(t); got[0][0] != nil ||
		find(t, s, "second").Reused != -1 {
		t.Errorf("of version 4: got %v", got)
	}
}

// TestTrendNamesItsCentres: by the games of tuning before each, whichever ending is asked about.
func TestTrendNamesItsCentres(t *testing.T) {
	s, _ := open(t)
	short, long := newEndings(random(1))
	trend := short.comparisons[0]
	trend.Phase, trend.Candidate, trend.Baseline = experiments.PhaseTrend, 2, 1
	short.comparisons = append(short.comparisons, trend)
	short.recordAs(t, s, length(3))
	long.recordAs(t, s, length(5))
	// A centre has the generation in which it was asked for, the last one their number.
	execute(t, s.writer, "UPDATE candidates SET origin = 'centre', generation = 1 "+
		"WHERE id = 1000000002; UPDATE candidates SET origin = 'centre', generation = 3 WHERE id = 1000000001")
	must(t, s.reader.Alone(ctx, find(t, s, "snake@3"), func(alone *Reader) error {
		got := sure(rows(alone, "SELECT player, baseline FROM verdicts WHERE phase = 'trend'"))(t)
		if want := "[[centre at 30 games centre at 45 games]]"; fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
		return nil
	}))
}

// TestBestHasAnInterval: before its verdict a run has the interval of its last look.
func TestBestHasAnInterval(t *testing.T) {
	s, path := open(t)
	w := newScored(4, func(v []float64) float64 { return 10_000 * v[0] }, "a")
	for g := range 10 {
		w.play(2, []float64{1}, []float64{2})
		if g%4 == 2 {
			w.deal(w.dealer, experiments.PhaseCentre, "tune", "depth 3", g, 0, 70, 0, len(w.candidates)-1)
		}
	}
	run := begin(t, s, spec("goes", "goes")).ID
	must(t, s.AddCandidates(ctx, run, w.candidates))
	for _, b := range w.blocks {
		must(t, b.finish(s, run, false))
	}
	must(t, s.Finish(ctx, run, experiments.Interrupted))
	row, c := answers(t, path, "best")[0], find(t, s, "goes").Headline.Centre
	for column, want := range map[string]float64{"fitness": c.Fitness.Value, "fitness_ci_low": c.Fitness.Interval.Low,
		"fitness_ci_high": c.Fitness.Interval.High} {
		if got := number(t, row[column]); !(got > 0.999999*want && got < 1.000001*want) {
			t.Errorf("%s is %v, want %v", column, got, want)
		}
	}
	if got := shell(t, path, "SELECT phase, number, games FROM leaderboard LIMIT 1"); got != fmt.Sprintf("centre|%d|70",
		c.Candidate) {
		t.Errorf("the leaderboard begins with %s", got)
	}
}

// TestSchemaOf: the schema's parts are the whole, each under its name.
func TestSchemaOf(t *testing.T) {
	whole := 0
	for _, name := range SchemaNames() {
		part := SchemaOf(name)
		whole += strings.Count(part, "CREATE ")
		if !strings.Contains(part, " "+name+" ") || !strings.HasSuffix(part, "\n") {
			t.Errorf("%s: %s", name, part)
		}
	}
	if want := strings.Count(statement(Schema()), "CREATE "); whole != want || len(SchemaNames()) < 20 {
		t.Errorf("%d statements, want %d: %v", whole, want, SchemaNames())
	}
	if part := SchemaOf("memo"); !strings.Contains(part, "CREATE UNIQUE INDEX memo_by_key") ||
		!strings.HasPrefix(part, "CREATE TABLE memo (") || strings.Contains(part, "slices (") {
		t.Error(part)
	}
	if part := SchemaOf("views"); strings.Contains(part, "CREATE TABLE") || strings.Count(part, "CREATE VIEW") < 12 ||
		SchemaOf("nosuch") != "" {
		t.Error(part)
	}
}

// TestJSONColumnsAreJSON: by the name of the column, never by its text: a note may look like a
// list.
func TestJSONColumnsAreJSON(t *testing.T) {
	s, _ := open(t)
	recordRun(t, s, "snake", 1)
	var out bytes.Buffer
	must(t, JSON(&out, func(columns func([]string) error, row func([]any) error) error {
		return s.reader.Query(ctx, "SELECT weights, '[1]' AS note, ranks, moves FROM vectors "+
			"JOIN evaluations USING (candidate_id) LIMIT 1", columns, row)
	}))
	var found []struct {
		Weights map[string]float64
		Note    string
		Ranks   []int
		Moves   int
	}
	must(t, json.Unmarshal(out.Bytes(), &found))
	if one := found[0]; len(one.Weights) != 5 || one.Note != "[1]" || len(one.Ranks) == 0 || one.Moves == 0 {
		t.Errorf("got %s", out.String())
	}
}
