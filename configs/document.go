package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// maxBytes is the size of the largest file that is read. The largest sensible config has a few kilobytes.
const maxBytes = 1 << 20

// document is a file's one YAML document and the problems found in it.
type document struct {
	problemList
	root value
}

// openDocument reads the data as a single plain YAML document: valid UTF-8 (a byte order mark and CRLF are
// fine), no anchors, aliases, merge keys or tags. Nothing of these is needed here, and each is a way to write a
// file that is not what it looks like. Problems are in the document's list; then its root must not be used.
func openDocument(data []byte, path string) *document {
	d := &document{problemList: problemList{path: path}}
	if len(data) > maxBytes {
		d.add(1, 1, "", "the file is larger than 1 MB")
		return d
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !d.checkText(data) {
		return d
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	first, err := decode(decoder)
	switch {
	case errors.Is(err, io.EOF):
		d.add(1, 1, "", "the file is empty")
		return d
	case err != nil:
		d.addSyntaxError(data, err)
		return d
	}
	second, err := decode(decoder)
	switch {
	case err == nil:
		d.add(second.Line, second.Column, "", "want a single YAML document, got another one")
	case !errors.Is(err, io.EOF):
		d.addSyntaxError(data, err)
	}
	root := first.Content[0]
	if root.Kind == yaml.ScalarNode && root.Style == 0 && root.Value == "" {
		d.add(1, 1, "", "the file is empty")
	}
	d.checkPlain(root)
	d.root = value{doc: d, node: root, at: root}
	return d
}

// decode reads the next document. A panic of the parser is its way to refuse: the file is at fault, not the run.
func decode(decoder *yaml.Decoder) (node *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	node = new(yaml.Node)
	if err := decoder.Decode(node); err != nil {
		return nil, err
	}
	if len(node.Content) == 0 {
		return nil, io.EOF
	}
	return node, nil
}

// checkText reports the first byte that no text file has.
func (d *document) checkText(data []byte) bool {
	line, column := 1, 1
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			d.add(line, column, "", "not a text file: byte 0x%02x is not UTF-8", data[i])
			return false
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r == '\ufeff':
			d.add(line, column, "", "not a text file: control character U+%04X", r)
			return false
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
		i += size
	}
	return true
}

// checkPlain reports anchors, aliases and tags.
func (d *document) checkPlain(node *yaml.Node) {
	switch {
	case d.full():
		return
	case node.Kind == yaml.AliasNode:
		d.add(node.Line, node.Column, "", "aliases (*%s) are not supported: write the value out", clip(node.Value))
	case node.Anchor != "":
		d.add(node.Line, node.Column, "", "anchors (&%s) are not supported: write the value where it is used", clip(node.Anchor))
	case node.Style&yaml.TaggedStyle != 0:
		d.add(node.Line, node.Column, "", "tags (%s) are not supported: leave it out", clip(node.Tag))
	}
	for _, child := range node.Content {
		d.checkPlain(child)
	}
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
	line := string(lines[number-1])
	text := strings.TrimLeft(line, " \t")
	indent := line[:len(line)-len(text)]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		d.add(number, tab+1, "", "not valid YAML: a tab in the indentation: want spaces")
		return
	}
	d.add(number, len(indent)+1, "", "not valid YAML: %s", clipTo(reason, 100))
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
