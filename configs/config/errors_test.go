package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tune2048/engine/eval"
	"tune2048/tuner"
)

// Every case is a file and exactly what is said of it.
func TestProblems(t *testing.T) {
	const ok = "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9}}]}\n"
	feature := func(text string) string { return "heuristic:\n  features:\n    - {" + text + "}\n" }
	var names []string
	for _, k := range eval.Kinds() {
		names = append(names, k.Name)
	}
	kinds := either(names)
	rootList := "name, note, seed, game, heuristic, player, search, optimizer, stages, objective, playoff, validation, " +
		"ablation, references, starts or store"
	stageList := "name, search, max_games, generations, games, rounds or patience"
	algorithms := "a.yaml:2:13: optimizer.algorithm: want " + either(tuner.Algorithms())
	const (
		weight = "a.yaml:3:24: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got "
		ends   = "want min, max, whole, scale or start"
		isTOML = "this is TOML: want YAML, where a key ends with a colon, and what belongs to it is indented: heuristic: " +
			"{family: snake}"
	)
	tests := []struct{ name, text, want string }{
		// The document.
		{"empty", "", "a.yaml:1:1: the file is empty"},
		{"empty document", "---\n", "a.yaml:1:1: the file is empty"},
		{"two documents", ok + "---\n" + ok, "a.yaml:2:1: want a single YAML document, got another one: move it into a " +
			"file of its own"},
		{"invalid UTF-8", ok + "name: \xff\n", "a.yaml:2:1: not valid YAML: invalid leading UTF-8 octet: see \"name: " +
			"\\xff\" with its indentation of 0, and the line above"},
		{"NUL", "name: a\x00\n", "a.yaml:1:1: not valid YAML: control characters are not allowed: see \"name: a\\\\x00\" " +
			"with its indentation of 0, and the line above"},
		{"too large", strings.Repeat("#", MaxBytes+1), "a.yaml:1:1: the file is larger than 1 MB"},
		{"alias", ok + "seed: &x 1\nablation: {games: *x}\n",
			"a.yaml:3:12: ablation.games: aliases are not read: write the value in place of *x"},
		{"unknown alias", ok + "name: *x\n",
			`a.yaml:2:1: not valid YAML: unknown anchor 'x' referenced: put a text that begins with * in quotes: see "name: *x"`},
		{"merge key", ok + "<<: {seed: 1}\n",
			`a.yaml:2:1: "<<": merge keys are not read: write the keys themselves in place of <<`},
		{"unclosed quote", "seed: 1\nname: \"a\n\n",
			"a.yaml:2:1: not valid YAML: found unexpected end of stream: close the quotes: see \"name: \\\"a\""},
		{"list as key", ok + "? [a]\n: 1\n", "a.yaml:2:3: want a word as key, got a list or mapping as key"},

		{"tab", "heuristic:\n  features:\n    - feature: empty\n\t  weight: 1\n",
			"a.yaml:4:1: not valid YAML: a tab in the indentation: want spaces"},
		{"no space after a colon", ok + "seed:1\n",
			`a.yaml:2:1: not valid YAML: could not find expected ':': put a space after the colon of a key: see "seed:1"`},
		{"no space after a dash", "heuristic:\n  features:\n    -feature: empty\n",
			"a.yaml:2:3: heuristic.features: want a list of features, each beginning with a - and a space, got a mapping"},
		{"colon in a value", ok + "name: a: b\n",
			`a.yaml:2:1: not valid YAML: mapping values are not allowed in this context: put a text with a colon and a space in quotes: see "name: a: b"`},
		{"indented too little", "heuristic:\n  features:\n    - {feature: empty}\n  - {feature: line}\n",
			`a.yaml:4:3: not valid YAML: did not find expected key: the keys of a section begin in one column, and so do the items of a list: see "- {feature: line}" with its indentation of 2, and the line above`},
		{"comma in a number", ok + "validation:\n  games: 2,000\n",
			`a.yaml:3:3: validation.games: want a whole number in decimal digits, got the text "2,000": ` + noComma},
		{"commas in braces", ok + "stages: [{max_games: 10,000, rounds: 1}]\n", "a.yaml:2:25: stages[0].000: unknown key; " +
			noComma + "; want " + stageList},

		// Keys.
		{"unknown key", ok + "sed: 1\n", "a.yaml:2:1: sed: unknown key; did you mean seed?; want " + rootList},
		{"unprintable key", ok + "\"a\\nb\\e\": 1\n", `a.yaml:2:1: "a\nb\x1b": unknown key; want ` + rootList},
		{"key of another section", ok + "population: 10\n",
			"a.yaml:2:1: population: unknown key; population belongs in optimizer: move it there; want " + rootList},
		{"section in another", ok + "search: {depth: 3, game: {}, blend: 1}\n",
			"a.yaml:2:20: search.game: unknown key; game belongs on the top level: move it to the left margin: game: {}; want " +
				"depth, depth_by_empty, depth_by_distinct or min_probability\n" +
				"a.yaml:2:30: search.blend: unknown key; blend belongs in optimizer: move it there; want depth, depth_by_empty, " +
				"depth_by_distinct or min_probability"},
		{"duplicate key", "seed: 1\n" + ok + "seed: 2\n",
			"a.yaml:3:1: seed: duplicate key, first on line 1: leave one of them out"},
		{"several problems in order", "store: {games: some}\nseed: x\n" + ok,
			"a.yaml:1:9: store.games: want all, validation or none, got the text \"some\"\n" +
				"a.yaml:2:1: seed: want a whole number in decimal digits, got the text \"x\""},

		{"weights beside features", ok + "weights: {empty: 270}\n",
			"a.yaml:2:1: weights: unknown key; each feature has a weight of its own, such as {feature: empty, weight: 270}; " +
				"only those of a bot have a list, in player; want " + rootList},
		{"key of a stage", ok + "generations: 20\n",
			"a.yaml:2:1: generations: unknown key; generations belongs in an item of stages, such as stages: [{generations: " +
				"20}]: move it there; want " + rootList},
		{"key of a bot", ok + "timeout: 10s\n", "a.yaml:2:1: timeout: unknown key; timeout belongs in player: move it " +
			"there; want " + rootList},
		{"flag", ok + "workers: 4\n", "a.yaml:2:1: workers: unknown key; no config has it, the command line does: -workers " +
			"4; want " + rootList},
		{"another word for a key", feature("feature: empty, weight: {from: 0, to: 9}"),
			"a.yaml:3:33: heuristic.features[0].weight.from: unknown key; did you mean min?; want min, max, whole, scale or " +
				"start\n" +
				"a.yaml:3:42: heuristic.features[0].weight.to: unknown key; did you mean max?; want min, max, whole, scale or " +
				"start"},

		// Values that stand for others.
		{"another word for a feature", feature("feature: smoothness"), `a.yaml:3:8: heuristic.features[0].feature: want ` +
			kinds + `, got the text "smoothness"; did you mean difference?`},
		{"features as words", "heuristic: {features: [empty, mono]}\n",
			`a.yaml:1:24: heuristic.features[0]: want a mapping such as {feature: empty, weight: reward}, got the text "empty"` +
				"\n" +
				`a.yaml:1:31: heuristic.features[1]: want a mapping such as {feature: monotonicity, weight: reward}, got the text "mono"`},
		{"features as keys", feature("merges: 700"),
			"a.yaml:3:8: heuristic.features[0].merges: want {feature: merges, weight: ...}, got merges as a key"},
		{"features as a mapping", "heuristic: {features: {empty: 270}}\n",
			"a.yaml:1:13: heuristic.features: want a list of features, such as [{feature: empty}], got a mapping"},
		{"optimizer as a word", ok + "optimizer: cmaes\n",
			`a.yaml:2:1: optimizer: want a mapping such as {algorithm: cma_es}, got the text "cmaes"`},
		{"stages as a mapping", ok + "stages: {generations: 20}\n",
			"a.yaml:2:1: stages: want a list of stages: put [ ] around it, got a mapping"},
		{"number in quotes", feature(`feature: empty, weight: "270"`),
			`a.yaml:3:24: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got the text "270": leave the quotes out`},
		{"whole number in quotes", ok + `seed: "7"` + "\n",
			`a.yaml:2:1: seed: want a whole number in decimal digits, got the text "7": leave the quotes out`},
		{"range as a list", feature("feature: empty, weight: [0, 1000]"),
			"a.yaml:3:24: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got a " +
				"list: write {min: 0, max: 1000}"},
		{"reward in capitals", feature("feature: empty, weight: Reward"),
			`a.yaml:3:24: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got the text "Reward"; did you mean reward?`},

		{"range with dots", feature("feature: empty, weight: 0..1000"),
			`a.yaml:3:24: heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got the text "0..1000": write {min: 0, max: 1000}`},
		{"exponent", ok + "validation: {games: 1e4}\n",
			"a.yaml:2:14: validation.games: want a whole number in decimal digits, got 1e4: write 10000"},
		{"time of a search", ok + "search: {depth: 1, time: 100ms}\n",
			"a.yaml:2:20: search.time: unknown key; no search has a limit of time: depth and min_probability limit it; want " +
				"depth, depth_by_empty, depth_by_distinct or min_probability"},
		{"size of the board", ok + "game: {size: 5}\n",
			"a.yaml:2:8: game.size: unknown key; the board always has 4 x 4 cells; want four_probability"},
		{"elites of another algorithm", ok + "optimizer: {algorithm: cma_es, elites: 3}\n",
			"a.yaml:2:32: optimizer.elites: unknown key; elites is a setting of algorithm: auto; want algorithm, population, " +
				"spread, stage_spread, learning_rate or step_floor"},
		{"stages as a number", ok + "stages: 3\n", "a.yaml:2:1: stages: want a list of stages, such as [{generations: " +
			"20}], got 3"},
		{"section as a word", ok + "store: none\n",
			`a.yaml:2:1: store: want a mapping such as {games: none}, got the text "none"`},
		{"section as a switch", ok + "playoff: false\n",
			"a.yaml:2:1: playoff: want a mapping such as {games: 1}, the fewest, for it always takes place, got false"},
		{"heuristic as a word", "heuristic: snake\n",
			`a.yaml:1:1: heuristic: want a mapping such as {family: snake}, got the text "snake"`},
		{"config as a list", "- feature: empty\n", "a.yaml:1:1: want a mapping with the key heuristic, or player for a " +
			"bot, got a list"},
		{"references as a list", ok + "references: [nneonneo]\n",
			"a.yaml:2:1: references: want a mapping of names, such as {weak: {weights: {empty: 0}}, strong: champions/best}, " +
				"got a list"},
		{"empty text", ok + "name: \"\"\n", "a.yaml:2:1: name: want 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', " +
			"the first not '-', got the text \"\""},

		// What other programs and people write: the remedy is what to write here.
		{"a reward below 0", feature("feature: empty, weight: -reward"), weight +
			`the text "-reward"; did you mean penalty?`},
		{"a penalty below 0", feature("feature: empty, weight: -penalty"), weight +
			`the text "-penalty"; did you mean reward?`},
		{"steps", feature("feature: empty, weight: {min: 0, max: 10, step: 2}"),
			"a.yaml:3:50: heuristic.features[0].weight.step: unknown key; a range has no steps; whole: true takes whole " +
				"numbers only; " + ends},
		{"Optuna's range", feature("feature: empty, weight: {low: 1, high: 50, log: true}"),
			"a.yaml:3:33: heuristic.features[0].weight.low: unknown key; did you mean min?; " + ends + "\n" +
				"a.yaml:3:41: heuristic.features[0].weight.high: unknown key; did you mean max?; " + ends + "\n" +
				"a.yaml:3:51: heuristic.features[0].weight.log: unknown key; write scale: log in place of log: true; " + ends},
		{"Optuna's choices", feature("feature: empty, weight: {choices: [1, 2, 3]}"),
			"a.yaml:3:33: heuristic.features[0].weight.choices: unknown key; write min: 0, max: 2, whole: true: a whole " +
				"number for each choice; " + ends},
		{"a range of another program", feature("feature: empty, weight: {uniform: [1, 5]}"),
			"a.yaml:3:33: heuristic.features[0].weight.uniform: unknown key; write min: 1, max: 5; " + ends},
		{"a number of trials", ok + "n_trials: 100\n",
			"a.yaml:2:1: n_trials: unknown key; its stages have the length of a tuning: stages: [{generations: 20}] or " +
				"[{max_games: 10000}]; want " + rootList},
		{"the optimizer's name", ok + "optimizer: {name: cma_es}\n",
			"a.yaml:2:13: optimizer.name: unknown key; did you mean algorithm?; want algorithm, population, elites, spread, " +
				"uniform, parents, blend, mutation_rate, mutation_spread, mutation_floor or stage_spread"},
		{"the goal", ok + "metric: mean\n", "a.yaml:2:1: metric: unknown key; did you mean objective?; want " + rootList},
		{"a list of choices", feature("feature: empty, weight: [1, 2, 3]"), weight +
			"a list: write {min: 0, max: 2, whole: true}, a whole number for each choice"},
		{"a matrix in one text", feature(`feature: position, matrix: "3,2,1,0, 4 5 6 7; 1,1,1,1; 2,2,2,-2.5"`),
			`a.yaml:3:27: heuristic.features[0].matrix: want 4 rows of 4 numbers, got the text "3,2,1,0, 4 5 6 7; 1,1,1,1; 2,2,2,-2.5": write [[3, 2, 1, 0], [4, 5, 6, 7], [1, 1, 1, 1], [2, 2, 2, -2.5]]`},
		{"a matrix in one list", feature("feature: position, matrix: [" + strings.Repeat("1, ", 15) + "2]"),
			"a.yaml:3:27: heuristic.features[0].matrix: want 4 rows of 4 numbers, got a list: write [[1, 1, 1, 1], [1, 1, 1, " +
				"1], [1, 1, 1, 1], [1, 1, 1, 2]]"},
		{"a matrix of a word", feature("feature: position, matrix: snake"),
			`a.yaml:3:27: heuristic.features[0].matrix: want a list of 4 rows of 4 numbers, such as [[3, 2, 1, 0], ...], got the text "snake"`},
		{"no space in braces", feature("feature: empty, weight:reward"),
			`a.yaml:3:24: heuristic.features[0]."weight:reward": unknown key; put a space after the colon: weight: reward; want feature, name or weight`},
		{"a search in the heuristic", "heuristic: {family: snake, search: {depth: 4}}\n",
			"a.yaml:1:28: heuristic.search: unknown key; search belongs on the top level: move it to the left margin: search: " +
				"{depth: 4}; want family, dead, symmetry, numbers, features or order"},
		{"percent", ok + "ablation: {difference: 7%}\n",
			`a.yaml:2:12: ablation.difference: want a number in decimal digits, got the text "7%": write 0.07`},
		{"thousands", ok + "validation: {games: 2k}\nseed: 1_000\n",
			`a.yaml:2:14: validation.games: want a whole number in decimal digits, got the text "2k": write 2000` + "\n" +
				"a.yaml:3:1: seed: want a whole number in decimal digits, got 1_000: write 1000"},
		{"percent of whole numbers", ok + "validation: {games: 2%}\n",
			`a.yaml:2:14: validation.games: want a whole number in decimal digits, got the text "2%"`},
		{"time of a stage", ok + "stages: [{time: 8h}]\n",
			"a.yaml:2:11: stages[0].time: unknown key; no config has it, the command line does: -for 8h; want " + stageList},
		{"a sequential test", ok + "stages: [{sprt: {elo1: 5}}]\n",
			"a.yaml:2:11: stages[0].sprt: unknown key; a config has no sequential test; two players meet in one with tune " +
				"compare A B -difference 2%; want " + stageList},
		{"no ablation", ok + "ablation: false\n", "a.yaml:2:1: ablation: want a mapping such as {games: 0}, got false"},
		{"a count for a phase", ok + "validation: 400\n",
			"a.yaml:2:1: validation: want a mapping such as {games: 400}, got 400"},
		{"the rank of a tile", ok + "objective: {reach: 11}\n",
			"a.yaml:2:13: objective.reach: want a tile, a power of two from 4 to 65536, got 11: write the tile, 2048, not its " +
				"rank"},
		{"a stage under its name", ok + "stages: [explore: {generations: 20}]\n",
			"a.yaml:2:10: stages[0].explore: unknown key; write {name: explore, generations: 20}; want " + stageList},
		{"a start without weights", ok + "starts: [{empty: 5}]\n",
			"a.yaml:2:11: starts[0].empty: unknown key; write weights: {empty: 5}; want from, dead or weights"},
		{"TOML", "# mine\n[heuristic]\nfamily = \"snake\"\n", "a.yaml:1:1: " + isTOML},
		{"TOML without a table", "seed = 3\n", "a.yaml:1:1: " + isTOML},
		{"an item that ends", "heuristic:\n  features:\n    - feature: empty\n      weight: 1\n    feature: merges\n",
			"a.yaml:5:5: not valid YAML: did not find expected '-' indicator: the items of a list begin in one column, each " +
				"with a - and a space, " +
				`and what belongs to an item stands further right: see "feature: merges" with its indentation of 4, and the line above`},

		// Values.
		{"section without a value", ok + "optimizer:\n",
			"a.yaml:2:1: optimizer: want a mapping (key: value), got nothing: indent what belongs to it"},
		{"population", ok + "optimizer:\n    population: 0\n", "a.yaml:3:5: optimizer.population: want at least 2, got 0"},
		{"fraction for a whole number", ok + "seed: 1.5\n",
			"a.yaml:2:1: seed: want a whole number in decimal digits, got 1.5"},
		{"octal surprise", ok + "seed: 010\n", "a.yaml:2:1: seed: want a whole number in decimal digits, got 010"},
		{"64-bit overflow", ok + "seed: 99999999999999999999\n",
			"a.yaml:2:1: seed: want at most 9007199254740991, got 99999999999999999999"},
		{"NaN", ok + "game: {four_probability: .nan}\n",
			"a.yaml:2:8: game.four_probability: want a number in decimal digits, got .nan"},
		{"overflow", ok + "game: {four_probability: 1e999}\n",
			`a.yaml:2:8: game.four_probability: want a number within ±1.8e+308, got 1e999`},
		{"probability", ok + "game: {four_probability: 1.1}\n",
			"a.yaml:2:8: game.four_probability: want a number from 0 to 1, got 1.1"},
		{"number for a name", ok + "name: 12\n",
			`a.yaml:2:1: name: want a text, in quotes if it looks like a number, got 12`},
		{"name with a space", ok + "name: a b\n",
			`a.yaml:2:1: name: want 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first not '-', got the text "a b"`},
		{"long name", ok + "name: " + strings.Repeat("x", 65) + "\n",
			`a.yaml:2:1: name: want 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first not '-', got the text "` +
				strings.Repeat("x", 40) + `..."`},

		{"one missing, one mistyped", "player: {comand: [bot]}\n",
			"a.yaml:1:1: player.answers: missing: give it, such as answers: moves\n" +
				"a.yaml:1:10: player.comand: unknown key; did you mean command?; want command, answers, timeout, score, weights " +
				"or order"},

		// The heuristic.
		{"no heuristic", "seed: 1\n", "a.yaml:1:1: heuristic: missing: give it, such as heuristic: {family: nneonneo}"},
		{"no features", "heuristic: {dead: 0}\n",
			"a.yaml:1:1: heuristic: want features, or the family of a shipped config: " + either(Names())},
		{"unknown family", "heuristic: {family: snak}\n",
			"a.yaml:1:13: heuristic.family: there is no shipped family snak; did you mean snake?; give features, or one of " +
				either(Names())},
		{"empty features", "heuristic: {features: []}\n", "a.yaml:1:13: heuristic.features: want at least 1, got 0"},
		{"too many features", "heuristic: {features: [" + strings.Repeat("{feature: empty}, ", 65) + "]}\n",
			"a.yaml:1:13: heuristic.features: want at most 64, got 65"},
		{"no kind", feature("weight: 1"), "a.yaml:3:7: heuristic.features[0].feature: missing: give it, such as feature: " +
			"empty"},
		{"unknown kind", feature("feature: merge"), `a.yaml:3:8: heuristic.features[0].feature: want ` + kinds +
			`, got the text "merge"; did you mean merges?`},
		{"setting of another kind", feature("feature: merges, power: 2"),
			"a.yaml:3:25: heuristic.features[0].power: unknown key; want feature, name, weight or count"},
		{"formula without a line", feature("feature: formula"),
			`a.yaml:3:7: heuristic.features[0]: want one of line, row, column, square, cell or board, got none of them`},
		{"formula with a wrong symbol", feature("feature: formula, line: a + larges"),
			"a.yaml:3:26: heuristic.features[0].line: column 5: there is no symbol larges; " +
				"there are a, b, c, d, empty, largest, merges, runs, w, x, y, z; add a number of your own with numbers: {larges: " +
				"1}, or a part with let: {larges: \"abs(a - b)\"}; did you mean largest?"},
		{"a symbol of another part", feature("feature: formula, cell: x == 3"),
			"a.yaml:3:26: heuristic.features[0].cell: column 1: there is no symbol x; " +
				"there are column, corner, largest, row, tile; x is a symbol of line, row, column; did you mean column?"},
		{"number of a formula", feature("feature: formula, line: a*p, numbers: {p: x}"),
			`a.yaml:3:47: heuristic.features[0].numbers.p: want a number or {min, max, start, scale}, got the text "x"`},
		{"five columns", feature("feature: position, matrix: [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4, 5]]"),
			"a.yaml:3:78: heuristic.features[0].matrix[3]: want 4 numbers, got 5"},
		{"three rows", feature("feature: position, matrix: [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]]"),
			"a.yaml:3:27: heuristic.features[0].matrix: want 4 rows of 4 numbers, got 3"},
		{"bad matrix entry", feature("feature: position, matrix: [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, x, 4]]"),
			`a.yaml:3:85: heuristic.features[0].matrix[3][2]: want a number or {min, max, start, scale}, got the text "x"`},
		{"duplicate weight names", "heuristic:\n  features:\n    - {feature: empty}\n    - {feature: empty}\n",
			"a.yaml:4:7: heuristic.features[1]: the name empty is taken by features[0]: give one of them another name"},
		{"name of another feature's number", "heuristic:\n  features:\n    - {feature: sum}\n    - {feature: empty, name: " +
			"sum_power}\n", "a.yaml:4:24: heuristic.features[1].name: the name sum_power is taken by features[0]: give one of " +
			"them another name"},
		{"min > max", feature("feature: empty, weight: {min: 2, max: 1}"),
			"a.yaml:3:33: heuristic.features[0].weight.min: want at most max, which is 1, got 2: swap min and max"},
		{"log of zero", feature("feature: empty, weight: {min: 0, max: 3, scale: log}"),
			"a.yaml:3:24: heuristic.features[0].weight: want a range above 0 or below 0 with scale: log, got 0 to 3; move one " +
				"end or write scale: ratio"},
		{"unknown scale", feature("feature: empty, weight: {min: 1, max: 3, scale: logarithmic}"),
			`a.yaml:3:49: heuristic.features[0].weight.scale: want linear, log or ratio, got the text "logarithmic"; did you mean log?`},
		{"range without max", feature("feature: empty, weight: {min: 1}"),
			"a.yaml:3:24: heuristic.features[0].weight.max: missing: give it, such as max: 1000"},
		{"power of zero", feature("feature: sum, power: {min: 0, max: 2}"),
			"a.yaml:3:22: heuristic.features[0].power: want more than 0, got 0"},
		{"dead", "heuristic: {dead: best, features: [{feature: empty}]}\n",
			`a.yaml:1:13: heuristic.dead: want worst or a number, got the text "best"`},

		// Searches.
		{"search without a rule", ok + "search: {min_probability: 0.1}\n",
			"a.yaml:2:1: search: want one of depth, depth_by_empty or depth_by_distinct, got none of them"},
		{"search with two rules", ok + "search: {depth: 3, depth_by_distinct: {minus: 2, least: 3}}\n",
			"a.yaml:2:20: search.depth_by_distinct: want only one of depth, depth_by_empty or depth_by_distinct, got depth " +
				"and depth_by_distinct"},
		{"probability 1", ok + "search: {depth: 3, min_probability: 1}\n",
			"a.yaml:2:20: search.min_probability: want a number at least 0 and less than 1, got 1"},
		{"order of empties", ok + "search:\n  depth_by_empty: [{above: 3, depth: 2}, {above: 7, depth: 3}, {depth: 7}]\n",
			"a.yaml:2:1: search: depth_by_empty entry 2: above: want fewer empty cells than the entry before (3), got 7"},
		{"no fallback", ok + "search:\n  depth_by_empty: [{above: 3, depth: 2}]\n",
			"a.yaml:2:1: search: depth_by_empty entry 1: above: want none in the last entry, which is for all other boards, " +
				"and a number in each other one"},
		{"distinct without least", ok + "search: {depth_by_distinct: {minus: 2}}\n",
			"a.yaml:2:10: search.depth_by_distinct.least: missing: give it, such as least: 3"},

		// The optimizer.
		{"algorithm", ok + "optimizer: {algorithm: genetics}\n", algorithms +
			`, got the text "genetics"; did you mean genetic?`},
		{"setting of another algorithm", ok + "optimizer: {algorithm: cma_es, blend: 0.5}\n",
			"a.yaml:2:32: optimizer.blend: unknown key; blend is a setting of algorithm: auto; want algorithm, population, " +
				"spread, stage_spread, learning_rate or step_floor"},
		{"elites", ok + "optimizer: {population: 4, elites: 4}\n", "a.yaml:2:28: optimizer.elites: want at most 3, got 4"},

		// Phases.
		{"too many stages", ok + "stages: [" + strings.Repeat("{}, ", 33) + "]\n",
			"a.yaml:2:1: stages: want at most 32, got 33"},
		{"stage names", ok + "stages:\n  - {name: a}\n  - {name: a}\n",
			"a.yaml:4:6: stages[1].name: the name a is taken by stages[0]: want a name of its own"},
		{"more rounds than games", ok + "stages: [{games: 2, rounds: 3}]\n",
			"a.yaml:2:21: stages[0].rounds: want at most 2, got 3"},
		{"games of less than a generation", ok + "stages: [{max_games: 79}]\n",
			"a.yaml:2:11: stages[0].max_games: want at least 80, the games of one generation (40 candidates, games 2), got 79"},
		{"written games of less than a generation", ok +
			"stages: [{games: 12, rounds: 3, max_games: 359}]\noptimizer: {population: 30}\n",
			"a.yaml:2:33: stages[0].max_games: want at least 360, the games of one generation (30 candidates, games 12), got " +
				"359"},
		{"game for games", ok + "stages: [{game: 8}]\n",
			"a.yaml:2:11: stages[0].game: unknown key; did you mean games?; want " + stageList},
		{"objective", ok + "objective: max_score\n",
			`a.yaml:2:1: objective: want mean_score, mean_log_score or {reach: 2048}, got the text "max_score"; did you mean mean_score?`},
		{"objective without its number", ok + "objective: reach\n",
			`a.yaml:2:1: objective: want mean_score, mean_log_score or {reach: 2048}, got the text "reach"`},
		{"reach what is no tile", ok + "objective: {reach: 2000}\n",
			"a.yaml:2:13: objective.reach: want a tile, a power of two from 4 to 65536, got 2000"},
		{"ablation of one game", ok + "ablation: {games: 1}\n",
			"a.yaml:2:12: ablation.games: want 0 for none, or at least 2, got 1"},
		{"the same search twice", ok + "validation: {search: [{depth: 3}, {depth: 3, min_probability: 0}]}\n",
			"a.yaml:2:35: validation.search[1]: the same settings as validation.search[0] (depth 3): want each once"},
		{"games of a search", ok + "validation: {search: [{depth: 3, games: 1}]}\nsearch: {depth: 3, games: 9}\n",
			"a.yaml:2:34: validation.search[0].games: want at least 2, got 1\na.yaml:3:20: search.games: unknown key; games " +
				"belongs in playoff, in validation, in ablation, in store or in an item of stages, such as stages: " +
				"[{generations: 20}]: move it there; want depth, depth_by_empty, depth_by_distinct or min_probability"},

		// References.
		{"reference to an unknown weight", ok + "references:\n  old: {weights: {emty: 1}}\n",
			"a.yaml:3:3: references.old: no weight is called emty; did you mean empty?; the weights are empty"},
		{"reference from another than the champion", ok + "references:\n  old: {from: start, weights: {empty: 1}}\n",
			`a.yaml:3:9: references.old.from: want champion, got the text "start"`},
		{"reference to a missing file", ok + "references:\n  old: none.json\n",
			"a.yaml:3:3: references.old: cannot read the weights: none.json: no such file"},
		{"reference to a bad file", ok + "references:\n  old: bad.json\n",
			`a.yaml:3:3: references.old: bad.json:1:2: empty: want a number in decimal digits, got the text "x"`},
		{"too many references", ok + "references: {" + manyKeys(33) + "}\n",
			"a.yaml:2:1: references: want at most 32, got 33"},
		{"reference of a bad name", ok + "references:\n  a b: {weights: {empty: 1}}\n",
			`a.yaml:3:3: references."a b": want a name of 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first not '-'`},
	}
	read := func(path string) ([]byte, error) {
		if path == "bad.json" {
			return []byte(`{"empty": "x"}`), nil
		}
		return nil, errors.New(path + ": no such file")
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := parse([]byte(test.text), &document{path: "a.yaml", open: read})
			if err == nil {
				t.Fatal("no error")
			}
			if err.Error() != test.want {
				t.Errorf("got\n%s\nwant\n%s", err, test.want)
			}
		})
	}
}

func TestProblemsAreCapped(t *testing.T) {
	text := "heuristic: {family: snake}\n"
	for i := range 2000 {
		text += fmt.Sprintf("x%d: 1\n", i)
	}
	_, err := Parse([]byte(text), "a.yaml")
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != maxShown+1 {
		t.Fatalf("got %d lines, want %d", len(lines), maxShown+1)
	}
	if want := "a.yaml:12:1: and on from here, 2000 problems in all"; lines[maxShown] != want {
		t.Errorf("the last line is %q, want %q", lines[maxShown], want)
	}
}

func TestNameOfTheFile(t *testing.T) {
	const ok = "heuristic: {family: snake}\n"
	for path, want := range map[string]string{
		"configs/snake.yaml": "snake", "a.b.yml": "a.b", "x/2048": "2048",
	} {
		c, err := Parse([]byte(ok), path)
		if err != nil || c.Name != want {
			t.Errorf("%s: got %v, want the name %s", path, err, want)
		}
	}
	_, err := Parse([]byte(ok), "my file.yaml")
	want := `my file.yaml:1:1: name: want 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-', the first not '-', got "my file", the file's name: give a name of its own with name:`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{
		"mergeable": "merges", "monotonicityScore": "monotonicity", "cornerBonus": "corner", "snakeWeights": "snake",
		"zebra": "",
		"mine":  "", "nope": "", "snek": "snake", "moev": "move", "rnus": "runs", "runz": "run", "bar": "",
	} {
		if got := Nearest(name, []string{"empty", "merges", "monotonicity", "snake", "corner", "move", "run", "runs", "init",
			"bot"}); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
