package configs

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The parser's messages are true, and help few people: "did not find expected '-' indicator". This
// file guesses the usual mistakes behind them from the lines alone.

var (
	tabbed     = regexp.MustCompile(`^ *(?:- *)*\t`)
	noBlank    = regexp.MustCompile(`^ *(?:- +)*-[^\s-]`)
	unspaced   = regexp.MustCompile(`^( *(?:- +)*)([A-Za-z_][\w-]*):([^\s:/\\].*)$`)
	uncoloned  = regexp.MustCompile(`^( *(?:- +)*)([A-Za-z_][\w-]*)( +[^:]*)?$`)
	twoOnALine = regexp.MustCompile(`^ *(?:- +)*[\w-]+: +[^\s"'{\[|>#][^"'{\[#]*?([\w-]*) *: `)
	uncommaed  = regexp.MustCompile(`[\w.)] +([A-Za-z_][\w-]*): `)
)

// likelyCause returns the usual mistake behind a syntax error that was found in the last line, and
// the mend: with its own line (from 0) and byte there. It returns an empty text where it sees none.
func likelyCause(lines []string, reason string) (line, at int, text string) {
	bad := len(lines) - 1
	before := bad - 1
	for before >= 0 && !structural(lines[before]) {
		before--
	}
	now := lines[bad]
	if m := noBlank.FindString(now); m != "" {
		return bad, len(m) - 1, "a list item wants a space after its -"
	}
	if strings.Contains(reason, "':'") || strings.HasPrefix(reason, "mapping values") {
		for _, i := range []int{bad, before} {
			if i < 0 {
				continue
			}
			if m := unspaced.FindStringSubmatch(lines[i]); m != nil {
				return i, len(m[1]) + len(m[2]) + 1, fmt.Sprintf("a space is missing after the colon: write %s: %s", clip(m[2]), clip(m[3]))
			}
			if m := uncoloned.FindStringSubmatch(lines[i]); m != nil {
				return i, len(m[1]) + len(m[2]), fmt.Sprintf("a colon is missing: write %s:%s", clip(m[2]), clip(m[3]))
			}
		}
		if m := twoOnALine.FindStringSubmatchIndex(now); m != nil {
			return bad, m[2], "a second colon on the line: put the value in quotes, or the second key on a line of its own"
		}
	}
	opens, closes := strings.Count(now, "{")+strings.Count(now, "["), strings.Count(now, "}")+strings.Count(now, "]")
	missing := uncommaed.FindStringSubmatchIndex(now)
	switch inBraces := strings.Contains(reason, "','"); {
	case inBraces && opens > closes:
		return bad, firstByte(now), "a { or [ is not closed, or a comma is missing"
	case inBraces && missing != nil:
		return bad, missing[2], "a comma is missing before " + clip(now[missing[2]:missing[3]])
	case closes > opens:
		return bad, strings.LastIndexAny(now, "}]"), "one } or ] too many"
	case inBraces:
		return bad, firstByte(now), ""
	}
	return bad, firstByte(now), wrongColumn(lines)
}

// wrongColumn says that the last line is right with another indentation, if one nearby makes it so.
func wrongColumn(lines []string) string {
	before, line := strings.Join(lines[:len(lines)-1], "\n"), lines[len(lines)-1]
	now := firstByte(line)
	if len(before) > mostTried {
		return ""
	}
	var want []string
	for away := 1; away <= 8 && want == nil; away++ {
		for _, column := range []int{now + away, now - away} {
			if column >= 0 && validYAML([]byte(before+"\n"+strings.Repeat(" ", column)+line[now:])) {
				want = append(want, strconv.Itoa(column))
			}
		}
	}
	if want == nil {
		return ""
	}
	return fmt.Sprintf("the indentation of this line is %d, want %s", now, strings.Join(want, " or "))
}

// mostTried is the size of the largest file whose lines are tried with another indentation.
const mostTried = 1 << 16

// structural reports whether a line is more than blanks and a comment.
func structural(line string) bool {
	text := strings.TrimSpace(line)
	return text != "" && text[0] != '#' && text != "---"
}

// firstByte returns where the text of a line begins.
func firstByte(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// column returns the column (from 1, in characters) of a byte of a line.
func column(line string, at int) int { return utf8.RuneCountInString(line[:at]) + 1 }
