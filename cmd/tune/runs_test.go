package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/tuner/fitness"
)

// TestRowsOfOthers: what a database says is shown as it is meant. A run that began years ago
// and lay stopped did not take years. Shares are shown as shares. Candidates of one round that
// played another number of games each are found.
func TestRowsOfOthers(t *testing.T) {
	const (
		years = "UPDATE runs SET started_at = '2020-01-01T00:00:00.000Z'"
		share = "UPDATE runs SET objective = '{reach: 256}'; " +
			"UPDATE standings SET fitness = 0.5, fitness_ci_low = 0.25, fitness_ci_high = 0.75, mean_score = 1234"
		rounds = "UPDATE evaluations SET games = 1 WHERE phase = 'validation' AND " +
			"candidate_id = (SELECT min(candidate_id) FROM evaluations WHERE phase = 'validation')"
	)
	for _, c := range []struct {
		change, command string
		code            int
		want            string
	}{
		{years, "runs", exitOK, "finished"},
		{years, "report -markdown", exitOK, "| optimizer |"},
		{years, "report -o -", exitOK, "<html"},
		{share, "runs -wide", exitOK, " 50.0% [25.0, 75.0] share reaching 256 "},
		{rounds, "verify -all", exitFailed, "stored games differ from the games"},
	} {
		args := append(strings.Fields(c.command), "-db", hostileDatabase(t, c.change))
		code, stdout, stderr := invoke(context.Background(), args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) || strings.Contains(stdout, "over a month") {
			t.Errorf("%s: exit code %d, want %s in %.2000s%s", c.command, code, c.want, stdout, stderr)
		}
	}
}

// TestRunsKeepTheHeldOutMean: in 80 columns every run has its champion's held-out mean, whatever
// the length of its name.
func TestRunsKeepTheHeldOutMean(t *testing.T) {
	mean := results.HeldOut{Search: "depth by distinct -2 least 3 p 0.0001", Objective: fitness.MeanScore}
	mean.Fitness = stats.Estimate{Value: 123456, Interval: stats.Interval{Low: 120000, High: 126000}}
	for _, length := range []int{1, 20, 40, 64} {
		name := strings.Repeat("n", length)
		var out bytes.Buffer
		_, err := runsTable([]results.Run{{Name: name, Kind: "tune", Status: "finished", HeldOut: []results.HeldOut{mean}}}).WriteRows(&out, 80)
		if err != nil || !strings.Contains(out.String(), name) || !strings.Contains(out.String(), "123,456 [120,000, 126,000]") {
			t.Errorf("%d letters: %v:\n%s", length, err, &out)
		}
	}
}
