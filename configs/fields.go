package configs

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tune2048/engine/heuristic"
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
	if !n.isMapping() {
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

// refuseOthers notes every key that was not described as a problem.
func (s *section) refuseOthers() {
	var homes []home
	for i, key := range s.keys {
		if slices.Contains(s.known, key) {
			continue
		}
		if s.users != nil {
			if users := s.users(key); len(users) > 0 {
				s.refuse(key, "%s does not use it, only %s; want %s", s.chosen, either(users), either(s.known))
				continue
			}
		}
		if homes == nil {
			homes = sections()
		}
		hint := didYouMean(key, s.known)
		at := slices.IndexFunc(homes, func(h home) bool { return h.section != s.mapping.key && slices.Contains(h.keys, key) })
		if at >= 0 {
			hint = "; " + key + " belongs " + homes[at].where + ": move it there"
		}
		switch {
		case strings.Contains(key, ":") && s.entries[key].isNull(): // {min:0}
			hint = "; a space is missing after the colon"
		case strings.Contains(key, ")"):
			hint = "; a formula with a comma wants quotes"
		case i > 0 && s.mapping.yaml.Style&yaml.FlowStyle == 0 && s.entries[s.keys[i-1]].isNull() && (hint == "" || at >= 0):
			above := clip(s.keys[i-1])
			hint = fmt.Sprintf("; %s above it is empty: indent %s more if it is part of %s", above, clip(key), above)
		}
		s.refuse(key, "unknown key%s; want %s", hint, either(s.known))
	}
}

// home is a section to which keys belong that are easily put on the wrong level.
type home struct {
	section, where string
	keys           []string
}

// sections asks the descriptions of the sections for their keys.
func sections() []home {
	c := new(Config)
	return []home{
		{"", "on the top level", keysOf(c.describe)},
		{"game", "in game", keysOf(func(s *section) { describeRules(s, &c.Rules) })},
		{"heuristic", "in heuristic", keysOf(c.describeFamily)},
		{"search", "in search", keysOf(func(s *section) { describeSearch(s, &c.Search) })},
		{"optimizer", "in optimizer", optimizerKeys()},
		{"stages", "in an entry of stages", keysOf(func(s *section) { new(Stage).describe(s, c, "") })},
		{"heuristic.features", "in an entry of features", keysOf(func(s *section) { describeFeature(s, new(heuristic.Feature)) })},
	}
}

// has reports whether a key is given, however wrong its value.
func (f fields) has(key string) bool {
	_, ok := f.entries[key]
	return ok
}
