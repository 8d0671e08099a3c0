package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPaletteOf: what a terminal says of its colours, and NO_COLOR before all.
func TestPaletteOf(t *testing.T) {
	for _, c := range []struct {
		term, colorterm, noColor string
		want                     palette
	}{
		{"xterm", "", "", sixteenColours},
		{"linux", "", "", sixteenColours},
		{"xterm-256color", "", "", manyColours},
		{"tmux-256color", "", "", manyColours},
		{"xterm-256color", "truecolor", "", trueColours},
		{"xterm", "24bit", "", trueColours},
		{"xterm-256color", "truecolor", "1", plainTiles},
	} {
		env := map[string]string{"TERM": c.term, "COLORTERM": c.colorterm, "NO_COLOR": c.noColor}
		if got := paletteOf(func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%v: %d, want %d", env, got, c.want)
		}
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]")

// TestDrawTiles: every tile is drawn with its number in the middle, on a ground of its own, in lines of one width that give the
// terminal its colours back.
func TestDrawTiles(t *testing.T) {
	var all []int
	for rank := range 16 {
		all = append(all, 1<<rank&^1)
	}
	for _, p := range []palette{plainTiles, sixteenColours, manyColours, trueColours} {
		grounds := map[string]int{}
		for at := 0; at < len(all); at += 4 {
			var faces [4][4]int
			for i := range 16 {
				faces[i/4][i%4] = all[(at+i)%len(all)]
			}
			lines := p.drawTiles(faces)
			var numbers []string
			for _, line := range lines {
				bare := escapes.ReplaceAllString(line, "")
				numbers = append(numbers, strings.Fields(strings.NewReplacer("|", " ", "+", "", "-", "").Replace(bare))...)
				if len(bare) > tilesWidth || p != plainTiles && bare != "" && len(bare) != tilesWidth {
					t.Errorf("palette %d: a line of %d columns: %q", p, len(bare), bare)
				}
				if line != bare && (!strings.HasSuffix(line, "\x1b[0m") || strings.Count(line, "\x1b[0m") != 4) {
					t.Errorf("palette %d: a line keeps its colours: %q", p, line)
				}
			}
			var want []string
			for i := range 16 {
				if face := faces[i/4][i%4]; face > 0 {
					want = append(want, fmt.Sprint(face))
				}
			}
			if !slices.Equal(numbers, want) {
				t.Errorf("palette %d draws %v, want %v", p, numbers, want)
			}
			if p != plainTiles {
				for i, style := range strings.SplitAfter(lines[0], "m       \x1b[0m")[:4] {
					grounds[strings.TrimLeft(style, " ")] = faces[0][i]
				}
			}
		}
		if p != plainTiles && len(grounds) != 16 {
			t.Errorf("palette %d has %d grounds for 16 tiles: %v", p, len(grounds), grounds)
		}
	}
}
