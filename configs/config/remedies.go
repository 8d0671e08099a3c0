package config

import (
	"cmp"
	"math"
	"regexp"
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

// otherWords translates the words of people and of other programs into the words of a config. Of
// several words one is known at each place.
var otherWords = map[string]string{
	"smoothness": "difference", "smooth": "difference", "roughness": "difference", "max_tile": "largest", "max": "largest",
	"maximum": "largest", "free": "empty", "blanks": "empty", "empties": "empty", "open": "empty", "gradient": "position",
	"matrix": "position", "table": "position", "spiral": "snake", "zigzag": "snake", "merge": "merges", "pairs": "merges",
	"monotonic": "monotonicity", "custom": "formula", "expression": "formula",
	"default": "start", "initial": "start", "init": "start", "value": "start weight", "low": "min", "lower": "min",
	"from": "min",
	"high": "max", "upper": "max", "to": "max", "int": "whole", "integer": "whole", "type": "whole feature algorithm",
	"name": "algorithm", "method": "algorithm", "sampler": "algorithm", "metric": "objective", "fitness": "objective",
	"goal": "objective", "target": "objective", "kind": "feature",
	"base": "decay", "ratio": "decay", "exponent": "power", "function": "line", "formula": "line", "weights": "weight",
	"coefficient": "weight", "exp": "log", "logarithmic": "log", "log2": "rank", "exponential": "log", "number": "face",
	"genetic_algorithm": "genetic", "ga": "genetic", "cma": "cma_es", "cmaes": "cma_es", "log_score": "mean_log_score",
	"score": "mean_score", "average": "mean_score", "pop": "population", "pop_size": "population",
	"population_size": "population",
	"epochs":          "generations", "iterations": "generations", "depths": "depth", "ply": "depth", "plies": "depth",
	"loss":  "penalty",
	"bonus": "reward", "tune": "reward", "auto": "reward", "tuned": "reward", "sigma": "spread", "stddev": "spread",
	"step_size": "spread", "positive": "reward", "negative": "penalty",
	"-reward": "penalty", "-penalty": "reward", "malus": "penalty", "punish": "penalty", "punishment": "penalty",
	"x": "column", "y": "row",
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

// habit names keys of other programs, and what to write here instead.
type habit struct {
	keys   string // separated by spaces
	beside string // a key of the section where people write them
	remedy string // VALUE stands for the value, LAST for the number of its items less one, ENDS for its two numbers
}

// habits are looked up in their order.
var habits = []habit{
	{"time timeout ms milliseconds seconds movetime", "depth",
		"no search has a limit of time: depth and min_probability limit it"},
	{"size board width height rows grid", "four_probability", "the board always has 4 x 4 cells"},

	{"log", "min", "write scale: log in place of log: true"},
	{"step steps increment", "min", "a range has no steps; whole: true takes whole numbers only"},
	{"choices values categorical options", "min", "write min: 0, max: LAST, whole: true: a whole number for each choice"},

	{"range bounds uniform loguniform interval", "min", "write ENDS"},

	{"sprt sequential sequential_test", "max_games", noSequential},
	{"sprt sequential sequential_test", "stages", noSequential},
	{"n_trials trials iterations epochs budget", "stages", noTrials},
	{"n_trials trials iterations epochs generations budget", "population", noTrials},
	{"for time timeout time_limit duration limit hours", "max_games", onCommandLine + "-for 8h"},
	{"for time time_limit duration limit hours", "stages", onCommandLine + "-for 8h"},
	{"workers threads cores jobs n_jobs parallel", "stages", onCommandLine + "-workers VALUE"},
	{"db database", "stages", onCommandLine + "-db FILE"},
	{"seeds", "stages", onCommandLine + "-seeds VALUE"},
	{"serve", "stages", onCommandLine + "-serve"},
	{"listen", "stages", onCommandLine + "-listen HOST:PORT"},
	{"server", "stages", onCommandLine + "-server URL"},
	{"output", "stages", onCommandLine + "-o FILE"},
}

const (
	onCommandLine = "no config has it, the command line does: "
	noTrials      = "its stages have the length of a tuning: stages: [{generations: 20}] or [{max_games: 10000}]"
	noSequential  = "a config has no sequential test; two players meet in one with tune compare A B -difference 2%"
)

// habit returns what to write in place of a key of other programs, or nothing.
func (f *fields) habit(word string) string {
	for _, h := range habits {
		if slices.Contains(strings.Fields(h.keys), word) && slices.Contains(f.known, h.beside) {
			value := f.entries[word]
			ends := cmp.Or(strings.Trim(strings.TrimPrefix(value.asRange(), ": write "), "{}"), "min: 0, max: 1000")
			return strings.NewReplacer("ENDS", ends, "VALUE", value.brief(), "LAST",
				strconv.Itoa(max(1, len(value.Content)-1))).Replace(h.remedy)
		}
	}
	return ""
}

// brief is a value in braces and brackets, or dots if it is long.
func (n node) brief() string {
	var text strings.Builder
	var write func(y *yaml.Node)
	write = func(y *yaml.Node) {
		switch ends := map[yaml.Kind]string{yaml.MappingNode: "{}", yaml.SequenceNode: "[]"}[y.Kind]; {
		case ends != "":
			text.WriteByte(ends[0])
			for i, child := range y.Content {
				if i > 0 {
					text.WriteString(map[bool]string{true: ": ", false: ", "}[y.Kind == yaml.MappingNode && i%2 == 1])
				}
				write(child)
			}
			text.WriteByte(ends[1])
		case y.ShortTag() != "!!null":
			text.WriteString(y.Value)
		}
	}
	if write(n.Node); text.Len() > 60 {
		return "..."
	}
	return clipTo(text.String(), 60)
}

// reshape says how to write a key together with its value, where the key alone says nothing: names
// as keys, weights without the key weights, no space after a colon.
func (f *fields) reshape(word string) string {
	n := f.entries[word]
	known := func(key string) bool { return slices.Contains(f.known, key) && !f.has(key) }
	before, after, colon := strings.Cut(word, ":")
	switch {
	case n.isNull() && commaForm.MatchString("0,"+word): // in braces a comma ends a number
		return "; " + noComma
	case n.isNull() && colon && known(before):
		return "; put a space after the colon: " + before + ": " + clip(after)
	case n.isMapping() && known("name") && len(f.keys) == 1 && len(n.Content) > 0 && known(n.Content[0].Value):
		return "; write {name: " + clip(word) + ", " + strings.TrimPrefix(n.brief(), "{")
	case known("weights") && !n.isText() && !n.isNull() && Nearest(word, f.known) == "":
		return "; write weights: {" + clip(word) + ": " + cmp.Or(n.asChoices(), n.brief()) + "}"
	}
	return ""
}

// remedy says what to do about an unknown key: move it, write it otherwise, or give a flag.
func (f *fields) remedy(word string) string {
	here := f.known
	isItem := slices.Contains(here, "feature") || slices.Contains(here, "max_games") // of features, or of stages
	places := slices.DeleteFunc(slices.Clone(homes()[word]), func(place string) bool {
		return place == "in "+f.key || isItem && strings.HasPrefix(place, "in a")
	})
	if text := f.reshape(word); text != "" {
		return text
	}
	switch text := f.habit(word); {
	case text != "":
		return "; " + text
	case f.key == "optimizer" && algorithmOf(word) != "":
		return "; " + word + " is a setting of algorithm: " + algorithmOf(word)
	case word == "weights" && !slices.Contains(here, "weight"):
		return "; each feature has a weight of its own, such as {feature: empty, weight: 270}; only those of a bot have a " +
			"list, in player"
	case otherWord(word, here) != "":
		return "; did you mean " + otherWord(word, here) + "?"
	case len(places) > 0 && places[0] == onTop && DidYouMean(word, here) == "":
		return "; " + word + " belongs " + onTop + ": move it to the left margin: " + word + ": " + f.entries[word].brief()
	case len(places) > 0 && (f.key == "" || DidYouMean(word, here) == ""):
		return "; " + word + " belongs " + either(places) + ": move it there"
	}
	return DidYouMean(word, here)
}

// Places returns the places of a key in a config, such as "in search". It returns none for another
// word.
func Places(word string) []string { return homes()[word] }

const onTop = "on the top level"

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
	add(onTop, c.Keys())
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
	games, counts := key.Find(s, "games")
	switch off := slices.Contains([]string{"false", "off", "no", "none", "never", "0"}, word); {
	case keys[0].Name == "min":
		return "{min: 0, max: 1}"
	case slices.Contains(games.Choices, word):
		return "{games: " + word + "}"
	case counts && games.Auto != nil && off && games.Range.Low > 0:
		return "{games: " + key.Number(games.Range.Low) + "}, the fewest, for it always takes place"
	case counts && games.Auto != nil && off:
		return "{games: 0}"
	case counts && games.Auto != nil && slices.Contains([]string{"true", "on", "yes"}, word):
		return "{games: auto}"
	case counts && games.Auto != nil && wholeForm.MatchString(word):
		return "{games: " + word + "}"
	}
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

// otherDigits is a number with separators of thousands, or with a unit of them, or in percent.
var otherDigits = regexp.MustCompile(`^([-+]?[0-9]+(?:['_][0-9]{3})*(?:\.[0-9]+)?(?:[eE][0-9]+)?) ?([%kKM]?)$`)

// inDigits returns how a number is written that is in another notation, or nothing.
func (n node) inDigits(whole bool) string {
	parts := otherDigits.FindStringSubmatch(n.Value)
	if parts == nil || !n.unquoted() || wholeForm.MatchString(n.Value) || !whole && numberForm.MatchString(n.Value) {
		return ""
	}
	digits := strings.NewReplacer("'", "", "_", "").Replace(parts[1])
	x, err := strconv.ParseFloat(digits, 64)
	x = x * map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "": 1, "%": 1}[parts[2]]
	if parts[2] == "%" {
		x /= 100
	}
	if err != nil || !numberForm.MatchString(digits) || math.Abs(x) > 1<<53 || whole && x != math.Trunc(x) {
		return ""
	}
	return ": write " + key.Number(x)
}

// rewrite returns how to write what people write for a number, or nothing. ranged: a range may
// stand there.
func (n node) rewrite(ranged bool) string {
	switch text := cmp.Or(n.unquote(), n.inDigits(false)); {
	case text != "" || !ranged:
		return text
	case n.asRange() != "":
		return n.asRange()
	case n.asChoices() != "":
		return ": write " + n.asChoices() + ", a whole number for each choice"
	}
	return ""
}

// asChoices returns the range of whole numbers that a list of choices or a switch stands for, or
// nothing.
func (n node) asChoices() string {
	last := len(n.Content) - 1
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" {
		last = 1
	}
	if last < 1 || n.isMapping() {
		return ""
	}
	return "{min: 0, max: " + strconv.Itoa(last) + ", whole: true}"
}

// unquote returns what to do about a number in quotes, or nothing.
func (n node) unquote() string {
	if n.isText() && !n.unquoted() && numberForm.MatchString(strings.TrimSpace(n.Value)) {
		return ": leave the quotes out"
	}
	return ""
}
