package configs

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// section is a mapping of a config, key by key. One description says of each key its name, its
// default, its kind and where its value goes. A description is a function that calls [entry],
// [must], [optional] and section. One of three visitors walks it:
//
//   - a reader takes what a file says, or the default, and notes problems;
//   - a writer writes the keys, in full or only what differs from the defaults;
//   - a maker makes the JSON Schema of the mapping.
//
// The zero value of by is a reader.
type section struct {
	by visitor

	fields                                   // for a reader: what the file has; otherwise nothing
	before int                               // problems that were found before this section
	known  []string                          // the keys that were described
	users  func(key string) (users []string) // of a key that is not known: which values of chosen have it
	chosen string

	full  bool // for a writer: whether it writes defaults, and what changes no result
	lines []string

	schema object // for a maker
	doc    string // for a maker: says what the next key is
}

type visitor int

const (
	reader visitor = iota
	writer
	maker
)

// key is one key of a section, as visitors see it.
type key struct {
	name    string
	example string                 // of a key that must be given; empty: it may be left out
	reset   func()                 // takes the default
	read    func(n node)           // takes what the file says
	text    func(full bool) string // empty: the key is not written
	schema  func() object
}

func (s *section) visit(k key) {
	switch s.by {
	case reader:
		s.known = append(s.known, k.name)
		n, given := s.entries[k.name]
		switch {
		case given:
			k.read(n)
		case k.example != "":
			s.refuse(k.name, "missing: give it, such as %s: %s", k.name, k.example)
		default:
			k.reset()
		}
	case writer:
		if text := k.text(s.full); text != "" {
			s.put(k.name, text)
		}
	case maker:
		k.reset()
		schema := k.schema()
		if s.doc != "" {
			schema["description"], s.doc = s.doc, ""
		}
		s.schema["properties"].(object)[k.name] = schema
		if k.example != "" {
			required, _ := s.schema["required"].([]string)
			s.schema["required"] = append(required, k.name)
		}
	}
}

// oneOf says that exactly one of the keys is given.
func (s *section) oneOf(keys ...string) {
	given := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !s.has(key) })
	switch {
	case s.by == maker:
		var each []object
		for _, key := range keys {
			each = append(each, object{"required": []string{key}})
		}
		s.schema["oneOf"] = each
	case len(given) == 0:
		s.refuse("", "want one of %s, got none of them", either(keys))
	case len(given) > 1:
		s.refuse(given[1], "want only one of %s, got %s", either(keys), strings.Join(given, " and "))
	}
}

// entry describes a key that takes its default if it is left out.
func entry[T any](s *section, name string, to *T, standard T, k kind[T]) {
	b := bind(name, to, standard, k)
	if k.shown {
		b.schema = func() object {
			o := k.schema()
			o["default"] = standard
			return o
		}
	}
	s.visit(b)
}

// optional describes a key that has no value if it is left out: absent stands for that. It is
// written only if it has a value.
func optional[T any](s *section, name string, to *T, absent T, k kind[T]) {
	b := bind(name, to, absent, k)
	b.text = func(full bool) string {
		if k.text(*to, true) == k.text(absent, true) {
			return ""
		}
		return k.text(*to, full)
	}
	s.visit(b)
}

// must describes a key that has no default.
func must[T any](s *section, name string, to *T, example string, k kind[T]) {
	b := bind(name, to, *to, k)
	b.example = example
	b.text = func(full bool) string { return k.text(*to, full) }
	s.visit(b)
}

// bind makes a key of a kind, a place for its value and a default. Values are equal if their full
// texts are.
func bind[T any](name string, to *T, standard T, k kind[T]) key {
	return key{
		name:  name,
		reset: func() { *to = standard },
		read: func(n node) {
			x, ok := k.read(n)
			if *to = x; !ok {
				*to = standard
			}
		},
		text: func(full bool) string {
			if !full && k.text(*to, true) == k.text(standard, true) {
				return ""
			}
			return k.text(*to, full)
		},
		schema: k.schema,
	}
}

// section describes a mapping all of whose keys may be left out.
func (s *section) section(name string, describe func(*section)) {
	reset := func() { describe(empty()) }
	s.visit(key{
		name:  name,
		reset: reset,
		read: func(n node) {
			if !n.section(describe) {
				reset()
			}
		},
		text:   func(full bool) string { return strings.TrimPrefix(flow(full, describe), "{}") },
		schema: func() object { return schemaOf(describe) },
	})
}

// section reads a mapping, and reports whether all of it is right. Other keys than those described
// are problems.
func (n node) section(describe func(*section)) bool {
	before := n.doc.found
	f, ok := n.entries()
	if !ok {
		return false
	}
	f.dropRetired()
	s := &section{fields: f, before: before}
	describe(s)
	s.refuseOthers()
	return n.doc.found == before
}

// empty returns a reader of a mapping without keys, whose problems nobody sees.
func empty() *section {
	return &section{fields: fields{mapping: node{doc: new(document), yaml: new(yaml.Node), at: new(yaml.Node)}}}
}

// keysOf returns the keys that a section has.
func keysOf(describe func(*section)) []string {
	s := empty()
	describe(s)
	return s.known
}

// sound reports whether the section is read, and right so far.
func (s *section) sound() bool { return s.by == reader && s.mapping.doc.found == s.before }

// missing reports whether the section is read and does not have the key.
func (s *section) missing(key string) bool { return s.by == reader && !s.has(key) }

// refuse notes a problem with a key, where it is or should be, or with the section if key is empty.
// Only readers have problems.
func (s *section) refuse(key, format string, args ...any) {
	if s.by != reader {
		return
	}
	at, given := s.entries[key]
	if !given {
		if at = s.mapping; key != "" {
			at.key = at.nameOf(key)
		}
	}
	at.problem(format, args...)
}

// identity reports whether a writer writes what identifies a config: without what changes no result.
func (s *section) identity() bool { return s.by == writer && !s.full }

// put adds a key with its text, which may be a block.
func (s *section) put(key, text string) {
	if !strings.HasPrefix(text, "\n") {
		text = " " + text
	}
	s.lines = append(s.lines, key+":"+text)
}

// flow writes a mapping on one line.
func flow(full bool, describe func(*section)) string {
	return "{" + strings.Join(write(full, describe), ", ") + "}"
}

// block writes a mapping key by key, each on a line of its own.
func block(full bool, describe func(*section)) string {
	return strings.Join(write(full, describe), "\n")
}

// indented is block for the value of a key.
func indented(full bool, describe func(*section)) string {
	return strings.ReplaceAll("\n"+block(full, describe), "\n", "\n  ")
}

func write(full bool, describe func(*section)) []string {
	s := &section{by: writer, full: full}
	describe(s)
	return s.lines
}
