package main

import (
	"encoding/json"
	"html"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// copied matches what a page's buttons copy: commands and a config.
var copied = regexp.MustCompile(`data-copy="([^"]*)"`)

// TestCommandsOfPages: each command of a run's page works as it stands beside a copy of the page's
// config. It is about that run, which need not be the newest, and about the page's database. So is
// the command that made the run, with the config that the user ran.
func TestCommandsOfPages(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "four.yaml"), "name: five\n"+suggestedConfig)
	write(t, filepath.Join(folder, "mybot.yaml"), `
name: six
player: {command: [greedybot], answers: moves, weights: {a: {min: 0, max: 1}, b: 1}}
optimizer: {algorithm: genetic, population: 4}
stages: [{generations: 2, games: 2}]
playoff: {finalists: 2, games: 4}
validation: {games: 8}
`)
	const db = " -db 'my db/x.db'"
	shell := func(command string) (stdout, stderr string) {
		t.Helper()
		var out, said strings.Builder
		process := exec.Command("sh", "-c", command)
		process.Dir, process.Stdout, process.Stderr = folder, &out, &said
		if err := process.Run(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, &said)
		}
		return out.String(), said.String()
	}
	shell("mkdir 'my db'")
	for _, command := range []string{
		"tune -config four.yaml -generations 1", "tune -config four.yaml -generations 1 -more 2", "tune -config four.yaml -seeds 2", "tune -config mybot.yaml",
	} {
		shell(command + db)
	}
	type listed struct{ Name, Fingerprint string }
	runs := func() (list []listed) {
		text, _ := shell("tune query -json -sql 'SELECT name, coalesce(fingerprint, \"\") AS fingerprint FROM runs ORDER BY id DESC'" + db)
		must(t, json.Unmarshal([]byte(text), &list))
		return list
	}
	// had carries out a run and returns its fingerprint.
	had := func(command string) string {
		text, _ := shell(command + " -json")
		var done struct{ Run string }
		must(t, json.Unmarshal([]byte(text), &done))
		all := runs()
		return all[slices.IndexFunc(all, func(r listed) bool { return r.Name == done.Run })].Fingerprint
	}
	own := map[string]string{"five": "four.yaml", "five@2": "four.yaml", "five@1": "four.yaml", "six": "mybot.yaml"}
	seen := ""
	for _, run := range runs() {
		page, _ := shell("tune report -o - " + run.Name + db)
		now := runs() // the pages before may have gone on with it
		run.Fingerprint = now[slices.IndexFunc(now, func(r listed) bool { return r.Name == run.Name })].Fingerprint
		var commands []string
		for _, button := range copied.FindAllStringSubmatch(page, -1) {
			if text := html.UnescapeString(button[1]); strings.HasPrefix(text, "tune ") {
				commands = append(commands, text)
			} else {
				write(t, filepath.Join(folder, "FILE"), text)
			}
		}
		if strings.Contains(strings.Join(commands, ""), "FILE") != strings.Contains(rendered(page), "FILE is a copy of the config") {
			t.Errorf("%s: its page has the commands %q", run.Name, commands)
		}
		for _, command := range commands {
			if !strings.Contains(command, db) {
				t.Errorf("%s: %s: want%s", run.Name, command, db)
			}
			switch runs := strings.HasPrefix(command, "tune -config FILE"); {
			case runs && strings.HasSuffix(command, " -more 20"):
				if _, said := shell(command); !strings.Contains(said, " goes on and gets another ending") {
					t.Errorf("%s: %s: got\n%s", run.Name, command, said)
				}
			case runs:
				for _, file := range []string{"FILE", own[run.Name]} {
					if again := strings.Replace(command, "FILE", file, 1); file != "" && had(again) != run.Fingerprint {
						t.Errorf("%s: %s: another run", run.Name, again)
					}
				}
			case !strings.Contains(command+" ", " "+run.Name+" "):
				t.Errorf("%s: %s: want its name", run.Name, command)
			default:
				shell(command)
			}
		}
		seen += run.Name + " "
	}
	if seen != "six compare five-seed-2049 five@2 five five@1 " {
		t.Errorf("the runs are %s", seen)
	}
}
