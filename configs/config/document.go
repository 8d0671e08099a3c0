package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"tune2048/engine/eval"
	"tune2048/tuner"
)

// MaxBytes is the size of the largest file that is read. The largest sensible config has a few
// kilobytes.
const MaxBytes = 1 << 20

// maxShown is how many problems of a file an error lists: the first ones are mended first anyway.
const maxShown = 10

// document is a file's one YAML document and the problems found in it.
type document struct {
	path string
	open func(path string) ([]byte, error) // opens the files that it names
	own  bool                              // the user named the file: it may name files and programs
	bot  bool                              // its player is a bot, which searches in its own way

	places   map[string]*yaml.Node // of keys by their full names, and of list items
	weights  []tuner.Parameter     // of the player that is read, or was read last
	shared   eval.Numbers          // of its heuristic
	chosen   map[int]float64       // the signs of weights whose ranges are still to be chosen
	problems problems
}

// problem is one thing that is wrong with a file, and where.
type problem struct {
	Path         string // of the file, as it was given
	Line, Column int    // from 1, the column in characters; of the named key, or the list item
	Key          string // such as "optimizer.population" or "stages[1].games"; empty: whole file
	Reason       string // what was wanted and what was got
}

// Error returns "configs/a.yaml:12:5: optimizer.population: want at least 2, got 0": one line.
func (p problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s%s", p.Path, p.Line, p.Column, strings.TrimPrefix(p.Key+": ", ": "), p.Reason)
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

// read reads the data as a single YAML document. The error lists all problems, in the order of the
// file.
func (d *document) read(data []byte, do func(root node)) error {
	if root := d.root(data); root != nil {
		d.places = map[string]*yaml.Node{"": root}
		n := node{doc: d, Node: root, at: root}
		if n.refuseReuse(); len(d.problems) == 0 {
			do(n)
		}
	}
	if len(d.problems) == 0 {
		return nil
	}
	if line, column, space := strangeSpace(data); space != "" {
		d.problems = nil // the rest follows from it
		d.add(line, column, "", "a space that YAML takes for a letter, %s: replace it, and others in the file, by a plain "+
			"space",
			space)
	}
	if toml.Match(data) {
		d.problems = nil
		d.add(1, 1, "", "this is TOML: want YAML, where a key ends with a colon, and what belongs to it is indented: "+
			"heuristic: {family: snake}")
	}
	slices.SortStableFunc(d.problems, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return d.problems
}

// toml matches a file whose first line is a table or an assignment.
var toml = regexp.MustCompile(`^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*(?:\[+[\w.-]+\]+[ \t]*(?:#.*)?(?:\r?\n|$)|[\w.-]+[ \t]*=)`)

// add notes a problem.
func (d *document) add(line, column int, key, format string, args ...any) {
	d.problems = append(d.problems, problem{d.path, line, column, key, fmt.Sprintf(format, args...)})
}

// refuse notes a problem with a key, at its place or at the section where it should be.
func (d *document) refuse(key, format string, args ...any) {
	at := key
	for d.places[at] == nil {
		at = at[:max(strings.LastIndexAny(at, ".["), 0)]
	}
	d.add(d.places[at].Line, d.places[at].Column, key, format, args...)
}

// root returns the document's root; nil after a problem.
func (d *document) root(data []byte) *yaml.Node {
	if len(data) > MaxBytes {
		d.add(1, 1, "", "the file is larger than 1 MB")
		return nil
	}
	all, err := decode(data)
	switch {
	case len(all) == 2:
		d.add(all[1].Line, all[1].Column, "",
			"want a single YAML document, got another one: move it into a file of its own")
	case err != nil:
		d.addSyntaxError(data, err)
	case len(all) == 0:
		d.add(1, 1, "", "the file is empty")
	default:
		return all[0].Content[0]
	}
	return nil
}

// version is the directive of a file for another version of YAML than 1.1, the only one that the
// parser accepts. It reads the files of all of them.
var version = regexp.MustCompile(`^((?:[ \t]*(?:#.*)?\r?\n)*%YAML[ \t]+1\.)\d\b`)

// decode returns the first two documents that are not empty. A panic of the parser is its way to
// refuse: the file is at fault, not the run.
func decode(data []byte) (all []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	data = version.ReplaceAll(data, []byte("${1}1"))
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); len(all) < 2; {
		next := new(yaml.Node)
		if err := decoder.Decode(next); err != nil && !errors.Is(err, io.EOF) {
			return all, err
		}
		if len(next.Content) == 0 {
			break
		}
		if root := next.Content[0]; root.Kind != yaml.ScalarNode || root.Value != "" || root.Style != 0 {
			all = append(all, next)
		}
	}
	return all, nil
}

var (
	// yamlPlace is how the parser's messages begin. Its line is often the one before or the first
	// of the block, and there is no column.
	yamlPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	tabbed    = regexp.MustCompile(`^ *(?:- *)*\t`)
)

// addSyntaxError reports what is not YAML at all, at the first line that cannot follow those before
// it.
func (d *document) addSyntaxError(data []byte, err error) {
	place := yamlPlace.FindStringSubmatch(err.Error())
	reason := clipTo(strings.TrimPrefix(err.Error(), place[0]), 100)
	lines := strings.SplitAfter(string(data), "\n")
	bad := firstBadLine(data, lines)
	told, _ := strconv.Atoi(place[1]) // 0 if it names none
	if bad < 0 {
		bad = min(max(told, 1), len(lines)) - 1
	}
	remedy := remedyOf(reason, lines[bad])
	for next := bad + 1; remedy == "" && next < min(told, len(lines)); next++ { // a list or mapping over lines
		remedy = remedyOf(reason, lines[next])
		if remedy != "" {
			bad = next
		}
	}
	line := strings.TrimRight(lines[bad], "\r\n")
	if tab := tabbed.FindString(line); tab != "" {
		d.add(bad+1, len(tab), "", "not valid YAML: a tab in the indentation: want spaces")
		return
	}
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if remedy != "" {
		d.add(bad+1, 1+indent, "", "not valid YAML: %s: %s: see %q", reason, remedy, clipTo(text, 60))
		return
	}
	for of, rule := range rules {
		if strings.Contains(reason, of) {
			reason += ": " + rule
		}
	}
	d.add(bad+1, 1+indent, "", "not valid YAML: %s: see %q with its indentation of %d, and the line above",
		reason, clipTo(text, 60), indent)
}

// rules say what the parser expects, by the end of its message.
var rules = map[string]string{
	"expected '-' indicator": "the items of a list begin in one column, each with a - and a space, and what belongs " +
		"to an item stands further right",
	"expected key":              "the keys of a section begin in one column, and so do the items of a list",
	"expected ',' or '}'":       "in { } a comma parts the entries, and } ends them",
	"expected ',' or ']'":       "in [ ] a comma parts the items, and ] ends them",
	"mapping values are not al": "what belongs to a key stands further right than the key",
}

var (
	quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)`)
	// An indicator begins a value. Behind > and | a text of several lines may follow.
	indicator = regexp.MustCompile("(?:: +|^ *(?:- +)+|[\\[{,] *)([!&*%@`]|-(?: |$)|\\? |[|>](?: +[^\\s#]|[^-+0-9\\s]))")
	partQuote = regexp.MustCompile(`"" *[^\s,}\]:#"]`)
	twoColons = regexp.MustCompile(`^[^:]*: .*: `)
	noSpace   = regexp.MustCompile(`^ *(?:- +)?[A-Za-z_]\w*:[^\s:]`)
)

// remedyOf says how to mend a line that the parser refuses for a reason; empty: nobody knows.
func remedyOf(reason, line string) string {
	bare := quotedText.ReplaceAllString(strings.TrimRight(line, "\r\n"), `""`)
	begins := indicator.FindStringSubmatch(bare)
	switch {
	case strings.Contains(reason, "escape") || strings.Contains(reason, "hexdecimal"):
		return noEscape
	case reason == "found unexpected end of stream":
		return "close the quotes"
	case begins != nil:
		return fmt.Sprintf("put a text that begins with %c in quotes", begins[1][0])
	case partQuote.MatchString(bare):
		return "put the whole text in quotes, not its beginning"
	case twoColons.MatchString(bare) && strings.HasPrefix(reason, "mapping values"):
		return "put a text with a colon and a space in quotes"
	case noSpace.MatchString(bare):
		return "put a space after the colon of a key"
	}
	return ""
}

// noEscape is the remedy where a path has met the escapes of double quotes.
const noEscape = `in double quotes a backslash begins an escape such as \n: write the text in single quotes`

// strangeSpaces are characters that look like a space, or like nothing.
const strangeSpaces = `[\x{A0}\x{1680}\x{2000}-\x{200B}\x{202F}\x{205F}\x{3000}]`

// strange finds one in an indentation, or after the dash of a list or the colon of a key.
var strange = regexp.MustCompile(`(?m)(?:^[ \t]*(?:- *)*|^[^#"'\n]*\w:)(` + strangeSpaces + `)`)

// strangeSpace returns the first place where such a character stands for a space, and its name.
func strangeSpace(data []byte) (line, column int, name string) {
	at := strange.FindSubmatchIndex(data)
	if at == nil {
		return 0, 0, ""
	}
	before := string(data[:at[2]])
	space, _ := utf8.DecodeRune(data[at[2]:])
	name = fmt.Sprintf("U+%04X", space)
	if space == '\u00a0' {
		name += " (no-break space)"
	}
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:]), name
}

// firstBadLine returns the index of the line after the longest beginning of the file that is valid
// by itself. It returns -1 if that takes too much reading: it is quadratic in the size of the file.
func firstBadLine(data []byte, lines []string) int {
	left := MaxBytes
	end := len(data)
	for n := len(lines) - 1; n > 0; n-- {
		end -= len(lines[n])
		left -= end
		if left < 0 {
			return -1
		}
		if _, err := decode(data[:end]); err == nil {
			return n
		}
	}
	return 0
}

// clip shortens what a file says for a message and makes it printable on one line.
func clip(text string) string { return clipTo(text, 40) }

// clipTo is clip with another number of characters to keep, before escapes.
func clipTo(text string, most int) string {
	rest := ""
	if utf8.RuneCountInString(text) > most {
		text, rest = string([]rune(text)[:most]), "..."
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		quoted := strconv.Quote(text)
		text = quoted[1 : len(quoted)-1]
	}
	return text + rest
}
