package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"tune2048/configs/config"
	"tune2048/engine/eval"
)

// TestHelpTopics: the pages fit a terminal, have all that the documents' tables have, and their
// config is one.
func TestHelpTopics(t *testing.T) {
	wanted := map[string][]string{}
	for _, k := range eval.Kinds() {
		wanted["features"] = append(wanted["features"], k.Name)
	}
	for _, s := range eval.Settings() {
		wanted["features"] = append(wanted["features"], s.Name)
	}
	for _, s := range append(eval.Symbols("line"), eval.Symbols("board")...) {
		wanted["formula"] = append(wanted["formula"], s.Name)
	}
	for name, entries := range wanted {
		var out, stderr bytes.Buffer
		if code := run(context.Background(), []string{"help", name}, &out, &stderr); code != exitOK || stderr.Len() > 0 {
			t.Fatalf("help %s: exit code %d: %s", name, code, &stderr)
		}
		page := out.String()
		if plain := strings.Join(strings.Fields(page), " "); name == "features" &&
			!strings.Contains(plain, "tile: face, exactly one of line, row, column, square, cell and board (must be given), "+
				"let, sums, numbers") {
			t.Errorf("help features does not say that a formula is over exactly one part of the board:\n%s", page)
		}
		for line := range strings.Lines(page) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("help %s: a line of %d columns: %s", name, n, line)
			}
		}
		for _, entry := range entries {
			if !strings.Contains(page, "\n  "+entry+" ") && !strings.Contains(page, "\n  "+entry+"\n") {
				t.Errorf("help %s has no entry %s", name, entry)
			}
		}
		_, example, _ := strings.Cut(page, "\n\n  heuristic:\n")
		example, _, _ = strings.Cut(example, "\n\n")
		if _, err := config.Parse([]byte("heuristic:\n"+strings.ReplaceAll("\n"+example, "\n  ", "\n")+"\n"),
			"example.yaml"); err != nil {
			t.Errorf("help %s: the example: %v\n%s", name, err, example)
		}
	}
}
