package configs

import (
	"math"
	"strconv"
	"strings"

	"tune2048/engine"
	"tune2048/tuner"
)

// section is a mapping that is read or written, key by key. One description of it serves both, and has every default: a key
// that is not given takes its default, and what is at its default is only written in full. So a mapping that a file does not
// give is described all the same, as one without entries, section{reading: true}, and all its keys take their defaults.
//
// A value that a description reads and writes has a method of [node] that reads it and a function of the same name that
// writes it: node.weight and weight, and so dead, matrix, search and number.
type section struct {
	reading bool
	fields                          // what the file has, when it is read
	known   []string                // the keys that were described
	foreign func(key string) string // what is wrong with another key, if more than that
	schema  object                  // where the schema of each key goes to, if that is what is asked for

	full  bool     // when it is written: whether what is at its default is too, and what changes no result
	lines []string // "key: value"
}

// identity reports whether the section is written as what identifies a config: without what changes no result.
func (s *section) identity() bool { return !s.reading && !s.full }

// entry describes a key: where its value goes to, its default, and how its value is read and written. Values are equal if
// their full texts are.
func entry[T any](s *section, key string, to *T, standard T, read func(node) (T, bool), write func(x T, full bool) string) {
	if !s.reading {
		if s.full || write(*to, true) != write(standard, true) {
			s.put(key, write(*to, s.full))
		}
		return
	}
	s.known = append(s.known, key)
	*to = standard
	if s.schema != nil && s.schema["properties"].(object)[key] == nil {
		s.note(key, typeSchema(to))
	}
	if n, given := s.get(key); given {
		if x, ok := read(n); ok {
			*to = x
		}
	}
}

// must describes a key that has no default.
func must[T any](s *section, key string, to *T, example string, read func(node) (T, bool), write func(x T, full bool) string) {
	if !s.reading {
		s.put(key, write(*to, s.full))
		return
	}
	s.required(key, example)
	entry(s, key, to, *to, read, write)
}

// put adds a key with its text, which may be a block.
func (s *section) put(key, text string) {
	if !strings.HasPrefix(text, "\n") {
		text = " " + text
	}
	s.lines = append(s.lines, key+":"+text)
}

// section reads a mapping; other keys than those that are described are problems.
func (n node) section(describe func(*section)) bool {
	f, ok := n.entries()
	if !ok {
		return false
	}
	f.dropRetired()
	s := &section{fields: f, reading: true}
	describe(s)
	if s.foreign != nil {
		for _, key := range f.keys {
			if reason := s.foreign(key); reason != "" {
				f.entries[key].problem("%s; want %s", reason, either(s.known))
				s.known = append(s.known, key)
			}
		}
	}
	f.refuseOthers(s.known)
	return true
}

// flow writes a mapping on one line.
func flow(full bool, describe func(*section)) string {
	s := &section{full: full}
	describe(s)
	return "{" + strings.Join(s.lines, ", ") + "}"
}

// block writes a mapping key by key, each on a line of its own.
func block(full bool, describe func(*section)) string {
	s := &section{full: full}
	describe(s)
	return strings.Join(s.lines, "\n")
}

// indented is block for the value of a key.
func indented(full bool, describe func(*section)) string {
	return strings.ReplaceAll("\n"+block(full, describe), "\n", "\n  ")
}

// items writes a list of which each item is one line or a block.
func items(texts []string) string {
	list := ""
	for _, text := range texts {
		list += "\n  - " + strings.ReplaceAll(text, "\n", "\n    ")
	}
	return list
}

// list writes a list on one line.
func list[T any](items []T, write func(T) string) string {
	var texts []string
	for _, item := range items {
		texts = append(texts, write(item))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// The methods below describe keys of the usual types.

// section describes a mapping all of whose keys have a default.
func (s *section) section(key string, describe func(*section)) {
	if !s.reading {
		if text := flow(s.full, describe); text != "{}" {
			s.put(key, text)
		}
		return
	}
	s.known = append(s.known, key)
	if s.schema != nil {
		s.note(key, schemaOf(describe))
	}
	if n, given := s.get(key); !given || !n.section(describe) {
		describe(&section{reading: true})
	}
}

func (s *section) whole(key string, to *int, standard, least, most int) {
	if s.schema != nil {
		s.note(key, wholeSchema(least, most, standard))
	}
	entry(s, key, to, standard, func(n node) (int, bool) {
		x, ok := n.whole(int64(least), int64(most))
		return int(x), ok
	}, func(n int, _ bool) string { return strconv.Itoa(n) })
}

// mustWhole is whole for a key without a default.
func (s *section) mustWhole(key string, to *int, example, least, most int) {
	if s.reading {
		s.required(key, strconv.Itoa(example))
	}
	s.whole(key, to, least-1, least, most)
}

func (s *section) number(key string, to *float64, standard float64, r tuner.Range) {
	if s.schema != nil {
		s.note(key, rangeSchema(r, standard))
	}
	entry(s, key, to, standard, func(n node) (float64, bool) { return n.within(r) }, func(x float64, _ bool) string { return number(x) })
}

func (s *section) word(key string, to *string, standard string, words ...string) {
	if s.schema != nil {
		s.note(key, object{"enum": words, "default": standard})
	}
	entry(s, key, to, standard, func(n node) (string, bool) { return n.choice(words...) }, func(word string, _ bool) string { return word })
}

func (s *section) name(key string, to *string, standard string) {
	if s.schema != nil {
		s.note(key, object{"type": "string", "pattern": nameForm.String()})
	}
	entry(s, key, to, standard, node.name, quoted)
}

func (s *section) search(key string, to *engine.Settings, standard engine.Settings) {
	entry(s, key, to, standard, node.search, search)
}

func quoted(text string, _ bool) string { return strconv.Quote(text) }

// number writes the fewest digits that read back as the same number, with an exponent only for the very large
// and the very small, as JSON does.
func number(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
