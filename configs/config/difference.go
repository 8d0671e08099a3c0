package config

import (
	"cmp"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

// Difference is a key that two configs give other values. A config without the key has "".
type Difference struct{ Key, A, B string }

// Differences compares the texts of two configs key by key, in the order of the first. Items of a
// list are known by their names, or features by what they are, so one that was added shifts no other.
func Differences(a, b []byte) (all []Difference, err error) {
	one, err := entriesOf(a)
	if err != nil {
		return nil, err
	}
	other, err := entriesOf(b)
	if err != nil {
		return nil, err
	}
	valueOf := func(list []entry, key string) string {
		if i := slices.IndexFunc(list, func(e entry) bool { return e.key == key }); i >= 0 {
			return list[i].value
		}
		return ""
	}
	for _, e := range one {
		if value := valueOf(other, e.key); value != e.value {
			all = append(all, Difference{e.key, e.value, value})
		}
	}
	for _, e := range other {
		if !slices.ContainsFunc(one, func(known entry) bool { return known.key == e.key }) {
			all = append(all, Difference{e.key, "", e.value})
		}
	}
	return all, nil
}

// entry is a value of a config with its full key, such as heuristic.features.empty.weight.min.
type entry struct{ key, value string }

func entriesOf(text []byte) (all []entry, err error) {
	documents, err := decode(text)
	if err != nil || len(documents) == 0 {
		return nil, err
	}
	var add func(key string, n *yaml.Node)
	add = func(key string, n *yaml.Node) {
		below := func(name string) string {
			if key == "" {
				return name
			}
			return key + "." + name
		}
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				add(below(n.Content[i].Value), n.Content[i+1])
			}
		case yaml.SequenceNode:
			used := map[string]int{}
			for i, item := range n.Content {
				name := cmp.Or(valueAt(item, "name"), valueAt(item, "feature"), fmt.Sprint(i+1))
				if used[name]++; used[name] > 1 {
					name = fmt.Sprintf("%s.%d", name, used[name])
				}
				add(below(name), item)
			}
		default:
			all = append(all, entry{key, n.Value})
		}
	}
	add("", documents[0].Content[0])
	return all, nil
}

// valueAt returns the text of a key of a mapping, or "".
func valueAt(n *yaml.Node, key string) string {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1].Value
		}
	}
	return ""
}
