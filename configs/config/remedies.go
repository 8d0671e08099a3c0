package config

import (
	"slices"
	"strings"
	"sync"

	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/tuner"
)

// What to do about a word that a config does not have, or not there.

// otherWords has for names that people and other programs use the words of a config, of which one is
// known at each place.
var otherWords = map[string]string{
	"smoothness": "difference", "smooth": "difference", "roughness": "difference", "max_tile": "largest", "max": "largest",
	"maximum": "largest", "free": "empty", "blanks": "empty", "empties": "empty", "open": "empty", "gradient": "position",
	"matrix": "position", "table": "position", "spiral": "snake", "zigzag": "snake", "merge": "merges", "pairs": "merges",
	"monotonic": "monotonicity", "custom": "formula", "expression": "formula",
	"default": "start", "initial": "start", "init": "start", "value": "start weight", "low": "min", "lower": "min", "from": "min",
	"high": "max", "upper": "max", "to": "max", "int": "whole", "integer": "whole", "type": "whole feature", "kind": "feature", "step": "whole",
	"base": "decay", "ratio": "decay", "exponent": "power", "function": "line", "formula": "line", "weights": "weight",
	"coefficient": "weight", "exp": "log", "logarithmic": "log", "log2": "rank", "exponential": "log", "number": "face",
	"genetic_algorithm": "genetic", "ga": "genetic", "cma": "cma_es", "cmaes": "cma_es", "log_score": "mean_log_score",
	"score": "mean_score", "average": "mean_score", "pop": "population", "pop_size": "population", "population_size": "population",
	"epochs": "generations", "iterations": "generations", "depths": "depth", "ply": "depth", "plies": "depth", "loss": "penalty",
	"bonus": "reward", "positive": "reward", "negative": "penalty",
}

// otherWord returns the one of these names that has this other word, or nothing.
func otherWord(word string, names []string) string {
	for name := range strings.FieldsSeq(otherWords[word]) {
		if slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

// flagsOf are keys that people write for what a command line has.
var flagsOf = map[string]string{
	"workers": "-workers 4", "threads": "-workers 4", "cores": "-workers 4", "jobs": "-workers 4", "for": "-for 8h", "time": "-for 8h",
	"duration": "-for 8h", "limit": "-for 8h", "db": "-db FILE", "database": "-db FILE", "seeds": "-seeds 3", "serve": "-serve",
	"listen": "-listen HOST:PORT", "server": "-server URL", "output": "-o FILE",
}

// remedy says what to do about an unknown key: move it, write it otherwise, or give a flag.
func (f *fields) remedy(word string) string {
	here := f.known
	isItem := slices.Contains(here, "feature") || slices.Contains(here, "max_games") // of features, or of stages
	places := slices.DeleteFunc(slices.Clone(homes()[word]), func(place string) bool {
		return place == "in "+f.key || isItem && strings.HasPrefix(place, "in a")
	})
	switch {
	case word == "weights" && !slices.Contains(here, "weight"):
		return "; each feature has a weight of its own, such as {feature: empty, weight: 270}; only those of a bot have a list, in player"
	case otherWord(word, here) != "":
		return "; did you mean " + otherWord(word, here) + "?"
	case len(places) > 0 && (f.key == "" || DidYouMean(word, here) == ""):
		return "; " + word + " belongs " + either(places) + ": move it there"
	case f.key == "" && flagsOf[word] != "":
		return "; no config has it, the command line does: " + flagsOf[word]
	}
	return DidYouMean(word, here)
}

// homes has the places of each key of the top level, and of the keys of sections and of their items.
var homes = sync.OnceValue(func() map[string][]string {
	c, all := new(Config), map[string][]string{}
	c.written.optimizer = tuner.NewAlgorithm("")
	add := func(place string, keys []key.Key) {
		for _, name := range key.Names(keys) {
			if !slices.Contains(all[name], place) {
				all[name] = append(all[name], place)
			}
		}
	}
	add("on the top level", c.Keys())
	for _, k := range c.Keys() {
		if section, ok := k.To.(key.Section); ok {
			add("in "+k.Name, section.Keys())
		}
	}
	add("in an item of stages, such as stages: [{generations: 20}]", new(Stage).Keys())
	add("in player", (&eval.Heuristic{Bot: new(bot.Program)}).Keys())
	add("in a feature, such as {feature: empty, weight: 270}", eval.Settings())
	return all
})

// kindNames are the kinds of features.
func kindNames() (names []string) {
	for _, kind := range eval.Kinds() {
		names = append(names, kind.Name)
	}
	return names
}

// asKind notes a feature without the key feature, which people write as {empty: 270}.
func (f *fields) asKind() (noted bool) {
	for _, kind := range kindNames() {
		if entry, given := f.entries[kind]; given && !f.has("feature") {
			entry.problem("want {feature: %s, weight: ...}, got %s as a key", kind, kind)
			return true
		}
	}
	return false
}

// asRange returns the range that a list of two numbers stands for, or nothing.
func (n node) asRange() string {
	if len(n.Content) != 2 || n.isMapping() || !numberForm.MatchString(n.Content[0].Value) || !numberForm.MatchString(n.Content[1].Value) {
		return ""
	}
	return ": write {min: " + n.Content[0].Value + ", max: " + n.Content[1].Value + "}"
}

// unquote returns what to do about a number in quotes, or nothing.
func (n node) unquote() string {
	if n.isText() && !n.unquoted() && numberForm.MatchString(strings.TrimSpace(n.Value)) {
		return ": leave the quotes out"
	}
	return ""
}
