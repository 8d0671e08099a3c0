package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/results"
)

// TestFalseTimesAndCounts: a time, a count or a text that decides no result makes no run
// unreadable. Nor does it keep the run from going on.
func TestFalseTimesAndCounts(t *testing.T) {
	t.Parallel()
	db := hostileDatabase(t)
	text, err := os.ReadFile(db)
	must(t, err)
	config, changed := filepath.Join(filepath.Dir(db), "ok.yaml"), filepath.Join(t.TempDir(), "tune.db")
	for change, alsoVerify := range map[string]bool{
		"asked SET duration_us = -1": true, "asked SET duration_us = 9223372036854775807": true,
		"asked SET moves = -1": false, "asked SET nodes = -1": false,
		"asked SET nodes = 9223372036854775807": false, "asked SET moves = 9223372036854775807": false,
		"memo SET times = replace(times, '[', '[-9223372036854775808,'), workers = '[7'": true, "memo SET boards = x'00', times = 'x'": true,
		"runs SET started_at = 'yesterday', updated_at = '', finished_at = char(27) || '[2J'": true,
		"runs SET expected_end = 'soon', status = 'interrupted'":                              true,
		"runs SET worked_ms = 9223372036854775807, done = 7, status = 'interrupted'":          true,
		"runs SET worked_ms = -9223372036854775808, done = -1, own_games_only = 7":            true,
		"runs SET kind = kind, go_version = '', goarch = char(10), note = char(10)":           true,
		"candidates SET generation = -1, stage = char(27)":                                    false,
	} {
		write(t, changed, string(text))
		byHand(t, changed, "UPDATE "+change)
		for _, args := range [][]string{{"runs"}, {"runs", "-all"}, {"report", "-json"}, {"export"}, {"query", "cost"}, {"query", "best"},
			{"verify"}, {"-config", config}, {"-config", config, "-more", "1"}} {
			code, _, stderr := invoke(context.Background(), append(args, "-db", changed)...)
			if differs := args[0] == "verify" && !alsoVerify; code != exitOK && !differs || strings.Contains(stderr, "damaged") {
				t.Errorf("%s: %v: exit code %d: %s", change, args, code, stderr)
			}
		}
	}
	// Somebody's bot may say more than is read.
	write(t, changed, string(text))
	byHand(t, changed, "UPDATE memo SET failure = printf('%.*c', 100000, 'x') WHERE id IN (SELECT memo_id FROM asked WHERE phase = 'validation'); UPDATE asked SET games = 0 WHERE phase = 'validation'")
	reader, err := results.OpenReader(changed)
	must(t, err)
	defer reader.Close()
	if _, err := reader.Evaluations(context.Background(), 1); err != nil {
		t.Error(err)
	}
}
