package configs

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Changed returns the keys in which two resolved configs differ (Config.YAML), as sorted paths:
// stages.explore.games. The path of a feature begins with its name: sum.weight.max. A section that
// only one config has is one path. Keys that change no result are not among them. Nor are searches
// that follow the default search.
func Changed(now, before []byte) (paths []string) {
	a, b := leaves(now), leaves(before)
	sections := map[string]int{} // 3: of both
	for i, leaves := range []map[string]string{a, b} {
		for path := range leaves {
			for at, c := range path {
				if c == '.' {
					sections[path[:at]] |= 1 << i
				}
			}
		}
	}
	for _, path := range slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b))) {
		first, rest, _ := strings.Cut(path, ".")
		_, search, phase := strings.Cut(path, ".search.")
		search = "search." + strings.TrimLeft(search, ".0123456789") // without the number in a list
		follows := phase && a[search] != b[search] && a[path] == a[search] && b[path] == b[search]
		if a[path] == b[path] || follows || slices.Contains([]string{"name", "note", "store"}, first) || path == "heuristic.family" {
			continue
		}
		for at, c := range rest {
			if section := first + "." + rest[:at]; c == '.' && sections[section] != 3 {
				path = section
				break
			}
		}
		paths = append(paths, strings.TrimPrefix(path, featuresPath))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Settings returns the value of each key of a resolved config by its path, see [Changed].
func Settings(text []byte) map[string]string {
	settings := map[string]string{}
	for path, value := range leaves(text) {
		settings[strings.TrimPrefix(path, featuresPath)] = value
	}
	return settings
}

const featuresPath = "heuristic.features."

// leaves returns the value of each key by its full path. The items of a list go by their names or
// numbers from 1. A damaged text is an empty config.
func leaves(text []byte) map[string]string {
	leaves := map[string]string{}
	var add func(path string, value any)
	add = func(path string, value any) {
		path = strings.TrimPrefix(path, ".")
		entries, _ := value.(map[string]any)
		list, _ := value.([]any)
		for key, entry := range entries {
			add(path+"."+key, entry)
		}
		for i, item := range list {
			called := strconv.Itoa(i + 1)
			for _, key := range []string{"feature", "name"} { // a feature without a name goes by its kind
				entries, _ := item.(map[string]any)
				if word, ok := entries[key].(string); ok {
					called = word
				}
			}
			add(path+"."+called, item)
		}
		if len(entries)+len(list) == 0 {
			leaves[path] = fmt.Sprint(value)
		}
	}
	var root any
	if yaml.Unmarshal(text, &root) == nil {
		add("", root)
	}
	return leaves
}
