package configs

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// fields are the entries of a mapping.
type fields struct {
	of      value
	entries map[string]value
	keys    []string // in the order of the file, each once
}

// fields returns the entries of a mapping that may have the given keys. Unknown keys and those that come twice
// are problems, and left out.
func (v value) fields(known ...string) (fields, bool) {
	f, ok := v.entries()
	if !ok {
		return f, false
	}
	f.keys = slices.DeleteFunc(f.keys, func(key string) bool {
		if slices.Contains(known, key) {
			return false
		}
		if entry := f.entries[key]; !v.doc.full() {
			hint := belongs(v.key, key)
			if hint == "" {
				hint = didYouMean(key, known)
			}
			entry.problem("unknown key%s; want %s", hint, either(known))
		}
		delete(f.entries, key)
		return true
	})
	return f, true
}

// entries returns the entries of a mapping that may have any keys.
func (v value) entries() (fields, bool) {
	f := fields{of: v, entries: map[string]value{}}
	if v.node.Kind != yaml.MappingNode {
		v.want("a mapping (key: value)")
		return f, false
	}
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		key, node := v.node.Content[i], v.node.Content[i+1]
		entry := v.child(key, node)
		switch first, twice := f.entries[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			v.doc.add(key.Line, key.Column, v.key, "want a plain key, got a list or mapping as key")
		case key.ShortTag() == "!!merge":
			entry.problem("merge keys are not supported: write the values out")
		case twice:
			entry.problem("duplicate key, first on line %d", first.at.Line)
		default:
			f.entries[key.Value] = entry
			f.keys = append(f.keys, key.Value)
		}
	}
	return f, true
}

// sections are where keys belong that are easily put on the wrong level.
var sections = []struct {
	name string
	keys []string
}{
	{"", rootKeys},
	{"game", gameKeys},
	{"heuristic", heuristicKeys},
	{"search", searchKeys},
	{"optimizer", optimizerKeys},
}

// belongs returns a hint if the unknown key of a section is a key of another.
func belongs(section, key string) string {
	for _, s := range sections {
		switch {
		case s.name == section || !slices.Contains(s.keys, key):
		case s.name == "":
			return "; " + key + " belongs on the top level"
		default:
			return "; " + key + " belongs in " + s.name
		}
	}
	return ""
}

// get returns the value of a key.
func (f fields) get(key string) (value, bool) {
	v, ok := f.entries[key]
	return v, ok
}

// has reports whether any of the keys is given, however wrong its value.
func (f fields) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { _, ok := f.entries[key]; return ok })
}

// required returns the value of a key; it is a problem if there is none.
func (f fields) required(key, example string) (value, bool) {
	v, ok := f.entries[key]
	if !ok {
		at := f.of.at
		f.of.doc.add(at.Line, at.Column, f.of.nameOf(key), "missing: give it, such as %s", example)
	}
	return v, ok
}

// The methods below read a key into place if it is given and right; otherwise place keeps its default.

func (f fields) whole(key string, place *int, least, most int) {
	if v, ok := f.get(key); ok {
		if n, ok := v.whole(int64(least), int64(most)); ok {
			*place = int(n)
		}
	}
}

func (f fields) within(key string, place *float64, i interval) {
	if v, ok := f.get(key); ok {
		if x, ok := v.within(i); ok {
			*place = x
		}
	}
}

func (f fields) name(key string, place *string) {
	if v, ok := f.get(key); ok {
		if text, ok := v.name(); ok {
			*place = text
		}
	}
}

func (f fields) choice(key string, place *string, words ...string) {
	if v, ok := f.get(key); ok {
		if word, ok := v.choice(words...); ok {
			*place = word
		}
	}
}

// exactlyOne returns the one of the keys that is given; none or several are a problem.
func (f fields) exactlyOne(keys ...string) (string, bool) {
	var given []string
	for _, key := range keys {
		if f.has(key) {
			given = append(given, key)
		}
	}
	switch len(given) {
	case 1:
		return given[0], true
	case 0:
		f.of.problem("want one of %s, got none of them", either(keys))
	default:
		f.entries[given[1]].problem("want only one of %s, got %s", either(keys), strings.Join(given, " and "))
	}
	return "", false
}
