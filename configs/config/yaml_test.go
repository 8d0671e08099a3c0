package config

import (
	"strings"
	"testing"
)

// What files of other tools have is taken, and plays the same, or the message has the remedy.
func TestYAMLOfOtherTools(t *testing.T) {
	const heuristic = "heuristic:\n  features:\n    - {feature: empty, weight: {min: 0, max: 9}}\n"
	line := func(formula string) string {
		return "heuristic:\n  features:\n    - feature: formula\n      line: " + formula + "\n"
	}
	inBraces := func(formula string) string {
		return "heuristic:\n  features:\n    - {feature: formula, line: " + formula + "}\n"
	}
	bot := func(command string) string { return "player:\n  command: " + command + "\n  answers: moves\n" }
	quotes := func(c string) string { return "put a text that begins with " + c + " in quotes" }
	const merge = "merge keys are not read: write the keys themselves in place of <<"
	const space = "a space that YAML takes for a letter, U+00A0 (no-break space): replace it, and others in the file, " +
		"by a plain space"

	hash := load(t, heuristic).Hash
	for name, text := range map[string]string{
		"a document start":           "---\n" + heuristic,
		"a document's end":           "---\n" + heuristic + "...\n",
		"an empty document at last":  heuristic + "---\n# the end\n",
		"an empty document at first": "---\n# licence\n---\n" + heuristic,
		"YAML 1.2":                   "%YAML 1.2\n---\n" + heuristic,
		"YAML 1.2 behind comments":   "# licence\r\n\r\n%YAML  1.2 # of 2009\r\n---\r\n" + heuristic,
		"YAML 1.1":                   "%YAML 1.1\n---\n" + heuristic,
		"YAML 1.3":                   "%YAML 1.3\n---\n" + heuristic,
		"a handle of tags":           "%TAG !e! tag:example.com,2000:\n---\n" + heuristic,
		"keys of other tools":        "x-range: &r {min: 0, max: 9}\nx-more: {<<: *r, a: !ref b}\n" + heuristic,
		"such a key inside":          strings.Replace(heuristic, "{feature", "{x-id: 7, feature", 1),
		"a standard tag":             heuristic + "seed: !!int 2048\n",
		"JSON":                       `{"heuristic": {"features": [{"feature": "empty", "weight": {"min": 0, "max": 9}}]}}`,
		"carriage returns":           strings.ReplaceAll(heuristic, "\n", "\r\n"),
	} {
		c, err := Parse([]byte(text), "a.yaml")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if c.Hash != hash {
			t.Errorf("%s: the config is another one", name)
		}
	}

	for name, test := range map[string]struct{ text, want string }{
		"YAML 2":        {"%YAML 2.0\n---\n" + heuristic, "found incompatible YAML document"},
		"two documents": {heuristic + "---\nkind: b\n", "move it into a file of its own"},
		"a merge key": {"heuristic:\n  features:\n    - &f {feature: empty, weight: 1}\n    - <<: *f\n      " +
			"name: b\n", `a.yaml:4:7: heuristic.features[1]."<<": ` + merge},
		"a merge key with a space": {"x-r: &r {min: 1}\n" + strings.Replace(heuristic, "{min: 0", "{<< : *r", 1),
			`a.yaml:4:33: heuristic.features[0].weight."<<": ` + merge},
		"a list of merge keys": {"<<: [{seed: 1}, {seed: 2}]\n" + heuristic, `a.yaml:1:1: "<<": ` + merge},
		"an alias": {"x-r: &r {min: 1, max: 3}\n" + strings.Replace(heuristic, "{min: 0, max: 9}", "*r", 1),
			"a.yaml:4:24: heuristic.features[0].weight: aliases are not read: write the value in place of *r"},
		"an alias in a list": {"x-f: &f {feature: empty}\nheuristic: {features: [*f]}\n",
			"a.yaml:2:24: heuristic.features[0]: aliases are not read: write the value in place of *f"},
		"a tag of another tool": {heuristic + "seed: !env SEED\n",
			"a.yaml:4:1: seed: tags are not read: leave out !env, or put a text that begins with ! in quotes"},
		"a tag of a list": {heuristic + "starts: !include [a.yaml]\n", "tags are not read: leave out !include"},
		"a tag of Python": {heuristic + "seed: !!python/int 5\n", "tags are not read: leave out !!python/int"},
		"not": {line("!a"), "a.yaml:4:7: heuristic.features[0].line: tags are not read: leave out " +
			"!a, or " + quotes("!")},
		"not, and": {line("!a && b"),
			"a.yaml:4:7: not valid YAML: did not find expected alphabetic or numeric character: " + quotes("!") +
				`: see "line: !a && b"`},
		"not in braces":      {inBraces("!a"), quotes("!")},
		"a star":             {line("*a"), quotes("*")},
		"a star and a space": {inBraces("* a"), quotes("*")},
		"an ampersand": {line("&a"), "a.yaml:4:7: heuristic.features[0].line: the anchor &a has no value: " +
			quotes("&")},
		"an ampersand and a space": {line("& a"), quotes("&")},
		"an at":                    {inBraces("@a"), quotes("@")},
		"a percent sign":           {line("%a"), quotes("%")},
		"a backtick":               {line("`a`"), quotes("`")},
		"a bar":                    {line("|a|"), quotes("|")},
		"greater":                  {line("> 3"), quotes(">")},
		"a dash and a space":       {line("- a"), quotes("-")},
		"braces over lines": {"heuristic: {features: [\n  {feature: formula,\n   line: @a}]}\n",
			`a.yaml:3:4: not valid YAML: found character that cannot start any token: ` + quotes("@")},
		"quotes around a part":      {line(`"a" + b`), "put the whole text in quotes, not its beginning"},
		"quotes around a part, too": {inBraces(`'a' > b`), "put the whole text in quotes, not its beginning"},
		"a quoted sign before":      {"note: \"a, *b\"\nname: @b\n", quotes("@") + `: see "name: @b"`},
		"only a quoted sign":        {"note: \": *b\n", "found unexpected end of stream: close the quotes"},
		"a colon":                   {"name: a: b\n", "put a text with a colon and a space in quotes"},
		"no space after a colon":    {heuristic + "seed:1\n", "put a space after the colon of a key"},
		"an unknown escape": {bot(`["C:\my bots\bot.exe"]`),
			`a.yaml:2:3: not valid YAML: found unknown escape character: ` + noEscape + `: see "command:`},
		"an escape with digits": {bot(`["C:\Users\bot.exe"]`), noEscape},
		"escapes that there are": {bot(`["C:\bots\new.exe"]`),
			`a.yaml:2:13: player.command[0]: want no control characters, got "C:\bots\new.exe": ` + noEscape},
		"a path with lines and tabs": {bot(`["C:\new\tools.exe"]`), noEscape},
		"an argument": {bot(`[python3, "C:\bots\a.py"]`),
			`a.yaml:2:22: player.command[1]: want no control characters, got "C:\bots\a.py"`},
		"such an indentation":   {strings.ReplaceAll(heuristic, "  ", "\u00a0\u00a0"), "a.yaml:2:1: " + space},
		"one in an indentation": {strings.Replace(heuristic, "    -", " \u00a0  -", 1), "a.yaml:3:2: " + space},
		"one after a dash":      {strings.Replace(heuristic, "- {", "-\u00a0{", 1), "a.yaml:3:6: " + space},
		"one after a colon":     {strings.Replace(heuristic, ": empty", ":\u00a0empty", 1), "a.yaml:3:16: " + space},
		"a wide one": {strings.Replace(heuristic, "  features", "\u3000features", 1),
			"a.yaml:2:1: a space that YAML takes for a letter, U+3000: replace it"},
		"one in a comment, harmless": {"#\u00a0a:\u00a0b\n" + heuristic + "sed: 1\n",
			"a.yaml:5:1: sed: unknown key; did you mean seed?"},
	} {
		_, err := Parse([]byte(test.text), "a.yaml")
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got\n%v\nwant\n%s", name, err, test.want)
		}
	}

	// Lines in an argument are meant.
	c := load(t, bot(`[python3, -c, "import a\n\tb"]`)+"  weights: {a: {min: 0, max: 1}}\n")
	if got := c.Heuristic.Bot.Command[2]; got != "import a\n\tb" {
		t.Errorf("the argument is %q", got)
	}
}
