package configs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxBytes is the size of the largest file that is read. The largest sensible config has a few kilobytes.
const maxBytes = 1 << 20

// document is a file's one YAML document and the problems found in it.
type document struct {
	path   string
	stored bool                              // a config of an older version is accepted, see [ParseStored]
	open   func(path string) ([]byte, error) // opens the files that it names

	problems Problems
	found    int // all problems, remembered or not
}

// read reads the data as a single YAML document. The error is [Problems], in the order of the file.
func (d *document) read(data []byte, do func(root node)) error {
	if root := d.root(data); root != nil {
		do(node{doc: d, yaml: root, at: root})
	}
	if len(d.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(d.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return d.problems
}

// add notes a problem.
func (d *document) add(line, column int, key, format string, args ...any) {
	d.found++
	if len(d.problems) < maxCollected {
		d.problems = append(d.problems, Problem{d.path, line, column, key, fmt.Sprintf(format, args...)})
	}
}

// root returns the document's root; nil after a problem.
func (d *document) root(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		d.add(1, 1, "", "the file is larger than 1 MB")
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	first, err := decode(decoder)
	if errors.Is(err, io.EOF) {
		d.add(1, 1, "", "the file is empty")
		return nil
	}
	if err == nil {
		var second *yaml.Node
		if second, err = decode(decoder); err == nil {
			d.add(second.Line, second.Column, "", "want a single YAML document, got another one")
			return nil
		}
	}
	if !errors.Is(err, io.EOF) {
		d.addSyntaxError(data, err)
		return nil
	}
	root := first.Content[0]
	if root.Kind == yaml.ScalarNode && root.Style == 0 && root.Value == "" {
		d.add(1, 1, "", "the file is empty")
		return nil
	}
	return root
}

// decode reads the next document. A panic of the parser is its way to refuse: the file is at fault, not the run.
func decode(decoder *yaml.Decoder) (next *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	next = new(yaml.Node)
	if err := decoder.Decode(next); err != nil {
		return nil, err
	}
	if len(next.Content) == 0 {
		return nil, io.EOF
	}
	return next, nil
}

// yamlPlace is how the parser's messages begin. Its line is often the one before or that of the block's
// beginning, and there is no column.
var yamlPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// addSyntaxError reports what is not YAML at all, at the first line that cannot follow those before it.
func (d *document) addSyntaxError(data []byte, err error) {
	reason := yamlPlace.ReplaceAllString(err.Error(), "")
	lines := bytes.SplitAfter(data, []byte("\n"))
	number := 1
	if match := yamlPlace.FindStringSubmatch(err.Error()); match[1] != "" {
		_, _ = fmt.Sscan(match[1], &number) // digits: they were matched as such
	}
	if n := firstBadLine(data, lines); n > 0 {
		number = n
	}
	number = min(number, len(lines))
	var texts []string
	for _, line := range lines[:number] {
		texts = append(texts, strings.TrimRight(string(line), "\r\n"))
	}
	if tab := tabbed.FindString(texts[number-1]); tab != "" {
		d.add(number, len(tab), "", "not valid YAML: a tab in the indentation: want spaces")
		return
	}
	line, at, cause := likelyCause(texts, number-1, reason)
	if cause != "" {
		cause = ": " + cause
	}
	d.add(line+1, column(texts[line], at), "", "not valid YAML: %s%s", clipTo(reason, 100), cause)
}

// firstBadLine returns the number of the line after the longest beginning of the file that is valid by itself, or 0
// if that takes too much reading: the search is quadratic in the size of the file.
func firstBadLine(data []byte, lines [][]byte) int {
	budget := maxBytes
	end := len(data)
	for n := len(lines) - 1; n > 0; n-- {
		end -= len(lines[n])
		if budget -= end; budget < 0 {
			return 0
		}
		if validYAML(data[:end]) {
			return n + 1
		}
	}
	return 1
}

// validYAML reports whether the data is a sequence of YAML documents.
func validYAML(data []byte) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := decode(decoder); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}
