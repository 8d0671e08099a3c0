package config

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"gopkg.in/yaml.v3"

	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/tuner"
)

// What to do about a word that a config does not have, or not there.

// otherWords has for names that people and other programs use the words of a config, of which one
// is known at each place.
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
	"bonus": "reward", "tune": "reward", "auto": "reward", "tuned": "reward", "sigma": "spread", "stddev": "spread", "step_size": "spread", "positive": "reward", "negative": "penalty",
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

// none has for keys that no config has the reason, by another key of the section where people write
// them.
var none = map[string]map[string]string{
	"depth":            {"time": noTime, "timeout": noTime, "ms": noTime, "milliseconds": noTime, "seconds": noTime, "movetime": noTime},
	"four_probability": {"size": noSize, "board": noSize, "width": noSize, "height": noSize, "rows": noSize, "grid": noSize},
}

const (
	noTime = "no search has a limit of time: depth and min_probability limit it"
	noSize = "the board always has 4 x 4 cells"
)

// remedy says what to do about an unknown key: move it, write it otherwise, or give a flag.
func (f *fields) remedy(word string) string {
	here := f.known
	isItem := slices.Contains(here, "feature") || slices.Contains(here, "max_games") // of features, or of stages
	places := slices.DeleteFunc(slices.Clone(homes()[word]), func(place string) bool {
		return place == "in "+f.key || isItem && strings.HasPrefix(place, "in a")
	})
	for beside, reasons := range none {
		if reasons[word] != "" && slices.Contains(here, beside) {
			return "; " + reasons[word]
		}
	}
	switch {
	case f.key == "optimizer" && algorithmOf(word) != "":
		return "; " + word + " is a setting of algorithm: " + algorithmOf(word)
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

// Places returns the places of a key in a config, such as "in search". It returns none for another
// word.
func Places(word string) []string { return homes()[word] }

// homes has the places of each key of the top level, and of the keys of sections and of their
// items.
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

// algorithmOf returns the first algorithm with a setting, or nothing.
func algorithmOf(setting string) string {
	for _, name := range tuner.Algorithms() {
		if _, found := key.Find(tuner.NewAlgorithm(name), setting); found {
			return name
		}
	}
	return ""
}

// mappingLike returns an example of a section that a word or a number stands for.
func mappingLike(s key.Section, word string) string {
	keys := s.Keys()
	for _, k := range keys {
		if slices.Contains(k.Choices, word) {
			return "{" + k.Name + ": " + word + "}"
		}
	}
	return "{" + keys[0].Name + ": ...}"
}

// asRange returns the range that a list of two numbers stands for, or 0..1000, or nothing.
func (n node) asRange() string {
	ends := []string{}
	for _, end := range n.Content {
		ends = append(ends, end.Value)
	}
	if n.Kind == yaml.ScalarNode && n.unquoted() {
		ends = strings.FieldsFunc(strings.NewReplacer("..", " ", " to ", " ", "~", " ").Replace(n.Value), unicode.IsSpace)
	}
	if len(ends) != 2 || n.isMapping() || !numberForm.MatchString(ends[0]) || !numberForm.MatchString(ends[1]) {
		return ""
	}
	return ": write {min: " + ends[0] + ", max: " + ends[1] + "}"
}

// inDigits returns how a whole number with an exponent or a fraction of 0 is written, or nothing.
func (n node) inDigits() string {
	x, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || !n.unquoted() || !numberForm.MatchString(n.Value) || wholeForm.MatchString(n.Value) || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return ""
	}
	return ": write " + key.Number(x)
}

// unquote returns what to do about a number in quotes, or nothing.
func (n node) unquote() string {
	if n.isText() && !n.unquoted() && numberForm.MatchString(strings.TrimSpace(n.Value)) {
		return ": leave the quotes out"
	}
	return ""
}
