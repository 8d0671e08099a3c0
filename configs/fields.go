package configs

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tune2048/engine/eval"
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
	if n.yaml.Style&yaml.FlowStyle != 0 {
		f.mendFlow()
	}
	return f, true
}

// mendFlow notes what braces make of a missing space or of a comma within a value: keys without a
// value. The value that was meant takes their place, so that nothing else is said of them.
func (f *fields) mendFlow() {
	var kept []string
	for i, key := range f.keys {
		n := f.entries[key]
		name, rest, colon := strings.Cut(key, ":")
		var owner node // of the value that the key is a part of
		if len(kept) > 0 {
			owner = f.entries[kept[len(kept)-1]]
		}
		text := ""
		if owner.yaml != nil && owner.unquoted() {
			text = owner.yaml.Value
		}
		switch {
		case !n.isNull():
		case colon && rest != "" && nameForm.MatchString(name) && !f.has(name):
			n.problem("a space is missing after the colon: write %s: %s", name, clip(rest))
			key = name
			f.entries[key] = node{n.doc, &yaml.Node{Kind: yaml.ScalarNode, Value: rest}, n.at, f.mapping.nameOf(key)}
		case commaForm.MatchString(text + "," + key):
			owner.problem("%s", commaHint(text+","+key))
			continue
		case len(text) < maxBytes>>9 && strings.Count(text, "(") > strings.Count(text, ")"):
			meant := *owner.yaml
			meant.Value += ", " + key
			owner.yaml = &meant
			f.entries[kept[len(kept)-1]] = owner
			if i+1 == len(f.keys) || strings.Count(meant.Value, "(") <= strings.Count(meant.Value, ")") {
				owner.problem("a text with a comma wants quotes here: write %s: %q", kept[len(kept)-1], clipTo(meant.Value, 60))
			}
			continue
		}
		kept = append(kept, key)
	}
	f.keys = kept
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
		hint := DidYouMean(key, s.known)
		at := slices.IndexFunc(homes, func(h home) bool { return h.section != s.mapping.key && slices.Contains(h.keys, key) })
		if at >= 0 {
			hint = "; " + key + " belongs " + homes[at].where + ": move it there"
		}
		switch {
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
		{"heuristic.features", "in an entry of features", keysOf(func(s *section) { describeFeature(s, new(eval.Term)) })},
	}
}

// has reports whether a key is given, however wrong its value.
func (f fields) has(key string) bool {
	_, ok := f.entries[key]
	return ok
}
