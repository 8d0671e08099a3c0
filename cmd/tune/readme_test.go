package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/engine"
)

// readmes are the front page and those of the folders, whose commands go on from the front page's.
func readmes(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"../../README.md"}, pages...)
}

// blocks returns a page's fenced code blocks of a language.
func blocks(t *testing.T, page, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.Split(string(text), "```") {
		if block, ok := strings.CutPrefix(part, language+"\n"); ok && i%2 == 1 {
			found = append(found, block)
		}
	}
	return found
}

// TestReadmeCommands runs every command of the READMEs, in order, in a folder with a copy of the configs. The
// quickstart is made small there; at full size it is run by .ci/run. The README's test command is what runs this.
func TestReadmeCommands(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("needs the sqlite3 shell")
	}
	folder := t.TempDir()
	quickstart, err := configs.Load("../../configs/quickstart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	quickstart.Stages = []configs.Stage{{Name: "tune", Search: engine.FixedDepth(1), Generations: 2, Games: 3, Rounds: 1}}
	quickstart.Playoff.Games, quickstart.Playoff.Search = 20, engine.FixedDepth(1)
	quickstart.Sensitivity.Games, quickstart.Sensitivity.Search = 20, engine.FixedDepth(1)
	quickstart.Validation.Games, quickstart.Validation.Search = 30, []engine.Settings{engine.FixedDepth(1)}
	if err := os.Mkdir(filepath.Join(folder, "configs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "configs", "quickstart.yaml"), quickstart.YAML(), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, page := range readmes(t) {
		for line := range strings.Lines(strings.Join(blocks(t, page, "sh"), "")) {
			if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "go test") {
				continue
			}
			command := exec.Command("sh", "-c", strings.Replace(line, "go run ./cmd/tune", "tune", 1))
			command.Dir = folder
			out, err := command.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %s: %v\n%s", page, line, err, out)
			} else if strings.HasPrefix(line, "sqlite3") && len(out) == 0 {
				t.Errorf("%s: %s: no rows", page, line)
			}
		}
	}
}

// TestReadmeConfigs: every config of the READMEs is valid; one that shows some keys only is tried with a heuristic.
func TestReadmeConfigs(t *testing.T) {
	for _, page := range readmes(t) {
		for _, text := range blocks(t, page, "yaml") {
			if !strings.Contains("\n"+text, "\nheuristic:") {
				text += "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9}}]}\n"
			}
			if _, err := configs.Parse([]byte(text), page); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		}
	}
}
