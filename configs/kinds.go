package configs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tune2048/tuner"
)

// kind is a kind of values: how files say them.
type kind[T any] struct {
	read   func(n node) (x T, ok bool) // notes what is wrong
	text   func(x T, full bool) string
	schema func() object
	shown  bool // whether the schema shows the default of such a key
}

// object is a JSON object.
type object = map[string]any

// whole is a whole number from least to most.
func whole[T int | uint64](least, most T) kind[T] {
	return kind[T]{
		read: func(n node) (T, bool) {
			text := n.yaml.Value
			x, err := strconv.ParseInt(text, 10, 64) // out of its range it is the nearest number
			switch {
			case !n.unquoted() || !wholeForm.MatchString(text):
				n.want("a whole number in decimal digits")
			case x < int64(least):
				n.problem("want at least %d, got %s", least, clip(text))
			case x > int64(most) || err != nil:
				n.problem("want at most %d, got %s", most, clip(text))
			default:
				return T(x), true
			}
			return 0, false
		},
		text:   func(x T, _ bool) string { return strconv.FormatInt(int64(x), 10) },
		schema: func() object { return object{"type": "integer", "minimum": least, "maximum": most} },
		shown:  true,
	}
}

// boolean is true or false.
func boolean() kind[bool] {
	k := word("true", "false")
	return kind[bool]{
		read: func(n node) (bool, bool) {
			text, ok := k.read(n)
			return text == "true", ok
		},
		text:   func(x bool, _ bool) string { return strconv.FormatBool(x) },
		schema: func() object { return object{"type": "boolean"} },
	}
}

// number is any finite number.
func number() kind[float64] { return numberOr("a number in decimal digits") }

// numberOr is a number with the text of the values wanted. Zero has no sign: -0 would be another
// config than 0.
func numberOr(wanted string) kind[float64] {
	return kind[float64]{
		read: func(n node) (float64, bool) {
			x, err := strconv.ParseFloat(n.yaml.Value, 64)
			switch {
			case !n.unquoted() || !numberForm.MatchString(n.yaml.Value):
				n.want(wanted)
			case err != nil: // out of its range, and a text to YAML
				n.problem("want a number within ±1.8e+308, got %s", clip(n.yaml.Value))
			default:
				return x + 0, true
			}
			return 0, false
		},
		text:   func(x float64, _ bool) string { return decimal(x) },
		schema: func() object { return object{"type": "number"} },
	}
}

// within is a number of a range.
func within(r tuner.Range) kind[float64] {
	k := number()
	read := k.read
	k.read = func(n node) (float64, bool) {
		x, ok := read(n)
		if ok && !r.Contains(x) {
			n.want("a number " + r.String())
		}
		return x, ok && r.Contains(x)
	}
	k.schema = func() object {
		low, high := "minimum", "maximum"
		if r.LowOut {
			low = "exclusiveMinimum"
		}
		if r.HighOut {
			high = "exclusiveMaximum"
		}
		return object{"type": "number", low: r.Low, high: r.High}
	}
	k.shown = true
	return k
}

// word is one of the given words.
func word(words ...string) kind[string] {
	return kind[string]{
		read: func(n node) (string, bool) {
			ok := n.isScalar() && slices.Contains(words, n.yaml.Value)
			if !ok {
				near := ""
				if n.isText() {
					near = DidYouMean(n.yaml.Value, words)
				}
				n.problem("want %s, got %s%s", either(words), n.describe(), near)
			}
			return n.yaml.Value, ok
		},
		text:   func(word string, _ bool) string { return word },
		schema: func() object { return object{"enum": words} },
		shown:  true,
	}
}

// text is any text but the empty one.
func text() kind[string] {
	return kind[string]{
		read: func(n node) (string, bool) {
			switch text := n.yaml.Value; {
			case n.isText() && text != "":
				return text, true
			case n.isText():
				n.problem("want a text, got an empty one")
			case n.unquoted() && !n.isNull():
				n.problem(`want a text, got %s: put it in quotes if it is one: "%s"`, n.describe(), clip(text))
			default:
				n.want("a text")
			}
			return "", false
		},
		text:   quoted,
		schema: func() object { return object{"type": "string", "minLength": 1} },
	}
}

func quoted(text string, _ bool) string { return strconv.Quote(text) }

// note is a text on one line.
func note() kind[string] {
	k := text()
	read := k.read
	k.read = func(n node) (string, bool) {
		x, ok := read(n)
		if err := CheckNote(x); ok && err != nil {
			n.problem("%v", err)
			return "", false
		}
		return x, ok
	}
	k.schema = func() object { return object{"type": "string", "minLength": 1, "maxLength": maxNote} }
	return k
}

const maxNote = 200

// CheckNote refuses a note of a run that is longer than 200 characters, or that a terminal does not
// show on one line.
func CheckNote(note string) error {
	if utf8.RuneCountInString(note) > maxNote || strings.ContainsFunc(note, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return fmt.Errorf("want a note of one line, %d characters at most, got %q", maxNote, clip(note))
	}
	return nil
}

// name is a text that needs no quotes on a command line, in a file name and in SQL.
func name() kind[string] {
	k := text()
	read := k.read
	k.read = func(n node) (string, bool) {
		x, ok := read(n)
		if ok && !nameForm.MatchString(x) {
			n.problem(`want %s, got "%s"`, nameRule, clip(x))
		}
		return x, ok && nameForm.MatchString(x)
	}
	k.schema = func() object { return object{"type": "string", "pattern": nameForm.String()} }
	return k
}

// mapping is a mapping with a description.
func mapping[T any](describe func(s *section, x *T)) kind[T] {
	return kind[T]{
		read: func(n node) (x T, ok bool) {
			ok = n.section(func(s *section) { describe(s, &x) })
			return x, ok
		},
		text:   func(x T, full bool) string { return flow(full, func(s *section) { describe(s, &x) }) },
		schema: func() object { return schemaOf(func(s *section) { describe(s, new(T)) }) },
	}
}

// list is a list of least to most items, written on one line.
func list[T any](what string, least, most int, item func(i int) kind[T]) kind[[]T] {
	return kind[[]T]{
		read: func(n node) (all []T, ok bool) {
			items, ok := n.items(what, least, most)
			for i, n := range items {
				x, _ := item(i).read(n)
				all = append(all, x)
			}
			return all, ok
		},
		text: func(all []T, full bool) string {
			var texts []string
			for i, x := range all {
				texts = append(texts, item(i).text(x, full))
			}
			return "[" + strings.Join(texts, ", ") + "]"
		},
		schema: func() object {
			return object{"type": "array", "minItems": least, "maxItems": most, "items": item(0).schema()}
		},
	}
}

// blocks is a list with each item on lines of its own.
func blocks[T any](what string, least, most int, item func(i int) kind[T]) kind[[]T] {
	k := list(what, least, most, item)
	k.text = func(all []T, full bool) (lines string) {
		for i, x := range all {
			lines += "\n  - " + strings.ReplaceAll(item(i).text(x, full), "\n", "\n    ")
		}
		return lines
	}
	return k
}

// same is for lists whose items are all of one kind.
func same[T any](k kind[T]) func(i int) kind[T] { return func(int) kind[T] { return k } }

// named is a mapping from names to items, as a list. It is sorted unless the order of a file has a
// meaning: otherwise another order would make another config.
func named[T any](item kind[T], sorted bool, name func(*T) *string) kind[[]T] {
	return kind[[]T]{
		read: func(n node) (all []T, ok bool) {
			f, ok := n.entries()
			if sorted {
				slices.Sort(f.keys)
			}
			for _, key := range f.keys {
				x, _ := item.read(f.entries[key])
				*name(&x) = key
				all = append(all, x)
			}
			return all, ok
		},
		text: func(all []T, full bool) string {
			return flow(full, func(s *section) {
				for _, x := range all {
					s.put(quoted(*name(&x), full), item.text(x, full))
				}
			})
		},
		schema: func() object { return object{"type": "object", "additionalProperties": item.schema()} },
	}
}

// decimal writes the fewest digits that read back as the same number, with an exponent only for the
// very large and the very small, as JSON does.
func decimal(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
