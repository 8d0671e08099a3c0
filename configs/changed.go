package configs

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Changed returns the keys in which c and another config differ, as paths: stages.explore.games.
// The path of a feature begins with its name: sum.weight.max. Keys that change no result, and keys
// at their default in both, are not among them.
func (c *Config) Changed(other *Config) (paths []string) {
	var now, before yaml.Node
	if yaml.Unmarshal([]byte(c.Text), &now) != nil || yaml.Unmarshal([]byte(other.Text), &before) != nil {
		return nil // which cannot be: text wrote both
	}
	for _, path := range differing("", now.Content[0], before.Content[0]) {
		paths = append(paths, strings.TrimPrefix(path, "heuristic.features."))
	}
	return paths
}

// differing returns the paths at which two nodes differ, below the path of both. A section that is
// missing is an empty one.
func differing(path string, now, before *yaml.Node) (paths []string) {
	section := !strings.Contains(path, ".") && (now == nil || now.Kind == yaml.MappingNode) && (before == nil || before.Kind == yaml.MappingNode)
	switch {
	case section:
	case now == nil || before == nil || now.Kind != before.Kind, now.Kind == yaml.ScalarNode && now.Value != before.Value:
		return []string{path}
	}
	keys, values := children(now)
	oldKeys, oldValues := children(before)
	for _, key := range oldKeys {
		if values[key] == nil {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		paths = append(paths, differing(strings.TrimPrefix(path+"."+key, "."), values[key], oldValues[key])...)
	}
	return paths
}

// children returns the entries of a mapping by key, or of a list by name or number from 1; none of
// a scalar.
func children(n *yaml.Node) (keys []string, values map[string]*yaml.Node) {
	values = map[string]*yaml.Node{}
	add := func(key string, value *yaml.Node) {
		keys = append(keys, key)
		values[key] = value
	}
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			add(n.Content[i].Value, n.Content[i+1])
		}
	case n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			name := strconv.Itoa(i + 1)
			if _, entries := children(item); item.Kind == yaml.MappingNode {
				for _, key := range []string{"feature", "name"} { // a feature without a name is called as its kind
					if entries[key] != nil {
						name = entries[key].Value
					}
				}
			}
			add(name, item)
		}
	}
	return keys, values
}
