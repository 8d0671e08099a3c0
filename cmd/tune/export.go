package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/results/export"
	"tune2048/results/report"
)

// exportFormatNames are the formats of a player, the default first.
func exportFormatNames() []string {
	return append(append([]string{"json", "flat"}, export.Languages()...), "html", "tables")
}

// endings has the format of each ending of a file's name.
var endings = map[string]string{"": "json", ".json": "json", ".py": "python", ".c": "c", ".h": "c", ".cc": "c",
	".cpp": "c", ".cxx": "c",
	".js": "javascript", ".mjs": "javascript", ".html": "html", ".htm": "html", ".bin": "tables"}

// formatOf returns the format that the ending of a file's name stands for.
func formatOf(path string) (string, error) {
	ending := strings.ToLower(filepath.Ext(path))
	format, known := endings[ending]
	switch {
	case known || path == "-":
		return cmp.Or(format, "json"), nil
	case ending == ".yaml" || ending == ".yml":
		return "", usagef("export: -o: a config that starts from these weights is written by tune init -from RUN")
	}
	return "", usagef("export: -o: no format has the ending %s: want %s, or say it with -format", ending,
		strings.Join(slices.Sorted(maps.Keys(endings))[1:], ", "))
}

// playerName names a player in its source code by the file that it goes to.
func playerName(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if regexp.MustCompile(`^\w[\w.-]*$`).MatchString(name) {
		return name
	}
	return "player"
}

// writeRecord writes a player in one of them. The path names the file that it goes to.
func writeRecord(w io.Writer, r *export.Record, format, path string) (err error) {
	var data []byte
	switch format {
	case "json":
		data, err = r.JSON()
	case "flat":
		data, err = r.Flat()
	case "html":
		return export.Page(escapingWriter{w}, r) // names may be somebody else's
	case "tables":
		return export.Tables(w, r, strings.EqualFold(filepath.Ext(path), ".bin"))
	default:
		return export.Source(w, format, playerName(path), false, r)
	}
	if err == nil {
		_, err = escapingWriter{w}.Write(data)
	}
	return err
}

// writeExport writes a player for other programs.
func writeExport(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	formats := exportFormatNames()
	format := f.String("format", formats[0], "write the player in this `FORMAT`: "+strings.Join(formats, ", ")+
		"; if not given, the ending of -o decides")
	out := in.outputFlags(f, "write to this `FILE`; - is stdout (default of html: RUN-plays.html, otherwise stdout)")
	bot := f.String("bot", "", "write source code as a bot, and its config for compare, into this `FOLDER`")
	name, err := in.parseName(f)
	if err != nil {
		return err
	}
	if !slices.Contains(formats, *format) {
		return usagef("export: -format: want %s, got %q%s", strings.Join(formats, ", "), *format,
			config.DidYouMean(*format, formats))
	}
	ending := strings.ToLower(filepath.Ext(*out))
	byName := endings[ending]
	switch both := []string{byName, *format}; {
	case !given(f, "format") || byName == "" || ending == "" || byName == *format:
	case *format != "tables" && !slices.Equal(both, []string{"json", "flat"}): // tables are text in any language
		return in.unlessTaken(*out, usagef("export: -o %s is %s, -format says %s: which?", *out, byName, *format))
	}
	if !given(f, "format") {
		*format, err = formatOf(*out)
		if err != nil {
			return in.unlessTaken(*out, err)
		}
	}
	if *bot != "" && *out != "" {
		return usagef("export: want one of -bot and -o")
	}
	record, err := in.recordOf(ctx, name)
	if err != nil {
		return err
	}
	if *bot != "" {
		return in.exportBot(*bot, *format, record)
	}
	if *format == "html" {
		*out = cmp.Or(*out, report.PlayFile(record.Run))
	}
	var data bytes.Buffer // a file is written as a whole or not at all
	if err := writeRecord(&data, record, *format, *out); err != nil {
		return err
	}
	if err := in.save(*out, in.data, data.Bytes()); err != nil || *out == "" || *out == "-" {
		return err
	}
	of := strings.NewReplacer("FILE", *out, "BASE", filepath.Base(*out))
	_, err = fmt.Fprintln(in.stderr, of.Replace(uses[*format]))
	return err
}

// uses has for each format the kind of its file, and how to use it.
var uses = map[string]string{
	"json": "a record: -weights, init -from and verify take it; for source code give -format, such as -format " +
		"python",
	"flat":       "weights as name: number: -weights takes it with -config",
	"html":       "a page: open it in a browser to watch the champion, or to play with its advice; it needs no network",
	"tables":     "the value of each of the 65,536 lines, see go doc ./results/export Tables",
	"c":          "C: cc -O2 -ffp-contract=off -c FILE compiles it; best_move(board, 0) plays the record's own search",
	"python":     "Python: import it; best_move(board) plays the record's own search; C is some hundred times as fast",
	"javascript": "JavaScript: import { bestMove } from \"./BASE\"; bestMove(board) plays the record's own search",
}
