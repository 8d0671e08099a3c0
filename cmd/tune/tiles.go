package main

import (
	"fmt"
	"math/bits"
	"strings"

	"tune2048/engine"
)

// inColours reports whether the terminal of an environment shows 256 colours. NO_COLOR
// (no-color.org) asks for none.
func inColours(getenv func(string) string) bool {
	many := getenv("COLORTERM") != "" || strings.Contains(getenv("TERM"), "256color")
	return many && getenv("NO_COLOR") == ""
}

// tileColours are the grounds of the tiles by rank, of 256 colours. The first is for a blank. The
// well-known ones up to 2048 have dark text, the dark ones above light text.
var tileColours = [engine.MaxRank + 1]int{245, 254, 223, 216, 209, 203, 167, 222, 221, 220, 178, 214, 237, 54, 24, 23}

// tilesWidth is how many columns drawTiles draws at most.
const tilesWidth = 34

// drawTiles draws a board in colours: each tile seven columns wide and three lines high, with gaps
// of the terminal's own ground. Every line ends in the terminal's own colours.
func drawTiles(faces [4][4]int) (lines []string) {
	const width, reset = 7, "\x1b[0m"
	for r, row := range faces {
		if r > 0 {
			lines = append(lines, "")
		}
		var padding, middle []string
		for _, face := range row {
			rank, text, light := 0, "", 16
			if face > 0 {
				rank, text = bits.Len(uint(face))-1, fmt.Sprint(face)
			}
			if face > 2048 {
				light = 231
			}
			style := fmt.Sprintf("\x1b[1;38;5;%d;48;5;%dm", light, tileColours[rank])
			left := (width - len(text) + 1) / 2
			padding = append(padding, style+strings.Repeat(" ", width)+reset)
			middle = append(middle, fmt.Sprintf("%s%*s%s%s", style, left, "", text, strings.Repeat(" ", width-left-len(text))+reset))
		}
		line := strings.Join(padding, "  ")
		lines = append(lines, line, strings.Join(middle, "  "), line)
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
