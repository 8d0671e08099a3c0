package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// answered is a run of all phases in the unit of an objective that is not the score.
const answered = `
name: answered
seed: 4
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

// TestAnswersAgree: the report of a run, the export and the SQL have the same champion and gains,
// all in the objective's unit. What a run prints is its report.
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
	text, said := strings.Join(strings.Fields(command("-config", config)), " "), command("-config", config, "-json")
	if said != command("report", "-json") {
		t.Error("the run's JSON is not that of its report")
	}
	var result struct {
		HeldOut struct {
			Players []struct{ Candidate int }
			Gains   []struct {
				Difference struct{ Value float64 }
				Verdict    string
			}
		} `json:"held_out"`
	}
	var exported struct {
		Candidate int
		Objective string
		HeldOut   []map[string]any `json:"held_out"`
	}
	var champions []map[string]any
	must(t, errors.Join(json.Unmarshal([]byte(said), &result), json.Unmarshal([]byte(command("export")), &exported),
		json.Unmarshal([]byte(command("query", "-json", "-sql", "select * from champions order by search")), &champions)))
	champion := result.HeldOut.Players[0].Candidate
	if !strings.Contains(text, fmt.Sprintf(" candidate %d, ", champion)) || exported.Candidate != champion ||
		len(champions) != 2 || exported.Objective != "{reach: 256}" ||
		!strings.Contains(text, "The reference source is listed as start weights.") {
		t.Errorf("another champion: %d, %v\n%s", champion, champions, text)
	}
	for i, row := range champions {
		g := result.HeldOut.Gains[2*i]
		if row["gain"] != g.Difference.Value || row["verdict"] != g.Verdict {
			t.Errorf("SQL has %v, JSON %+v", row, g)
		}
		for _, key := range []string{"search", "fitness", "fitness_ci", "mean_score", "ci", "start_mean", "gain", "gain_ci",
			"verdict"} {
			want := row[key]
			if low, known := row[key+"_low"]; known && strings.HasSuffix(key, "ci") {
				want = []any{low, row[key+"_high"]}
			}
			if got := exported.HeldOut[i][key]; !reflect.DeepEqual(got, want) {
				t.Errorf("export: %s is %v, want %v", key, got, want)
			}
		}
		if line := fmt.Sprintf(" %+.1f percentage points [%.1f, %.1f]", 100*g.Difference.Value,
			100*row["gain_ci_low"].(float64), 100*row["gain_ci_high"].(float64)); !strings.Contains(text, line) {
			t.Errorf("want %s in\n%s", line, text)
		}
	}
}

// looked is a run whose centre is looked at.
const looked = `
name: looked
heuristic: {features: [{feature: empty, weight: {min: 0, max: 9, start: 1}}, {feature: line, weight: 1}]}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 10}
stages: [{generations: 10, games: 20}]
playoff: {finalists: 2, games: 2, rounds: 1}
validation: {games: 2}
ablation: {games: 0}
`

// TestBestSoFar: of a run that was killed before its playoff ended, the query best and the error of
// all that wants a champion name the centre of its search at the last look. It is no candidate that
// luck chose. Before the first look they name nobody.
func TestBestSoFar(t *testing.T) {
	folder := t.TempDir()
	db := filepath.Join(folder, "tune.db")
	if code, _, stderr := invoke(context.Background(), "-config", write(t, filepath.Join(folder, "looked.yaml"), looked),
		"-db", db); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	const name = "x; touch pwned"
	byHand(t, db, "UPDATE searches SET name = '"+name+
		"'; UPDATE endings "+
		"SET status = 'running', champion_id = NULL, fingerprint = NULL, figured = 0, figured_games = 0, ranked = 0, "+
		"ranked_games = 0; DELETE FROM comparisons; DELETE FROM asked WHERE phase IN ('playoff', 'validation')")
	ask := func(statement ...string) string {
		code, stdout, stderr := invoke(context.Background(),
			append(append([]string{"query", "-csv"}, statement...), "-db", db)...)
		if code != exitOK {
			t.Fatalf("%v: exit code %d: %s", statement, code, stderr)
		}
		return stdout[strings.Index(stdout, "\n")+1:]
	}
	centre := ask("-sql", "SELECT candidate_id % 1000000000 FROM evaluations WHERE phase = 'centre' "+
		"ORDER BY number DESC LIMIT 1")
	number := strings.TrimSpace(centre)
	want := ask("-sql", "SELECT e.search, e.run, 'so far', NULL, NULL, NULL, 40 * e.fitness / 40, f.fitness_ci_low, "+
		"f.fitness_ci_high, NULL, NULL, NULL, e.games, 'mean_score', "+
		number+", 40 * e.mean_score / 40 FROM evaluations AS e JOIN standings AS f USING (run_id, phase) "+
		"WHERE phase = 'centre' ORDER BY e.number DESC LIMIT 1")
	if got := ask("best"); got != want || !strings.Contains(got, ",40,mean_score,") || number == "0" {
		t.Errorf("best: got %s, want %s", got, want)
	}
	commands := [][]string{{"export", name}, {"init", "-from", name}, {"move", name, "-board", suggestedBoard},
		{"compare", name, name + ":0"}}
	refused := func(so string) {
		t.Helper()
		for _, args := range commands {
			code, _, stderr := invoke(context.Background(), append(args, "-db", db)...)
			want := "run " + name + " (killed) has no champion yet: its playoff has not ended. " + so
			if code != exitFailed || !strings.Contains(stderr, want) ||
				!strings.Contains(stderr, "tune resume 'x; touch pwned' -for 1h ") {
				t.Errorf("%v: exit code %d, want %s: %s", args, code, want, stderr)
			}
		}
	}
	t.Chdir(folder)
	write(t, name, "a file of the run's name is not meant\n")
	refused("The centre of the search so far: tune export 'x; touch pwned':" + number + " -db ")
	if code, _, stderr := invoke(context.Background(), "export", name+":"+number, "-db", db); code != exitOK {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	byHand(t, db, "DELETE FROM asked WHERE phase = 'centre'")
	if got := ask("best"); got != "" {
		t.Errorf("best: got %s before the first look", got)
	}
	refused("The same command as before resumes it")
}

// TestQuerySaysHowFarItLags: while a run goes on its figures are of an earlier moment, and the
// query says so. Whoever asks about another run is not told.
func TestQuerySaysHowFarItLags(t *testing.T) {
	folder := t.TempDir()
	db := filepath.Join(folder, "tune.db")
	c, err := config.Load(write(t, filepath.Join(folder, "looked.yaml"), looked))
	must(t, err)
	store, err := results.Open(db)
	must(t, err)
	defer store.Close()
	told, other := "", ""
	_, err = experiments.Experiment{Config: c, Simulator: simulator.NewPool(2), Store: store,
		Observe: func(p experiments.Progress) {
			if p.Generations == 3 && told == "" {
				_, _, told = invoke(t.Context(), "query", "-sql", "SELECT 1", "-db", db)
				_, _, other = invoke(t.Context(), "query", "-sql", "SELECT 1", "-db", db, "nobody")
			}
		}}.Run(t.Context())
	must(t, err)
	if !regexp.MustCompile(`^the views lag [1-9]\d* games of looked: it goes on, and its figures are written once a minute at most\n$`).MatchString(told) {
		t.Errorf("told %q", told)
	}
	if strings.Contains(other, "looked: it goes on") {
		t.Errorf("who asks about another run is told %q", other)
	}
}
