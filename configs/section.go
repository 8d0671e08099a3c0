package configs

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// section is a mapping of a config, key by key. One description says of each key its name, its
// default, its kind and where its value goes. A description is a function that calls [entry],
// [optional], [required] and section. One of three visitors walks it.
type section struct {
	by visitor

	fields                                   // for a reader: what the file has; otherwise nothing
	before int                               // problems that were found before this section
	known  []string                          // the keys that were described
	chosen string                            // the word that decides which keys there are, if one does
	users  func(key string) (words []string) // with which words there is a key

	full  bool // for a writer: whether it writes defaults, and what changes no result
	lines []string

	schema object // for a maker
	doc    string // for a maker: describes the next key
}

type visitor int

const (
	reader visitor = iota // takes what a file says, or the default, and notes problems
	writer                // writes the keys, in full or only where they differ from the defaults
	maker                 // makes the JSON Schema of the mapping
)

// entry describes a key that takes its default if it is left out.
func entry[T any](s *section, name string, to *T, standard T, k kind[T]) {
	visit(s, name, to, standard, k, "", s.full)
	if s.by == maker && k.shown {
		s.properties()[name].(object)["default"] = standard
	}
}

// optional describes a key that has no value if it is left out: absent stands for that.
func optional[T any](s *section, name string, to *T, absent T, k kind[T]) {
	visit(s, name, to, absent, k, "", false)
}

// required describes a key that has no default. The example shows it in the error where it is
// missing.
func required[T any](s *section, name string, to *T, example string, k kind[T]) {
	visit(s, name, to, *to, k, example, true)
}

// visit shows a key to the visitor. example is not empty if the key is required. always makes a
// writer write the key even at its default.
func visit[T any](s *section, name string, to *T, standard T, k kind[T], example string, always bool) {
	switch s.by {
	case reader:
		s.known = append(s.known, name)
		n, given := s.entries[name]
		if !given && example != "" {
			s.refuse(name, "missing: give it, such as %s: %s", name, example)
		}
		*to = standard
		if given {
			if x, ok := k.read(n); ok {
				*to = x
			}
		}
	case writer:
		if always || k.text(*to, true) != k.text(standard, true) {
			s.put(name, k.text(*to, s.full))
		}
	case maker:
		*to = standard
		s.note(name, k.schema())
		if example != "" {
			required, _ := s.schema["required"].([]string)
			s.schema["required"] = append(required, name)
		}
	}
}

// section describes a mapping all of whose keys may be left out.
func (s *section) section(name string, describe func(*section)) {
	switch s.by {
	case reader:
		s.known = append(s.known, name)
		if n, given := s.entries[name]; !given || !n.section(describe) {
			describe(empty())
		}
	case writer:
		if text := flow(s.full, describe); text != "{}" {
			s.put(name, text)
		}
	case maker:
		s.note(name, schemaOf(describe))
	}
}

func (s *section) properties() object { return s.schema["properties"].(object) }

// note notes the schema of a key.
func (s *section) note(name string, schema object) {
	if s.doc != "" {
		schema["description"], s.doc = s.doc, ""
	}
	s.properties()[name] = schema
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

// section reads a mapping, and reports whether all of it is right. Other keys than those described
// are problems.
func (n node) section(describe func(*section)) bool {
	before := len(n.doc.problems)
	f, ok := n.entries()
	if !ok {
		return false
	}
	f.dropRetired()
	s := &section{fields: f, before: before}
	describe(s)
	s.refuseOthers()
	return len(n.doc.problems) == before
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

// sound reports whether the section is read, and right so far apart from these keys.
func (s *section) sound(except ...string) bool {
	if s.by != reader {
		return false
	}
	d := s.mapping.doc
	return !slices.ContainsFunc(d.problems[s.before:], func(p problem) bool {
		return !slices.ContainsFunc(except, func(key string) bool { return p.within(s.mapping.nameOf(key)) })
	})
}

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

// identity reports whether a writer writes a config's identity, without keys that change no result.
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
