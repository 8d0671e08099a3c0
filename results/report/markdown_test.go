package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/results"
	"tune2048/tuner/fitness"
)

var update = flag.Bool("update", false, "write the golden files anew")

// passing are the lines that are not a function of the config.
var passing = regexp.MustCompile(`(?m)^\| (time in games|started|took|program) \|.*\n| [0-9.]+(ns|µs|ms)\b`)

// passingJSON are the times and versions in a report's JSON.
var passingJSON = regexp.MustCompile(`(?s)("(?:started|updated|took|left|ms_per_move)": )[^,\n]*|\{\s*"name": "(?:time in games|started|took|program)",\s*"value": "[^"]*"\s*\},?\s*|\d+ CPU (?:s|ms)`)

// TestReportOfARun pins the Markdown and the JSON of a report. The run is the one whose
// fingerprint every processor repeats.
func TestReportOfARun(t *testing.T) {
	config := sure(os.ReadFile("../../.ci/fingerprint.yaml"))(t)
	r := built(t, play(t, "name: fingerprint\n"+string(config), nil))
	var b bytes.Buffer
	must(t, Markdown(&b, r))
	got := passing.ReplaceAllString(b.String(), "")
	checkGolden(t, "fingerprint.md", got)

	data := sure(json.MarshalIndent(r, "", " "))(t)
	checkGolden(t, "fingerprint.json", passingJSON.ReplaceAllString(string(data), "$1"))
}

// checkGolden compares a text with a file of testdata; -update writes the file anew.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		must(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want := sure(os.ReadFile(golden))(t)
	if got != string(want) {
		t.Errorf("%s differs (-update writes it anew): got\n%s", golden, got)
	}
}

// TestMarkdownObeysNothing: names from somebody else's database are text, wherever they stand.
func TestMarkdownObeysNothing(t *testing.T) {
	evil := []string{
		"<script>alert(1)</script>", "a | b", "`code`", "```\nfence", "[a](javascript:1)", "![a](http://x/y.png)", "line\nbreak\r\n# title", "@everyone #1",
		"**bold** __bold__ ~~x~~", "https://example.com", "&lt;", `\|`, "\x1b[2J\u202e\u009b", strings.Repeat("x", 3000),
	}
	for _, name := range evil {
		r := Report{Name: name, Unit: UnitOf(fitness.MeanScore), Headline: Headline{Text: name, Beside: name}, Convergence: convergenceSection{Text: name}}
		r.HeldOut = heldOutSection{Players: []figures{{Name: name, Search: name}}, Gains: []gainRow{{Text: name}}, Notes: []string{name}}
		r.Matters = mattersSection{Search: name, Features: []ablated{{Name: name, Text: name}}}
		r.Weights.Weights = []weightRow{{Name: name, Edge: name}}
		r.Made = madeSection{Facts: []fact{{name, name}}, Commands: []string{results.ShellWord(name)}, Config: name + "\n", File: name}
		r.Kind = experiments.KindTune
		var b bytes.Buffer
		must(t, Markdown(&b, r, r))
		fence := ""
		for line := range strings.Lines(strings.ReplaceAll(b.String(), "<details><summary>config</summary>", "")) {
			line = strings.TrimSuffix(strings.ReplaceAll(line, "</details>", ""), "\n")
			switch run := regexp.MustCompile("^`{3,}").FindString(line); {
			case fence == "" && run != "":
				fence = run
				continue
			case fence != "" && line == fence:
				fence = ""
				continue
			case fence != "":
				if run != "" && len(run) >= len(fence) {
					t.Errorf("%q ends the fence: %q", name, line)
				}
				continue
			}
			if strings.HasPrefix(line, "|") && strings.Count(line, "|") > 10 || strings.ContainsAny(line, "<>`\x1b\r\u202e\u009b@\\~") || strings.Contains(line, "](") ||
				strings.Contains(line, "://") || strings.Contains(line, "break") && !strings.Contains(line, "ine&#92;nbreak") ||
				strings.Contains(strings.ReplaceAll(line, "&#", ""), "#1") || strings.Contains(line, "__bold") {
				t.Errorf("%q: %q", name, line)
			}
		}
		if fence != "" {
			t.Errorf("%q: a fence is open", name)
		}
	}
}
