package results

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// scribbler records a run of any shape, a block at a time: stages that share a search, races, candidates that come back,
// comparisons that take turns, exact ties, single games.
type scribbler struct {
	player
	coarse bool // few different scores, in games of powers of two: means that are equal are so to the last bit
	steps  []func()
}

func newScribbler(t testing.TB, s *Store, name string, r *rand.Rand) *scribbler {
	x := &scribbler{coarse: r.IntN(2) == 0, player: player{t: t, s: s, r: r, run: begin(t, s, spec(name, "hash")).ID}}
	x.weights = r.IntN(4)
	ctx := context.Background()
	must(t, s.AddCandidates(ctx, x.run, []experiments.Candidate{x.candidate("start", "a", 0)}))
	then := func(step func()) { x.steps = append(x.steps, step) }
	searches := []string{"depth 3", "depth 5"}
	for _, stage := range []string{"a", "b", "c"}[:1+r.IntN(3)] {
		search := searches[r.IntN(2)]
		for g := range 1 + r.IntN(4) {
			round, numbers := 0, []int(nil)
			then(func() { // new candidates and some old ones
				var fresh []experiments.Candidate
				numbers = x.some(r.IntN(4))
				for range 1 + r.IntN(4) {
					c := x.candidate("mutation", stage, g)
					fresh, numbers = append(fresh, c), append(numbers, c.Number)
				}
				must(t, s.AddCandidates(ctx, x.run, fresh))
				numbers = x.scribble(experiments.Block{Phase: experiments.PhaseTuning, Stage: stage, Search: search, Generation: g, Candidates: numbers})
			})
			for range r.IntN(3) { // a race of the better ones
				then(func() {
					round++
					numbers = x.scribble(experiments.Block{Phase: experiments.PhaseTuning, Stage: stage, Search: search, Generation: g,
						Round: round, Candidates: numbers[:1+len(numbers)/2]})
				})
			}
		}
	}
	champion := 0
	then(func() {
		champion = x.scribble(experiments.Block{Phase: experiments.PhasePlayoff, Search: "depth 5", Candidates: x.some(5)})[0]
		must(t, s.SetChampion(ctx, x.run, champion))
	})
	for _, search := range searches[:1+r.IntN(2)] {
		then(func() {
			players := slices.Compact(slices.Sorted(slices.Values([]int{champion, 0, x.next - 1})))
			x.scribble(experiments.Block{Phase: experiments.PhaseValidation, Search: search, Candidates: players})
			if champion != 0 {
				d := stats.MeanDifference(x.evaluations[champion].Score, x.evaluations[0].Score, 0.95)
				must(t, s.AddContrasts(ctx, x.run, []experiments.Contrast{{Phase: experiments.PhaseValidation, Search: search, Candidate: champion,
					Difference: d.Value, Interval: d.Interval, Ratio: 1, RatioInterval: stats.Unbounded()}}))
			}
		})
	}
	for round := range r.IntN(4) {
		for _, i := range r.Perm(len(searches)) {
			then(func() {
				x.scribble(experiments.Block{Phase: experiments.PhaseComparison, Search: searches[i], Round: round, Candidates: []int{0, champion}[:1+min(1, champion)]})
			})
		}
	}
	x.steps = x.steps[:1+r.IntN(len(x.steps))] // most runs are not at their end
	return x
}

// some returns up to n of the run's candidates.
func (x *scribbler) some(n int) []int {
	return x.r.Perm(x.next)[:min(n, x.next)]
}

// scribble plays and records the block, and returns its candidates, the best first.
func (x *scribbler) scribble(b experiments.Block) []int {
	if len(b.Candidates) == 0 {
		b.Candidates = []int{0}
	}
	games := 1 + x.r.IntN(9)
	if x.coarse {
		games = 1 << x.r.IntN(3)
	}
	b.First, b.Seeds = x.first, make([]uint64, games)
	x.first += int64(b.Games())
	x.evaluations = map[int]experiments.Evaluation{}
	var evaluations []experiments.Evaluation
	for _, c := range b.Candidates {
		played := make([]experiments.Outcome, games)
		for i := range played {
			if played[i] = plausible(x.r, 10_000); x.coarse {
				played[i].Score = 16 * x.r.IntN(4)
			}
		}
		e := evaluate(c, played)
		e.Fitness = x.r.NormFloat64()
		evaluations, x.evaluations[c] = append(evaluations, e), e
	}
	must(x.t, x.s.FinishBlock(context.Background(), x.run, b, evaluations, false))
	order := slices.Clone(b.Candidates)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x.evaluations[b].Score.Mean, x.evaluations[a].Score.Mean) })
	return order
}

// scribbled is a database of runs that were recorded at the same time.
func scribbled(t testing.TB, seed uint64) (*Store, string) {
	t.Helper()
	s, path := open(t)
	r := random(seed)
	var runs []*scribbler
	for i := range 1 + r.IntN(5) {
		runs = append(runs, newScribbler(t, s, fmt.Sprint("run", i), r))
	}
	for len(runs) > 0 {
		i := r.IntN(len(runs))
		runs[i].steps[0]()
		if runs[i].steps = runs[i].steps[1:]; len(runs[i].steps) == 0 {
			if r.IntN(2) == 0 {
				must(t, s.Finish(context.Background(), runs[i].run, experiments.Finished))
			}
			runs = slices.Delete(runs, i, i+1)
		}
	}
	return s, path
}

// version2 copies what is recorded into a database of version 2, which has no summaries and whose views say from
// the evaluations what they say: slow and obvious.
func version2(t testing.TB, path string) (older string) {
	t.Helper()
	older = filepath.Join(t.TempDir(), "older.db")
	db, err := sql.Open(driverName, older)
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1) // an attached database belongs to its connection
	must(t, migrateTo(context.Background(), db, 2, nil))
	_, err = db.Exec("PRAGMA foreign_keys = OFF; ATTACH ? AS newer", path)
	must(t, err)
	for _, table := range []string{"runs", "candidates", "weights", "evaluations", "games", "comparisons"} {
		var columns string
		must(t, db.QueryRow("SELECT group_concat(name) FROM pragma_table_info(?)", table).Scan(&columns)) // those of that version
		_, err := db.Exec("INSERT INTO " + table + " (" + columns + ") SELECT " + columns + " FROM newer." + table)
		must(t, err)
	}
	return older
}

// answer reads a query's columns and rows.
func answer(t testing.TB, path, query string, args ...any) (columns []string, rows [][]any) {
	t.Helper()
	db, err := sql.Open(driverName, path)
	must(t, err)
	defer db.Close()
	found, err := db.Query(query, args...)
	must(t, err)
	defer found.Close()
	columns, err = found.Columns()
	must(t, err)
	for found.Next() {
		row, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		must(t, found.Scan(to...))
		rows = append(rows, row)
	}
	must(t, found.Err())
	return columns, rows
}

// TestViewsSayWhatEvaluationsSay compares the views with those of version 2.
func TestViewsSayWhatEvaluationsSay(t *testing.T) {
	for seed := range uint64(25) {
		_, path := scribbled(t, seed)
		sameViews(t, fmt.Sprint("seed ", seed), path, version2(t, path))
	}
}

// sameViews fails unless both databases' views have the same rows, and the same order where there is one.
func sameViews(t *testing.T, what, path, older string) {
	t.Helper()
	for view, order := range map[string]string{
		"leaderboard": "", "champions": "", "convergence": "", "progress": "",
		"pooled":     " ORDER BY run_id, phase, stage, search, candidate_id",
		"tile_rates": " ORDER BY run, phase, search, candidate_id, tile",
	} {
		names, want := answer(t, older, "SELECT * FROM "+view+order)
		gotNames, got := answer(t, path, "SELECT * FROM "+view+order)
		if !slices.Equal(names, gotNames) || len(got) != len(want) || len(want) == 0 && view == "leaderboard" {
			t.Fatalf("%s: %s: got %d rows of %v,\nwant %d rows of %v", what, view, len(got), gotNames, len(want), names)
		}
		if view == "leaderboard" {
			// Candidates whose means differ in a last bit may have changed places, so places and candidates apart.
			for i := range want {
				place, same := project(names, want[i], "run", "phase", "stage", "search", "rank"), project(names, got[i], "run", "phase", "stage", "search", "rank")
				if !reflect.DeepEqual(place, same) {
					t.Fatalf("%s: row %d is %v, want %v", what, i, same, place)
				}
				near(t, key(what, " mean at ", place), project(names, got[i], "mean_score")[0].(float64), project(names, want[i], "mean_score")[0].(float64), 1e-12)
			}
			for _, rows := range [][][]any{got, want} {
				slices.SortFunc(rows, func(a, b []any) int {
					return strings.Compare(key(project(names, a, "run", "phase", "stage", "search", "candidate_id")), key(project(names, b, "run", "phase", "stage", "search", "candidate_id")))
				})
			}
		}
		for i := range want {
			for j, name := range names {
				if !alike(name, got[i], want[i], j, names) {
					t.Errorf("%s: %s: row %d: %s: got %v, want %v\nin %v", what, view, i, name, got[i][j], want[i][j], want[i])
				}
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

// project returns the columns of those names.
func project(names []string, row []any, columns ...string) []any {
	var all []any
	for _, c := range columns {
		all = append(all, row[slices.Index(names, c)])
	}
	return all
}

// alike tells whether column j of two rows is the same but for rounding. What comes from squared deviations is
// rounded more, since version 2 subtracts large numbers for them.
func alike(name string, got, want []any, j int, names []string) bool {
	a, numbers := got[j].(float64)
	b, ok := want[j].(float64)
	if numbers = numbers && ok; !numbers || a == b {
		return name == "rank" || reflect.DeepEqual(got[j], want[j])
	}
	slack := 1e-9 * max(math.Abs(a), math.Abs(b))
	if i := slices.Index(names, "mean_score"); i >= 0 {
		mean := want[i].(float64)
		switch games, _ := want[slices.Index(names, "games")].(int64); {
		case name == "m2_score":
			slack += 1e-12 * float64(games) * mean * mean
		case name == "sd_score", strings.HasSuffix(name, "ci_low"), strings.HasSuffix(name, "ci_high"):
			slack += 1e-5 * mean
		}
	}
	return math.Abs(a-b) <= slack
}

// summarised is everything that the summaries of a database say, but for the numbers of the rankings.
func summarised(t testing.TB, path string) string {
	t.Helper()
	var all strings.Builder
	for _, query := range []string{
		"SELECT * FROM blocks ORDER BY run_id, first_game",
		`SELECT k.run_id, k.phase, k.stage, k.search, k.run_order, k.phase_order, k.stage_order, s.stage AS first_stage
			FROM rankings AS k LEFT JOIN rankings AS s ON s.id = k.setting_id ORDER BY 1, 2, 3, 4`,
		`SELECT k.run_id, k.phase, k.stage, k.search, p.* FROM pools AS p
			LEFT JOIN rankings AS k ON k.id = p.ranking_id AND k.setting_id = p.setting_id ORDER BY 1, 2, 3, 4, p.candidate_id`,
		`SELECT k.run_id, k.phase, k.stage, k.search, g.* FROM generations AS g
			LEFT JOIN rankings AS k ON k.id = g.ranking_id ORDER BY 1, 2, 3, 4, g.generation`,
	} {
		names, rows := answer(t, path, query)
		for _, row := range rows {
			for i, name := range names {
				if v, ok := row[i].(float64); ok {
					fmt.Fprintf(&all, "%s=%x ", name, math.Float64bits(v))
				} else if name != "ranking_id" && name != "setting_id" {
					fmt.Fprintf(&all, "%s=%v ", name, row[i])
				}
			}
			all.WriteString("\n")
		}
	}
	return all.String()
}

// checkSummaries fails unless the summaries are those that the evaluations make, to the last bit. The database must
// not be written to meanwhile.
func checkSummaries(t testing.TB, path string) {
	t.Helper()
	got := summarised(t, path)
	older := version2(t, path)
	s, err := Open(older) // brings it up to date
	must(t, err)
	must(t, s.Close())
	if want := summarised(t, older); got != want {
		a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("%s: the summaries say\n%s\nwhere the evaluations say\n%s", path, a[i], b[i])
			}
		}
		t.Fatalf("%s: %d rows of summaries, want %d", path, len(a), len(b))
	}
}

func TestSummariesAreWhatEvaluationsMake(t *testing.T) {
	for seed := range uint64(10) {
		_, path := scribbled(t, 100+seed)
		checkSummaries(t, path)
	}
}

// TestUpgradeFromVersion2: a database without summaries gets them when it is opened, and goes on.
func TestUpgradeFromVersion2(t *testing.T) {
	w, _, path := recorded(t, 9)
	older := version2(t, path)
	s, err := Open(older)
	must(t, err)
	defer s.Close()
	sameViews(t, "upgraded", older, version2(t, path))
	run, err := s.Reader().Find(context.Background(), "snake")
	must(t, err)
	if again, err := s.Reader().Fingerprint(context.Background(), run.ID); err != nil || again != run.Fingerprint {
		t.Errorf("fingerprint: %s, %v; was %s", again, err, run.Fingerprint)
	}
	again := begin(t, s, spec("snake", "hash"))
	must(t, w.replay(s, again.ID, func() {}))
	fresh := spec("snake", "hash")
	fresh.New = true
	w.record(t, s, begin(t, s, fresh).ID, true, random(3))
	checkSummaries(t, older)
}

// TestCheckSummariesOfARunThatIsRecorded: whoever looks sees one moment.
func TestCheckSummariesOfARunThatIsRecorded(t *testing.T) {
	s, path := open(t)
	r := random(1)
	w := newWorld(r)
	run := begin(t, s, spec("snake", "a"))
	reader, err := OpenReader(path)
	must(t, err)
	defer reader.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.record(t, s, run.ID, true, r)
	}()
	for recording := true; recording; {
		select {
		case <-done:
			recording = false
		default:
		}
		if n, err := reader.CheckSummaries(context.Background(), run.ID); err != nil || n > 0 {
			t.Fatalf("%d rows of summaries differ, %v", n, err)
		}
	}
}

// TestSummariesFollowEvaluationsThatWereChanged: what somebody did to evaluations in a shell is summarised when the
// run is begun again.
func TestSummariesFollowEvaluationsThatWereChanged(t *testing.T) {
	for what, change := range map[string]string{
		"deleted":         "DELETE FROM evaluations WHERE run_id = 1 AND generation = 1",
		"changed":         "UPDATE evaluations SET mean_score = mean_score + 1 WHERE candidate_id = 1000001",
		"forgotten":       "DELETE FROM blocks; DELETE FROM pools; DELETE FROM generations; DELETE FROM rankings",
		"lost a block":    "DELETE FROM blocks WHERE round = 1",
		"lost a curve":    "DELETE FROM generations",
		"lost a ranking":  "DELETE FROM pools WHERE ranking_id = 2",
		"the whole run":   "DELETE FROM evaluations; DELETE FROM games; DELETE FROM weights; DELETE FROM candidates; DELETE FROM runs",
		"nothing but run": "DELETE FROM evaluations; DELETE FROM games; DELETE FROM weights; DELETE FROM candidates",
	} {
		s, path := open(t)
		r := random(1)
		w := newWorld(r)
		run := begin(t, s, spec("snake", "a"))
		w.record(t, s, run.ID, true, r)
		must(t, s.Finish(context.Background(), run.ID, experiments.Interrupted))
		db := raw(t, path) // without foreign keys, as the shell
		execute(t, db, "PRAGMA foreign_keys = OFF; UPDATE runs SET champion_id = NULL; DELETE FROM comparisons; "+change)
		must(t, db.Close())
		if n, err := s.Reader().CheckSummaries(context.Background(), run.ID); err != nil || n == 0 {
			t.Errorf("%s: %d rows of summaries differ, %v", what, n, err)
		}
		again := begin(t, s, spec("snake", "a"))
		if n, err := s.Reader().CheckSummaries(context.Background(), run.ID); err != nil || n > 0 {
			t.Errorf("%s: after it was begun %d rows of summaries differ, %v", what, n, err)
		}
		if again.ID != run.ID {
			t.Fatalf("%s: run %d", what, again.ID)
		}
		checkSummaries(t, path)
	}
}

func TestFingerprintDoesNotRestOnSummaries(t *testing.T) {
	_, s, path := recorded(t, 10)
	run := find(t, s, "snake")
	db := raw(t, path)
	execute(t, db, "PRAGMA foreign_keys = OFF; DELETE FROM blocks; DELETE FROM pools; DELETE FROM generations; DELETE FROM rankings")
	must(t, db.Close())
	if again, err := s.Reader().Fingerprint(context.Background(), run.ID); err != nil || again != run.Fingerprint {
		t.Errorf("got %s, %v, want %s", again, err, run.Fingerprint)
	}
}

// TestViewsReadIndexes: what is asked most is answered in the order of indexes, so that LIMIT ends the work. A plan that
// sorts or makes a table first reads all of the database.
func TestViewsReadIndexes(t *testing.T) {
	_, _, path := recorded(t, 11)
	for _, query := range []string{
		"SELECT * FROM leaderboard LIMIT 5",
		"SELECT * FROM leaderboard WHERE run = 'snake' LIMIT 5",
		"SELECT * FROM leaderboard WHERE run = 'snake' AND phase = 'tuning' AND stage = 'refine' AND search = 'depth 5' LIMIT 5",
		"SELECT * FROM leaderboard WHERE rank <= 3",
		"SELECT * FROM pooled WHERE run = 'snake'",
		"SELECT * FROM convergence",
		"SELECT * FROM convergence WHERE run = 'snake'",
		"SELECT * FROM tile_rates LIMIT 10",
		"SELECT * FROM tile_rates WHERE run = 'snake' AND phase = 'tuning'",
	} {
		_, plan := answer(t, path, "EXPLAIN QUERY PLAN "+query)
		var shells []any
		for _, row := range shell(t, path, "EXPLAIN QUERY PLAN "+query) {
			shells = append(shells, row)
		}
		for who, text := range map[string]string{"this program": fmt.Sprint(plan), "the shell": fmt.Sprint(shells)} {
			if strings.Contains(text, "TEMP B-TREE") || strings.Contains(text, "AUTOMATIC") || !strings.Contains(text, "USING") {
				t.Errorf("%s: %s reads more than is asked for: %s", who, query, text)
			}
		}
	}
}
