package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"tune2048/results/report"
)

// answered is a run of all phases in the unit of an objective that is not the score.
const answered = `
name: answered
objective: {reach: 256}
heuristic:
  dead: 0
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: -1000, max: 1000, start: 5}}
    - {feature: corner, weight: {min: -1, max: 0}}
    - {feature: largest, weight: 0}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 10}
stages: [{name: tune, generations: 6, games: 10, rounds: 2}]
playoff: {finalists: 4, games: 100}
validation: {games: 300, search: [{depth: 1}, {depth: 2}]}
references: {no_empty: {from: champion, weights: {empty: 0}}, source: {}}
ablation: {games: 1000}
`

// TestAnswersAgree: the report of a run, the export, the list of runs and the SQL have the same
// champion, gains and verdicts, all in the objective's unit. What a run prints is its report.
func TestAnswersAgree(t *testing.T) {
	folder := t.TempDir()
	db := filepath.Join(folder, "tune.db")
	config := write(t, filepath.Join(folder, "answered.yaml"), answered)
	command := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := invoke(context.Background(), append(args, "-db", db)...)
		if code != exitOK {
			t.Fatalf("%v: exit code %d: %s", args, code, stderr)
		}
		return stdout
	}
	decode := func(text string, to any) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	text := strings.Join(strings.Fields(command("-config", config)), " ")
	said := command("-config", config, "-json")
	var found []report.Report
	decode("["+said+"]", &found)
	result := found[0]
	if all := command("report", "-json"); strings.Join(strings.Fields(said), "") != strings.Join(strings.Fields(all), "") {
		t.Errorf("the run's JSON is not that of its report")
	}
	var exported struct {
		Candidate int
		Objective string
		HeldOut   []map[string]any `json:"held_out"`
	}
	decode(command("export"), &exported)
	var champions, ablation, verdicts []map[string]any
	decode(command("query", "-json", "-sql", "select * from champions order by search"), &champions)
	decode(command("query", "-json", "ablation"), &ablation)
	decode(command("query", "-json", "comparisons"), &verdicts)

	champion := result.HeldOut.Players[0].Candidate
	if !strings.Contains(text, fmt.Sprintf(" candidate %d, ", champion)) || exported.Candidate != champion || champions[0]["number"] != float64(champion) || !strings.Contains(text, "The reference source is listed as start weights.") {
		t.Errorf("another champion: %d, %v\n%s", champion, champions[0]["number"], text)
	}
	for i, row := range champions {
		p, g := result.HeldOut.Players[3*i:], result.HeldOut.Gains[2*i]
		for column, want := range map[string]float64{
			"games": 300, "fitness": p[0].Fitness.Value, "mean_score": p[0].Score.Value, "start_fitness": p[1].Fitness.Value, "start_mean": p[1].Score.Value,
			"gain": g.Difference.Value, "gain_ratio": g.Ratio.Value,
		} {
			if row[column] != want {
				t.Errorf("%s: %s is %v in SQL, %v in JSON", p[0].Search, column, row[column], want)
			}
		}
		figures := exported.HeldOut[i]
		for _, key := range []string{"search", "games", "fitness", "mean_score", "start_mean", "gain", "verdict"} {
			if figures[key] != row[key] {
				t.Errorf("export: %s is %v, in SQL %v", key, figures[key], row[key])
			}
		}
		for _, key := range []string{"fitness_ci", "ci", "gain_ci"} {
			if want := []any{row[key+"_low"], row[key+"_high"]}; !reflect.DeepEqual(figures[key], want) {
				t.Errorf("export: %s is %v, in SQL %v", key, figures[key], want)
			}
		}
		if exported.Objective != "{reach: 256}" {
			t.Errorf("export has %s", exported.Objective)
		}
		if line := fmt.Sprintf(" %+.1f [%.1f, %.1f] gain", 100*g.Difference.Value, 100*row["gain_ci_low"].(float64), 100*row["gain_ci_high"].(float64)); !strings.Contains(text, line) || g.Verdict != row["verdict"] || p[0].Search != row["search"] {
			t.Errorf("want %s in\n%s", line, text)
		}
	}
	if len(champions) != 2 || len(result.HeldOut.Players) != 6 || len(verdicts) != 4 || verdicts[0]["objective"] != "{reach: 256}" {
		t.Errorf("champions %v\ncomparisons %v", champions, verdicts)
	}

	seen := map[string]bool{}
	for _, f := range result.Ablation.Features {
		seen[f.Verdict] = true
		rows := 0
		for _, row := range ablation {
			if row["feature"] == f.Name {
				rows++
				if row["verdict"] != f.Verdict || row["games"] != float64(f.Games) {
					t.Errorf("%+v in JSON, in SQL %v", f, row)
				}
			}
		}
		effect := "nothing"
		for _, row := range result.Weights.Rows {
			if row.Name == f.Name {
				effect = row.Effect
			}
		}
		if rows != min(1, f.Games) || !regexp.MustCompile(" "+f.Name+` \S+ \S+ `+regexp.QuoteMeta(effect)).MatchString(text) { // a feature of weight 0 has played none
			t.Errorf("%s: %d rows, want %s in:\n%s", f.Name, rows, effect, text)
		}
	}
	if len(result.Ablation.Features) != 4 || !seen["matters"] || !seen["can be left out"] {
		t.Errorf("got %+v", result.Ablation)
	}
}

// TestBestSoFar: of a run that was killed before its playoff ended, the query best and the error of
// all that wants a champion name its leader so far.
func TestBestSoFar(t *testing.T) {
	db := hostileDatabase(t, "UPDATE runs SET status = 'running', champion_id = NULL, fingerprint = NULL",
		"UPDATE standings SET fitness_low = 1 + candidate_id % 10000000 WHERE phase = 'tuning'")
	ask := func(statement ...string) string {
		code, stdout, stderr := invoke(context.Background(), append(append([]string{"query", "-csv"}, statement...), "-db", db)...)
		if code != exitOK {
			t.Fatalf("%v: exit code %d: %s", statement, code, stderr)
		}
		return stdout[strings.Index(stdout, "\n")+1:]
	}
	leader := strings.TrimSpace(ask("-sql", "SELECT number FROM leaderboard WHERE phase = 'tuning' LIMIT 1"))
	want := ask("-sql", "SELECT search, run, fitness_shrunk, fitness_low, NULL, NULL, NULL, NULL, 'so far', "+
		"'mean_score', number, games, NULL FROM leaderboard WHERE phase = 'tuning' AND number = "+leader)
	if got := ask("best"); got != want {
		t.Errorf("best: got %s, want %s", got, want)
	}
	for _, args := range [][]string{{"export", "ok"}, {"init", "-from", "ok"}, {"move", "ok", "-board", suggestedBoard}, {"compare", "ok", "ok:0"}} {
		code, _, stderr := invoke(context.Background(), append(args, "-db", db)...)
		want := "run ok (killed) has no champion yet: its playoff has not ended. The leader so far: tune export ok:" + leader + " -db "
		if code != exitFailed || !strings.Contains(stderr, want) || !strings.Contains(stderr, "tune -config FILE -for 1h ") {
			t.Errorf("%v: exit code %d: %s", args, code, stderr)
		}
	}
	if code, _, stderr := invoke(context.Background(), "export", "ok:"+leader, "-db", db); code != exitOK {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
