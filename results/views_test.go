package results

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// shell answers a query through the sqlite3 shell, as a user would ask it: rows by column name.
func shell(t *testing.T, path, query string) []map[string]string {
	t.Helper()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("the sqlite3 shell is not installed (apt-get install sqlite3): its view of the database is not tested")
	}
	var complaints strings.Builder
	cmd := exec.Command(program, "-bail", "-csv", "-header", "-nullvalue", "NULL", path)
	cmd.Stdin = strings.NewReader(query)
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("sqlite3: %s: %v: %s", query, err, complaints.String())
	}
	records := sure(csv.NewReader(strings.NewReader(string(out))).ReadAll())(t)
	var rows []map[string]string
	for _, r := range records[min(1, len(records)):] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t testing.TB, row map[string]string, column string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		t.Fatalf("column %s: %v", column, err)
	}
	return v
}

// hasNumbers fails unless a row has these numbers.
func hasNumbers(t testing.TB, what string, row map[string]string, tolerance float64, want map[string]float64) {
	t.Helper()
	for column, v := range want {
		near(t, what+" "+column, number(t, row, column), v, tolerance)
	}
}

var views = []string{"leaderboard", "champions", "convergence", "tile_rates", "verdicts", "vectors", "progress"}

// TestEveryViewHasARun: by name and by number; evaluations have its number alone.
func TestEveryViewHasARun(t *testing.T) {
	_, _, path := recorded(t, 9)
	made := shell(t, path, "SELECT group_concat(name) AS names FROM (SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name)")
	if want := slices.Sorted(slices.Values(append(slices.Clone(views), "evaluations"))); made[0]["names"] != strings.Join(want, ",") {
		t.Errorf("the database has the views %s, want %v", made[0]["names"], want)
	}
	for _, view := range views {
		rows := shell(t, path, "SELECT DISTINCT run, run_id FROM "+view+" WHERE run IN ('snake', 'another')")
		got := map[string]string{}
		for _, row := range rows {
			got[row["run"]] = row["run_id"]
		}
		if len(rows) != 2 || got["snake"] != "2" || got["another"] != "3" {
			t.Errorf("%s: got %v", view, rows)
		}
		if first := shell(t, path, "SELECT run FROM "+view+" LIMIT 1"); first[0]["run"] != "another" {
			t.Errorf("%s begins with %v, want the newest run", view, first)
		}
	}
}

// recorded is a store with the run snake, of a random world, between two others.
func recorded(t *testing.T, seed uint64) (snake *world, s *Store, path string) {
	t.Helper()
	s, path = open(t)
	r := random(seed)
	for _, name := range []string{"other", "snake", "another"} {
		w := newWorld(r)
		run := begin(t, s, spec(name, "hash"))
		w.record(t, s, run.ID, true, r)
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
		if name == "snake" {
			snake = &w
		}
	}
	return snake, s, path
}

func TestLeaderboard(t *testing.T) {
	w, _, path := recorded(t, 1)
	type group struct{ phase, stage, search string }
	want := map[group][]int{} // candidates
	for _, b := range w.blocks {
		g := group{b.Phase, b.Stage, b.Search}
		for _, c := range b.Candidates {
			if !slices.Contains(want[g], c) {
				want[g] = append(want[g], c)
			}
		}
	}
	made := summary.Summarize(summary.Run{Kind: experiments.KindTune, Objective: fitness.MeanScore}, nil, nil, slices.Values(w.evaluations()), nil)
	rows := shell(t, path, "SELECT * FROM leaderboard WHERE run = 'snake'")
	got := map[group][]map[string]string{}
	for _, row := range rows {
		g := group{row["phase"], row["stage"], row["search"]}
		got[g] = append(got[g], row)
	}
	if len(got) != len(want) {
		t.Fatalf("want %d groups, got %d", len(want), len(got))
	}
	for g, numbers := range want {
		if len(got[g]) != len(numbers) {
			t.Fatalf("%v: want candidates %v, got %d rows", g, numbers, len(got[g]))
		}
		in := func(b experiments.Block) bool {
			return b.Phase == g.phase && b.Stage == g.stage && b.Search == g.search
		}
		lower := lowerBounds(w, numbers, in)
		shrunk := map[int]float64{}
		for _, c := range made.Leaderboard() {
			if c.Phase == g.phase && c.Stage == g.stage && c.Search == g.search && g.phase == experiments.PhaseTuning {
				lower[c.Candidate], shrunk[c.Candidate] = c.Lower, c.Shrunk
			}
		}
		previous := math.Inf(1)
		for i, row := range got[g] {
			if row["rank"] != strconv.Itoa(i+1) {
				t.Errorf("%v: row %d: rank %s", g, i, row["rank"])
			}
			c := int(number(t, row, "number"))
			if row["candidate_id"] != strconv.FormatInt(candidateID(2, c), 10) {
				t.Errorf("%v: candidate %d has id %s", g, c, row["candidate_id"])
			}
			near(t, fmt.Sprint(g, " candidate ", c, " fitness_low"), number(t, row, "fitness_low"), lower[c], 1e-9)
			want, of := number(t, row, "fitness"), g.phase == experiments.PhaseTuning
			if of {
				want = shrunk[c]
			}
			near(t, fmt.Sprint(g, " candidate ", c, " fitness_shrunk"), number(t, row, "fitness_shrunk"), want, 1e-12)
			if lower[c] > previous {
				t.Errorf("%v: rank %d is better than the one above", g, i+1)
			}
			previous = lower[c]
			checkStanding(t, row, w.candidates[c], w.gamesOf(c, in))
		}
	}
}

// lowerBounds are the lower bounds of the candidates' mean scores, from their games: each has the
// spread that the games of all have around the means of their players.
func lowerBounds(w *world, numbers []int, in func(experiments.Block) bool) map[int]float64 {
	mean, games := map[int]float64{}, map[int]float64{}
	squares, freedom := 0.0, 0.0
	for _, c := range numbers {
		all := w.gamesOf(c, in)
		for _, g := range all {
			mean[c] += float64(g.Score) / float64(len(all))
		}
		for _, g := range all {
			squares += (float64(g.Score) - mean[c]) * (float64(g.Score) - mean[c])
		}
		games[c] = float64(len(all))
		freedom += games[c] - 1
	}
	lower := map[int]float64{}
	for _, c := range numbers {
		lower[c] = max(0, mean[c]-1.645*math.Sqrt(squares/freedom/games[c]))
	}
	return lower
}

// TestFewGamesRankLow: who played less is trusted less, also with the higher mean. No bound is
// below 0.
func TestFewGamesRankLow(t *testing.T) {
	s, path, _, run := begun(t)
	for number, scores := range [][]float64{{500, 1500}, slices.Repeat([]float64{500, 1500}, 10), {1200}, {600}} {
		must(t, s.AddEvaluations(ctx, run.ID, []experiments.Evaluation{plain(experiments.Place{
			Phase: experiments.PhasePlayoff, Search: "depth 3", Candidate: number}, number, scores...)}, false))
	}
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	got := shell(t, path, "SELECT group_concat(number || ' ' || CAST(fitness_low AS INTEGER)) AS bounds FROM leaderboard")[0]["bounds"]
	if want := "1 807,0 390,2 337,3 0"; got != want { // a game has the spread of 524
		t.Errorf("got %s, want %s", got, want)
	}
}

// led records tuning in which the bounds of 30 candidates tie: the luck of a game is all that is
// seen. The one with the number 17 had the most of it.
func led(t testing.TB, s *Store, name string) experiments.Run {
	t.Helper()
	run := begin(t, s, spec(name, name))
	var candidates []experiments.Candidate
	var all []experiments.Evaluation
	for number := range 30 {
		candidates = append(candidates, experiments.Candidate{Number: number, Stage: "tune"})
		all = append(all, plain(experiments.Place{Phase: experiments.PhaseTuning, Stage: "tune", Search: "depth 1", Candidate: number}, number, float64(7*number%120)))
	}
	must(t, s.AddCandidates(ctx, run.ID, candidates))
	must(t, s.AddEvaluations(ctx, run.ID, all, false))
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	return run
}

// TestOneLeader: an unfinished run has one leader, whoever names it, and a name that a shell would
// obey is quoted.
func TestOneLeader(t *testing.T) {
	s, path := open(t)
	for _, name := range []string{"wide", "x; touch pwned", "it's"} {
		run := led(t, s, name)
		ties := shell(t, path, fmt.Sprint("SELECT count(DISTINCT fitness_low) AS bounds, count(*) AS candidates FROM leaderboard WHERE run_id = ", run.ID))[0]
		if ties["bounds"] != "1" || ties["candidates"] != "30" {
			t.Fatalf("the bounds do not tie: %v", ties)
		}
		row := shell(t, path, fmt.Sprintf("SELECT * FROM (%s) WHERE run = '%s'", strings.TrimSuffix(strings.TrimSpace(queryNamed(t, "best")), ";"), strings.ReplaceAll(name, "'", "''")))
		if len(row) != 1 || row[0]["verdict"] != "so far" || row[0]["candidate"] != "17" {
			t.Errorf("got %v", row)
		}
		fails(t, name, third(s.Reader().Champion(ctx, name)), "The leader so far: tune export "+ShellWord(name)+":17"+DatabaseFlag(path)+". ", ErrNotFound)
	}
}

func checkStanding(t *testing.T, row map[string]string, c experiments.Candidate, games []simulator.Outcome) {
	t.Helper()
	f := figuresOf(games)
	what := fmt.Sprint(row["phase"], " ", row["stage"], " candidate ", c.Number, " ")
	want := map[string]float64{"games": float64(len(games)), "mean_score": f.Mean, "fitness": f.Mean, "moves": float64(f.moves),
		"moves_per_game": float64(f.moves) / float64(len(games)), "nodes_per_move": float64(f.nodes) / float64(f.moves)}
	for i, tile := range experiments.Tiles {
		want[fmt.Sprint("reach_", tile)] = float64(f.reached[i]) / float64(len(games))
	}
	hasNumbers(t, what, row, 1e-12, want)
	near(t, what+"sd", number(t, row, "sd_score"), f.SD(), 1e-9)
	if f.Bounded() {
		hasNumbers(t, what, row, 1e-9, map[string]float64{"ci_low": f.Low, "ci_high": f.High})
	} else if row["ci_low"] != "NULL" || row["ci_high"] != "NULL" {
		t.Errorf("%sinterval of one game: %s..%s", what, row["ci_low"], row["ci_high"])
	}
	if row["origin"] != c.Origin || row["name"] != c.Name {
		t.Errorf("%sorigin %s, name %s", what, row["origin"], row["name"])
	}
	// Order and bits.
	decoder := json.NewDecoder(strings.NewReader(row["weights"]))
	if _, err := decoder.Token(); err != nil {
		t.Fatalf("%sweights %s: %v", what, row["weights"], err)
	}
	for _, w := range c.Weights {
		name := sure(decoder.Token())(t)
		value := sure(decoder.Token())(t)
		if name != w.Name || value != w.Value {
			t.Errorf("%sweights: got %v: %v, want %v: %v", what, name, value, w.Name, w.Value)
		}
	}
}

func TestLeaderboardShowsTheNewestRunAndTheHonestPhaseFirst(t *testing.T) {
	_, _, path := recorded(t, 2)
	rows := shell(t, path, "SELECT run, phase, stage, rank FROM leaderboard")
	var order []string
	for _, r := range rows {
		if k := fmt.Sprint(r["run"], " ", r["phase"], " ", r["stage"]); len(order) == 0 || order[len(order)-1] != k {
			order = append(order, k)
			if r["rank"] != "1" {
				t.Errorf("%s begins with rank %s", k, r["rank"])
			}
		}
	}
	want := []string{"another validation ", "another playoff ", "another tuning refine", "another tuning explore", "snake validation "}
	// Two searches of validation stand one after the other.
	if !slices.Equal(order[:len(want)], want) {
		t.Errorf("got %q", order)
	}
}

func TestChampions(t *testing.T) {
	w, _, path := recorded(t, 3)
	rows := shell(t, path, "SELECT * FROM champions WHERE run = 'snake' ORDER BY search")
	if len(rows) != 2 {
		t.Fatalf("want a row for each validated search, got %v", rows)
	}
	playoff := figuresOf(w.gamesOf(2, func(b experiments.Block) bool { return b.Phase == experiments.PhasePlayoff }))
	tuning := figuresOf(w.gamesOf(2, func(b experiments.Block) bool { return b.Stage == "refine" }))
	for i, search := range []string{"depth 3", "depth 5"} {
		row := rows[i]
		in := func(b experiments.Block) bool { return b.Phase == experiments.PhaseValidation && b.Search == search }
		champion, start := figuresOf(w.gamesOf(2, in)), figuresOf(w.gamesOf(0, in))
		comparison := w.comparisons[i]
		hasNumbers(t, search, row, 1e-12, map[string]float64{
			"candidate_id": float64(candidateID(2, 2)), "games": 30, "mean_score": champion.Mean,
			"fitness": champion.Mean, "fitness_ci_low": champion.Low, "fitness_ci_high": champion.High,
			"start_fitness": start.Mean, "start_fitness_ci_low": start.Low, "start_fitness_ci_high": start.High,
			"ci_low": champion.Low, "ci_high": champion.High,
			"start_mean": start.Mean, "start_ci_low": start.Low, "start_ci_high": start.High,
			"gain": comparison.Difference.Value, "gain_ci_low": comparison.Difference.Interval.Low, "gain_ci_high": comparison.Difference.Interval.High,
			"gain_ratio": comparison.Ratio.Value, "gain_ratio_ci_low": comparison.Ratio.Interval.Low, "gain_ratio_ci_high": comparison.Ratio.Interval.High,
			"in_sample_mean": playoff.Mean, "in_sample_fitness": playoff.Mean, "in_sample_games": 20,
			"tuning_mean": tuning.Mean, "tuning_fitness": tuning.Mean, "tuning_games": float64(tuning.N),
		})
		if row["search"] != search || row["in_sample_search"] != "depth 5" || row["tuning_stage"] != "refine" ||
			row["objective"] != "mean_score" || row["verdict"] != comparison.Verdict {
			t.Errorf("%v", row)
		}
	}
}

func TestChampionThatIsTheStartGainsNothing(t *testing.T) {
	w, s, path := recorded(t, 4)
	run := begin(t, s, spec("snake", "hash"))
	must(t, s.SetChampion(ctx, run.ID, 0, "salt"))
	for _, c := range w.comparisons { // with itself
		c.Candidate, c.Difference, c.Ratio = 0, stats.Estimate{}, experiments.Unchanged
		must(t, s.AddComparisons(ctx, run.ID, []experiments.Comparison{c}))
	}
	all := shell(t, path, "SELECT * FROM champions WHERE run = 'snake'")
	if over := shell(t, path, "SELECT * FROM verdicts WHERE run = 'snake' AND player = 'champion' AND baseline = 'start'"); len(all) != 2 || len(over) != 2 {
		t.Errorf("got %v", all)
	}
	for _, row := range all {
		hasNumbers(t, "", row, 0, map[string]float64{"gain": 0, "gain_ci_low": 0, "gain_ci_high": 0, "gain_ratio": 1, "mean_score": number(t, row, "start_mean")})
		if row["verdict"] != experiments.NoDifference {
			t.Errorf("got %v", row)
		}
	}
}

func TestConvergence(t *testing.T) {
	w, _, path := recorded(t, 5)
	rows := shell(t, path, "SELECT * FROM convergence WHERE run = 'snake'")
	i, games := 0, 0
	for _, stage := range []struct {
		name, search string
		generations  int
	}{{"explore", "depth 3", 3}, {"refine", "depth 5", 2}} {
		for g := range stage.generations {
			row := rows[i]
			i++
			var means, within, shares stats.Moments // mean scores, the scores' deviations from them, and 1 / games
			best, worst := math.Inf(-1), math.Inf(1)
			for _, c := range w.candidates {
				played := w.gamesOf(c.Number, func(b experiments.Block) bool { return b.Stage == stage.name && b.Generation == g })
				if len(played) == 0 {
					continue
				}
				f := figuresOf(played)
				means.Add(f.Mean)
				best, worst, games = max(best, f.Mean), min(worst, f.Mean), games+f.N
				within.N, within.M2 = within.N+f.N-1, within.M2+f.M2
				shares.Add(1 / float64(f.N))
			}
			half := 1.96 * math.Sqrt(within.M2/float64(within.N)*shares.Mean/float64(shares.N))
			what := fmt.Sprint(stage.name, g, " ")
			if row["stage"] != stage.name || row["generation"] != strconv.Itoa(g) || row["search"] != stage.search {
				t.Fatalf("row %d: %v", i, row)
			}
			hasNumbers(t, what, row, 1e-9, map[string]float64{"best": best, "worst": worst, "mean": means.Mean, "mean_fitness": means.Mean, "best_fitness": best,
				"sd": means.SD(), "candidates": float64(means.N), "games": float64(games)})
			// TestSummaryIsOfTheGames of package summary has the exact width.
			low, high := number(t, row, "mean_fitness_ci_low"), number(t, row, "mean_fitness_ci_high")
			if wide := high - means.Mean; wide < half || wide > 10*half || math.Abs(low-max(0, means.Mean-wide)) > 1e-4 {
				t.Errorf("%s: the mean %v has the interval [%v, %v], want at least +-%v", what, means.Mean, low, high, half)
			}
		}
	}
	if len(rows) != i {
		t.Errorf("want %d rows, got %d", i, len(rows))
	}
}

func TestTileRates(t *testing.T) {
	w, _, path := recorded(t, 6)
	rows := shell(t, path, "SELECT * FROM tile_rates WHERE run = 'snake'")
	if len(rows)%len(experiments.Tiles) != 0 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		if row["phase"] == experiments.PhaseTuning {
			t.Fatalf("%v", row)
		}
		c := int(number(t, row, "candidate_id")) % candidatesPerRun
		games := w.gamesOf(c, func(b experiments.Block) bool { return b.Phase == row["phase"] && b.Search == row["search"] })
		tile := slices.Index(experiments.Tiles[:], int(number(t, row, "tile")))
		reached := figuresOf(games).reached[tile]
		ci := stats.Wilson(reached, len(games), 0.95)
		hasNumbers(t, "", row, 1e-9, map[string]float64{"games": float64(len(games)), "share": float64(reached) / float64(len(games)), "ci_low": ci.Low, "ci_high": ci.High})
	}
}

func TestProgress(t *testing.T) {
	w, _, path := recorded(t, 7)
	row := shell(t, path, "SELECT * FROM progress WHERE run = 'snake'")[0]
	last := w.blocks[len(w.blocks)-1]
	hasNumbers(t, "", row, 0, map[string]float64{"games": float64(w.played()), "candidates": float64(len(w.candidates))})
	if row["phase"] != last.Phase || row["search"] != last.Search || row["status"] != "finished" || len(row["fingerprint"]) != 64 {
		t.Errorf("%v", row)
	}
}

func TestVerdicts(t *testing.T) {
	w, s, path := recorded(t, 8)
	rows := shell(t, path, "SELECT * FROM verdicts WHERE run = 'snake'")
	if len(rows) != len(w.comparisons) {
		t.Fatalf("got %v", rows)
	}
	for i, c := range w.comparisons {
		row := rows[i]
		if row["player"] != "champion" || row["baseline"] != "start" || row["search"] != c.Search || row["verdict"] != c.Verdict || row["objective"] != "mean_score" {
			t.Errorf("got %v", row)
		}
		hasNumbers(t, "", row, 1e-12, map[string]float64{"difference": c.Difference.Value, "ratio_ci_high": c.Ratio.Interval.High, "confidence": 0.95,
			"p": c.P, "p_adjusted": 1, "games": 30, "baseline_games": 30, "look": 0})
	}
	words := shell(t, path, queryNamed(t, "comparisons"))
	if got := words[0]["verdict"]; got != "no difference found between champion and start" {
		t.Errorf("got %q", got)
	}
	execute(t, s.writer, "UPDATE comparisons SET smallest_difference = 0.05")
	const size = "no difference of %s found between champion and start"
	for change, want := range map[string]string{"ratio = 1": "5%", "ratio = NULL": "0.05 standard deviations of a game"} {
		execute(t, s.writer, "UPDATE comparisons SET "+change+" WHERE run_id = 3")
		if got := shell(t, path, queryNamed(t, "comparisons"))[0]["verdict"]; got != fmt.Sprintf(size, want) {
			t.Errorf("%s: got %q", change, got)
		}
	}
}

func queryNamed(t *testing.T, name string) string {
	t.Helper()
	i := slices.IndexFunc(NamedQueries(), func(q NamedQuery) bool { return q.Name == name })
	if i < 0 {
		t.Fatalf("no query %s is shipped", name)
	}
	return NamedQueries()[i].SQL
}

// TestWhatMatters: the query ablation names the feature that a candidate is without, whatever else
// is 0 and whatever the candidate is called, with its verdict. The query comparisons leaves
// such rows out.
func TestWhatMatters(t *testing.T) {
	s, path := open(t)
	run := begin(t, s, spec("snake", "a"))
	var candidates []experiments.Candidate
	for number, name := range []string{"", "without empty", "published", "without line", "without corner"} {
		candidates = append(candidates, experiments.Candidate{Number: number, Origin: "ablation", Name: name})
	}
	must(t, s.AddCandidates(ctx, run.ID, candidates))
	must(t, s.SetChampion(ctx, run.ID, 0, "salt"))
	var comparisons []experiments.Comparison
	for i, verdict := range []string{experiments.Matters, experiments.CanBeLeftOut, experiments.BetterWithout, experiments.Undecided} {
		c := experiments.Comparison{Phase: experiments.PhaseAblation, Search: "depth 3", Candidate: 1 + i, Games: 500, Confidence: 0.999, Verdict: verdict,
			Question:   "without " + []string{"empty", "edge", "line", "corner"}[i],
			Ratio:      stats.Estimate{Value: 0.75, Interval: stats.Interval{Low: 0.5, High: math.Inf(1)}},
			Difference: stats.Estimate{Value: -0.25, Interval: stats.Interval{Low: -0.5, High: 0.125}}}
		if verdict == experiments.Undecided {
			c.More = 4000
		}
		comparisons = append(comparisons, c)
	}
	must(t, s.AddComparisons(ctx, run.ID, comparisons))
	rows := shell(t, path, queryNamed(t, "ablation"))
	want := []string{"empty matters NULL", "edge can be left out NULL", "line better without it NULL", "corner undecided 4000"}
	for i, row := range rows {
		got := row["feature"] + " " + row["verdict"] + " " + row["more_games"]
		if got != want[i] || row["change"] != "-25.0" || row["change_low"] != "-50.0" || row["change_high"] != "NULL" ||
			row["difference"] != "-0.25" || row["ci_low"] != "-0.5" || row["ci_high"] != "0.125" ||
			row["games"] != "500" || row["confidence"] != "0.999" || row["run"] != "snake" {
			t.Errorf("want %s, got %v", want[i], row)
		}
	}
	if others := shell(t, path, queryNamed(t, "comparisons")); len(rows) != len(want) || len(others) != 0 {
		t.Errorf("%d rows of %d, %d comparisons", len(rows), len(want), len(others))
	}
	if row := shell(t, path, "SELECT more_games FROM verdicts WHERE player = 'without corner' AND baseline = 'champion'"); len(row) != 1 || row[0]["more_games"] != "4000" {
		t.Errorf("got %v", row)
	}
}

// TestFrontier: who is on it, by the definition.
func TestFrontier(t *testing.T) {
	_, _, path := recorded(t, 10)
	all := shell(t, path, "SELECT * FROM leaderboard WHERE phase IN ('validation', 'comparison')")
	rows := shell(t, path, queryNamed(t, "frontier"))
	on := map[string]bool{}
	for _, row := range rows {
		on[row["candidate_id"]+row["search"]] = true
	}
	for _, a := range all {
		beaten := slices.ContainsFunc(all, func(b map[string]string) bool {
			return number(t, b, "mean_score") > number(t, a, "mean_score") && number(t, b, "nodes_per_move") < number(t, a, "nodes_per_move")
		})
		if on[a["candidate_id"]+a["search"]] == beaten {
			t.Errorf("beaten %v: %v", beaten, a)
		}
	}
	if len(rows) == 0 || len(rows) == len(all) {
		t.Errorf("%d of %d are on the frontier", len(rows), len(all))
	}
}

// contest records a comparison at a search as a finished run: each player by name, play and scores.
// A bot says no nodes.
func contest(t testing.TB, s *Store, search string, players ...[2]string) experiments.Run {
	t.Helper()
	asked := spec("compare", search)
	asked.Kind = experiments.KindCompare
	run := begin(t, s, asked)
	for number, p := range players {
		must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: number, Origin: "compared", Name: p[0], PlayHash: p[1],
			Weights: []experiments.Weight{{Name: "empty", Value: 270}}}}))
		score := float64(1e6 * (number + 1))
		e := plain(experiments.Place{Phase: experiments.PhaseComparison, Search: search, Candidate: number}, 100*number, score, score+100)
		e.Moves, e.Nodes, e.Time = int64(100*(number+1)), int64(5000*(number+1)*(number+1)), time.Second
		if strings.HasPrefix(p[0], "bot") {
			e.Nodes = 0
		}
		must(t, s.AddEvaluations(ctx, run.ID, []experiments.Evaluation{e}, false))
	}
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	return run
}

// TestFrontierKnowsPlayersByTheirPlay: a compared player with the champion's tuned weights and
// other play is not the champion. One with its play is, whatever it is called. Nobody knows a bot's
// cost.
func TestFrontierKnowsPlayersByTheirPlay(t *testing.T) {
	s, path := open(t)
	w := newWorld(random(1))
	w.candidates[w.champion].PlayHash = "champion's"
	w.candidates[w.champion].Weights = []experiments.Weight{{Name: "empty", Value: 270}}
	run := begin(t, s, spec("weak", "weak"))
	w.record(t, s, run.ID, true, random(1))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	contest(t, s, "depth 1", [2]string{"another", "champion's"}, [2]string{"good.yaml", "other fixed weights"}, [2]string{"bot x", "x"}, [2]string{"bot y", "y"})
	names := map[string]string{}
	for _, row := range shell(t, path, queryNamed(t, "frontier")) {
		if row["search"] == "depth 1" {
			names[row["name"]] = row["run"] + " " + row["candidate_id"] + " " + row["mean_score"] + " " + row["nodes_per_move"]
		}
	}
	want := map[string]string{"champion": "weak 10000002 1000050.0 50.0", "good.yaml": "compare 20000001 2000050.0 100.0"}
	if !maps.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

// TestCost: the query cost adds up the games of each search, whether or not their rows are kept. In
// a comparison it adds up the games of each player.
func TestCost(t *testing.T) {
	s, path := open(t)
	w := newWorld(random(5))
	run := begin(t, s, spec("snake", "snake"))
	w.record(t, s, run.ID, false, random(6))
	contest(t, s, "depth 1", [2]string{"best", "b"}, [2]string{"bot", "x"})
	// Of two games neither moves nor nodes are known.
	place := experiments.Place{Phase: experiments.PhaseTrend, Search: w.blocks[0].Search}
	unknown := plain(place, 90_000, 7, 9)
	unknown.Time = time.Second
	must(t, s.AddEvaluations(ctx, run.ID, []experiments.Evaluation{unknown}, false))
	unsaid := map[string]float64{"snake " + place.Search + " ": 2}
	want := map[string][4]float64{"compare depth 1 best": {2, 100, 5000, 1000}, "compare depth 1 bot": {2, 200, math.NaN(), 1000}}
	for _, b := range w.blocks {
		sums := want["snake "+b.Search+" "]
		for _, g := range b.games {
			for i, v := range []float64{1, float64(g.Moves), float64(g.Nodes), float64(g.Duration.Microseconds()) / 1000} {
				sums[i] += v
			}
		}
		want["snake "+b.Search+" "] = sums
	}
	all := shell(t, path, queryNamed(t, "cost"))
	if len(all) != len(want) {
		t.Fatalf("%d rows, want %d: %v", len(all), len(want), all)
	}
	for _, row := range all {
		who := row["run"] + " " + row["search"] + " " + row["player"]
		sums := want[who]
		games, moves, nodes, ms := sums[0], sums[1], sums[2], sums[3]
		hasNumbers(t, who, row, 1e-9, map[string]float64{"games": games + unsaid[who], "moves_per_game": moves / games, "ms_per_move": ms / moves, "ms_per_game": (ms + 500*unsaid[who]) / (games + unsaid[who])})
		if !math.IsNaN(nodes) {
			hasNumbers(t, who, row, 1e-9, map[string]float64{"nodes_per_move": nodes / moves})
		} else if row["nodes_per_move"] != "NULL" {
			t.Errorf("%s: %v", who, row)
		}
	}
}

// TestViewsFindARun: a view of one run reads the rows of that run alone, and the leaderboard's
// ranks need no sorting.
func TestViewsFindARun(t *testing.T) {
	_, s, _ := recorded(t, 1)
	for _, view := range views {
		plan := ""
		for _, row := range sure(rows(s.reader, "EXPLAIN QUERY PLAN SELECT * FROM "+view+" WHERE run_id = 2 LIMIT 10"))(t) {
			plan += fmt.Sprintln(row[3])
		}
		searched := false
		for step := range strings.Lines(plan) {
			searched = searched || strings.HasPrefix(step, "SEARCH")
			// What a subquery has made, and a JSON text, are read as a whole.
			table, scans := strings.CutPrefix(step, "SCAN ")
			if scans && !strings.Contains(table, "VIRTUAL TABLE") && !strings.Contains(plan, "CO-ROUTINE "+table) || strings.Contains(step, "AUTOMATIC") || strings.Contains(step, "(kind=?)") {
				t.Errorf("%s: %s%s", view, step, plan)
			}
		}
		if !searched || view == "leaderboard" && strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s finds nothing by an index, or sorts:\n%s", view, plan)
		}
	}
}

// TestShellAnswersEverything runs every shipped query, and every SQL statement and query of this
// folder's README, through the plain sqlite3 shell: the SQL is plain, and each finds something.
func TestShellAnswersEverything(t *testing.T) {
	_, s, path := recorded(t, 11)
	w := newWorld(random(12))
	run := begin(t, s, spec("quickstart", "hash"))
	w.record(t, s, run.ID, true, random(12))
	ablated := w.comparisons[0]
	ablated.Phase = experiments.PhaseAblation
	must(t, s.AddComparisons(ctx, run.ID, []experiments.Comparison{ablated}))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	for _, q := range NamedQueries() {
		if q.Summary() == "" {
			t.Errorf("%s: no comment", q.Name)
		}
		if rows := shell(t, path, q.SQL); len(rows) == 0 {
			t.Errorf("%s: no rows", q.Name)
		}
	}
	readme := sure(os.ReadFile("README.md"))(t)
	for i, part := range strings.Split(string(readme), "```") {
		statements, isSQL := strings.CutPrefix(part, "sql\n")
		if i%2 == 0 || !isSQL {
			continue
		}
		for _, statement := range strings.SplitAfter(strings.TrimSpace(statements), ";\n") {
			if rows := shell(t, path, statement); len(rows) == 0 {
				t.Errorf("README.md: %s: no rows", statement)
			}
		}
	}
}
