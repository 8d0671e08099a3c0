package results

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tune2048/experiments"
)

// version3 returns the path of a file that the program at commit 921ba595 made. It has a run of
// three generations with rounds of 60 games, one that went on from it, a comparison, a bot's run,
// and a run that was killed.
func version3(t *testing.T) string {
	t.Helper()
	file := sure(os.Open("testdata/version3.db.gz"))(t)
	defer file.Close()
	path := filepath.Join(t.TempDir(), "tune.db")
	must(t, os.WriteFile(path, sure(io.ReadAll(sure(gzip.NewReader(file))(t)))(t), 0o644))
	return path
}

// texts are the rows of a statement, as text.
func rowTexts(t *testing.T, path, statement string) (all []string) {
	t.Helper()
	db := raw(t, path)
	defer db.Close()
	for row, err := range each(ctx, db, scanText, statement) {
		must(t, err)
		all = append(all, row)
	}
	return all
}

// TestVersion3IsTakenOver: all that could be asked of the file before has the same answer after it,
// by whichever command the file is opened first. A copy stays.
func TestVersion3IsTakenOver(t *testing.T) {
	path := version3(t)
	boards := "(SELECT group_concat(substr(printf('%016x', final_board), value, 1), '') FROM json_each('[16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1]'))"
	asked := map[string]string{ // a statement of version 3: the same of this version; empty: the same text
		"SELECT json_array(run, phase, stage, search, rank, candidate_id, number, games, mean_score, ci_low, ci_high, sd_score, fitness_shrunk, fitness_low, reach_512, moves, nodes_per_move, weights) FROM leaderboard":                                              "",
		"SELECT json_array(run, candidate_id, search, games, mean_score, ci_low, ci_high, start_mean, gain, gain_ci_low, verdict, in_sample_mean, tuning_mean, weights) FROM champions":                                                                                "",
		"SELECT json_array(run, stage, generation, best, mean, worst, sd, mean_fitness_ci_low, games) FROM convergence":                                                                                                                                                "",
		"SELECT json_array(run, candidate_id, phase, search, tile, share, ci_low, ci_high) FROM tile_rates":                                                                                                                                                            "",
		"SELECT json_array(run, phase, player, baseline, games, difference, ci_low, p, verdict) FROM verdicts":                                                                                                                                                         "",
		"SELECT json_array(name, kind, config_yaml, seed, objective, status, champion_id, fingerprint, held_out_salt, started_at) FROM runs ORDER BY id":                                                                                                               "",
		"SELECT json_array(run_id, candidate_id, phase, generation, round, seed, 1.0 * score, max_tile, moves, nodes, capped, " + boards + ") FROM games ORDER BY run_id, phase, candidate_id, seed, generation":                                                       "SELECT json_array(run_id, candidate_id, phase, generation, round, seed, score, max_tile, moves, nodes, capped, final_board) FROM games ORDER BY run_id, phase, candidate_id, seed, generation",
		"SELECT json_array(run_id, phase, stage, search, generation, round, candidate_id, sum(games), group_concat(failure)) FROM evaluations GROUP BY run_id, phase, stage, search, generation, round, candidate_id":                                                  "",
		"SELECT json_array(e.run_id, e.candidate_id, e.phase, e.search, e.generation, e.round, total(s.value), count(*)) FROM evaluations AS e, json_each(e.scores) AS s GROUP BY e.run_id, e.candidate_id, e.phase, e.search, e.generation, e.round":                  "",
		"SELECT json_array(e.run_id, e.candidate_id, e.phase, e.search, e.generation, e.round, total(s.value), count(*)) FROM evaluations AS e, json_each(e.ranks) AS s WHERE s.value > 0 GROUP BY e.run_id, e.candidate_id, e.phase, e.search, e.generation, e.round": "",
	}
	before := map[string][]string{}
	for statement := range asked {
		before[statement] = rowTexts(t, path, statement)
	}
	r := sure(OpenReader(path))(t)
	for statement, now := range asked {
		if now == "" {
			now = statement
		}
		if got := rowTexts(t, path, now); len(got) == 0 || !slices.Equal(got, before[statement]) {
			t.Errorf("%.60s: got %d rows, want %d: %s", statement, len(got), len(before[statement]), firstUnlike(got, before[statement]))
		}
	}
	for _, run := range sure(r.Runs(ctx))(t) {
		if run.TakenOver != 3 || run.Kind == experiments.KindTune && run.Status == experiments.Finished && run.Tuning == run.ConfigHash {
			t.Errorf("%s: %+v", run.Name, run)
		}
		must(t, second(r.Summary(ctx, run, 0, nil, nil)))
		must(t, second(fingerprint(ctx, r.at, run.ID)))
	}
	must(t, r.Close())
	for _, check := range []string{"PRAGMA integrity_check", "SELECT count(*) || '' FROM pragma_foreign_key_check"} {
		if got := rowTexts(t, path, check); !slices.Equal(got, []string{"ok"}) && !slices.Equal(got, []string{"0"}) {
			t.Errorf("%s: got %v", check, got)
		}
	}
	if got := rowTexts(t, path+".version3", "SELECT user_version || '' FROM pragma_user_version"); !slices.Equal(got, []string{"3"}) {
		t.Errorf("the copy is of version %v", got)
	}
	s := reopen(t, path)
	counts(t, s, "runs WHERE taken_over = 3", len(before["SELECT json_array(name, kind, config_yaml, seed, objective, status, champion_id, fingerprint, held_out_salt, started_at) FROM runs ORDER BY id"]))
	if run := begin(t, s, spec("new", "new")); run.ID != 7 { // a number is never used twice, nor that of a run that was deleted
		t.Errorf("the next run has number %d", run.ID)
	}
}

// firstUnlike shows where two lists part.
func firstUnlike(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("got %s, want %s", got[i], want[i])
		}
	}
	return "one has more rows"
}

// TestATakeoverIsWholeOrNot: one that fails leaves the file as it was, and the next one begins
// anew.
func TestATakeoverIsWholeOrNot(t *testing.T) {
	path := version3(t)
	want := rowTexts(t, path, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
	must(t, os.WriteFile(path+".version3", []byte("somebody's file"), 0o644))
	must(t, os.WriteFile(path+".version3.part", []byte("of a process that was killed"), 0o644))
	edit(t, path, "UPDATE runs SET id = 200000 WHERE id = 5") // no number of this version
	fails(t, "a false row", second(OpenReader(path)), "CHECK constraint failed")
	edit(t, path, "UPDATE runs SET id = 5 WHERE id = 200000")
	if got := rowTexts(t, path, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"); !slices.Equal(got, want) {
		t.Errorf("the schema is another one: %s", firstUnlike(got, want))
	}
	lock := sure(acquire(lockPath(path, 1)))(t)
	fails(t, "a run under way", second(OpenReader(path)), "is under way with an older program")
	must(t, lock.release())
	s := reopen(t, path)
	counts(t, s, "runs", 5)
	if got := sure(filepath.Glob(path + ".version3*"))(t); !slices.Equal(got, []string{path + ".version3", path + ".version3.2"}) {
		t.Errorf("beside the file are %v", got)
	}
	if got := string(sure(os.ReadFile(path + ".version3"))(t)); got != "somebody's file" {
		t.Errorf("somebody's file holds %.20q", got)
	}
}
