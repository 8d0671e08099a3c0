package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"tune2048/configs"
	"tune2048/configs/config"
	"tune2048/engine/key"
	"tune2048/results/export"
)

// initConfig writes a shipped config to the current folder, or with -from a config that starts from
// a run. It also writes the schema that the config's first line names. It overwrites no config.
func initConfig(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	from := f.String("from", "",
		"write a config that starts from the champion of this `RUN`, from RUN:CANDIDATE, or from a record;\n"+
			"with -config, that config starts from these weights, or from a file of name: number; if NAME is not given, it is "+
			"the name of the config "+
			"with -next")
	weightsOf := f.String("config", "", "with -from: the config `FILE` that the weights belong to")
	language := f.String("bot", "",
		"write a small bot in this `LANGUAGE` and its config: python or cpp; if NAME is not given, it is mybot")
	name, err := in.parseName(f)
	if err != nil {
		return err
	}
	name = strings.TrimSuffix(name, ".yaml")
	var data []byte
	switch {
	case *language != "" && given(f, "from"):
		return usagef("init: want -bot or -from, not both")
	case *language != "":
		return in.initBot(*language, cmp.Or(name, "mybot"))
	case given(f, "config") && !given(f, "from"):
		return usagef("init: -config goes with -from FILE")
	case given(f, "config"):
		c, err := in.load(*weightsOf)
		if err != nil {
			return err
		}
		var who *player
		var record *export.Record
		if isFile(*from) {
			who, err = in.playerOfWeights(c, *from)
		} else {
			record, err = in.recordOf(ctx, *from)
			if err == nil {
				who, err = in.playerOfRecord(c, *from, record)
			}
		}
		if err != nil {
			return err
		}
		name = cmp.Or(name, export.NextName(c.Name))
		data, err = export.NextConfig(c, name, who.Values, who.Heuristic.Dead)
		if err != nil {
			return usagef("init: %w", err)
		}
		in.warnOfCommand(c)
		in.sayRanges(c, data)
	case given(f, "from"):
		record, err := in.recordOf(ctx, *from)
		if err != nil {
			return err
		}
		name = cmp.Or(name, export.NextName(record.Experiment().Name))
		data, err = record.YAML(name)
		if err != nil {
			return usagef("init: %w", err)
		}
		in.warnOfCommand(record.Experiment())
		in.sayRanges(record.Experiment(), data)
	case name == "":
		for _, shipped := range config.Names() {
			text, _ := config.Embedded(shipped)
			_, about, _ := strings.Cut(string(text), "\n# "+shipped+": ") // in its first comment
			printLine(in.stdout, shipped, strings.Join(strings.Fields(strings.ReplaceAll(about, "\n#", " ")), " "))
		}
		return usagef("init: want one of these names")
	default:
		data, err = config.Embedded(name)
		if err != nil {
			return usagef("init: %w", err)
		}
	}
	return in.writeConfig(name, data)
}

// warnOfCommand shows the command of a bot whose config is somebody else's, or an old one.
func (in *invocation) warnOfCommand(c *config.Config) {
	if c.Heuristic.Bot != nil {
		var command []string
		for _, word := range c.Heuristic.Bot.Command {
			command = append(command, quote(word))
		}
		fmt.Fprintf(in.stderr, "this config runs %s: read it before you run it, and put it beside the bot's files\n",
			cell(strings.Join(command, " ")))
	}
}

// sayRanges names the ranges that a config does not have like the one that it comes from.
func (in *invocation) sayRanges(from *config.Config, data []byte) {
	next, err := config.Parse(data, from.Path)
	if err != nil {
		return // whoever runs it hears of it
	}
	for i, w := range next.Weights {
		if old := from.Weights[i]; w.Tunable && old.Tunable && (w.Min != old.Min || w.Max != old.Max) {
			fmt.Fprintf(in.stderr, "%s: its range is now %s to %s and was %s to %s: the start %s lies at its edge or beyond\n",
				cell(w.Name),
				key.Number(w.Min), key.Number(w.Max), key.Number(old.Min), key.Number(old.Max), key.Number(w.Value))
		}
	}
}

// writeConfig writes a config to the current folder, unless there is one of that name.
func (in *invocation) writeConfig(name string, data []byte) error {
	path := name + ".yaml"
	if err := writeNew(path, data); err != nil {
		return err
	}
	beside, err := in.writeSchema()
	if err != nil {
		return fmt.Errorf("init: wrote %s, but not the schema that its first line names for editors: %w", path, err)
	}
	fmt.Fprintf(in.stdout, "wrote %s%s\nnext: %s -config %s\n", path, beside, program, path)
	return nil
}

// writeSchema writes the schema of configs beside them, for editors. It leaves another file of that
// name alone.
func (in *invocation) writeSchema() (wrote string, err error) {
	const file = config.SchemaFile
	if in.mayWrite(file, configs.Schema) != nil {
		return fmt.Sprintf(" (%s, for editors, is not written: there is another file of that name)", file), nil
	}
	if old, err := config.ReadFile(file); err == nil && bytes.Equal(old, configs.Schema) {
		return "", nil
	}
	return " and " + file + ", for editors", writeFile(file, configs.Schema)
}

// writeNew writes a file of the current folder, unless there is one of that name.
func writeNew(path string, data []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("init: %s exists already: move it away, or go to another folder", path)
	}
	if err := writeFile(path, data); err != nil {
		return fmt.Errorf("init: write %s: %w", path, err)
	}
	return nil
}
