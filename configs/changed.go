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

// Changed returns the keys in which two resolved configs differ (Config.YAML), as sorted paths:
// stages.explore.games. The path of a feature begins with its name: sum.weight.max. Keys that
// change no result are not among them. Nor are searches that follow the default search.
func Changed(now, before []byte) (paths []string) {
	a, b := tree(now), tree(before)
	all := differing("", a, b)
	for _, path := range all {
		first, _, _ := strings.Cut(path, ".")
		follows := func(key string) bool {
			return strings.HasPrefix(key, "search.") && path != key && strings.Contains(path, ".search.") &&
				strings.HasSuffix(path, key[len("search"):]) && at(a, path) == at(a, key) && at(b, path) == at(b, key)
		}
		if !slices.Contains([]string{"name", "note", "store"}, first) && path != "heuristic.family" && !slices.ContainsFunc(all, follows) {
			paths = append(paths, strings.TrimPrefix(path, "heuristic.features."))
		}
	}
	slices.Sort(paths)
	return paths
}

// tree is the text of a config as mappings and lists.
func tree(text []byte) (all any) {
	_ = yaml.Unmarshal(text, &all) // a damaged text is an empty config
	return all
}

// at returns the value at a path, as text.
func at(value any, path string) string {
	for key := range strings.SplitSeq(path, ".") {
		value = children(value)[key]
	}
	return fmt.Sprint(value)
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

// Settings returns the value of each key of a resolved config by its path, see [Changed].
func Settings(text []byte) map[string]string {
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
	add("", tree(text))
	return settings
}
