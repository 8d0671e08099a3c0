package configs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// The parser's messages are true, and help few people: "did not find expected '-' indicator". This
// file guesses the usual mistakes behind them from the lines alone.

var (
	tabbed     = regexp.MustCompile(`^ *(?:- *)*\t`)
	noBlank    = regexp.MustCompile(`^ *(?:- +)*-[^\s-]`)
	keyForm    = regexp.MustCompile(`^([\w.-]+|"[^"]*"|'[^']*') *:(?:\s|$)\s*(.*)$`)
	unspaced   = regexp.MustCompile(`^( *(?:- +)*)([A-Za-z_][\w-]*):([^\s:/\\].*)$`)
	uncoloned  = regexp.MustCompile(`^( *(?:- +)*)([A-Za-z_][\w-]*)( +[^:]*)?$`)
	twoOnALine = regexp.MustCompile(`^ *(?:- +)*[\w-]+: +[^\s"'{\[|>#][^"'{\[#]*?([\w-]*) *: `)
	uncommaed  = regexp.MustCompile(`[\w.)] +([A-Za-z_][\w-]*): `)
)

// likelyCause returns the usual mistake behind a syntax error that was found in line bad (from 0),
// and the mend: with its own line (from 0) and byte there. It returns an empty text where it sees
// none.
func likelyCause(lines []string, bad int, reason string) (line, at int, text string) {
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
	switch missing := uncommaed.FindStringSubmatchIndex(now); {
	case strings.Contains(reason, "','") && opens > closes:
		return bad, firstByte(now), "a { or [ is not closed, or a comma is missing"
	case strings.Contains(reason, "','") && missing != nil:
		return bad, missing[2], "a comma is missing before " + clip(now[missing[2]:missing[3]])
	case closes > opens:
		return bad, strings.LastIndexAny(now, "}]"), "one } or ] too many"
	}
	if strings.Contains(reason, "','") {
		return bad, firstByte(now), ""
	}
	return bad, firstByte(now), wrongColumn(openLevels(lines[:bad]), levelsOf(now))
}

// level is a key or a - that begins in a column (from 0), which those beside it must have, too.
type level struct {
	column int
	key    string // empty: a -
	empty  bool   // the key has no value on its line
}

// wrongColumn says that a line does not begin where one of the open levels does, and where those
// are that it may belong to.
func wrongColumn(open, now []level) string {
	if len(now) == 0 {
		return ""
	}
	item := now[0].key == ""
	name, like := "the -", func(l level) string { return "the - above" }
	if !item {
		name, like = now[0].key, func(l level) string { return l.key }
	}
	var deeper, shallower string
	for _, l := range open {
		switch want := fmt.Sprintf("%d like %s", l.column, like(l)); {
		case (l.key == "") != item:
		case l.column == now[0].column:
			return ""
		case l.column < now[0].column:
			shallower = want
		case deeper == "":
			deeper = want
		}
	}
	if last := len(open) - 1; item && deeper == "" && shallower == "" && last >= 0 && open[last].empty && now[0].column < open[last].column {
		deeper = fmt.Sprintf("%d, inside of %s", open[last].column+2, open[last].key)
	}
	want := strings.Join(slices.DeleteFunc([]string{deeper, shallower}, func(s string) bool { return s == "" }), ", or ")
	if want == "" {
		return ""
	}
	return fmt.Sprintf("the indentation of %s is %d, want %s", name, now[0].column, want)
}

// openLevels returns the levels that the next line may go on with, from the outermost.
func openLevels(lines []string) (open []level) {
	for _, line := range lines {
		levels := levelsOf(line)
		if !structural(line) || len(levels) == 0 {
			continue
		}
		first := levels[0]
		open = slices.DeleteFunc(open, func(l level) bool {
			return l.column > first.column || l.column == first.column && (l.key == "" || first.key != "")
		})
		open = append(open, levels...)
	}
	return open
}

// levelsOf returns the levels that begin on a line: each - of list items, and a key.
func levelsOf(line string) (levels []level) {
	at := firstByte(line)
	for rest := line[at:]; strings.HasPrefix(rest, "- ") || rest == "-"; rest = line[at:] {
		levels = append(levels, level{column: at})
		at += 1 + firstByte(rest[1:])
	}
	if m := keyForm.FindStringSubmatch(line[at:]); m != nil {
		levels = append(levels, level{at, clip(strings.Trim(m[1], `"'`)), m[2] == "" || m[2][0] == '#'})
	}
	return levels
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

// respelled returns what was probably meant by a text such as "family:snake" or "family snake"
// where a mapping is wanted.
func respelled(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Style != 0 {
		return ""
	}
	if m := unspaced.FindStringSubmatch(n.Value); m != nil {
		return clip(m[2]) + ": " + clip(m[3])
	}
	if m := uncoloned.FindStringSubmatch(n.Value); m != nil && m[3] != "" {
		return clip(m[2]) + ":" + clip(m[3])
	}
	return ""
}
