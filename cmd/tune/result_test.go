package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/results/export"
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
optimizer: {population: 10}
stages: [{name: tune, generations: 6, games: 10, rounds: 2}]
playoff: {finalists: 4, games: 100}
validation: {games: 300, search: [{depth: 1}, {depth: 2}]}
references: {no_empty: {from: champion, weights: {empty: 0}}, source: {}}
ablation: {games: 1000}
`

// TestAnswersAgree: what a run prints, its JSON, the export, the list of runs and the SQL have the same champion, gains and
// verdicts, all in the objective's unit.
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
	text := command("-config", config)
	var result resultJSON
	decode(command("-config", config, "-json"), &result)
	exported, err := export.Read([]byte(command("export")))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Champion int
		HeldOut  []heldOutJSON `json:"validation"`
	}
	decode(command("runs", "-json"), &list)
	var champions, ablation, verdicts []map[string]any
	decode(command("query", "-json", "-sql", "select * from champions order by search"), &champions)
	decode(command("query", "-json", "ablation"), &ablation)
	decode(command("query", "-json", "comparisons"), &verdicts)

	if !strings.Contains(text, fmt.Sprintf("champion is candidate %d ", result.Champion)) || exported.Candidate != result.Champion ||
		list[0].Champion != result.Champion || champions[0]["number"] != float64(result.Champion) || result.Objective != "{reach: 256}" {
		t.Errorf("another champion: %d, %d, %v\n%s", result.Champion, list[0].Champion, champions[0]["number"], text)
	}
	words := map[any]string{"better": "better than the start weights", "worse": "worse than the start weights", "no difference found": "no gain found"}
	for i, v := range result.Validated {
		row := champions[i]
		for column, want := range map[string]float64{
			"games": 300, "fitness": v.Champion.Fitness, "fitness_ci_low": v.Champion.FitnessCI[0], "mean_score": v.Champion.MeanScore,
			"start_fitness": v.Start.Fitness, "start_mean": v.Start.MeanScore,
			"gain": v.Gain.Difference, "gain_ci_low": v.Gain.CI[0], "gain_ci_high": v.Gain.CI[1], "gain_ratio": *v.Gain.Ratio,
		} {
			if row[column] != want {
				t.Errorf("%s: %s is %v in SQL, %v in JSON", v.Search, column, row[column], want)
			}
		}
		want := heldOutJSON{v.Search, result.Objective, 300, v.Champion.Fitness, v.Champion.FitnessCI, v.Champion.MeanScore, v.Champion.CI,
			v.Start.Fitness, v.Start.MeanScore, v.Gain.Difference, v.Gain.CI, fmt.Sprint(row["verdict"])}
		if got, want := marshal(t, list[0].HeldOut[i]), marshal(t, want); got != want {
			t.Errorf("runs has %s, want %s", got, want)
		}
		h := exported.HeldOut[i]
		if got, want := marshal(t, heldOutJSON{h.Search, exported.Objective, h.Games, h.Fitness, h.FitnessCI, h.MeanScore, h.CI,
			v.Start.Fitness, h.StartMean, *h.Gain, h.GainCI, h.Verdict}), marshal(t, want); got != want {
			t.Errorf("export has %s, want %s", got, want)
		}
		if v.Search != row["search"] || row["objective"] != "{reach: 256}" || v.Verdict != words[row["verdict"]] {
			t.Errorf("%s: %q in JSON, in SQL %v", v.Search, v.Verdict, row)
		}
		if line := fmt.Sprintf("%s: gain %+.1f [%.1f, %.1f] points, ratio %.3f", v.Search, 100*v.Gain.Difference, 100*v.Gain.CI[0], 100*v.Gain.CI[1],
			*v.Gain.Ratio); !strings.Contains(text, line) || v.Champion.Fitness > 1 || math.Abs(v.Gain.Difference-(v.Champion.Fitness-v.Start.Fitness)) > 1e-12 {
			t.Errorf("want %s in\n%s", line, text)
		}
		if line := fmt.Sprintf("over no_empty %+.1f [", 100*v.References["no_empty"].Gain.Difference); !strings.Contains(text, line) {
			t.Errorf("want %s in\n%s", line, text)
		}
	}
	if !strings.Contains(text, "start weights, source  ") || strings.Contains(text, "over source") { // they play the same games
		t.Errorf("the start weights and source have rows of their own:\n%s", text)
	}
	if len(champions) != 2 || len(result.Validated) != 2 || len(verdicts) != 4 || verdicts[0]["objective"] != "{reach: 256}" {
		t.Errorf("champions %v\ncomparisons %v", champions, verdicts)
	}

	seen := map[string]bool{}
	for _, f := range result.Ablation {
		seen[f.Verdict] = true
		line := false
		for l := range strings.Lines(text) {
			words := strings.Join(strings.Fields(l), " ")
			line = line || strings.HasPrefix(words, fmt.Sprintf("%s %g %d %s: ", f.Feature, f.Weight, f.Games, f.Verdict))
		}
		rows := 0
		for _, row := range ablation {
			if row["feature"] != f.Feature {
				continue
			}
			rows++
			low := 100 * (f.RatioCI[0] - 1)
			if row["verdict"] != f.Verdict || row["games"] != float64(f.Games) || math.Abs(row["ci_low_percent"].(float64)-low) > 1e-9 || row["confidence"] != f.Confidence {
				t.Errorf("%+v in JSON, in SQL %v", f, row)
			}
		}
		if !line || rows != min(1, f.Games) { // a feature of weight 0 has played none
			t.Errorf("%s: %d rows, in the text %v:\n%s", f.Feature, rows, line, text)
		}
	}
	if len(result.Ablation) != 4 || !seen["matters"] || !seen["can be left out"] {
		t.Errorf("got %+v", result.Ablation)
	}
	if result.Trend == nil || !strings.Contains(text, result.Trend.Text) {
		t.Errorf("trend %+v in\n%s", result.Trend, text)
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestHeldOutInItsUnit: the list of runs shows shares as shares, with the mean score beside them.
func TestHeldOutInItsUnit(t *testing.T) {
	db := hostileDatabase(t, "UPDATE runs SET objective = '{reach: 256}'", "UPDATE standings SET fitness = 0.5, fitness_ci_low = 0.25, fitness_ci_high = 0.75, mean_score = 1234")
	if _, stdout, _ := invoke(context.Background(), "runs", "-db", db); !strings.Contains(stdout, " 50.0% [25.0, 75.0] share reaching 256, mean score 1234 ") {
		t.Errorf("got %s", stdout)
	}
}
