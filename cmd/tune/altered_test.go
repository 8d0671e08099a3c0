package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// unnoticed has the columns of facts whose change verify does not notice, and why. An empty column
// stands for a row that is deleted.
var unnoticed = map[string]string{
	"searches.name": named, "searches.note": named,
	"searches.hashed": "a fingerprint that is made with a false one is noticed",
	"endings.tuner":   "of a run of another tuner verify says that it plays the games alone",
	"endings.name":    named, "endings.note": named, "endings.own_games_only": asked,
	"endings.go_version": clock, "endings.goarch": clock, "endings.done": clock, "endings.expected_end": clock,
	"endings.started_at": clock,
	"endings.ranked":     ranks, "endings.ranked_games": ranks,
	"endings.updated_at": clock, "endings.finished_at": clock, "endings.worked_ms": clock, "endings.played_games": clock,
	"asked.duration_us": clock, "memo.times": clock, "memo.workers": clock,
	"memo.only_run": "it says whom the games serve",
	"memo.boards":   "it is for looking at", "workers.": clock, "workers.id": clock, "workers.name": clock,
	// All columns of playing: a run that goes on takes its games as they are.
}

// longer is a finished run that went on.
const longer = "longer"

const (
	named = "a run may have any name and note"
	asked = "it says how the run was asked for"
	ranks = "it says how old the ranks of tuning are"
	clock = "when, where and how fast a run is played differs between equal runs"
)

// altered is a small experiment of all phases, with a race and a reference.
const altered = `
name: altered
heuristic:
  dead: 0
  features:
    - {feature: empty, weight: {min: -1000, max: 1000, start: -500, scale: linear}}
    - {feature: merges, weight: {min: -10, max: 10, start: 1, scale: linear}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 4}
stages: [{name: explore, generations: 2, games: 2, rounds: 2}]
playoff: {finalists: 2, games: 4}
validation: {games: 6, search: [{depth: 1}, {depth: 2}]}
references: {no_empty: {from: champion, weights: {empty: 0}}}
ablation: {games: 8}
`

// TestAlterations changes one value in each column of each table of facts, and deletes a row of
// each: the last one of a finished run, which is one of its ending. Of a run with two endings it
// changes the first ones, of the search and of the shorter ending. Of a run that was interrupted in
// its ablation it changes the first ones that were asked and played, whole numbers to huge ones.
// Verify notices all but those that are listed above, and never ends in a stack trace. A new column
// is covered.
func TestAlterations(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	t.Parallel()
	folder := t.TempDir()
	changed := filepath.Join(folder, "changed.db")
	for _, status := range []string{experiments.Finished, longer, experiments.Interrupted} {
		path := filepath.Join(folder, status+".db")
		names := []string{""} // the newest
		if status == longer {
			names = []string{"", "altered@2"}
			playAltered(t, path, experiments.Finished)
			text := write(t, filepath.Join(folder, "altered.yaml"), altered)
			if code, _, stderr := invoke(context.Background(), "-config", text, "-more", "1", "-db", path); code != exitOK {
				t.Fatal(stderr)
			}
		} else {
			playAltered(t, path, status)
		}
		verify := func(path string, names []string) bool {
			return !slices.ContainsFunc(names, func(name string) bool {
				code, _, _ := invoke(context.Background(), "verify", name, "-all", "-db", path)
				return code != exitOK
			})
		}
		if !verify(path, names) {
			t.Fatalf("%s: nothing was changed", status)
		}
		data, err := os.ReadFile(path)
		must(t, err)
		want, columns := maps.Clone(unnoticed), factColumns(t, path)
		for _, c := range columns {
			if status == experiments.Interrupted && c.table != "asked" && c.table != "memo" {
				continue
			}
			write(t, changed, string(data))
			alter(t, changed, c, status == experiments.Finished)
			name := c.table + "." + c.name
			found := names
			if name == "searches.name" { // nobody finds the other ending by the old one
				found = names[:1]
			}
			missed := verify(changed, found)
			if reason := want[name]; missed != (reason != "" || c.table == "playing") {
				t.Errorf("%s: %s: unnoticed is %v; the reason: %q", status, name, missed, reason)
			}
			delete(want, name)
		}
		if status == experiments.Finished && (len(want) > 0 || len(columns) < 180) {
			t.Errorf("of %d columns none is %v", len(columns), want)
		}
	}
}

// TestVerifyBesideALiveRun: it reads one moment of a run that goes on, and finds no difference.
func TestVerifyBesideALiveRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "live.db")
	c, err := config.Parse([]byte(strings.Replace(altered, "generations: 2,", "generations: 60,", 1)), "altered.yaml")
	must(t, err)
	store, err := results.Open(path)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := experiments.Experiment{Config: c, Store: store, Simulator: simulator.NewPool(1)}.Run(ctx)
		done <- errors.Join(err, store.Close())
	}()
	found := 0 // verifications of a run with games that goes on
	for live := true; live; {
		select {
		case err = <-done:
			must(t, err)
			live = false
		default:
		}
		code, stdout, stderr := invoke(context.Background(), "verify", "-games", "1", "-db", path)
		switch {
		case code == exitOK && strings.Contains(stdout, "has not ended"):
			found++
		case code != exitOK && !strings.Contains(stderr, "no runs in"): // it has just been begun
			cancel()
			t.Errorf("code %d after %d verifications:\n%s%s", code, found, stdout, stderr)
			if live {
				<-done
			}
			return
		}
	}
	if cancel(); found < 3 {
		t.Errorf("the run was verified %d times while it went on", found)
	}
}

// TestVerifyBetweenParts: a run records some blocks in parts. One that was interrupted between two
// of them is verified as far as it goes.
func TestVerifyBetweenParts(t *testing.T) {
	t.Parallel()
	text := strings.Replace(altered, "games: 6,", "games: 1200,", 1)
	for phase, games := range map[string]int{experiments.PhaseTuning: 6, experiments.PhaseValidation: 1700} {
		path := filepath.Join(t.TempDir(), phase+".db")
		c, err := config.Parse([]byte(text), "altered.yaml")
		must(t, err)
		store, err := results.Open(path)
		must(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		_, err = experiments.Experiment{Config: c, Store: store, Simulator: simulator.NewPool(1),
			Observe: func(p experiments.Progress) {
				if p.Phase == phase {
					games--
					if games == 0 {
						cancel()
					}
				}
			}}.Run(ctx)
		if must(t, store.Close()); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		code, stdout, stderr := invoke(context.Background(), "verify", "-games", "1", "-db", path)
		if code != exitOK || !strings.Contains(stdout, "has not ended: its decisions were checked up to "+phase) {
			t.Errorf("%s: code %d:\n%s%s", phase, code, stdout, stderr)
		}
		// What nobody has asked for is found in such a run, too.
		byHand(t, path, "UPDATE asked SET mean_score = mean_score + 1 WHERE number = (SELECT max(number) FROM asked)")
		if code, stdout, _ := invoke(context.Background(), "verify", "-games", "1", "-db", path); code != exitFailed {
			t.Errorf("%s: an altered part has code %d:\n%s", phase, code, stdout)
		}
	}
}

// TestFalseRowsBeside: a false row beside the true ones is noticed, also where a row may lack, or
// is named as one behind the ending. Its key is never taken for another one, however that is
// written.
func TestFalseRowsBeside(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finished.db")
	playAltered(t, path, experiments.Finished)
	// The process ended before it recorded the first row of the ablation.
	byHand(t, path, `UPDATE endings SET status = 'interrupted', fingerprint = NULL;
		DELETE FROM comparisons WHERE phase = 'ablation' AND candidate_id = (SELECT min(candidate_id) FROM comparisons WHERE phase = 'ablation')`)
	data, err := os.ReadFile(path)
	must(t, err)
	verify := func() (int, string) {
		code, stdout, _ := invoke(context.Background(), "verify", "-games", "1", "-db", path)
		return code, stdout
	}
	if code, stdout := verify(); code != exitOK {
		t.Fatal(stdout)
	}
	const values = "objective, games, baseline_games, 99999, 99990, 99999, ratio, ratio_ci_low, ratio_ci_high, " +
		"confidence, smallest_difference, question, p, p_adjusted, level, 'better', more_games FROM comparisons"
	for _, row := range []string{
		"comparisons SELECT run_id, ending_id, phase, '             ' || search, candidate_id, baseline_id, look, " + values +
			" WHERE phase = 'ablation'",
		"comparisons SELECT run_id, ending_id, phase, search || ' ', candidate_id, baseline_id, look, " + values +
			" WHERE phase = 'ablation'",
		"comparisons SELECT run_id, ending_id, phase, char(9) || search, candidate_id, baseline_id, look, " + values +
			" WHERE phase = 'ablation'",
		"comparisons SELECT run_id, ending_id, phase, search || char(0), candidate_id, baseline_id, look, " + values +
			" WHERE phase = 'ablation'",
		"comparisons SELECT run_id, ending_id, phase, search || char(160), candidate_id, baseline_id, look, " + values +
			" WHERE phase = 'ablation'",
		"comparisons SELECT run_id, ending_id, phase || ' ' || search, '', candidate_id, baseline_id, look, " + values +
			" WHERE phase = 'ablation'",
		"comparisons SELECT run_id, ending_id, phase, search, candidate_id, baseline_id, -look, " + values +
			" WHERE phase = 'ablation'",
		"comparisons SELECT run_id, ending_id, phase, search, candidate_id, baseline_id, 1 << 60, " + values +
			" WHERE phase = 'ablation'",
		"candidates SELECT 1999999999, run_id, 999999999, generation, stage, origin, name, dead, play, names, weights " +
			"FROM candidates LIMIT 1",
		"candidates SELECT 2000000000, run_id, 0, generation, stage, origin, name, dead, play, names, weights " +
			"FROM candidates LIMIT 1",
		"candidates SELECT 2999999999, run_id, 999999999, generation, stage, origin, name, dead, play, names, weights " +
			"FROM candidates LIMIT 1",
		"slices SELECT owner_id, -1, phase, stage, search, generation, 99, first_game, seeds FROM slices " +
			"WHERE owner_id = 1 LIMIT 1",
		"slices SELECT owner_id, -1, phase, stage, search, generation, 99, first_game, seeds FROM slices " +
			"WHERE owner_id = 2 LIMIT 1",
		"slices SELECT 2, number, phase, stage, search, generation, 99, first_game, seeds FROM slices " +
			"WHERE owner_id = 1 LIMIT 1",
		"asked SELECT 1, -1, slice, phase, candidate_id, memo_id, games, mean_score, sd_score, fitness, moves, nodes, " +
			"duration_us FROM asked WHERE owner_id = 1 LIMIT 1",
		"asked SELECT 2, -1, slice, phase, candidate_id, memo_id, games, mean_score, sd_score, fitness, moves, nodes, " +
			"duration_us FROM asked WHERE owner_id = 2 LIMIT 1",
		"asked SELECT 2, number, slice, phase, candidate_id, memo_id, games, mean_score, sd_score, fitness, moves, nodes, " +
			"duration_us FROM asked WHERE owner_id = 1 LIMIT 1",
		"asked SELECT 1, 1 << 60, slice, phase, candidate_id, memo_id, games, mean_score, sd_score, fitness, moves, nodes, " +
			"duration_us FROM asked WHERE owner_id = 1 LIMIT 1",
		"asked SELECT 2, 1 << 60, slice, phase, candidate_id, memo_id, games, mean_score, sd_score, fitness, moves, nodes, " +
			"duration_us FROM asked WHERE owner_id = 2 LIMIT 1",
	} {
		write(t, path, string(data))
		byHand(t, path, "INSERT INTO "+row)
		// Behind the ending the search may go on.
		if code, stdout := verify(); code != exitFailed &&
			!strings.Contains(stdout, "that the search has beyond this ending") {
			t.Errorf("%s: exit code %d:\n%s", row, code, stdout)
		}
	}
}

// TestNodesOfAnotherVersion: another version plays the same games with other counts of nodes.
// Verify names the counts that differ, and nothing is false.
func TestNodesOfAnotherVersion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	playAltered(t, path, experiments.Interrupted)
	byHand(t, path, `UPDATE memo SET nodes = (SELECT json_group_array(value + 10) FROM json_each(memo.nodes));
		UPDATE asked SET nodes = nodes + 10 * games`)
	code, stdout, stderr := invoke(context.Background(), "verify", "altered", "-all", "-db", path)
	if code != exitOK || !strings.Contains(stdout, "of the games played again: another version of tune counts others") {
		t.Errorf("exit code %d: %s\n%s", code, stderr, stdout)
	}
}

// fewMore adds games to each row of the memo, up to some more than it has. They are false.
const fewMore = `UPDATE memo SET games = games + 2, scores = rtrim(scores, ']') || ',99999,99999]', ranks = rtrim(ranks, ']') || ',13,13]',
	moves = rtrim(moves, ']') || ',4000,4000]', nodes = rtrim(nodes, ']') || ',9000,9000]' WHERE games BETWEEN 1 AND 48`

// TestGamesThatNoRunAskedFor: false games behind those that a run asked for are noticed, and stay
// behind where the run is imported. True ones, which a longer run of the file asked for, are no
// difference.
func TestGamesThatNoRunAskedFor(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, longer, other := filepath.Join(folder, "a.db"), filepath.Join(folder, "longer.yaml"),
		filepath.Join(folder, "b.db")
	playAltered(t, path, experiments.Finished)
	verify := func(path, run string, more ...string) (int, string) {
		code, stdout, _ := invoke(context.Background(), append([]string{"verify", run, "-db", path}, more...)...)
		return code, stdout
	}
	write(t, longer, strings.Replace(altered, "games: 2,", "games: 5,", 1))
	if code, _, stderr := invoke(context.Background(), "-config", longer, "-db", path); code != exitOK {
		t.Fatal(stderr)
	}
	for _, run := range []string{"altered", "altered.2"} {
		code, stdout := verify(path, run, "-all")
		if shared := strings.Contains(stdout, "more games lie in the same rows of the memo"); code != exitOK ||
			shared != (run == "altered") ||
			strings.Contains(stdout, "were not played again") || strings.Contains(stdout, "no run asked for") {
			t.Errorf("%s: exit code %d:\n%s", run, code, stdout)
		}
	}
	byHand(t, path, fewMore)
	if _, stdout := verify(path, "altered", "-games", "1"); !strings.Contains(stdout, "games were not played again") {
		t.Error(stdout)
	}
	if code, stdout := verify(path, "altered", "-all"); code != exitFailed ||
		!strings.Contains(stdout, "score 99999, 4000 moves") {
		t.Errorf("exit code %d:\n%s", code, stdout)
	}
	if code, _, stderr := invoke(context.Background(), "import", path, "-db", other); code != exitOK {
		t.Fatal(stderr)
	}
	for _, run := range []string{"altered", "altered.2"} {
		if code, stdout := verify(other, run, "-all"); code != exitOK {
			t.Errorf("imported %s: exit code %d:\n%s", run, code, stdout)
		}
	}
	reader, err := results.OpenReader(other)
	must(t, err)
	defer reader.Close()
	must(t, reader.Query(context.Background(), "SELECT games, scores FROM memo "+
		"WHERE scores LIKE '%99999%' OR games <> json_array_length(scores) OR ranks LIKE '%13,13]' OR nodes LIKE '%9000]'",
		func([]string) error { return nil }, func(row []any) error {
			t.Errorf("imported %v", row)
			return nil
		}))
	// A row that no run refers to can be any player's: it is named, and stays behind, too.
	byHand(t, path, "INSERT INTO memo VALUES (NULL, zeroblob(16), 0, 2, '[1,2]', '[1,2]', '[1,2]', '[1,2]', NULL, NULL, "+
		"NULL, NULL)")
	if _, stdout := verify(path, "altered", "-games", "1"); !strings.Contains(stdout,
		"games of the file that no run asked for") {
		t.Error(stdout)
	}
}

// TestGamesWithoutAnEvaluation: a run that goes on takes them as they are. So verify names them,
// and they stay behind where the run is imported.
func TestGamesWithoutAnEvaluation(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, other := filepath.Join(folder, "a.db"), filepath.Join(folder, "b.db")
	playAltered(t, path, experiments.Interrupted)
	byHand(t, path, `INSERT INTO playing SELECT max(id) + 50, run_id, candidate_id, phase, stage, search, generation, round, seed, 99999, 11,
		moves, nodes, zeroblob(8), duration_us, NULL FROM games`)
	if code, stdout, _ := invoke(context.Background(), "verify", "-all", "-db", path); code != exitOK ||
		!strings.Contains(stdout, "games of evaluations that have not ended") {
		t.Errorf("exit code %d:\n%s", code, stdout)
	}
	if code, _, stderr := invoke(context.Background(), "import", path, "-db", other); code != exitOK {
		t.Fatal(stderr)
	}
	if code, stdout, _ := invoke(context.Background(), "verify", "-all", "-db", other); code != exitOK ||
		strings.Contains(stdout, "games of evaluations that have not ended") {
		t.Errorf("imported: exit code %d:\n%s", code, stdout)
	}
}

// playAltered plays the experiment into a database, to its end or into its ablation.
func playAltered(t *testing.T, path, status string) {
	t.Helper()
	c, err := config.Parse([]byte(altered), "altered.yaml")
	must(t, err)
	store, err := results.Open(path)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	games := 0
	_, err = experiments.Experiment{Config: c, Store: store, Simulator: simulator.NewPool(1),
		Observe: func(p experiments.Progress) {
			if p.Phase == experiments.PhaseAblation {
				games++
			}
			if games == 12 && status == experiments.Interrupted { // after the first evaluations
				cancel()
			}
		}}.Run(ctx)
	if must(t, store.Close()); errors.Is(err, context.Canceled) != (status == experiments.Interrupted) {
		t.Fatal(err)
	}
	byHand(t, path, "INSERT INTO workers VALUES (1, 'other')")
}

// byHand executes statements in a database.
func byHand(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA ignore_check_constraints = on; PRAGMA synchronous = off; " + statements); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

// factColumn is a column of a table of facts. An empty name stands for the row as a whole.
type factColumn struct{ table, name, key string }

func factColumns(t *testing.T, path string) (columns []factColumn) {
	t.Helper()
	reader, err := results.OpenReader(path)
	must(t, err)
	defer reader.Close()
	must(t, reader.Query(context.Background(), `SELECT t.name, c.name, (SELECT group_concat(k.name) FROM pragma_table_info(t.name) AS k WHERE k.pk > 0)
		FROM sqlite_schema AS t
		JOIN (SELECT m.name AS of, i.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS i UNION SELECT name, '' FROM sqlite_schema) AS c ON c.of = t.name
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`, func([]string) error { return nil }, func(row []any) error {
		columns = append(columns, factColumn{fmt.Sprint(row[0]), fmt.Sprint(row[1]), fmt.Sprint(row[2])})
		return nil
	}))
	return columns
}

// alter changes a column in the first or the last row that has a value there, or deletes the row.
func alter(t *testing.T, path string, c factColumn, last bool) {
	t.Helper()
	change, first, order, step := "DELETE FROM "+c.table, "true", " ASC", 1<<62
	if last {
		order, step = " DESC", 1
	}
	if c.name != "" {
		first = c.name + " IS NULL"
		change = fmt.Sprintf(`UPDATE %[1]s SET %[2]s = CASE typeof(%[2]s) WHEN 'integer' THEN %[2]s + %[3]d WHEN 'real' THEN %[2]s * 1.001 + 0.001
			WHEN 'text' THEN CASE WHEN %[2]s GLOB '20*Z' THEN '2001' || substr(%[2]s, 5) WHEN %[2]s GLOB '[[]*' THEN json_set(%[2]s, '$[0]', (%[2]s ->> 0) + 1)
			WHEN %[2]s = 'finished' THEN 'interrupted' WHEN %[2]s = 'tune' THEN 'compare' WHEN %[2]s = 'mean_score' THEN 'mean_log_score' ELSE %[2]s || 'x' END
			ELSE CASE WHEN '%[2]s' IN ('expected_end', 'finished_at') THEN '2001-01-01T00:00:00.000Z' WHEN typeof(%[2]s) = 'blob' THEN zeroblob(16) ELSE 1 END END`, c.table, c.name, step)
	}
	byHand(t, path, fmt.Sprintf("%s WHERE (%s) = (SELECT %[2]s FROM %s ORDER BY %s, %s LIMIT 1)",
		change, c.key, c.table, first, strings.ReplaceAll(c.key, ",", order+", ")+order))
}
