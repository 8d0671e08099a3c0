package configs

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// fields are the entries of a mapping.
type fields struct {
	mapping node
	entries map[string]node
	keys    []string // in the order of the file, each once
}

// entries returns the entries of a mapping, whatever their keys. Keys that come twice are problems.
func (n node) entries() (fields, bool) {
	f := fields{mapping: n, entries: map[string]node{}}
	if n.yaml.Kind != yaml.MappingNode {
		n.want("a mapping (key: value)")
		return f, false
	}
	for i := 0; i+1 < len(n.yaml.Content); i += 2 {
		key, content := n.yaml.Content[i], n.yaml.Content[i+1]
		entry := n.child(key, content)
		switch first, twice := f.entries[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			n.doc.add(key.Line, key.Column, n.key, "want a word as key, got a list or mapping as key")
		case twice:
			entry.problem("duplicate key, first on line %d", first.at.Line)
		default:
			f.entries[key.Value] = entry
			f.keys = append(f.keys, key.Value)
		}
	}
	return f, true
}

// refuseOthers notes every key that is not one of the known ones as a problem.
func (f fields) refuseOthers(known []string) {
	unknown := slices.DeleteFunc(slices.Clone(f.keys), func(key string) bool { return slices.Contains(known, key) })
	if len(unknown) == 0 {
		return
	}
	homes := homes()
	for _, key := range unknown {
		hint := didYouMean(key, known)
		for _, h := range homes {
			if h.section != f.mapping.key && slices.Contains(h.keys, key) {
				hint = "; " + key + " belongs " + h.where
				break
			}
		}
		f.entries[key].problem("unknown key%s; want %s", hint, either(known))
	}
}

// home is a section to which keys belong that are easily put on the wrong level.
type home struct {
	section, where string
	keys           []string
}

// homes asks the descriptions of the sections for their keys, by reading an empty mapping with them.
func homes() []home {
	known := func(describe func(*section)) []string {
		s := &section{reading: true, fields: fields{mapping: node{doc: new(document), at: new(yaml.Node)}}}
		describe(s)
		return s.known
	}
	c := new(Config)
	return []home{
		{"", "on the top level", known(func(s *section) { c.describe(s, nil) })},
		{"game", "in game", known(func(s *section) { describeRules(s, &c.Rules) })},
		{"heuristic", "in heuristic", known(func(s *section) { describeHeuristic(s, c) })},
		{"search", "in search", known(func(s *section) { describeSearch(s, &c.Search) })},
		{"optimizer", "in optimizer", known(func(s *section) { describeOptimizer(s, &c.Optimizer, 0, nil) })},
	}
}

// get returns the value of a key.
func (f fields) get(key string) (node, bool) {
	n, ok := f.entries[key]
	return n, ok
}

// has reports whether a key is given, however wrong its value.
func (f fields) has(key string) bool {
	_, ok := f.entries[key]
	return ok
}

// required notes a problem if a key is missing.
func (f fields) required(key, example string) {
	if !f.has(key) {
		f.mapping.doc.add(f.mapping.at.Line, f.mapping.at.Column, f.mapping.nameOf(key), "missing: give it, such as %s: %s", key, example)
	}
}

// onlyOne notes a problem unless exactly one of the keys is given.
func (f fields) onlyOne(keys ...string) {
	given := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !f.has(key) })
	switch len(given) {
	case 1:
	case 0:
		f.mapping.problem("want one of %s, got none of them", either(keys))
	default:
		f.entries[given[1]].problem("want only one of %s, got %s", either(keys), strings.Join(given, " and "))
	}
}
