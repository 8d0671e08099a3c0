package main

import (
	"fmt"
	"math/bits"
	"strings"

	"tune2048/engine"
)

// palette is how many colours tiles are drawn in.
type palette int

const (
	plainTiles palette = iota // none: the board is drawn with rules
	sixteenColours
	manyColours // 256
	trueColours
)

// paletteOf is what the terminal of an environment shows. NO_COLOR (no-color.org) asks for none.
func paletteOf(getenv func(string) string) palette {
	switch depth, name := getenv("COLORTERM"), getenv("TERM"); {
	case getenv("NO_COLOR") != "":
		return plainTiles
	case depth == "truecolor" || depth == "24bit":
		return trueColours
	case strings.Contains(name, "256color"):
		return manyColours
	}
	return sixteenColours
}

// tileColours are the grounds of the tiles by rank: the well-known ones up to 2048, with dark text, dark ones with light text
// above.
var tileColours = [engine.MaxRank + 1]struct {
	red, green, blue uint8
	many             uint8 // of the 256 colours
	sixteen          uint8 // the code of the ground
	light            bool  // the text on that
}{
	{0x8a, 0x81, 0x78, 245, 100, false}, // a blank
	{0xee, 0xe4, 0xda, 254, 47, false},
	{0xed, 0xe0, 0xc8, 223, 107, false},
	{0xf2, 0xb1, 0x79, 216, 43, false},
	{0xf5, 0x95, 0x63, 209, 103, false},
	{0xf6, 0x7c, 0x5f, 203, 101, false},
	{0xf6, 0x5e, 0x3b, 167, 41, true},
	{0xed, 0xcf, 0x72, 222, 102, false},
	{0xed, 0xcc, 0x61, 221, 42, false},
	{0xed, 0xc8, 0x50, 220, 106, false},
	{0xed, 0xc5, 0x3f, 178, 46, false},
	{0xed, 0xc2, 0x2e, 214, 44, true},
	{0x3c, 0x3a, 0x32, 237, 40, true}, // 4096
	{0x5b, 0x3a, 0x6e, 54, 45, true},
	{0x2f, 0x5d, 0x8a, 24, 104, false},
	{0x1c, 0x6b, 0x50, 23, 105, false},
}

// style is the escape sequence before a tile of that rank.
func (p palette) style(rank int) string {
	c := tileColours[rank]
	switch {
	case p == sixteenColours && c.light:
		return fmt.Sprintf("\x1b[97;%dm", c.sixteen)
	case p == sixteenColours:
		return fmt.Sprintf("\x1b[30;%dm", c.sixteen)
	}
	text := "1;38;5;16"
	if rank > 11 {
		text = "1;38;5;231"
	}
	if p == manyColours {
		return fmt.Sprintf("\x1b[%s;48;5;%dm", text, c.many)
	}
	return fmt.Sprintf("\x1b[%s;48;2;%d;%d;%dm", text, c.red, c.green, c.blue)
}

// tilesWidth is how many columns drawTiles draws at most.
const tilesWidth = 34

// drawTiles draws a board: each tile seven columns wide and three lines high, with blanks of the terminal's own ground between
// them. Every line ends in the terminal's own colours.
func (p palette) drawTiles(faces [4][4]int) []string {
	if p == plainTiles {
		return strings.Split(strings.TrimSuffix(drawn(faces), "\n"), "\n")
	}
	const width, reset = 7, "\x1b[0m"
	var lines []string
	for r, row := range faces {
		if r > 0 {
			lines = append(lines, "")
		}
		var padding, middle string
		for c, face := range row {
			text := ""
			if face > 0 {
				text = fmt.Sprint(face)
			}
			left := (width - len(text) + 1) / 2
			style, gap := p.style(bits.Len(uint(face))-min(1, face)), ""
			if c > 0 {
				gap = "  "
			}
			padding += gap + style + strings.Repeat(" ", width) + reset
			middle += gap + style + strings.Repeat(" ", left) + text + strings.Repeat(" ", width-left-len(text)) + reset
		}
		lines = append(lines, padding, middle, padding)
	}
	return lines
}

// drawn is a board in plain text.
func drawn(faces [4][4]int) string {
	const rule = "+-------+-------+-------+-------+\n"
	text := rule
	for _, row := range faces {
		for _, face := range row {
			if face == 0 {
				text += "|       "
			} else {
				text += fmt.Sprintf("|%6d ", face)
			}
		}
		text += "|\n" + rule
	}
	return text
}
