package configs

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

	"gopkg.in/yaml.v3"
)

// maxBytes is the size of the largest file that is read. The largest sensible config has a few
// kilobytes.
const maxBytes = 1 << 20

// document is a file's one YAML document and the problems found in it.
type document struct {
	path string
	open func(path string) ([]byte, error) // opens the files that it names
	own  bool                              // the user named the file: it may name files and programs

	problems problems
}

// read reads the data as a single YAML document. The error lists all problems, in the order of the
// file.
func (d *document) read(data []byte, do func(root node)) error {
	if root := d.root(data); root != nil {
		do(node{doc: d, yaml: root, at: root})
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

// wrong reports whether a problem was noted with this key or one within it.
func (d *document) wrong(key string) bool {
	return slices.ContainsFunc(d.problems, func(p problem) bool { return p.within(key) })
}

// root returns the document's root; nil after a problem.
func (d *document) root(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		d.add(1, 1, "", "the file is larger than 1 MB")
		return nil
	}
	all, err := decode(data)
	switch {
	case len(all) == 2:
		d.add(all[1].Line, all[1].Column, "", "want a single YAML document, got another one")
	case err != nil:
		d.addSyntaxError(data, err)
	case len(all) == 0 || all[0].Content[0].Style == 0 && all[0].Content[0].Kind == yaml.ScalarNode && all[0].Content[0].Value == "":
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

func validYAML(data []byte) bool {
	_, err := decode(data)
	return err == nil
}

// yamlPlace is how the parser's messages begin. Its line is often the one before or the first of
// the block, and there is no column.
var yamlPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// addSyntaxError reports what is not YAML at all, at the first line that cannot follow those before
// it.
func (d *document) addSyntaxError(data []byte, err error) {
	place := yamlPlace.FindStringSubmatch(err.Error())
	reason := strings.TrimPrefix(err.Error(), place[0])
	lines := strings.SplitAfter(string(data), "\n")
	bad := firstBadLine(data, lines)
	if bad < 0 {
		line, _ := strconv.Atoi(place[1]) // 0 if it names none
		bad = min(max(line, 1), len(lines)) - 1
	}
	lines = lines[:bad+1]
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\r\n")
	}
	if tab := tabbed.FindString(lines[bad]); tab != "" {
		d.add(bad+1, len(tab), "", "not valid YAML: a tab in the indentation: want spaces")
		return
	}
	line, at, cause := likelyCause(lines)
	if cause != "" {
		cause = ": " + cause
	}
	d.add(line+1, column(lines[line], at), "", "not valid YAML: %s%s", clipTo(reason, 100), cause)
}

// firstBadLine returns the index of the line after the longest beginning of the file that is valid
// by itself. It returns -1 if that takes too much reading: it is quadratic in the size of the file.
func firstBadLine(data []byte, lines []string) int {
	left := maxBytes
	end := len(data)
	for n := len(lines) - 1; n > 0; n-- {
		end -= len(lines[n])
		if left -= end; left < 0 {
			return -1
		}
		if validYAML(data[:end]) {
			return n
		}
	}
	return 0
}
