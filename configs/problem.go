package configs

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// maxShown is how many problems of a file an error lists: the first ones are mended first anyway.
const maxShown = 10

// problem is one thing that is wrong with a file, and where.
type problem struct {
	Path         string // of the file, as it was given
	Line, Column int    // from 1, the column in characters; of the named key, or the list item
	Key          string // such as "optimizer.population" or "stages[1].games"; empty: whole file
	Reason       string // what was wanted and what was got
}

// Error returns "configs/a.yaml:12:5: optimizer.population: want at least 2, got 0": one line.
func (p problem) Error() string {
	key := ""
	if p.Key != "" {
		key = p.Key + ": "
	}
	return fmt.Sprintf("%s:%d:%d: %s%s", p.Path, p.Line, p.Column, key, p.Reason)
}

// within reports whether the problem is of this key or of one within it.
func (p problem) within(key string) bool {
	rest, ok := strings.CutPrefix(p.Key, key)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// problems is all that is wrong with a file, in the order of its lines. It is the error of [Parse]
// and [ParseWeights].
type problems []problem

// Error lists the first ten problems, one a line.
func (p problems) Error() string {
	var lines []string
	for _, problem := range p[:min(len(p), maxShown)] {
		lines = append(lines, problem.Error())
	}
	if len(p) > maxShown {
		next := p[maxShown]
		next.Key, next.Reason = "", fmt.Sprintf("and on from here, %d problems in all", len(p))
		lines = append(lines, next.Error())
	}
	return strings.Join(lines, "\n")
}

// clip shortens what a file says for a message and makes it printable on one line.
func clip(text string) string { return clipTo(text, 40) }

// clipTo is clip with another number of characters to keep, before escapes.
func clipTo(text string, most int) string {
	rest := ""
	if characters := []rune(text); len(characters) > most {
		text, rest = string(characters[:most]), "..."
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		quoted := strconv.Quote(text)
		text = quoted[1 : len(quoted)-1]
	}
	return text + rest
}
