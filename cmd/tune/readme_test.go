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

// blocks returns the README's fenced code blocks of a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for i, part := range strings.Split(string(readme), "```") {
		if text, ok := strings.CutPrefix(part, language+"\n"); ok && i%2 == 1 {
			found = append(found, text)
		}
	}
	if len(found) == 0 {
		t.Fatalf("the README has no %s block", language)
	}
	return found
}

// TestReadmeCommands runs every command of the README, in order, in a folder with a copy of the configs. The
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
	for _, block := range blocks(t, "sh") {
		for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
			if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "go test") {
				continue
			}
			command := exec.Command("sh", "-c", strings.Replace(line, "go run ./cmd/tune", "tune", 1))
			command.Dir = folder
			out, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
			if strings.HasPrefix(line, "sqlite3") && len(out) == 0 {
				t.Errorf("%s: no rows", line)
			}
		}
	}
}

func TestReadmeConfigs(t *testing.T) {
	for _, text := range blocks(t, "yaml") {
		if _, err := configs.Parse([]byte(text), "README.md"); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
}
