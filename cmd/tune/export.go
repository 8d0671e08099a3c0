package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tune2048/configs"
	"tune2048/results/export"
)

// exportFormatNames are the formats of a player, the default first.
func exportFormatNames() []string {
	return append(append([]string{"json", "yaml", "flat"}, export.Languages()...), "tables")
}

// playerName names a player in its source code by the file that it goes to.
func playerName(format, path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(name) {
		name = "player"
		if format == "java" {
			name = "Player"
		}
	}
	return name
}

// taken are the words of a language that name no class or package. The code of Java uses the
// classes.
var taken = map[string][]string{
	"go": {"break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for",
		"func", "go", "goto", "if", "import", "interface", "map", "package", "range", "return", "select",
		"struct", "switch", "type", "var"},
	"java": {"_", "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class",
		"const", "continue", "default", "do", "double", "else", "enum", "extends", "false", "final",
		"finally", "float", "for", "goto", "if", "implements", "import", "instanceof", "int", "interface",
		"long", "native", "new", "null", "package", "permits", "private", "protected", "public", "record",
		"return", "sealed", "short", "static", "strictfp", "super", "switch", "synchronized", "this",
		"throw", "throws", "transient", "true", "try", "var", "void", "volatile", "while", "yield", "Double",
		"Integer", "Long", "Math", "Object", "String", "System"},
}

// writeRecord writes a player in one of them. The path names the file that it goes to.
func writeRecord(w io.Writer, r *export.Record, format, path string) (err error) {
	var data []byte
	switch format {
	case "json":
		data, err = r.JSON()
	case "yaml":
		data, err = r.YAML(export.NextName(r.Experiment().Name))
	case "flat":
		data, err = r.Flat()
	case "tables":
		form := "h"
		if strings.EqualFold(filepath.Ext(path), ".bin") {
			form = "bin"
		}
		return export.Tables(w, form, r)
	default:
		name := playerName(format, path)
		if slices.Contains(taken[format], name) {
			return usagef("export: -o: %s is a word of the language: choose another file, such as %s", name,
				strings.Replace(path, name, "Player", 1))
		}
		return export.Source(w, format, name, false, r)
	}
	if err == nil {
		_, err = escapingWriter{w}.Write(data)
	}
	return err
}

// botCommands start an exported bot. FILE is the program without its ending.
var botCommands = map[string]struct{ ending, command, build string }{
	"c":          {"c", "[./FILE]", "cc -O2 -ffp-contract=off -DBOT -o FILE FILE.c -lm"},
	"go":         {"go", "[go, run, FILE.go]", ""},
	"python":     {"py", "[python3, FILE.py, --bot]", ""},
	"javascript": {"mjs", "[node, FILE.mjs, --bot]", ""},
	"java":       {"java", "[java, FILE.java, --bot]", ""},
}

// exportBot writes a player as a bot with its config into a folder.
func (in *invocation) exportBot(folder, format string, record *export.Record) error {
	l, known := botCommands[format]
	if !known {
		return usagef("export: -bot goes with -format %s", strings.Join(export.Languages(), ", "))
	}
	var code bytes.Buffer
	name := playerName(format, "")
	if err := export.Source(&code, format, name, true, record); err != nil {
		return err
	}
	replace := strings.NewReplacer("FILE", name, "COMMAND", l.command, "NAME", filepath.Base(folder))
	config := "# An exported player as a bot, see tune help bot.\nname: NAME\nplayer:\n  command: COMMAND\n  answers: " +
		"moves\n"
	if l.build != "" {
		config = "# First compile it: " + l.build + "\n" + config
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if err := in.save(filepath.Join(folder, name+"."+l.ending), nil, code.Bytes()); err != nil {
		return err
	}
	return in.save(filepath.Join(folder, name+".yaml"), nil, []byte(replace.Replace(replace.Replace(config))))
}

// writeExport writes a player for other programs.
func writeExport(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	formats := exportFormatNames()
	format := f.String("format", formats[0], "write the player in this `FORMAT`: "+strings.Join(formats, ", "))
	out := f.String("o", "", "write to this `FILE`, not to stdout")
	bot := f.String("bot", "", "write source code as a bot, and its config for compare, into this `FOLDER`")
	name, err := in.parseName(f)
	if err != nil {
		return err
	}
	if !slices.Contains(formats, *format) {
		return usagef("export: -format: want %s, got %q%s", strings.Join(formats, ", "), *format,
			configs.DidYouMean(*format, formats))
	}
	record, err := in.recordOf(ctx, name)
	if err != nil {
		return err
	}
	if *bot != "" {
		return in.exportBot(*bot, *format, record)
	}
	if *format == "yaml" {
		in.warnOfCommand(record.Experiment())
	}
	var data bytes.Buffer // a file is written as a whole or not at all
	if err := writeRecord(&data, record, *format, *out); err != nil {
		return err
	}
	return in.save(*out, in.data, data.Bytes())
}
