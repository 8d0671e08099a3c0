package configs

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Settings returns the value of each key of a resolved config (Config.YAML) by its path:
// stages.explore.games. The path of a feature begins with its name: sum.weight.max.
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
