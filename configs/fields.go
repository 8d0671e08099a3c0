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

// entries returns the entries of a mapping, whatever their keys. Keys that come twice are problems.
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
		case twice:
			entry.problem("duplicate key, first on line %d", first.at.Line)
		default:
			f.entries[key.Value] = entry
			f.keys = append(f.keys, key.Value)
		}
	}
	return f, true
}

// fields returns the entries of a mapping that may have the given keys.
func (v value) fields(known ...string) (fields, bool) {
	f, ok := v.entries()
	if ok {
		f.refuseOthers(known)
	}
	return f, ok
}

// refuseOthers notes that all but the known keys are none.
func (f fields) refuseOthers(known []string) {
	for _, key := range f.keys {
		if slices.Contains(known, key) {
			continue
		}
		hint := didYouMean(key, known)
		for _, s := range sections {
			if s.name != f.of.key && slices.Contains(s.keys, key) {
				hint = "; " + key + " belongs " + s.place
				break
			}
		}
		f.entries[key].problem("unknown key%s; want %s", hint, either(known))
	}
}

// sections are where keys belong that are easily put on the wrong level.
var sections = []struct {
	name, place string
	keys        []string
}{
	{"", "on the top level", []string{"name", "seed", "search", "optimizer", "restarts", "stages", "objective", "playoff",
		"validation", "sensitivity", "references", "store"}},
	{"game", "in game", []string{"four_probability"}},
	{"heuristic", "in heuristic", []string{"family", "dead", "symmetry", "features"}},
	{"search", "in search", []string{"depth", "depth_by_empty", "depth_by_distinct", "min_probability"}},
	{"optimizer", "in optimizer", optimizerKeys},
}

// get returns the value of a key.
func (f fields) get(key string) (value, bool) {
	v, ok := f.entries[key]
	return v, ok
}

// has reports whether a key is given, however wrong its value.
func (f fields) has(key string) bool {
	_, ok := f.entries[key]
	return ok
}

// required notes it as a problem if a key is missing.
func (f fields) required(key, example string) {
	if !f.has(key) {
		f.of.doc.add(f.of.at.Line, f.of.at.Column, f.of.nameOf(key), "missing: give it, such as %s: %s", key, example)
	}
}

// onlyOne notes it as a problem if not exactly one of the keys is given.
func (f fields) onlyOne(keys ...string) {
	given := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !f.has(key) })
	switch len(given) {
	case 1:
	case 0:
		f.of.problem("want one of %s, got none of them", either(keys))
	default:
		f.entries[given[1]].problem("want only one of %s, got %s", either(keys), strings.Join(given, " and "))
	}
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

func (f fields) choice(key string, place *string, words ...string) {
	if v, ok := f.get(key); ok {
		if word, ok := v.choice(words...); ok {
			*place = word
		}
	}
}
