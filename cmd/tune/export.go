package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"tune2048/configs"
	"tune2048/results"
	"tune2048/results/export"
)

// exportFormatNames are the formats of a player, the default first.
func exportFormatNames() []string {
	return append(append([]string{"json", "yaml", "flat"}, export.Languages()...), "tables")
}

// writeRecord writes a player in one of them. The path names the file that it goes to.
func writeRecord(w io.Writer, r *export.Record, format, path string) (err error) {
	var data []byte
	switch format {
	case "json":
		data, err = r.JSON()
	case "yaml":
		data, err = r.YAML(r.NextName())
	case "flat":
		data, err = r.Flat()
	case "tables":
		form := "h"
		if strings.EqualFold(filepath.Ext(path), ".bin") {
			form = "bin"
		}
		return export.Tables(w, form, r)
	default:
		return export.Source(w, format, r)
	}
	if err == nil {
		_, err = escapingWriter{w}.Write(data)
	}
	return err
}

// exportHelp is the text of the help of export.
const exportHelp = `RUN is the run's champion, RUN:0 its candidate 0. Without RUN it is the newest run, comparisons aside. FILE is a record, or champions/NAME: a champion that is built in.
The formats are:
  json    the record: heuristic, weights, held-out games, config
          (results/export/schema.json describes it)
  yaml    a config that starts from these weights
  flat    name: number
  c, go, python, javascript, java
          one file of source code with value and best_move
  tables  the look-up table of the lines, as a header of C, or raw with
          -o FILE.bin`

// writeExport writes a player for other programs.
func writeExport(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	formats := exportFormatNames()
	format := f.String("format", formats[0], "write the player in this `FORMAT`: "+strings.Join(formats, ", "))
	out := f.String("o", "", "write to this `FILE`, not to stdout")
	name, err := in.parseRun(f)
	if err != nil {
		return err
	}
	if !slices.Contains(formats, *format) {
		return usagef("export: -format: want %s, got %q%s", strings.Join(formats, ", "), *format, configs.DidYouMean(*format, formats))
	}
	var record *export.Record
	if isFile(name) {
		record, err = loadRecord(name)
	} else {
		reader, opening := results.OpenReader(in.database)
		if opening != nil {
			return opening
		}
		defer reader.Close()
		record, err = findRecord(ctx, reader, name)
	}
	if err != nil {
		return err
	}
	if record.Unchecked != "" {
		fmt.Fprintln(in.stderr, record.Unchecked)
	}
	var data bytes.Buffer // a file is written as a whole or not at all
	if err := writeRecord(&data, record, *format, *out); err != nil {
		return err
	}
	return in.save(*out, in.data, data.Bytes())
}
