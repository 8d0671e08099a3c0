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

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
	"tune2048/results/report"
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
		if err != nil || !strings.Contains(out.String(), name) ||
			!strings.Contains(out.String(), "123,456 [120,000, 126,000]") {
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

// TestRunsCountGamesOnce: the games of a run are of its longest ending, of which it also says how
// many were there before. An ending that is open has a row of its own. The view runs says the same.
func TestRunsCountGamesOnce(t *testing.T) {
	ending := func(id int64, name, root string, games, reused int64, status string) (r results.Run) {
		r.ID, r.Name, r.Root, r.Status, r.Games, r.Reused = id, name, root, status, games, reused
		return r
	}
	list := []results.Run{
		ending(9, "mine@open", "mine", 1300, 1200, experiments.Running),
		ending(7, "mine", "mine", 1250, 500, experiments.Finished),
		ending(3, "mine@40", "mine", 530, 0, experiments.Finished), ending(2, "older", "older", 80, -1, experiments.Finished),
	}
	text := ""
	for _, row := range runsTable(longest(list)).Rows {
		text += fmt.Sprintln(row[0], row[6], row[7])
	}
	if want := "mine@open 1,300 1,200\nmine 1,250 500\nolder 80 \n"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

// TestFoundInNumbers: the figures of tune runs -json are numbers: of a champion over the start
// weights, of a comparison of the best player over the next one, whichever was the baseline.
func TestFoundInNumbers(t *testing.T) {
	interval := func(value, low, high float64) stats.Estimate {
		return stats.Estimate{Value: value, Interval: stats.Interval{Low: low, High: high}}
	}
	player := func(number int, name string, role summary.Role, mean float64) summary.Player {
		return summary.Player{Name: name, Role: role, Candidate: number, Search: "depth 3",
			Fitness: interval(mean, mean-1, mean+1)}
	}
	gain := func(candidate, baseline int, ratio stats.Estimate, verdict string) summary.Gain {
		return summary.Gain{Comparison: experiments.Comparison{Search: "depth 3", Candidate: candidate, Baseline: baseline,
			Ratio: ratio, Verdict: verdict}}
	}
	for _, c := range []struct {
		s    summary.Summary
		best string
		want string
	}{
		{summary.Summary{Players: []summary.Player{player(9, "champion", summary.Champion, 150),
			player(0, "start weights", summary.Start, 100),
			player(5, "published", summary.Reference, 200)},
			Gains: []summary.Gain{gain(9, 5, interval(0.75, 0.5, 1), experiments.Worse),
				gain(9, 0, interval(1.5, 1.25, 2), experiments.Better)}}, "150 [149, 151]",
			`{"search":"depth 3","player":"champion","fitness":{"value":150,"low":149,"high":151},"over":"start weights",` +
				`"gain_percent":{"value":50,"low":25,"high":100},"verdict":"better","text":""}`},
		{summary.Summary{Players: []summary.Player{player(0, "a", summary.Compared, 100),
			player(1, "b", summary.Compared, 200), player(2, "c", summary.Compared, 50)},
			Gains: []summary.Gain{gain(0, 1, interval(0.5, 0, 0.8), experiments.Worse)}}, "b",
			`{"search":"depth 3","player":"b","fitness":{"value":200,"low":199,"high":201},"over":"a",` +
				`"gain_percent":{"value":100,"low":25,"high":null},"verdict":"better","text":""}`},
	} {
		got, err := json.Marshal(foundAt(c.s, report.Listed{Search: "depth 3", Best: c.best}))
		if must(t, err); string(got) != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestRunsAsJSON: the help names all keys, and no others are there. What is not known is null.
func TestRunsAsJSON(t *testing.T) {
	data, err := json.Marshal(rowsOf([]results.Run{{Run: summary.Run{Objective: fitness.MeanScore}, Name: "mine", Done: -1,
		Reused: -1}}))
	must(t, err)
	var rows []map[string]any
	must(t, json.Unmarshal(data, &rows))
	for name, value := range rows[0] {
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(page("runs")) {
			t.Errorf("tune help runs does not name %s", name)
		}
		if unknown := slices.Contains([]string{"finished", "expected_end", "done", "fingerprint", "reused_games"},
			name); unknown != (value == nil) {
			t.Errorf("%s is %v", name, value)
		}
	}
	if len(rows[0]) != 16 || len(rowsOf(nil)) != 0 || rowsOf(nil) == nil {
		t.Errorf("got %v", rows[0])
	}
}
