package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// compareShape are the keys of compare -json and the kinds of their values: programs read them.
const compareShape = `
comparisons[].detectable_difference number
comparisons[].games number
comparisons[].nodes number
comparisons[].pairs[].better null
comparisons[].pairs[].better string
comparisons[].pairs[].ci[] number
comparisons[].pairs[].confidence number
comparisons[].pairs[].difference number
comparisons[].pairs[].first string
comparisons[].pairs[].games number
comparisons[].pairs[].look number
comparisons[].pairs[].p_value number
comparisons[].pairs[].p_value_holm number
comparisons[].pairs[].ratio number
comparisons[].pairs[].ratio_ci[] number
comparisons[].pairs[].second string
comparisons[].pairs[].verdict string
comparisons[].players[].candidate number
comparisons[].players[].ci[] number
comparisons[].players[].cost.nodes_per_game number
comparisons[].players[].cost.nodes_per_move number
comparisons[].players[].cost.wall_us_per_game number
comparisons[].players[].cost.wall_us_per_move number
comparisons[].players[].games number
comparisons[].players[].mean_score number
comparisons[].players[].moves number
comparisons[].players[].nodes number
comparisons[].players[].player string
comparisons[].players[].sd_score number
comparisons[].replayed number
comparisons[].run string
comparisons[].search string
level number
method string
objective string
players[].dead number
players[].dead string
players[].from string
players[].name string
players[].weights.empty number
players[].weights.line number
players[].weights.merges number
players[].weights.monotonicity number
players[].weights.monotonicity_power number
players[].weights.sum number
players[].weights.sum_power number
power number
seed number
smallest_difference number
tests number
`

// shape lists the keys of a JSON value with the kinds of what they hold.
func shape(path string, v any, found map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, entry := range v {
			shape(strings.TrimPrefix(path+"."+key, "."), entry, found)
		}
	case []any:
		for _, entry := range v {
			shape(path+"[]", entry, found)
		}
	case nil:
		found[path+" null"] = true
	case float64:
		found[path+" number"] = true
	default:
		found[fmt.Sprintf("%s %T", path, v)] = true
	}
}

func TestCompareJSON(t *testing.T) {
	folder := t.TempDir()
	weights := filepath.Join(folder, "bad.json")
	if err := os.WriteFile(weights, []byte(`{"weights": {"empty": 0, "merges": -700}, "dead": "worst"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other.json")
	if err := os.WriteFile(other, []byte(`{"empty": 271}`), 0o644); err != nil {
		t.Fatal(err)
	}
	nneonneo := "../../configs/nneonneo.yaml"
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"compare", nneonneo, weights, other, "-config", nneonneo, "-depth", "1", "-games", "200", "-json",
		"-db", filepath.Join(folder, "tune.db")}, &stdout, &stderr)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	var v any
	if err := json.Unmarshal(stdout.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	shape("", v, found)
	var keys []string
	for key := range found {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if got, want := strings.Join(keys, "\n"), strings.TrimSpace(compareShape); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMirroredPair(t *testing.T) {
	a, b := stats.Moments{N: 50, Mean: 12, M2: 900}, stats.Moments{N: 50, Mean: 10, M2: 700}
	design := stats.DefaultPlan().Design()
	pair := func(first, second stats.Moments) experiments.Pair {
		return experiments.Pair{Finding: design.Look(9, first, second)}
	}
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*math.Abs(y) }
	got, want := mirrored(pair(b, a)), pair(a, b)
	for what, pair := range map[string][2]stats.Estimate{"difference": {got.Difference, want.Difference}, "ratio": {got.Ratio, want.Ratio}} {
		g, w := pair[0], pair[1]
		if !near(g.Value, w.Value) || !near(g.Interval.Low, w.Interval.Low) || !near(g.Interval.High, w.Interval.High) {
			t.Errorf("%s: got %+v, want %+v", what, g, w)
		}
	}
	if got.Verdict != want.Verdict || got.Z != want.Z {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if i := mirrored(pair(stats.Moments{N: 50, Mean: 1, M2: 9000}, a)).Ratio.Interval; i.Bounded() {
		t.Errorf("divided by what cannot be told from 0: %v", i)
	}
}

func TestPercentage(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0.05": 0.05, "500%": 5, "0.1%": 0.001} {
		var p percentage
		if err := p.Set(text); err != nil || math.Abs(float64(p)-want) > 1e-15 {
			t.Errorf("%s: %v, %v", text, float64(p), err)
		}
	}
	for text, want := range map[string]string{
		"5": "want 5% or 0.05", "1": "want 1% or 0.01", "1.5": "want 1.5% or 0.015", "0": "such as 5% or 0.05", "-5%": "such as 5% or 0.05",
		"Inf": "such as 5% or 0.05", "NaN": "such as 5% or 0.05", "five": "such as 5% or 0.05", "": "such as 5% or 0.05",
	} {
		var p percentage
		if err := p.Set(text); err == nil || !strings.Contains(err.Error(), want) || p != 0 {
			t.Errorf("%q: %v, %v, want an error with %q", text, float64(p), err, want)
		}
	}
}
