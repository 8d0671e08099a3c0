package report

import (
	"strings"
	"testing"

	"tune2048/experiments/summary"
	"tune2048/results"
)

// TestAllFailuresAreOfTheRun: a file may have other runs, whose failures the report does not count.
func TestAllFailuresAreOfTheRun(t *testing.T) {
	b := builder{run: results.Run{ID: 7}}
	b.Failures = make([]summary.Failure, mostFailures+1)
	b.failures()
	if got := b.report.Failures.Text; !strings.HasSuffix(got, `WHERE run_id = 7 AND failure IS NOT NULL"`) {
		t.Errorf("got %s", got)
	}
}
