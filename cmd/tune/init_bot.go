package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// bots are small bots to begin with, each in one language, and the config of all.
//
//go:embed bots/bot.*
var bots embed.FS

// startedBots are the languages of small bots, with how they are started and first built.
var startedBots = map[string]struct{ ending, command, build string }{
	"python":     {"py", "[python3, FILE]", ""},
	"javascript": {"js", "[node, FILE]", ""},
	"cpp":        {"cpp", "[./NAME]", "first: g++ -O2 -o NAME FILE\n"},
}

// initBot writes a small bot and its config to the current folder. It overwrites neither.
func (in *invocation) initBot(language, name string) error {
	l, known := startedBots[language]
	if !known {
		return usagef("init: -bot: want python, javascript or cpp, got %q", language)
	}
	config, _ := bots.ReadFile("bots/bot.yaml")
	code, _ := bots.ReadFile("bots/bot." + l.ending)
	file := name + "." + l.ending
	names := strings.NewReplacer("FILE", file, "NAME", name)
	if _, err := os.Stat(name + ".yaml"); err == nil {
		return fmt.Errorf("init: %s.yaml exists already: choose another name: %s init -bot %s NAME", name, program, language)
	}
	if err := writeNew(file, code); err != nil {
		return err
	}
	fmt.Fprintf(in.stdout, "wrote %s\n%s", file, names.Replace(l.build))
	return in.writeConfig(name, []byte(names.Replace(strings.Replace(string(config), "COMMAND", l.command, 1))))
}

// writeNew writes a file of the current folder, unless there is one of that name.
func writeNew(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("init: %s exists already: move it away, or go to another folder", path)
	} else if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("init: write %s: %w", path, err)
	}
	return nil
}
