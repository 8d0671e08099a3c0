package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestInColours: colours are drawn where a terminal has 256, and never with NO_COLOR.
func TestInColours(t *testing.T) {
	for _, c := range []struct {
		term, colorterm, noColor string
		want                     bool
	}{
		{"xterm", "", "", false},
		{"tmux-256color", "", "", true},
		{"xterm", "truecolor", "", true},
		{"xterm-256color", "truecolor", "1", false},
	} {
		env := map[string]string{"TERM": c.term, "COLORTERM": c.colorterm, "NO_COLOR": c.noColor}
		if got := inColours(func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%v: %v, want %v", env, got, c.want)
		}
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]")

// TestDrawTiles: every tile is drawn with its number, in lines of one width that give the terminal
// its colours back.
func TestDrawTiles(t *testing.T) {
	for first := 0; first < 16; first += 4 {
		var faces [4][4]int
		var want, numbers []string
		for i := range 16 {
			if faces[i/4][i%4] = 1 << ((first + i) % 16) &^ 1; faces[i/4][i%4] > 0 {
				want = append(want, fmt.Sprint(faces[i/4][i%4]))
			}
		}
		lines := drawTiles(faces)
		for _, line := range lines {
			bare := escapes.ReplaceAllString(line, "")
			numbers = append(numbers, strings.Fields(bare)...)
			if bare != "" && len(bare) != tilesWidth {
				t.Errorf("a line of %d columns: %q", len(bare), bare)
			}
			if line != bare && (!strings.HasSuffix(line, "\x1b[0m") || strings.Count(line, "\x1b[0m") != 4) {
				t.Errorf("a line keeps its colours: %q", line)
			}
		}
		if !slices.Equal(numbers, want) {
			t.Errorf("draws %v, want %v", numbers, want)
		}
	}
}
