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

// value is a value of a document, with what messages need to name it.
type value struct {
	doc  *document
	node *yaml.Node // the value
	at   *yaml.Node // what messages point at: the value's key or, in a list, the value itself
	key  string     // full name, such as "stages[1].games"; empty for the root
}

// problem notes a problem with the value.
func (v value) problem(format string, args ...any) {
	v.doc.add(v.at.Line, v.at.Column, v.key, format, args...)
}

// want notes that the value is not what was wanted.
func (v value) want(what string) { v.problem("want %s, got %s", what, v.describe()) }

// describe says what the value is, for messages.
func (v value) describe() string {
	switch {
	case v.node.Kind == yaml.MappingNode:
		return "a mapping"
	case v.node.Kind == yaml.SequenceNode:
		return "a list"
	case v.node.Kind == yaml.AliasNode:
		return "the alias *" + clip(v.node.Value) + ": write its value out"
	case v.isNull():
		return "nothing"
	case v.isText():
		return `the text "` + clip(v.node.Value) + `"`
	default:
		return clip(v.node.Value)
	}
}

func (v value) isMapping() bool { return v.node.Kind == yaml.MappingNode }

func (v value) isScalar() bool { return v.node.Kind == yaml.ScalarNode }

// unquoted reports whether the value is a scalar written without quotes.
func (v value) unquoted() bool {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return v.isScalar() && v.node.Style&quoted == 0
}

func (v value) isNull() bool { return v.unquoted() && v.node.ShortTag() == "!!null" }

func (v value) isText() bool { return v.isScalar() && v.node.ShortTag() == "!!str" }

// child returns the value of a key of this mapping.
func (v value) child(key, node *yaml.Node) value {
	name := key.Value
	if !nameForm.MatchString(name) {
		name = `"` + clip(name) + `"`
	}
	return value{v.doc, node, key, v.nameOf(name)}
}

// nameOf returns the full name of a key of this mapping.
func (v value) nameOf(key string) string {
	if v.key == "" {
		return key
	}
	return v.key + "." + key
}

// items returns the values of a list of least to most.
func (v value) items(what string, least, most int) ([]value, bool) {
	if v.node.Kind != yaml.SequenceNode {
		v.want("a list of " + what)
		return nil, false
	}
	n := len(v.node.Content)
	switch {
	case n < least:
		v.problem("want at least %d, got %d", least, n)
		return nil, false
	case n > most:
		v.problem("want at most %d, got %d", most, n)
		return nil, false
	}
	items := make([]value, n)
	for i, node := range v.node.Content {
		items[i] = value{v.doc, node, node, fmt.Sprintf("%s[%d]", v.key, i)}
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
func (v value) whole(least, most int64) (int64, bool) {
	text, ok := v.decimal("a whole number")
	if !ok {
		return 0, false
	}
	if !wholeForm.MatchString(text) {
		v.problem("want a whole number written in digits, got %s", clip(text))
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case n < least: // out of the range of int64, too: ParseInt returns the nearest
		v.problem("want at least %d, got %s", least, clip(text))
	case n > most || err != nil:
		v.problem("want at most %d, got %s", most, clip(text))
	default:
		return n, true
	}
	return 0, false
}

// decimal returns the text of a number in decimal notation.
func (v value) decimal(what string) (string, bool) {
	switch {
	case !v.unquoted() || !numberForm.MatchString(v.node.Value):
		v.want(what)
	case leadingZero.MatchString(v.node.Value):
		v.problem("want %s without leading zeros, got %s", what, clip(v.node.Value))
	default:
		return v.node.Value, true
	}
	return "", false
}

// number returns a finite number in decimal notation. Zero has no sign: -0 would be another config than 0.
func (v value) number() (float64, bool) {
	if v.unquoted() && v.node.ShortTag() == "!!float" && (strings.HasSuffix(strings.ToLower(v.node.Value), ".inf") || strings.ToLower(v.node.Value) == ".nan") {
		v.want("a finite number")
		return 0, false
	}
	text, ok := v.decimal("a number")
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil { // out of range
		v.problem("want a number within ±%.2g, got %s", math.MaxFloat64, clip(text))
	}
	return x + 0, err == nil
}

// within returns a number of the range.
func (v value) within(r tuner.Range) (float64, bool) {
	x, ok := v.number()
	if ok && !r.Contains(x) {
		v.want("a number " + r.String())
		return 0, false
	}
	return x, ok
}

// text returns a non-empty text.
func (v value) text() (string, bool) {
	if !v.isText() || v.node.Value == "" {
		switch {
		case v.isText():
			v.problem("want a text, got an empty one")
		case v.unquoted() && !v.isNull():
			v.problem(`want a text, got %s: put it in quotes if it is one: "%s"`, v.describe(), clip(v.node.Value))
		default:
			v.want("a text")
		}
		return "", false
	}
	return v.node.Value, true
}

// name returns a text that can be a name on a command line, in a file name and in SQL without quoting.
func (v value) name() (string, bool) {
	text, ok := v.text()
	if ok && !nameForm.MatchString(text) {
		v.problem(`want %s, got "%s"`, nameRule, clip(text))
		return "", false
	}
	return text, ok
}

// choice returns one of the given words.
func (v value) choice(words ...string) (string, bool) {
	if v.isScalar() && slices.Contains(words, v.node.Value) {
		return v.node.Value, true
	}
	word := ""
	if v.isText() {
		word = v.node.Value
	}
	v.problem("want %s, got %s%s", either(words), v.describe(), didYouMean(word, words))
	return "", false
}

// either lists words: "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
