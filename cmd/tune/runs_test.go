package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// TestRowsOfOthers: what a database says is shown as it is meant. A run that began years ago
// and lay stopped did not take years. Shares are shown as shares. Candidates of one round that
// played another number of games each are found.
func TestRowsOfOthers(t *testing.T) {
	const (
		years = "UPDATE endings SET started_at = '2020-01-01T00:00:00.000Z'"
		share = "UPDATE endings SET objective = '{reach: 256}'; " +
			"UPDATE memo SET ranks = substr('[8,7,8,7]', 1, 2 * games) || ']'"
		rounds = "UPDATE asked SET games = 1 WHERE phase = 'validation' AND " +
			"candidate_id = (SELECT min(candidate_id) FROM asked WHERE phase = 'validation')"
	)
	for _, c := range []struct {
		change, command string
		code            int
		want            string
	}{
		{years, "runs", exitOK, "finished"},
		{years, "report -json", exitOK, `"signature of the play"`},
		{years, "report -o -", exitOK, "<html"},
		{share, "runs -wide", exitOK, " 50.0% [0.0, 100.0] share reaching 256 "},
		{rounds, "verify -all", exitFailed, "it is recorded as 1 games"},
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
	champion := summary.Player{Role: summary.Champion, Search: "depth by distinct -2 least 3 p 0.0001"}
	champion.Fitness = stats.Estimate{Value: 123456, Interval: stats.Interval{Low: 120000, High: 126000}}
	for _, length := range []int{1, 20, 40, 64} {
		name := strings.Repeat("n", length)
		var out bytes.Buffer
		_, err := runsTable([]results.Run{{
			Run: summary.Run{Kind: experiments.KindTune, Objective: fitness.MeanScore}, Name: name, Status: experiments.Finished,
			Headline: summary.Summary{Players: []summary.Player{champion}},
		}}).WriteRows(&out, 80)
		if err != nil || !strings.Contains(out.String(), name) || !strings.Contains(out.String(), "123,456 [120,000, 126,000]") {
			t.Errorf("%d letters: %v:\n%s", length, err, &out)
		}
	}
}

// TestVerifiedTinyScores: the mean of a bot's tiny scores keeps its digits.
func TestVerifiedTinyScores(t *testing.T) {
	var out bytes.Buffer
	mean := stats.Estimate{Value: 0.002, Interval: stats.Interval{Low: 0.001, High: 0.003}}
	verified{Searches: []verifiedSearch{{MeanScore: mean.Value, score: mean}}}.print(&out, "")
	if !strings.Contains(out.String(), "mean score 0.00200 [0.00100, 0.00300]") {
		t.Error(out.String())
	}
}

// TestRunsCountGamesOnce: the games of a row are of its time. Those of a run are of all its endings
// that have no row, the tuning once. An ending that is open has a row of its own.
func TestRunsCountGamesOnce(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ending := func(id int64, name, root string, tuned, own int64, status string) (r results.Run) {
		r.ID, r.Name, r.Root, r.Status, r.Games, r.OwnGames = id, name, root, status, tuned+own, own
		r.Worked, r.Started = time.Duration(id)*time.Second, at.Add(time.Duration(id)*time.Hour)
		return r
	}
	list := []results.Run{
		ending(9, "mine@open", "mine", 1300, 0, experiments.Running), ending(8, "other", "other", 70, 7, experiments.Finished),
		ending(7, "mine", "mine", 1200, 50, experiments.Finished), ending(5, "mine@80", "mine", 1000, 40, experiments.Finished),
		ending(3, "mine@40", "mine", 500, 30, experiments.Finished), ending(2, "compare", "compare", 0, 80, experiments.Finished),
	}
	for _, all := range []bool{false, true} {
		text := ""
		shown := ownShares(list)
		if !all {
			shown = longest(shown)
		}
		for _, r := range shown {
			text += fmt.Sprintf("%s %d %v %d; ", r.Name, r.Games, r.Worked, r.Started.Hour())
		}
		want := map[bool]string{
			true:  "mine@open 100 9s 9; other 77 8s 8; mine 250 7s 7; mine@80 540 5s 5; mine@40 530 3s 3; compare 80 2s 2; ",
			false: "mine@open 100 9s 9; other 77 8s 8; mine 1320 15s 3; compare 80 2s 2; ",
		}[all]
		if text != want {
			t.Errorf("-all=%v: got %s, want %s", all, text, want)
		}
	}
}

// TestRunsAsJSON: the help names all keys, and no others are there. What is not known is null.
func TestRunsAsJSON(t *testing.T) {
	data, err := json.Marshal(rowsOf([]results.Run{{Run: summary.Run{Objective: fitness.MeanScore}, Name: "mine", Done: -1}}))
	must(t, err)
	var rows []map[string]any
	must(t, json.Unmarshal(data, &rows))
	for name, value := range rows[0] {
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(page("runs")) {
			t.Errorf("tune help runs does not name %s", name)
		}
		if unknown := slices.Contains([]string{"finished", "expected_end", "done", "fingerprint"}, name); unknown != (value == nil) {
			t.Errorf("%s is %v", name, value)
		}
	}
	if len(rows[0]) != 15 || len(rowsOf(nil)) != 0 || rowsOf(nil) == nil {
		t.Errorf("got %v", rows[0])
	}
}
