package config

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// node is a YAML node of a document, with the file and key that messages name.
type node struct {
	doc        *document
	*yaml.Node            // what it says
	at         *yaml.Node // what messages point at: the value's key or, in a list, the value itself
	key        string     // full name, such as "stages[1].games"; empty for the root
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
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "the alias *" + clip(n.Value) + ": write its value out"
	case n.isNull() && n.Value == "" && n.key != "":
		return "nothing: indent what belongs to it"
	case n.isNull():
		return "nothing"
	case n.unquoted() && commaForm.MatchString(n.Value):
		return `the text "` + clip(n.Value) + `": ` + noComma
	case n.isText():
		return `the text "` + clip(n.Value) + `"`
	default:
		return clip(n.Value)
	}
}

func (n node) isMapping() bool { return n.Kind == yaml.MappingNode }

// isSection reports whether there is a node, and it is a mapping.
func (n node) isSection() bool { return n.Node != nil && n.isMapping() }

// unquoted reports whether the value is a scalar written without quotes.
func (n node) unquoted() bool {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.Kind == yaml.ScalarNode && n.Style&quoted == 0
}

func (n node) isNull() bool { return n.unquoted() && n.ShortTag() == "!!null" }

func (n node) isText() bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" }

var (
	// YAML's other notations are refused: 010 is 8 to some readers and 10 to others.
	wholeForm  = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	numberForm = regexp.MustCompile(`^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
	nameForm   = regexp.MustCompile(`^[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$`) // not -x, as a flag is
	commaForm  = regexp.MustCompile(`^[-+]?[0-9]+(,[0-9]+)+$`)
)

const noComma = "write the number without a comma, with a point before a fraction"

// nameRule puts nameForm into words.
const nameRule = "1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first not '-'"

// read reads the value into a variable, which keeps what it has if the value is wrong. want is its
// limits: an interval such as [0,1) for a number or the length of a list, words for a word, "name"
// for a name.
func (n node) read(to any, want string) {
	switch to := to.(type) {
	case *node:
		*to = n
	case *int:
		n.whole(to, rangeOf(want))
	case *uint64:
		x := int(*to)
		n.whole(&x, rangeOf(want))
		*to = uint64(x)
	case *float64:
		n.number(to, rangeOf(want))
	case *string:
		n.text(to, want)
	case *argument:
		n.text((*string)(to), "argument")
	case *time.Duration:
		if d, err := time.ParseDuration(n.Value); n.Kind != yaml.ScalarNode || err != nil || d < 0 {
			n.want("a time such as 10s, 500ms or 2m; 0s: no limit")
		} else {
			*to = d
		}
	case *engine.Rules:
		n.read((*rulesKeys)(to), "")
	case *engine.Settings:
		n.search(to, nil)
	case *[]ValidatedSearch:
		n.heldOut(to)
	case *fitness.Objective:
		n.objective(to)
	case *eval.Term:
		n.feature(to)
	case *eval.Dead:
		n.dead(to)
	case *tuner.Options:
		n.optimizer(to)
	case *Player:
		if f, ok := n.fields(); ok {
			c := new(Config)
			f.decode(to)
			c.readWho(f)
			f.done()
			to.Family = c.Family
		}
	default:
		switch v := reflect.ValueOf(to).Elem(); v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			n.read(v.Interface(), want)
		case reflect.Slice:
			for _, item := range n.items(want) {
				x := reflect.New(v.Type().Elem())
				item.read(x.Interface(), "")
				v.Set(reflect.Append(v, x.Elem()))
			}
		default:
			if f, ok := n.fields(); ok {
				f.decode(to)
				f.done()
			}
		}
	}
}

// rangeOf reads an interval such as [1,31] or [0,1). An empty text is any number.
func rangeOf(want string) tuner.Range {
	r := tuner.Range{Low: math.Inf(-1), High: math.Inf(1), LowOut: strings.HasPrefix(want, "("),
		HighOut: strings.HasSuffix(want, ")")}
	if want != "" {
		fmt.Sscanf(want[1:], "%g,%g", &r.Low, &r.High)
	}
	return r
}

// whole reads a whole number of a range.
func (n node) whole(to *int, within tuner.Range) {
	x, err := strconv.ParseInt(n.Value, 10, 64) // out of its range it is the nearest number
	switch {
	case !n.unquoted() || !wholeForm.MatchString(n.Value):
		n.want("a whole number in decimal digits")
	case x < int64(within.Low):
		n.problem("want at least %d, got %s", int64(within.Low), clip(n.Value))
	case x > int64(within.High) || err != nil:
		n.problem("want at most %d, got %s", int64(within.High), clip(n.Value))
	default:
		*to = int(x)
	}
}

// number reads a finite number of a range.
func (n node) number(to *float64, within tuner.Range) {
	if x, ok := n.numberOr("a number in decimal digits"); ok && !within.Contains(x) {
		n.want("a number " + within.String())
	} else if ok {
		*to = x
	}
}

// numberOr returns any finite number. wanted is the text of the values wanted. Zero has no sign: -0
// would be another config than 0.
func (n node) numberOr(wanted string) (float64, bool) {
	x, err := strconv.ParseFloat(n.Value, 64)
	switch {
	case !n.unquoted() || !numberForm.MatchString(n.Value):
		n.want(wanted)
	case err != nil: // out of its range, and a text to YAML
		n.problem("want a number within ±1.8e+308, got %s", clip(n.Value))
	default:
		return x + 0, true
	}
	return 0, false
}

// text reads any text but the empty one, a name or one of several words.
func (n node) text(to *string, want string) {
	words := strings.Split(want, "|")
	switch text := n.Value; {
	case len(words) > 1 || want == "champion":
		if n.Kind == yaml.ScalarNode && slices.Contains(words, text) {
			*to = text
		} else if n.isText() {
			n.problem("want %s, got %s%s", either(words), n.describe(), DidYouMean(text, words))
		} else {
			n.want(either(words))
		}
	case want == "argument" && n.unquoted() && !n.isNull(), n.isText() && text != "" &&
		(want != "name" || nameForm.MatchString(text)):
		*to = text
	case n.isText() && text != "":
		n.problem(`want %s, got "%s"`, nameRule, clip(text))
	case n.isText():
		n.problem("want a text, got an empty one")
	case n.unquoted() && !n.isNull():
		n.problem(`want a text, got %s: put it in quotes if it is one: "%s"`, n.describe(), clip(text))
	default:
		n.want("a text")
	}
}

// items returns the values of a list. want is a range of their number, and what they are.
func (n node) items(want string) (items []node) {
	number, what, _ := strings.Cut(want, " ")
	within := rangeOf(number)
	switch count := len(n.Content); {
	case n.isMapping() && n.Style&yaml.FlowStyle == 0:
		n.want("a list of " + what + ", each beginning with a - and a space")
	case n.Kind != yaml.SequenceNode:
		n.want("a list of " + what)
	case count < int(within.Low):
		n.problem("want at least %v, got %d", within.Low, count)
	case count > int(within.High):
		n.problem("want at most %v, got %d", within.High, count)
	default:
		for i, item := range n.Content {
			items = append(items, node{n.doc, item, item, fmt.Sprintf("%s[%d]", n.key, i)})
			n.doc.places[items[i].key] = item
		}
	}
	return items
}

// fields are the entries of a mapping.
type fields struct {
	node
	entries map[string]node
	keys    []string           // in the order of the file, each once
	known   []string           // the keys that there are
	missing map[string]problem // of the keys that are not given, and that lacks noted
}

// fields returns the entries of a mapping, whatever their keys. Keys that come twice are problems.
func (n node) fields() (*fields, bool) {
	f := &fields{node: n, entries: map[string]node{}, missing: map[string]problem{}}
	if !n.isMapping() {
		n.want("a mapping (key: value)")
		return f, false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, content := n.Content[i], n.Content[i+1]
		entry := node{n.doc, content, key, n.nameOf(key.Value)}
		switch first, twice := f.entries[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			n.doc.add(key.Line, key.Column, n.key, "want a word as key, got a list or mapping as key")
		case twice:
			entry.problem("duplicate key, first on line %d", first.at.Line)
		default:
			f.entries[key.Value] = entry
			f.keys = append(f.keys, key.Value)
			n.doc.places[entry.key] = key
		}
		// In braces a comma ends the number, and its other digits are a key without a value.
		number := content.Value
		for n.Style&yaml.FlowStyle != 0 && entry.unquoted() && i+3 < len(n.Content) &&
			commaForm.MatchString(number+","+n.Content[i+2].Value) && n.Content[i+3].ShortTag() == "!!null" {
			number += "," + n.Content[i+2].Value
			i += 2
		}
		if number != content.Value {
			entry.problem("got %s: %s", clip(number), noComma)
		}
	}
	return f, true
}

// nameOf returns the full name of a key of this mapping.
func (n node) nameOf(key string) string {
	if !nameForm.MatchString(key) {
		key = `"` + clip(key) + `"`
	}
	return strings.TrimPrefix(n.key+"."+key, ".")
}

// has reports whether a key is given, however wrong its value.
func (f *fields) has(key string) bool {
	_, given := f.entries[key]
	return given
}

// read reads the value of a key, if it is given.
func (f *fields) read(key string, to any, want string) {
	f.known = append(f.known, key)
	if n, given := f.entries[key]; given {
		n.read(to, want)
	}
}

// need notes a problem if a key is missing.
func (f *fields) need(key, example string) {
	if !f.has(key) {
		f.lacks([]string{key}, f.nameOf(key), "missing: give it, such as %s: %s", key, example)
	}
}

// lacks notes at a place that one of the keys must be given. done takes that back if somebody
// mistyped one of them: one mistake has one message.
func (f *fields) lacks(keys []string, at, format string, args ...any) {
	f.doc.refuse(at, format, args...)
	for _, key := range keys {
		f.missing[key] = f.doc.problems[len(f.doc.problems)-1]
	}
}

// decode reads the keys of a struct: its fields with a tag yaml. The tag want has the limits, the
// tag example the value that the message shows if the key is missing and has no default.
func (f *fields) decode(to any) {
	v := reflect.ValueOf(to).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) {
		if key := field.Tag.Get("yaml"); key != "" {
			if example := field.Tag.Get("example"); example != "" {
				f.need(key, example)
			}
			f.read(key, v.FieldByIndex(field.Index).Addr().Interface(), field.Tag.Get("want"))
		}
	}
}

// keysOf returns the keys of a struct.
func keysOf(x any) (keys []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeOf(x)) {
		if key := field.Tag.Get("yaml"); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// oneOf notes a problem unless exactly one of the keys is given.
func (f *fields) oneOf(keys ...string) {
	given := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !f.has(key) })
	switch {
	case len(given) == 0:
		f.lacks(keys, f.key, "want one of %s, got none of them", either(keys))
	case len(given) > 1:
		f.entries[given[1]].problem("want only one of %s, got %s", either(keys), strings.Join(given, " and "))
	}
}

// done notes each key that nobody read as a problem.
func (f *fields) done() {
	unknown := 0
	for _, key := range f.keys {
		n := f.entries[key]
		if slices.Contains(f.known, key) {
			continue
		}
		if unknown++; unknown > maxShown { // nobody sees it, and hints take time
			n.problem("unknown key")
			continue
		}
		hint, home := DidYouMean(key, f.known), homeOf(key, f.key)
		if missing, found := f.missing[Nearest(key, f.known)]; found {
			f.doc.problems = slices.DeleteFunc(f.doc.problems, func(p problem) bool { return p == missing })
		}
		if home != "" && (hint == "" || f.key == "") {
			hint = "; " + key + " belongs " + home + ": move it there"
		}
		n.problem("unknown key%s; want %s", hint, either(f.known))
	}
}

// homeOf returns the section that has a key of this name, other than the section at key within.
func homeOf(key, within string) string {
	within, _, _ = strings.Cut(within, "[")
	for _, home := range []struct {
		section, where string
		keys           []string
	}{
		{"", "on the top level", rootKeys},
		{"game", "in game", keysOf(rulesKeys{})},
		{"heuristic", "in heuristic", heuristicKeys},
		{"search", "in search", keysOf(searchKeys{})},
		{"optimizer", "in optimizer", optimizerKeys()},
		{"stages", "in an entry of stages", keysOf(Stage{})},
		{"heuristic.features", "in an entry of features", featureKeys()},
	} {
		if home.section != within && slices.Contains(home.keys, key) {
			return home.where
		}
	}
	return ""
}

// either lists words: "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
