package configs

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Changed returns the keys in which c and another config differ, as sorted paths:
// stages.explore.games. The path of a feature begins with its name: sum.weight.max. Keys that
// change no result, and keys at their default in both, are not among them.
func (c *Config) Changed(other *Config) (paths []string) {
	for _, path := range differing("", c.tree(), other.tree()) {
		paths = append(paths, strings.TrimPrefix(path, "heuristic.features."))
	}
	return paths
}

// tree is the text of the config as mappings and lists.
func (c *Config) tree() (all any) {
	yaml.Unmarshal([]byte(c.Text), &all) // without an error: the program wrote it
	return all
}

// differing returns the paths at which two values differ, below the path of both.
func differing(path string, now, before any) (paths []string) {
	a, b := children(now), children(before)
	whole := func(x any, of map[string]any) bool { // a section that is missing is an empty one
		return of == nil && (x != nil || strings.Contains(path, "."))
	}
	if a == nil && b == nil || whole(now, a) || whole(before, b) {
		if reflect.DeepEqual(now, before) {
			return nil
		}
		return []string{path}
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		paths = append(paths, differing(strings.TrimPrefix(path+"."+key, "."), a[key], b[key])...)
	}
	return paths
}

// children returns the entries of a mapping by key, or of a list by name or number from 1. For
// other values it returns nil.
func children(x any) map[string]any {
	list, ok := x.([]any)
	if !ok {
		entries, _ := x.(map[string]any)
		return entries
	}
	entries := map[string]any{}
	for i, item := range list {
		called := strconv.Itoa(i + 1)
		for _, key := range []string{"feature", "name"} { // a feature without a name goes by its kind
			if word, ok := children(item)[key].(string); ok {
				called = word
			}
		}
		entries[called] = item
	}
	return entries
}

// Settings returns the value of each key of the config by its path, see [Config.Changed].
func (c *Config) Settings() map[string]string {
	settings := map[string]string{}
	var add func(path string, value any)
	add = func(path string, value any) {
		entries := children(value)
		for key, entry := range entries {
			add(strings.TrimPrefix(path+"."+key, "."), entry)
		}
		if len(entries) == 0 {
			settings[strings.TrimPrefix(path, "heuristic.features.")] = fmt.Sprint(value)
		}
	}
	add("", c.tree())
	return settings
}
