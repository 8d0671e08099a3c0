package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/results/dashboard"
	"tune2048/results/export"
)

// TestValidConfigs takes valid configs through all commands. Each works to its end, and prints no
// NaN and no infinity. The configs of testdata/valid use the ends of their keys' ranges.
func TestValidConfigs(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	paths, err := filepath.Glob("testdata/valid/*.yaml")
	must(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		t.Run(filepath.Base(path), func(t *testing.T) { runValidConfig(t, string(text)) })
	}
}

// TestShippedConfigs: check has nothing to say against a config that we ship. Its table follows its
// first line.
func TestShippedConfigs(t *testing.T) {
	t.Parallel()
	for _, name := range config.Names() {
		code, stdout, stderr := invoke(context.Background(), "check", "-config", "../../configs/"+name+".yaml")
		if _, rest, _ := strings.Cut(stdout, "\n\n"); code != exitOK || stderr != "" || !strings.HasPrefix(rest, "phase ") {
			t.Errorf("%s: exit code %d\n%s%s", name, code, stdout, stderr)
		}
	}
}

// notFinite finds a word that stands for no finite number.
var notFinite = regexp.MustCompile(`\b(NaN|nan|[Ii]nf(inity)?)\b`)

// lifetime takes a config through all commands, in a folder of its own.
type lifetime struct {
	*testing.T
	config string
}

// command runs the program in this process and returns its output.
func (l *lifetime) command(args ...string) string {
	l.Helper()
	code, stdout, stderr := invoke(context.Background(), args...)
	l.check(code == exitOK, stdout+stderr, "tune %q: exit code %d", args, code)
	return stdout
}

// check ends the test with the config, unless all is well and the text has finite figures only.
func (l *lifetime) check(ok bool, text, format string, args ...any) {
	l.Helper()
	if at := notFinite.FindStringIndex(text); at != nil {
		ok, text = false, "not finite: "+text[max(0, at[0]-300):min(len(text), at[1]+300)]
	}
	if !ok {
		l.Fatalf("%s:\n%.4000s\nwith the config:\n%s", fmt.Sprintf(format, args...), text, l.config)
	}
}

// atText calls do when a text is written.
type atText struct {
	text string
	do   func()
}

func (a atText) Write(p []byte) (int, error) {
	if strings.Contains(string(p), a.text) {
		a.do()
	}
	return len(p), nil
}

func runValidConfig(t *testing.T, text string) {
	t.Chdir(t.TempDir())
	write(t, "weights.json", `{"n3": 0.5, "n3_power": 0.08167916785354941, "sum": -747.2026246333708}`)
	c, err := config.Load(write(t, "valid.yaml", text))
	must(t, err)
	l := &lifetime{t, text}
	l.command("check", "-config", "valid.yaml")
	l.command("check", "-config", "valid.yaml", "-show")
	l.command("check", "-config", "valid.yaml", "-for", "8h")

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out, stderr strings.Builder
	code := run(ctx, []string{"-config", "valid.yaml", "-workers", "2"}, &out,
		io.MultiWriter(&stderr, atText{"msg=progress", cancel}))
	l.check(code == exitInterrupted, out.String()+stderr.String(), "interrupted at its first game: exit code %d", code)
	l.look(c.Name)
	l.command("-config", "valid.yaml", "-workers", "2")
	l.command("-config", "valid.yaml", "-workers", "1", "-db", "undisturbed.db")
	const fingerprints = "SELECT fingerprint FROM runs"
	interrupted, undisturbed := l.command("query", "-csv", "-sql", fingerprints),
		l.command("query", "-csv", "-sql", fingerprints, "-db", "undisturbed.db")
	l.check(interrupted == undisturbed, interrupted+undisturbed, "the interrupted run has another fingerprint")
	l.command("-config", "valid.yaml", "-more", "1", "-json")
	l.look(c.Name)
	l.command("compare", c.Name, c.Name+":0", "-games", "4")
	l.command("compare", c.Name, "valid.yaml", "-depth", "1,2", "-difference", "90%", "-json")
	l.command("query", "comparisons")
	for _, format := range exportFormatNames() {
		code, _, stderr := invoke(context.Background(), "export", c.Name, "-format", format, "-o", "Export."+format)
		noTable := format == "tables" && strings.Contains(stderr, "is not a sum over rows and columns alike")
		l.check(code == exitOK || noTable, stderr, "export -format %s: exit code %d", format, code)
		if exported, err := os.ReadFile("Export." + format); !noTable && format != "html" &&
			!slices.Contains(export.Languages(), format) { // these have functions that return NaN
			l.check(err == nil, string(exported), "export -format %s: %v", format, err)
		}
	}
	l.command("verify", "Export.json")
	l.command("play", "-weights", "Export.json", "-config", "valid.yaml", "-json")
	l.command("move", "-weights", "Export.flat", "-config", "valid.yaml", "-board",
		"0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4")

	l.command("init", "-from", c.Name, "next")
	next, err := os.ReadFile("next.yaml")
	l.check(err == nil, string(next), "init: %v", err)
	l.command("init", "-from", "Export.json", "again")
	again, err := os.ReadFile("again.yaml")
	l.check(err == nil && strings.ReplaceAll(string(again), "again", "next") == string(next), string(again),
		"init -from Export.json: %v", err)
	l.config += "\nand the one after it:\n" + string(next)
	l.command("check", "-config", "next.yaml")
	l.command("-config", "next.yaml", "-workers", "2")
}

// look looks at a run in every way.
func (l *lifetime) look(name string) {
	l.Helper()
	l.command("verify", name, "-all")
	l.command("report", name, "-o", "page.html")
	l.command("report", name, "-json")
	l.command("runs")
	l.command("runs", "-all")
	for _, query := range queryNames() {
		l.command("query", query, "-json")
	}
	for _, view := range strings.Fields(l.command("query", "-csv", "-sql", "SELECT name FROM sqlite_schema "+
		"WHERE type = 'view'"))[1:] {
		l.command("query", "-csv", "-sql", "SELECT * FROM "+view)
	}
	pages := dashboard.New(defaultDatabase, dashboard.Options{})
	paths := []string{"/", "/runs/" + name, "/runs/" + name + "/report.json"}
	var games []struct{ ID int64 }
	json.Unmarshal([]byte(l.command("query", "-json", "-sql", "SELECT g.id FROM games AS g "+
		"JOIN runs AS r ON r.id = g.run_id WHERE r.name = '"+name+"' LIMIT 1")), &games)
	for _, game := range games {
		paths = append(paths, fmt.Sprintf("/runs/%s/replays/%d.json", name, game.ID))
	}
	for _, path := range paths {
		answer := httptest.NewRecorder()
		pages.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
		text := visible(answer.Body.String())
		if strings.Contains(path, "/replays/") && answer.Code == http.StatusOK {
			text = "" // in Base64, which may have any word
		}
		l.check(answer.Code < 400, text, "%s: status %d", path, answer.Code)
	}
	page, err := os.ReadFile("page.html")
	l.check(err == nil, visible(string(page)), "the page: %v", err)
}

// visible is a page without its programs.
func visible(page string) (text string) {
	for part := range strings.SplitSeq(page, "<script") {
		if _, after, found := strings.Cut(part, "</script>"); found {
			part = after
		}
		text += part
	}
	return text
}
