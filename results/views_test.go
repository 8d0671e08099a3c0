package results

import (
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// shell answers a query through the sqlite3 shell, as a user would ask it: a line for each row.
func shell(t *testing.T, path, query string) string {
	t.Helper()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("the sqlite3 shell is not installed (apt-get install sqlite3): its view of the database is not tested")
	}
	cmd := exec.Command("sqlite3", "-bail", "-list", "-noheader", "-nullvalue", "NULL", path)
	cmd.Stdin = strings.NewReader(query)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("sqlite3: %s: %v: %s", query, err, out)
	}
	return strings.TrimSpace(string(out))
}

var views = []string{"leaderboard", "champions", "convergence", "tile_rates", "verdicts", "pairs", "vectors",
	"progress", "owners"}

// recorded is a store with the run snake, of a random world, between two others.
func recorded(t *testing.T, seed uint64) (snake *world, s *Store, path string) {
	t.Helper()
	s, path = open(t)
	for i, name := range []string{"other", "snake", "another"} {
		if w := recordRun(t, s, name, 3*seed+uint64(i)); name == "snake" {
			snake = &w
		}
	}
	return snake, s, path
}

// cells are a row by column.
type cells map[string]any

// with returns the row with other cells, too, and without some.
func (c cells) with(more cells, without ...string) cells {
	c = maps.Clone(c)
	maps.Copy(c, more)
	maps.DeleteFunc(c, func(name string, _ any) bool { return slices.Contains(without, name) })
	return c
}

// rowWith returns the first of some rows that has these cells. If none has, all columns are NULL.
func rowWith(of []cells, these cells) cells {
	for _, row := range of {
		if reflect.DeepEqual(row, row.with(these)) {
			return row
		}
	}
	return nil
}

// percent is a ratio as a change in percent, or NULL.
func percent(ratio any) any {
	if known, ok := ratio.(float64); ok {
		return 100 * (known - 1)
	}
	return nil
}

// weightsOf reads weights in the order of their JSON object.
func weightsOf(t *testing.T, text string) (weights []experiments.Weight) {
	t.Helper()
	for _, pair := range strings.Split(strings.Trim(text, "{}"), ",") {
		name, value, _ := strings.Cut(pair, ":")
		weights = append(weights, experiments.Weight{Name: strings.Trim(name, `"`),
			Value: sure(strconv.ParseFloat(value, 64))(t)})
	}
	return weights
}

// rowsByColumn answers a statement. Of vectors it leaves out what TestVectorsSayHowACandidateDid
// sees.
func rowsByColumn(t *testing.T, r *Reader, statement string) (all []cells) {
	t.Helper()
	var names []string
	must(t, r.Query(ctx, statement, func(n []string) error { names = n; return nil }, func(values []any) error {
		row := cells{}
		for i, name := range names {
			row[name] = values[i]
			if name == "weights" {
				row[name] = weightsOf(t, values[i].(string))
			}
		}
		if strings.HasPrefix(statement, "SELECT * FROM vectors") {
			row = row.with(nil, "games", "mean_score", "last_generation", "last_round")
		}
		all = append(all, row)
		return nil
	}))
	return all
}

// rowsOfSummary are the rows that tables and views have of a run with that ending, by the summary
// of its records. versus names the two of each comparison.
func rowsOfSummary(name string, run, ending int64, objective string, w world, versus []string) map[string][]cells {
	rows := map[string][]cells{}
	add := func(relation string, row cells) {
		rows[relation] = append(rows[relation], row.with(cells{"run_id": run}))
	}
	own := func(table, phase string, row cells) {
		if table == "generations" {
			rows[table] = append(rows[table], row.with(cells{"run_id": run, "position": int64(len(rows[table]))}))
			return
		}
		owner := ending
		if phase == experiments.PhaseTuning {
			owner = run
		}
		position := int64(0) // among the rows of the owner
		for _, before := range rows[table] {
			if before["owner_id"] == owner {
				position++
			}
		}
		rows[table] = append(rows[table], row.with(cells{"run_id": run, "owner_id": owner, "position": position}))
	}
	id := func(number int) int64 { return w.candidateID(run, ending, number) }
	made := summary.Summarize(summary.Run{Kind: experiments.KindTune, Objective: objectiveOf(objective),
		Champion: w.champion}, nil, w.candidates,
		nil, slices.Values(w.evaluations()), w.again, w.comparisons)
	for _, c := range w.candidates {
		add("vectors", cells{"run": name, "candidate_id": id(c.Number), "weights": c.Weights, "number": int64(c.Number),
			"stage":      c.Stage,
			"generation": int64(c.Generation), "origin": c.Origin, "name": c.Name})
	}
	leaders, sample := made.Leaderboard(w.again, len(w.candidates))
	for position, f := range leaders {
		c, n, score := w.candidates[f.Candidate], float64(f.Score.N),
			made.Objective.ScoreInterval(f.Sample, experiments.Confidence)
		row := cells{"position": int64(position), "phase": f.Phase, "stage": f.Stage, "search": f.Search,
			"rank": int64(f.Rank), "candidate_id": id(c.Number),
			"games": int64(f.Score.N), "generations": int64(f.Generations), "mean_score": f.Score.Mean, "sd_score": f.Score.SD(),
			"ci_low":  lowEnd(score),
			"ci_high": highEnd(score), "fitness": f.Fitness.Mean, "fitness_ci_low": lowEnd(f.Fit),
			"fitness_ci_high": highEnd(f.Fit),
			"fitness_shrunk":  f.Shrunk, "fitness_low": f.Lower, "ranks": largest(f.Standing), "moves": orNull(f.Moves, 0),
			"nodes": orNull(f.Nodes, 0)}
		own("standings", f.Phase, row)
		row = row.with(cells{"run": name, "number": int64(c.Number), "origin": c.Origin, "name": c.Name, "weights": c.Weights,
			"moves_per_game": orNull(float64(f.Moves)/n, 0),
			"nodes_per_move": orNull(float64(f.Nodes)/float64(max(1, f.Moves)), 0)})
		for _, tile := range experiments.Tiles {
			column := fmt.Sprint("reach_", tile)
			row[column] = nil
			if !f.Untiled {
				row[column] = float64(f.Reached(tile)) / n
			}
		}
		add("leaderboard", row.with(nil, "position", "fitness_ci_low", "fitness_ci_high", "ranks", "nodes"))
	}
	for position, one := range sample.Fitness {
		own("samples", experiments.PhasePlayoff,
			cells{"position": int64(position), "stage": sample.Stage, "search": sample.Search, "candidates": int64(sample.All),
				"candidate_id": id(one.Candidate), "fitness_shrunk": one.Fitness})
	}
	for position, g := range made.Generations {
		row := cells{"position": int64(position), "stage": g.Stage, "search": g.Search, "generation": int64(g.Number),
			"candidates": int64(g.Candidates), "games": g.Games,
			"played": g.Played, "mean": g.Mean, "sd": g.SD, "best": g.Best, "worst": g.Worst, "best_fitness": g.BestFitness,
			"mean_fitness":        g.MeanFitness.Value,
			"mean_fitness_ci_low": lowEnd(g.MeanFitness.Interval), "mean_fitness_ci_high": highEnd(g.MeanFitness.Interval)}
		own("generations", experiments.PhaseTuning,
			row.with(cells{"different": g.Different, "behind": int64(g.Behind), "shared": g.Cluster.Shared,
				"independent": g.Cluster.Independent, "freedom": int64(g.Cluster.Freedom)}))
		add("convergence", row.with(cells{"run": name, "games": g.Played}, "position", "played"))
	}
	for _, p := range made.Fresh() {
		for _, x := range p.Tiles {
			row := cells{"position": int64(len(rows["tiles"])), "phase": p.Standing.Phase, "search": p.Search,
				"candidate_id": id(p.Candidate), "tile": int64(x.Tile),
				"games": int64(p.Games), "reached": int64(x.Reached), "ci_low": x.Low, "ci_high": x.High}
			own("tiles", p.Standing.Phase, row)
			add("tile_rates", row.with(cells{"run": name, "share": x.Share}, "position"))
		}
	}
	for i, c := range w.comparisons {
		player, baseline, _ := strings.Cut(versus[i], " / ")
		ratio, low, high := orNull(c.Ratio.Value, math.Inf(1)), lowEnd(c.Ratio.Interval), highEnd(c.Ratio.Interval)
		add("verdicts", cells{"run": name, "phase": c.Phase, "search": c.Search, "candidate_id": id(c.Candidate),
			"player": player, "baseline_id": id(c.Baseline),
			"baseline": baseline, "objective": c.Objective, "games": int64(c.Games), "baseline_games": int64(c.BaselineGames),
			"difference": c.Difference.Value,
			"ci_low":     lowEnd(c.Difference.Interval), "ci_high": highEnd(c.Difference.Interval), "ratio": ratio,
			"ratio_ci_low": low, "ratio_ci_high": high,
			"change_percent": percent(ratio), "change_percent_ci_low": percent(low), "change_percent_ci_high": percent(high),
			"confidence": c.Confidence, "smallest_difference": c.Smallest,
			"question": c.Question, "look": int64(c.Look), "p": c.P, "p_adjusted": c.Adjusted, "level": c.Level,
			"verdict": c.Verdict, "more_games": orNull(int64(c.More), 0)})
	}
	champion := w.candidates[w.champion]
	playoff := rowWith(rows["standings"], cells{"phase": experiments.PhasePlayoff, "candidate_id": id(w.champion)})
	tuning := rowWith(rows["standings"], cells{"phase": experiments.PhaseTuning, "candidate_id": id(w.champion)})
	for _, search := range []string{"depth 3", "depth 5"} {
		held := cells{"phase": experiments.PhaseValidation, "search": search, "candidate_id": id(w.champion)}
		own, start := rowWith(rows["standings"], held), rowWith(rows["standings"], held.with(cells{"candidate_id": id(0)}))
		gain := rowWith(rows["verdicts"], held.with(cells{"baseline_id": id(0)}))
		add("champions", cells{"run": name, "candidate_id": id(w.champion), "number": int64(w.champion),
			"origin": champion.Origin, "weights": champion.Weights, "objective": objective,
			"search": search, "games": own["games"], "mean_score": own["mean_score"], "ci_low": own["ci_low"],
			"ci_high": own["ci_high"],
			"fitness": own["fitness"], "fitness_ci_low": own["fitness_ci_low"], "fitness_ci_high": own["fitness_ci_high"],
			"start_games": start["games"], "start_mean": start["mean_score"], "start_ci_low": start["ci_low"],
			"start_ci_high": start["ci_high"],
			"start_fitness": start["fitness"], "start_fitness_ci_low": start["fitness_ci_low"],
			"start_fitness_ci_high": start["fitness_ci_high"],
			"gain":                  gain["difference"], "gain_ci_low": gain["ci_low"], "gain_ci_high": gain["ci_high"],
			"gain_ratio":        gain["ratio"],
			"gain_ratio_ci_low": gain["ratio_ci_low"], "gain_ratio_ci_high": gain["ratio_ci_high"],
			"gain_percent": gain["change_percent"], "gain_percent_ci_low": gain["change_percent_ci_low"],
			"gain_percent_ci_high": gain["change_percent_ci_high"], "verdict": gain["verdict"],
			"in_sample_mean": playoff["mean_score"], "in_sample_fitness": playoff["fitness"],
			"in_sample_games": playoff["games"], "in_sample_search": playoff["search"],
			"tuning_mean": tuning["mean_score"], "tuning_fitness": tuning["fitness"], "tuning_games": tuning["games"],
			"tuning_stage":  tuning["stage"],
			"tuning_search": tuning["search"]})
	}
	return rows
}

// TestViewsAreOfTheSummary: tables and views have the figures that summary.Summarize makes of the
// same records, to the bit, the newest run first. Package summary tests these against the games.
// What is not known is NULL. A champion that is the start weights gains nothing, for certain.
func TestViewsAreOfTheSummary(t *testing.T) {
	s, path := open(t)
	want := map[string][]cells{}
	for i, run := range []struct {
		champion int
		versus   []string
	}{
		{9, []string{"candidate 2 / start", "candidate 2 / start", "candidate 4 / start", "without edge / published",
			"published / candidate 3"}}, // the reference, which was not tuned
		{2, []string{"champion / start", "champion / start", "candidate 4 / start", "without edge / champion",
			"published / candidate 3"}},
		{0, []string{"champion / start", "champion / start", "candidate 4 / champion", "without edge / champion",
			"published / candidate 3"}}, // not in the playoff
	} {
		w := newWorld(random(uint64(i)))
		w.champion = run.champion
		if run.champion == experiments.StartNumber {
			for k := range w.comparisons { // with itself
				c := &w.comparisons[k]
				c.Candidate, c.Difference, c.Ratio = run.champion, stats.Estimate{}, experiments.Unchanged
			}
		}
		for k, of := range []experiments.Comparison{
			{Phase: experiments.PhaseComparison, Candidate: 4,
				Ratio: stats.Estimate{Value: math.Inf(1), Interval: stats.Unbounded()}},
			{Phase: experiments.PhaseAblation, Candidate: 3, Baseline: run.champion, Question: "without edge", More: 4000},
			{Phase: experiments.PhaseTrend, Candidate: w.reference, Baseline: 3,
				Difference: stats.Estimate{Value: 1, Interval: stats.Interval{Low: -1, High: math.Inf(1)}}},
		} {
			of.Look, of.Smallest, of.Games, of.BaselineGames, of.Confidence, of.P, of.Adjusted, of.Level = k, 0.01, 1, 2, 0.9,
				0.02, 0.03, 0.04
			w.comparisons = append(w.comparisons, of)
			// A game of which all that is known is the score: it has no interval.
			w.addPlain([]string{experiments.PhaseTuning, experiments.PhaseAblation, experiments.PhaseTrend}[k], 90_000+k)
		}
		w.candidates[3].Weights[1].Value = 0.1
		asked := spec(fmt.Sprint("snake", i), fmt.Sprint(i))
		asked.Objective = "mean_log_score"
		begun := begin(t, s, asked)
		w.record(t, s, begun.ID, true, random(uint64(i)))
		must(t, s.Finish(ctx, begun.ID, experiments.Finished))
		for relation, rows := range rowsOfSummary(asked.Name, begun.ID-1, begun.ID, asked.Objective, w, run.versus) {
			want[relation] = append(rows, want[relation]...)
		}
	}
	for relation, rows := range want {
		got := rowsByColumn(t, s.reader, "SELECT * FROM "+relation)
		if len(got) != len(rows) || len(rows) == 0 {
			t.Fatalf("%s: %d rows, want %d: %v", relation, len(got), len(rows), got)
		}
		for i, row := range rows {
			if !reflect.DeepEqual(got[i], row) {
				t.Fatalf("%s: row %d is\n%v, want\n%v", relation, i, got[i], row)
			}
		}
	}
	// Older shells write more digits of a number than it needs, when they are asked for 17.
	text := shell(t, path, "SELECT weights FROM vectors WHERE candidate_id = 5000000003")
	if !strings.Contains(text, `"empty":0.1,`) || !reflect.DeepEqual(weightsOf(t, text), want["vectors"][3]["weights"]) {
		t.Errorf("the shell says %s, want %v", text, want["vectors"][3]["weights"])
	}
}

// TestProgress: the newest run first, and where it stands.
func TestProgress(t *testing.T) {
	w, s, _ := recorded(t, 7)
	all := sure(rows(s.reader, "SELECT run, run_id, status, phase, search, round, candidates, games, "+
		"length(fingerprint) FROM progress"))(t)
	want := []any{"snake", int64(3), "finished", "validation", "depth 5", int64(0), int64(len(w.candidates)),
		int64(w.played()), int64(64)}
	if len(all) != 3 || all[0][0] != "another" || !slices.Equal(all[1], want) {
		t.Errorf("got %v, want %v", all, want)
	}
}

// TestTheHonestPhaseFirst: of the newest run. Two searches of validation stand one after the other.
func TestTheHonestPhaseFirst(t *testing.T) {
	_, _, path := recorded(t, 2)
	got := shell(t, path, "SELECT group_concat(run || ' ' || phase || stage, ', ') FROM leaderboard WHERE rank = 1")
	if want := "another validation, another validation, another playoff, another tuningrefine, another tuningexplore, " +
		"snake validation, "; !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
}

// TestVerdictsInWords: with the size of a difference that was planned, by the unit that it has.
func TestVerdictsInWords(t *testing.T) {
	_, s, path := recorded(t, 8)
	for change, want := range map[string]string{
		"smallest_difference = 0":               "no difference found between champion and start",
		"smallest_difference = 0.05, ratio = 1": "no difference of 5% found between champion and start",
		"smallest_difference = 0.05, ratio = NULL": "no difference of 0.05 standard deviations of a game found between " +
			"champion and start",
	} {
		execute(t, s.writer, "UPDATE comparisons SET "+change)
		if got := shell(t, path, "SELECT verdict FROM ("+queryNamed(t, "comparisons")+") LIMIT 1"); got != want {
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
	return strings.TrimSuffix(strings.TrimSpace(NamedQueries()[i].SQL), ";")
}

// TestWhatMatters: the query ablation names the feature that a candidate is without, whatever else
// is 0 and whatever the candidate is called, with its verdict. The query comparisons leaves
// such rows out.
func TestWhatMatters(t *testing.T) {
	s, path := open(t)
	run := begin(t, s, spec("snake", "a"))
	must(t, s.AddCandidates(ctx, run.ID,
		[]experiments.Candidate{{Number: 0}, {Number: 1, Name: "without empty"}, {Number: 2, Name: "published"}, {Number: 3},
			{Number: 4}}))
	for i, verdict := range []string{experiments.Worse, experiments.NoDifference, experiments.Better,
		experiments.Undecided} {
		c := experiments.Comparison{Phase: experiments.PhaseAblation, Search: "depth 3", Candidate: 1 + i, Games: 500,
			Confidence: 0.999, Verdict: verdict,
			Question:   "without " + []string{"empty", "edge", "line", "corner"}[i],
			Ratio:      stats.Estimate{Value: 0.75, Interval: stats.Interval{Low: 0.5, High: math.Inf(1)}},
			Difference: stats.Estimate{Value: -0.25, Interval: stats.Interval{Low: -0.5, High: 0.125}}}
		if verdict == experiments.Undecided {
			c.More = 4000
		}
		must(t, s.AddComparisons(ctx, run.ID, []experiments.Comparison{c}))
	}
	got := shell(t, path, "SELECT feature, verdict, more_games, change, change_low, change_high, difference, ci_low, "+
		"ci_high, games, confidence, run FROM ("+
		queryNamed(t, "ablation")+")")
	const figures = "|-25.0|-50.0|NULL|-0.25|-0.5|0.125|500|0.999|snake"
	if want := "empty|matters|NULL" + figures + "\nedge|can be left out|NULL" + figures + "\nline|better without it|NULL" +
		figures + "\ncorner|undecided|4000" + figures; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if others := shell(t, path, queryNamed(t, "comparisons")); others != "" {
		t.Errorf("comparisons: %s", others)
	}
}

// TestFrontier: who is on it, by the definition.
func TestFrontier(t *testing.T) {
	_, s, _ := recorded(t, 10)
	on := rowsByColumn(t, s.reader, queryNamed(t, "frontier"))
	all := sure(rows(s.reader, "SELECT search, mean_score, nodes_per_move FROM leaderboard "+
		"WHERE phase IN ('validation', 'comparison')"))(t)
	for _, a := range all {
		beaten := slices.ContainsFunc(all,
			func(b []any) bool { return b[1].(float64) > a[1].(float64) && b[2].(float64) < a[2].(float64) })
		if listed := rowWith(on, cells{"search": a[0], "mean_score": a[1], "nodes_per_move": a[2]}) != nil; listed == beaten {
			t.Errorf("beaten %v: %v", beaten, a)
		}
	}
	if len(on) == 0 || len(on) == len(all) {
		t.Errorf("%d of %d are on the frontier", len(on), len(all))
	}
}

// contest records a comparison at a search as a finished run: each player by name, play and scores.
// A bot says no nodes.
func contest(t testing.TB, s *Store, search string, players ...[2]string) {
	t.Helper()
	asked := spec("compare", search)
	asked.Kind = experiments.KindCompare
	run := begin(t, s, asked)
	for number, p := range players {
		must(t, s.AddCandidates(ctx, run.ID,
			[]experiments.Candidate{{Number: number, Origin: "compared", Name: p[0], PlayHash: p[1],
				Weights: []experiments.Weight{{Name: "empty", Value: 270}}}}))
		score := float64(1e6 * (number + 1))
		e := plain(experiments.Place{Phase: experiments.PhaseComparison, Search: search, Candidate: number}, 100*number,
			score, score+100)
		e.Moves, e.Nodes, e.Time = int64(100*(number+1)), int64(5000*(number+1)*(number+1)), time.Second
		if strings.HasPrefix(p[0], "bot") {
			e.Nodes = 0
		}
		must(t, s.AddEvaluations(ctx, run.ID, []experiments.Evaluation{e}, false))
	}
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
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
	contest(t, s, "depth 1", [2]string{"another", "champion's"}, [2]string{"good.yaml", "other fixed weights"},
		[2]string{"bot x", "x"}, [2]string{"bot y", "y"})
	got := shell(t, path, "SELECT name, run, candidate_id, mean_score, nodes_per_move FROM ("+queryNamed(t, "frontier")+
		") WHERE search = 'depth 1'")
	if want := "champion|weak|1000000002|1000050.0|50.0\ngood.yaml|compare|3000000001|2000050.0|100.0"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCost: the query cost adds up what is known of the games of each search. In a comparison it
// adds up the games of each player.
func TestCost(t *testing.T) {
	s, path := open(t)
	run := begin(t, s, spec("snake", "snake"))
	must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0}}))
	for number, sums := range []struct {
		search               string
		games                int
		moves, nodes, micros int64
	}{{"depth 3", 2, 300, 3000, 3e6}, {"depth 3", 2, 100, 5000, 1e6}, {"depth 3", 1, 0, 0, 1e6},
		{"depth 5", 1, 10, 4000, 2e6}} {
		e := plain(experiments.Place{Phase: experiments.PhaseTrend, Search: sums.search}, number,
			make([]float64, sums.games)...)
		e.Moves, e.Nodes, e.Time = sums.moves, sums.nodes, time.Duration(sums.micros)*time.Microsecond
		must(t, s.AddEvaluations(ctx, run.ID, []experiments.Evaluation{e}, false))
	}
	contest(t, s, "depth 1", [2]string{"best", "b"}, [2]string{"bot", "x"})
	want := "compare|depth 1|bot|2|NULL|100.0|5.0|500.0\ncompare|depth 1|best|2|50.0|50.0|10.0|500.0\n" +
		"snake|depth 3||5|20.0|100.0|10.0|1000.0\nsnake|depth 5||1|400.0|10.0|200.0|2000.0"
	if got := shell(t, path, queryNamed(t, "cost")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// few matches the tables of searches and endings, and the view of both, as views call them.
var few = regexp.MustCompile(`^[eso]\b`)

// TestViewsFindARun: a view of one run reads the rows of that run alone, and the leaderboard's
// ranks need no sorting. Games and weights of a candidate are found, too; only the few games under
// way are read as a whole.
func TestViewsFindARun(t *testing.T) {
	_, s, _ := recorded(t, 1)
	asked := []string{"games WHERE candidate_id = 3000000001", "games WHERE run_id = 3", "evaluations WHERE run_id = 3",
		"weights WHERE candidate_id = 3000000001",
		"runs WHERE name = 'snake'", "runs WHERE id = 3", "population WHERE run_id = 3"}
	for _, view := range views {
		asked = append(asked, view+" WHERE run_id = 3")
	}
	made := sure(collect(ctx, s.reader.db, scanText,
		"SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name"))(t)
	if all := slices.Sorted(slices.Values(append([]string{"games", "evaluations", "weights", "runs", "population",
		"ranges"}, views...))); !slices.Equal(made, all) {
		t.Errorf("the database has the views %v", made)
	}
	for _, view := range asked {
		plan := ""
		for _, row := range sure(rows(s.reader, "EXPLAIN QUERY PLAN SELECT * FROM "+view+" LIMIT 10"))(t) {
			plan += fmt.Sprintln(row[3])
		}
		searched := false
		for step := range strings.Lines(plan) {
			searched = searched || strings.HasPrefix(step, "SEARCH")
			if strings.HasPrefix(step, "SCAN e\n") || strings.HasPrefix(step, "SCAN o\n") ||
				strings.HasPrefix(step, "SCAN s USING COVERING INDEX sqlite_autoindex_searches_1\n") {
				continue // endings and searches: a row for each
			}
			// What a subquery has made, and a JSON text, are read as a whole.
			table, scans := strings.CutPrefix(step, "SCAN ")
			if scans && !strings.Contains(table, "VIRTUAL TABLE") && !strings.Contains(plan, "CO-ROUTINE "+table) &&
				table != "playing\n" && !few.MatchString(table) ||
				strings.Contains(step, "AUTOMATIC") && !strings.HasPrefix(step, "SEARCH o ") || strings.Contains(step, "(kind=?)") {
				t.Errorf("%s: %s%s", view, step, plan)
			}
		}
		if !searched || strings.HasPrefix(view, "leaderboard") && strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s finds nothing by an index, or sorts:\n%s", view, plan)
		}
	}
}

// TestRunsReadOneGeneration: the list of runs finds the last generation of each by its key.
func TestRunsReadOneGeneration(t *testing.T) {
	s, _ := open(t)
	plan := ""
	for _, row := range sure(rows(s.reader, "EXPLAIN QUERY PLAN "+endingsQuery))(t) {
		plan += fmt.Sprintln(row[3])
	}
	for _, step := range []string{"SEARCH l USING PRIMARY KEY (run_id=? AND position=?)",
		"SEARCH k USING PRIMARY KEY (run_id=? AND position<?)"} {
		if !strings.Contains(plan, step) {
			t.Errorf("no %s in\n%s", step, plan)
		}
	}
}

// TestShellAnswersEverything runs every shipped query, and every SQL statement and query of this
// folder's README, through the plain sqlite3 shell: the SQL is plain, and each finds something.
func TestShellAnswersEverything(t *testing.T) {
	_, s, path := recorded(t, 11)
	recordRun(t, s, "quickstart", 12)
	execute(t, s.writer, "UPDATE comparisons SET phase = 'ablation' WHERE run_id = 7 AND search = 'depth 3'")
	for _, q := range NamedQueries() {
		if q.Summary() == "" {
			t.Errorf("%s: no comment", q.Name)
		}
		if !strings.HasSuffix(q.Empty(), ".") || strings.Contains(q.Summary(), "No rows") {
			t.Errorf("%s: it does not say why it may have no rows: %q", q.Name, q.Empty())
		}
		if shell(t, path, q.SQL) == "" {
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
			if shell(t, path, statement) == "" {
				t.Errorf("README.md: %s: no rows", statement)
			}
		}
	}
}
