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

	places   map[string]*yaml.Node        // of keys by their full names, and of list items
	ranges   map[*float64]tuner.Parameter // of the numbers that are tuned, by the place of the start
	weights  []tuner.Parameter            // of the player that was read last
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
		d.places, d.ranges = map[string]*yaml.Node{"": root}, map[*float64]tuner.Parameter{}
		do(node{doc: d, Node: root, at: root})
	}
	if len(d.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(d.problems, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return d.problems
}

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
		d.add(all[1].Line, all[1].Column, "", "want a single YAML document, got another one")
	case err != nil:
		d.addSyntaxError(data, err)
	case len(all) == 0 || all[0].Content[0].Style == 0 && all[0].Content[0].Kind == yaml.ScalarNode &&
		all[0].Content[0].Value == "":
		d.add(1, 1, "", "the file is empty")
	default:
		return all[0].Content[0]
	}
	return nil
}

// decode returns the first two documents. A panic of the parser is its way to refuse: the file is
// at fault, not the run.
func decode(data []byte) (all []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); len(all) < 2; {
		next := new(yaml.Node)
		if err := decoder.Decode(next); err != nil && !errors.Is(err, io.EOF) {
			return all, err
		}
		if len(next.Content) == 0 {
			break
		}
		all = append(all, next)
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
	if bad < 0 {
		line, _ := strconv.Atoi(place[1]) // 0 if it names none
		bad = min(max(line, 1), len(lines)) - 1
	}
	line := strings.TrimRight(lines[bad], "\r\n")
	if tab := tabbed.FindString(line); tab != "" {
		d.add(bad+1, len(tab), "", "not valid YAML: a tab in the indentation: want spaces")
		return
	}
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	d.add(bad+1, 1+indent, "", "not valid YAML: %s: see %q with its indentation of %d, and the line above",
		reason, clipTo(text, 60), indent)
}

// firstBadLine returns the index of the line after the longest beginning of the file that is valid
// by itself. It returns -1 if that takes too much reading: it is quadratic in the size of the file.
func firstBadLine(data []byte, lines []string) int {
	left := MaxBytes
	end := len(data)
	for n := len(lines) - 1; n > 0; n-- {
		end -= len(lines[n])
		if left -= end; left < 0 {
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
