package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/results"
)

// TestFalseTimesAndCounts: a time, a count or a text that decides no result makes no run
// unreadable. Nor does it keep the run from going on.
func TestFalseTimesAndCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	t.Parallel()
	db := hostileDatabase(t)
	text, err := os.ReadFile(db)
	must(t, err)
	config, changed := filepath.Join(filepath.Dir(db), "ok.yaml"), filepath.Join(t.TempDir(), "tune.db")
	for change, alsoVerify := range map[string]bool{
		"asked SET duration_us = -1": true, "asked SET duration_us = 9223372036854775807": true,
		"asked SET moves = -1": false, "asked SET nodes = -1": false,
		"asked SET nodes = 9223372036854775807": false, "asked SET moves = 9223372036854775807": false,
		"memo SET times = (SELECT json_group_array(-9223372036854775808) FROM json_each(memo.times))":       true,
		"memo SET workers = (SELECT json_group_array(9223372036854775807) FROM json_each(memo.times))":      true,
		"memo SET boards = zeroblob(length(boards))":                                                        true,
		"endings SET started_at = 'yesterday', updated_at = '', finished_at = char(27) || '[2J'":            true,
		"endings SET expected_end = 'soon', status = 'interrupted', fingerprint = NULL":                     true,
		"endings SET worked_ms = 9223372036854775807, done = 7, status = 'interrupted', fingerprint = NULL": true,
		"endings SET worked_ms = -9223372036854775808, done = -1, own_games_only = 7":                       true,
		"endings SET go_version = '', goarch = char(10), note = char(10), name = char(27)":                  true,
		"endings SET figured_games = -9223372036854775808, figured = -9223372036854775808":                  false,
		"endings SET figured_games = 9223372036854775807, figured = 9223372036854775807":                    false,
		"searches SET note = char(10)": true,
	} {
		write(t, changed, string(text))
		byHand(t, changed, "UPDATE "+change)
		for _, args := range [][]string{{"runs"}, {"runs", "-all"}, {"report", "-json"}, {"export"}, {"query", "cost"},
			{"query", "best"},
			{"verify"}, {"-config", config}, {"-config", config, "-more", "1"}} {
			code, _, stderr := invoke(context.Background(), append(args, "-db", changed)...)
			if differs := args[0] == "verify" && !alsoVerify; code != exitOK && !differs || strings.Contains(stderr, "damaged") {
				t.Errorf("%s: %v: exit code %d: %s", change, args, code, stderr)
			}
		}
	}
	// Where a candidate came about is a part of the search, which would go on from another one.
	write(t, changed, string(text))
	byHand(t, changed, "UPDATE candidates SET generation = -1, stage = char(27)")
	for _, args := range [][]string{{"runs"}, {"report", "-json"}, {"export"}, {"query", "best"}, {"-config", config},
		{"-config", config, "-more", "1"}} {
		code, _, stderr := invoke(context.Background(), append(args, "-db", changed)...)
		if goesOn := slices.Contains(args, "-more"); goesOn != (code != exitOK) || goesOn &&
			!strings.Contains(stderr, "or changed by hand; start afresh with -new") {
			t.Errorf("%v: exit code %d: %s", args, code, stderr)
		}
	}
	// Somebody's bot may say more than is read.
	write(t, changed, string(text))
	byHand(t, changed, "UPDATE memo SET failure = printf('%.*c', 100000, 'x') WHERE id IN (SELECT memo_id "+
		"FROM asked WHERE phase = 'validation'); UPDATE asked SET games = 0 WHERE phase = 'validation'")
	reader, err := results.OpenReader(changed)
	must(t, err)
	defer reader.Close()
	if _, err := reader.Evaluations(context.Background(), 2); err != nil {
		t.Error(err)
	}
}
