package configs

import (
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// node is a YAML node of a document, with the file and key that messages name.
type node struct {
	doc  *document
	yaml *yaml.Node // what it says
	at   *yaml.Node // what messages point at: the value's key or, in a list, the value itself
	key  string     // full name, such as "stages[1].games"; empty for the root
}

// problem notes a problem with the value.
func (n node) problem(format string, args ...any) {
	n.doc.add(n.at.Line, n.at.Column, n.key, format, args...)
}

// want notes that the value is not what was wanted.
func (n node) want(what string) { n.problem("want %s, got %s", what, n.describe()) }

// describe names the value in messages.
func (n node) describe() string {
	switch {
	case n.yaml.Kind == yaml.MappingNode:
		return "a mapping"
	case n.yaml.Kind == yaml.SequenceNode:
		return "a list"
	case n.yaml.Kind == yaml.AliasNode:
		return "the alias *" + clip(n.yaml.Value) + ": write its value out"
	case n.isNull():
		return "nothing"
	case n.unquoted() && commaForm.MatchString(n.yaml.Value):
		return `the text "` + clip(n.yaml.Value) + `": ` + commaHint(n.yaml.Value)
	case n.isText():
		return `the text "` + clip(n.yaml.Value) + `"`
	default:
		return clip(n.yaml.Value)
	}
}

func (n node) isMapping() bool { return n.yaml.Kind == yaml.MappingNode }

// isSection reports whether there is a node, and it is a mapping.
func (n node) isSection() bool { return n.yaml != nil && n.isMapping() }

func (n node) isScalar() bool { return n.yaml.Kind == yaml.ScalarNode }

// unquoted reports whether the value is a scalar written without quotes.
func (n node) unquoted() bool {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.isScalar() && n.yaml.Style&quoted == 0
}

func (n node) isNull() bool { return n.unquoted() && n.yaml.ShortTag() == "!!null" }

func (n node) isText() bool { return n.isScalar() && n.yaml.ShortTag() == "!!str" }

// isWord reports whether the value is this text.
func (n node) isWord(word string) bool { return n.isText() && n.yaml.Value == word }

var (
	// YAML's other notations are refused: 010 is 8 to some readers and 10 to others.
	wholeForm  = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	numberForm = regexp.MustCompile(`^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
	nameForm   = regexp.MustCompile(`^[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$`) // not -x, as a flag is
)

// commaForm is a number with a comma for a point, or between its thousands.
var commaForm = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*),[0-9]{1,20}$`)

// commaHint says how to write such a number.
func commaHint(text string) string {
	whole, rest, _ := strings.Cut(clip(text), ",")
	if len(rest) == 3 && strings.Trim(whole, "-+") != "0" {
		return fmt.Sprintf("a number has no comma: write %s%s, or %s.%s for a fraction", whole, rest, whole, rest)
	}
	return fmt.Sprintf("a number has a point: write %s.%s", whole, rest)
}

// nameRule puts nameForm into words.
const nameRule = "1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first not '-'"

// child returns the value of a key of this mapping.
func (n node) child(key, content *yaml.Node) node {
	name := key.Value
	if !nameForm.MatchString(name) {
		name = `"` + clip(name) + `"`
	}
	return node{n.doc, content, key, n.nameOf(name)}
}

// nameOf returns the full name of a key of this mapping.
func (n node) nameOf(key string) string { return strings.TrimPrefix(n.key+"."+key, ".") }

// items returns the values of a list of least to most.
func (n node) items(what string, least, most int) ([]node, bool) {
	count := len(n.yaml.Content)
	switch {
	case n.isMapping() && n.yaml.Style&yaml.FlowStyle == 0:
		n.want("a list of " + what + ", each beginning with a - and a space")
	case n.yaml.Kind != yaml.SequenceNode:
		n.want("a list of " + what)
	case count < least:
		n.problem("want at least %d, got %d", least, count)
	case count > most:
		n.problem("want at most %d, got %d", most, count)
	default:
		items := make([]node, count)
		for i, item := range n.yaml.Content {
			items[i] = node{n.doc, item, item, fmt.Sprintf("%s[%d]", n.key, i)}
		}
		return items, true
	}
	return nil, false
}

// either lists words: "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
