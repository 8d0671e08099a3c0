package report

import (
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

// passing are the times, versions and folders in a report's JSON.
var passing = regexp.MustCompile(`(?s)("(?:started|updated|took|left|ms_per_move)": )[^,\n]*|\{\s*"name": "program",\s*"value": "[^"]*"\s*\},?\s*|\d+ CPU (?:s|ms)| -db [^" ]+`)

// TestReportOfARun pins the JSON of a report. The run is the one whose fingerprint every processor
// repeats.
func TestReportOfARun(t *testing.T) {
	const golden = "testdata/fingerprint.json"
	config := sure(os.ReadFile("../../.ci/fingerprint.yaml"))(t)
	data := sure(json.MarshalIndent(built(t, play(t, "name: fingerprint\n"+string(config), nil)), "", " "))(t)
	got := passing.ReplaceAllString(string(data), "$1")
	if *update {
		must(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	if want := sure(os.ReadFile(golden))(t); got != string(want) {
		t.Errorf("%s differs (-update writes it anew): got\n%s", golden, got)
	}
}
