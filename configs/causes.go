package configs

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The parser's messages are true, and help few people: "did not find expected '-' indicator". This
// file tries to mend the usual mistakes behind them, and asks the parser whether that helps.

var tabbed = regexp.MustCompile(`^ *(?:- *)*\t`)

// mends are the usual mistakes on a line, how to write it instead, and what to say.
var mends = []struct {
	wrong        *regexp.Regexp
	right, cause string
}{
	{regexp.MustCompile(`^( *(?:- +)*-)([^\s-])`), "$1 $2", "a list item wants a space after its -: write %s"},
	{regexp.MustCompile(`\b([A-Za-z_][\w-]*:)([^\s:/\\])`), "$1 $2", "a space is missing after the colon: write %s"},
	{regexp.MustCompile(`^( *(?:- +)*[A-Za-z_][\w-]*)( +[^:]*)?$`), "$1:$2", "a colon is missing: write %s"},
	{regexp.MustCompile(`([\w.)])( +[A-Za-z_][\w-]*: )`), "$1,$2", "a comma is missing: write %s"},
	{regexp.MustCompile(`[}\]]\s*$`), "", "one } or ] too many: write %s"},
	{regexp.MustCompile(`$`), "}", "a { is not closed: write %s"},
	{regexp.MustCompile(`$`), "]", "a [ is not closed: write %s"},
	{regexp.MustCompile(`^( *(?:- +)*[\w-]+: +)([^"'{\[|>#].*:.*)$`), `$1"$2"`,
		"a second colon on the line: write %s, or the second key on a line of its own"},
}

// mostTried is the size of the largest file that is tried with another line.
const mostTried = 1 << 16

// likelyCause returns the usual mistake behind a syntax error that was found in the last line, with
// its own line (from 0) and byte there. It returns an empty text if no mend helps.
func likelyCause(lines []string) (line, at int, cause string) {
	bad := len(lines) - 1
	at = firstByte(lines[bad])
	helps := func(i int, right string) bool {
		mended := strings.Join(lines[:i], "\n") + "\n" + right + "\n" + strings.Join(lines[i+1:], "\n")
		return right != lines[i] && len(mended) < mostTried && validYAML([]byte(mended))
	}
	before := bad - 1
	for before > 0 && !structural(lines[before]) {
		before--
	}
	for _, i := range []int{bad, max(before, 0)} {
		for _, mend := range mends {
			right := mend.wrong.ReplaceAllString(lines[i], mend.right)
			if helps(i, right) {
				same := 0
				for same < min(len(lines[i]), len(right)) && lines[i][same] == right[same] {
					same++
				}
				return i, same, fmt.Sprintf(mend.cause, clipTo(strings.TrimSpace(right), 60))
			}
		}
	}
	for away := 1; away <= 8 && cause == ""; away++ {
		for _, column := range []int{at + away, at - away} {
			if column >= 0 && helps(bad, strings.Repeat(" ", column)+lines[bad][at:]) {
				cause += fmt.Sprintf(" or %d", column)
			}
		}
	}
	if cause != "" {
		cause = fmt.Sprintf("the indentation of this line is %d, want %s", at, strings.TrimPrefix(cause, " or "))
	}
	return bad, at, cause
}

// structural reports whether a line is more than blanks and a comment.
func structural(line string) bool {
	text := strings.TrimSpace(line)
	return text != "" && text[0] != '#' && text != "---"
}

// firstByte returns where the text of a line begins.
func firstByte(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// column returns the column (from 1, in characters) of a byte of a line.
func column(line string, at int) int { return utf8.RuneCountInString(line[:at]) + 1 }
