package main

import (
	"context"
	"strings"
	"testing"
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
