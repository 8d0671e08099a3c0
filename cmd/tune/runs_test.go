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

// TestTookIsTheTimeOfWork: a run that was begun years ago and lay stopped since did not take
// years, wherever its time is shown.
func TestTookIsTheTimeOfWork(t *testing.T) {
	db := hostileDatabase(t, "UPDATE runs SET started_at = '2020-01-01T00:00:00.000Z'")
	for _, args := range [][]string{{"runs"}, {"report", "-markdown"}, {"report", "-o", "-"}} {
		code, stdout, stderr := invoke(context.Background(), append(args, "-db", db)...)
		if code != exitOK || strings.Contains(stdout, "over a month") {
			t.Errorf("%v: exit code %d: %.2000s%s", args, code, stdout, stderr)
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
