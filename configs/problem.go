package configs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxShown is how many problems of a file an error lists: the first ones are mended first anyway.
const maxShown = 10

// Problem is one thing that is wrong with a file, and where.
type Problem struct {
	Path         string // of the file, as it was given
	Line, Column int    // from 1, the column in characters; of the key that Key names, or of the list item
	Key          string // full name such as "optimizer.population" or "stages[1].games"; empty: the file as a whole
	Reason       string // what was wanted and what was got
}

// Error returns "configs/a.yaml:12:5: optimizer.population: want at least 2, got 0", always a single line.
func (p Problem) Error() string {
	where := fmt.Sprintf("%s:%d:%d: ", p.Path, p.Line, p.Column)
	if p.Key == "" {
		return where + p.Reason
	}
	return where + p.Key + ": " + p.Reason
}

// Problems is all that is wrong with a file, in the order of its lines. It is the error of [Parse] and
// [ParseWeights].
type Problems []Problem

// Error lists the first ten problems, one a line.
func (p Problems) Error() string {
	var lines []string
	for i, problem := range p {
		if i == maxShown {
			problem.Key, problem.Reason = "", fmt.Sprintf("and on from here, %d problems in all", len(p))
			lines = append(lines, problem.Error())
			break
		}
		lines = append(lines, problem.Error())
	}
	return strings.Join(lines, "\n")
}

// maxCollected bounds what a hostile file can make us remember.
const maxCollected = 1000

// problemList gathers the problems of one file.
type problemList struct {
	path  string
	list  Problems
	found int // all problems, remembered or not
}

// add notes a problem.
func (l *problemList) add(line, column int, key, format string, args ...any) {
	l.found++
	if len(l.list) < maxCollected {
		l.list = append(l.list, Problem{l.path, line, column, key, fmt.Sprintf(format, args...)})
	}
}

// err returns the problems in the order of the file, or nil.
func (l *problemList) err() error {
	if len(l.list) == 0 {
		return nil
	}
	slices.SortStableFunc(l.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return l.list
}

// clip shortens what a file says for a message and makes it printable on one line.
func clip(text string) string { return clipTo(text, 40) }

// clipTo is clip with another number of characters to keep, before escapes.
func clipTo(text string, most int) string {
	rest := ""
	n := 0
	for i := range text {
		if n == most {
			text, rest = text[:i], "..."
			break
		}
		n++
	}
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		quoted := strconv.Quote(text)
		text = quoted[1 : len(quoted)-1]
	}
	return text + rest
}
