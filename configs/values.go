package configs

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tune2048/tuner"
)

// node is a YAML node of a document, with what messages need to name it.
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

// describe says what the value is, for messages.
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
	case n.isText():
		return `the text "` + clip(n.yaml.Value) + `"`
	default:
		return clip(n.yaml.Value)
	}
}

func (n node) isMapping() bool { return n.yaml.Kind == yaml.MappingNode }

func (n node) isScalar() bool { return n.yaml.Kind == yaml.ScalarNode }

// unquoted reports whether the value is a scalar written without quotes.
func (n node) unquoted() bool {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.isScalar() && n.yaml.Style&quoted == 0
}

func (n node) isNull() bool { return n.unquoted() && n.yaml.ShortTag() == "!!null" }

func (n node) isText() bool { return n.isScalar() && n.yaml.ShortTag() == "!!str" }

// child returns the value of a key of this mapping.
func (n node) child(key, content *yaml.Node) node {
	name := key.Value
	if !nameForm.MatchString(name) {
		name = `"` + clip(name) + `"`
	}
	return node{n.doc, content, key, n.nameOf(name)}
}

// nameOf returns the full name of a key of this mapping.
func (n node) nameOf(key string) string {
	if n.key == "" {
		return key
	}
	return n.key + "." + key
}

// items returns the values of a list of least to most.
func (n node) items(what string, least, most int) ([]node, bool) {
	if n.yaml.Kind != yaml.SequenceNode {
		what = "a list of " + what
		if n.isMapping() && n.yaml.Style&yaml.FlowStyle == 0 {
			what += ", each beginning with a - and a space"
		}
		n.want(what)
		return nil, false
	}
	count := len(n.yaml.Content)
	switch {
	case count < least:
		n.problem("want at least %d, got %d", least, count)
		return nil, false
	case count > most:
		n.problem("want at most %d, got %d", most, count)
		return nil, false
	}
	items := make([]node, count)
	for i, item := range n.yaml.Content {
		items[i] = node{n.doc, item, item, fmt.Sprintf("%s[%d]", n.key, i)}
	}
	return items, true
}

var (
	wholeForm   = regexp.MustCompile(`^[-+]?[0-9]+$`)
	numberForm  = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
	leadingZero = regexp.MustCompile(`^[-+]?0[0-9]`)
	nameForm    = regexp.MustCompile(`^[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$`) // not -x, which a command line takes for a flag
)

// nameRule says what nameForm allows.
const nameRule = "1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first not '-'"

// whole returns a whole number from least to most. YAML's other notations are refused: 010 is 8 to some readers and 10 to
// others.
func (n node) whole(least, most int64) (int64, bool) {
	text, ok := n.decimal("a whole number")
	if !ok {
		return 0, false
	}
	if !wholeForm.MatchString(text) {
		n.problem("want a whole number written in digits, got %s", clip(text))
		return 0, false
	}
	x, err := strconv.ParseInt(text, 10, 64)
	switch {
	case x < least: // out of the range of int64, too: ParseInt returns the nearest
		n.problem("want at least %d, got %s", least, clip(text))
	case x > most || err != nil:
		n.problem("want at most %d, got %s", most, clip(text))
	default:
		return x, true
	}
	return 0, false
}

// decimal returns the text of a number in decimal notation.
func (n node) decimal(what string) (string, bool) {
	switch {
	case !n.unquoted() || !numberForm.MatchString(n.yaml.Value):
		n.want(what)
	case leadingZero.MatchString(n.yaml.Value):
		n.problem("want %s without leading zeros, got %s", what, clip(n.yaml.Value))
	default:
		return n.yaml.Value, true
	}
	return "", false
}

// number returns a finite number in decimal notation. Zero has no sign: -0 would be another config than 0.
func (n node) number() (float64, bool) {
	if n.unquoted() && n.yaml.ShortTag() == "!!float" && (strings.HasSuffix(strings.ToLower(n.yaml.Value), ".inf") || strings.ToLower(n.yaml.Value) == ".nan") {
		n.want("a finite number")
		return 0, false
	}
	text, ok := n.decimal("a number")
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil { // out of range
		n.problem("want a number within ±%.2g, got %s", math.MaxFloat64, clip(text))
	}
	return x + 0, err == nil
}

// within returns a number of the range.
func (n node) within(r tuner.Range) (float64, bool) {
	x, ok := n.number()
	if ok && !r.Contains(x) {
		n.want("a number " + r.String())
		return 0, false
	}
	return x, ok
}

// text returns a non-empty text.
func (n node) text() (string, bool) {
	if !n.isText() || n.yaml.Value == "" {
		switch {
		case n.isText():
			n.problem("want a text, got an empty one")
		case n.unquoted() && !n.isNull():
			n.problem(`want a text, got %s: put it in quotes if it is one: "%s"`, n.describe(), clip(n.yaml.Value))
		default:
			n.want("a text")
		}
		return "", false
	}
	return n.yaml.Value, true
}

// name returns a text that can be a name on a command line, in a file name and in SQL without quoting.
func (n node) name() (string, bool) {
	text, ok := n.text()
	if ok && !nameForm.MatchString(text) {
		n.problem(`want %s, got "%s"`, nameRule, clip(text))
		return "", false
	}
	return text, ok
}

// choice returns one of the given words.
func (n node) choice(words ...string) (string, bool) {
	if n.isScalar() && slices.Contains(words, n.yaml.Value) {
		return n.yaml.Value, true
	}
	word := ""
	if n.isText() {
		word = n.yaml.Value
	}
	n.problem("want %s, got %s%s", either(words), n.describe(), didYouMean(word, words))
	return "", false
}

// either lists words: "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
