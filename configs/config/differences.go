package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tune2048/engine/portable"
	"tune2048/tuner"
)

// Difference is a key whose value in a config is another one than in an earlier config.
type Difference struct {
	Key      string // such as heuristic.features[2].tile
	Was, Now string // as a config writes them; empty: absent
}

// String returns the difference as "search.depth: 3, was 5".
func (d Difference) String() string {
	switch {
	case d.Was == "":
		return d.Key + ": " + d.Now + " is new"
	case d.Now == "":
		return d.Key + ": " + d.Was + " is gone"
	}
	return d.Key + ": " + d.Now + ", was " + d.Was
}

// Differences returns what makes the config another one than an earlier config, key by key. The
// length of the last stage does not, nor does what changes no result. What follows from another
// difference is left out: a range that the program chose, and the search of each phase.
func (c *Config) Differences(before *Config) []Difference {
	if len(before.Stages) == len(c.Stages) {
		before, c = before.Longer(1), c.Longer(1)
	}
	was, now := tree(before), tree(c)
	if was == nil || now == nil {
		return nil
	}
	d := differ{ranges: [2]map[string]bool{before.chosen(), c.chosen()}}
	d.compare("", was, now)
	return append(d.found, d.followed()...)
}

// DifferencesOf returns all keys that differ in the texts of two configs, in the second one's
// order.
func DifferencesOf(before, after []byte) ([]Difference, error) {
	var trees [2]*yaml.Node
	for i, text := range [][]byte{before, after} {
		all, err := decode(text)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 {
			return nil, errors.New("an empty config")
		}
		trees[i] = all[0].Content[0]
	}
	var d differ
	d.compare("", trees[0], trees[1])
	return d.found, nil
}

// tree is a config as a tree. It is nil if a text has a character that JSON allows and YAML does
// not.
func tree(c *Config) *yaml.Node {
	all, err := decode([]byte(c.Text))
	if err != nil || len(all) == 0 {
		return nil
	}
	return all[0].Content[0]
}

// chosen returns the keys of the ranges that look as if the program had chosen them.
func (c *Config) chosen() map[string]bool {
	keys := map[string]bool{}
	for i, f := range c.Heuristic.Features {
		w := c.Weights[f.Weight.At]
		low, high := portable.Rounded(w.Value/chosenWidth, 2), portable.Rounded(w.Value*chosenWidth, 2)
		if w.Tunable && w.Scale == tuner.LogScale && w.Min == min(low, high) && w.Max == max(low, high) {
			keys[fmt.Sprintf("heuristic.features[%d].weight.", i)] = true
		}
	}
	return keys
}

// differ compares two trees.
type differ struct {
	ranges [2]map[string]bool // the chosen ones of both
	found  []Difference
	chosen []Difference // of ranges that the program chose in both
}

// followed returns the differences of chosen ranges, if there is no other one that they follow
// from.
func (d *differ) followed() []Difference {
	if len(d.found) > 0 {
		return nil
	}
	return d.chosen
}

// note notes a difference. A search that a phase takes over differs as the config's own one does.
func (d *differ) note(key, was, now string) {
	one := Difference{key, was, now}
	section := key[:strings.LastIndexAny(key, ".")+1]
	_, search, isSearch := strings.Cut(key, "search")
	switch {
	case d.ranges[0][section] && d.ranges[1][section]:
		d.chosen = append(d.chosen, one)
	case isSearch && slices.ContainsFunc(d.found, func(f Difference) bool {
		_, of, _ := strings.Cut(f.Key, "search")
		return strings.Contains(f.Key, "search") && trimIndex(of) == trimIndex(search) && f.Was == was && f.Now == now
	}):
	default:
		d.found = append(d.found, one)
	}
}

// trimIndex cuts the index of a list off: a validation has several searches.
func trimIndex(key string) string {
	if at := strings.Index(key, "]"); strings.HasPrefix(key, "[") && at > 0 {
		return key[at+1:]
	}
	return key
}

// compare notes the differences of two values.
func (d *differ) compare(key string, was, now *yaml.Node) {
	switch {
	case was.Kind != now.Kind || was.Kind == yaml.ScalarNode:
		if was.Kind != now.Kind || was.Value != now.Value {
			d.note(key, shortText(was), shortText(now))
		}
	case was.Kind == yaml.MappingNode:
		d.entries(key, was, now)
	default:
		d.items(key, was, now)
	}
}

// entries compares two mappings.
func (d *differ) entries(key string, was, now *yaml.Node) {
	name := func(at *yaml.Node) string { return strings.TrimPrefix(key+"."+at.Value, ".") }
	for i := 0; i < len(now.Content); i += 2 {
		if at := entryOf(was, now.Content[i].Value); at != nil {
			d.compare(name(now.Content[i]), at, now.Content[i+1])
		} else {
			d.note(name(now.Content[i]), "", shortText(now.Content[i+1]))
		}
	}
	for i := 0; i < len(was.Content); i += 2 {
		if entryOf(now, was.Content[i].Value) == nil {
			d.note(name(was.Content[i]), shortText(was.Content[i+1]), "")
		}
	}
}

// items compares two lists: features by their names, other items by their places.
func (d *differ) items(key string, was, now *yaml.Node) {
	left := slices.Clone(was.Content)
	for i, item := range now.Content {
		at := min(0, len(left)-1)
		if name := nameOf(item); name != "" {
			at = slices.IndexFunc(left, func(other *yaml.Node) bool { return nameOf(other) == name })
		}
		if at < 0 {
			d.note(fmt.Sprintf("%s[%d]", key, i), "", shortText(item))
			continue
		}
		d.compare(fmt.Sprintf("%s[%d]", key, i), left[at], item)
		left = slices.Delete(left, at, at+1)
	}
	for _, item := range left {
		d.note(key, shortText(item), "")
	}
}

// nameOf returns the name of a feature, or nothing for another item.
func nameOf(item *yaml.Node) string {
	for _, key := range []string{"name", "feature"} {
		if v := entryOf(item, key); v != nil && entryOf(item, "feature") != nil {
			return v.Value
		}
	}
	return ""
}

// entryOf returns the value of a key of a mapping, or nil.
func entryOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; mapping.Kind == yaml.MappingNode && i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// shortText is a value on one line, of 60 characters at most.
func shortText(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return clipTo(n.Value, 60)
	}
	var parts []string
	for i := 0; i < len(n.Content); i++ {
		text := shortText(n.Content[i])
		if n.Kind == yaml.MappingNode {
			i++
			text += ": " + shortText(n.Content[i])
		}
		parts = append(parts, text)
	}
	text := strings.Join(parts, ", ")
	if n.Kind == yaml.MappingNode {
		return "{" + clipTo(text, 60) + "}"
	}
	return "[" + clipTo(text, 60) + "]"
}
