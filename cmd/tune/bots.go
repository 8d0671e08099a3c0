package main

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/results/export"
)

// bots are small bots to begin with, each in one language, and the config of all.
//
//go:embed bots/bot.*
var bots embed.FS

// botLanguage says how a bot in a language is started, and first built. FILE is its file, NAME its
// name.
type botLanguage struct{ ending, command, build string }

// smallBots are the languages of init -bot.
var smallBots = map[string]botLanguage{
	"python": {"py", "[python3, FILE]", ""},
	"cpp":    {"cpp", "[./NAME]", "# First compile it: g++ -O2 -o NAME FILE\n"},
}

// exportedBots are the languages of export -bot.
var exportedBots = map[string]botLanguage{
	"c":      {"c", "[./NAME]", "# First compile it: cc -O2 -ffp-contract=off -DBOT -o NAME FILE -lm\n"},
	"python": {"py", "[python3, FILE, --bot]", ""},
}

// exportedConfig is the config of an exported bot.
const exportedConfig = `# An exported player as a bot, see tune help bot.
name: "NAME"
player:
  command: COMMAND
  answers: moves
`

// fill puts the name and the command of a bot into a text.
func (l botLanguage) fill(text, name string) string {
	text = strings.Replace(text, "COMMAND", l.command, 1)
	return strings.NewReplacer("FILE", name+"."+l.ending, "NAME", name).Replace(text)
}

// initBot writes a small bot and its config to the current folder. It overwrites neither.
func (in *invocation) initBot(language, name string) error {
	l, known := smallBots[language]
	if !known {
		return usagef("init: -bot: want python or cpp, got %q", language)
	}
	name = strings.TrimSuffix(name, "."+l.ending)
	if err := config.CheckName(name); err != nil {
		return usagef("init: %w", err)
	}
	config, _ := bots.ReadFile("bots/bot.yaml")
	code, _ := bots.ReadFile("bots/bot." + l.ending)
	file := name + "." + l.ending
	if _, err := os.Stat(name + ".yaml"); err == nil {
		return fmt.Errorf("init: %s.yaml exists already: choose another name: %s init -bot %s NAME", name, program,
			language)
	}
	if err := writeNew(file, code); err != nil {
		return err
	}
	fmt.Fprintf(in.stdout, "wrote %s\n%s", file, l.fill(l.build, name))
	return in.writeConfig(name, []byte(l.fill(string(config), name)))
}

// exportBot writes a player as a bot with its config into a folder.
func (in *invocation) exportBot(folder, format string, record *export.Record) error {
	l, known := exportedBots[format]
	if !known {
		return usagef("export: -bot goes with -format c and python")
	}
	var code bytes.Buffer
	const name = "player"
	if err := export.Source(&code, format, name, true, record); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	config := l.fill(l.build+exportedConfig, name)
	if rules := record.Experiment().Rules; rules != engine.DefaultRules() {
		config += fmt.Sprintf("game: {four_probability: %v}\n", rules.FourProbability)
	}
	configFile, codeFile := filepath.Join(folder, name+".yaml"), filepath.Join(folder, name+"."+l.ending)
	err := cmp.Or(in.mayWrite(configFile, []byte(config)), in.mayWrite(codeFile, code.Bytes()))
	if err != nil { // neither is written
		return usagef("export: -bot: %w", err)
	}
	if err := in.save(configFile, nil, []byte(config)); err != nil {
		return err
	}
	return in.save(codeFile, nil, code.Bytes())
}
