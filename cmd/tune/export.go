package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tune2048/configs"
	"tune2048/experiments"
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
const exportHelp = "RUN may be left out: the newest run is taken, comparisons aside. RUN is its champion, RUN:0 its candidate 0; FILE is a\n" +
	"record, such as champions/best, the shipped champion of best.yaml.\n" +
	"json: the record, all there is to know of the player (results/export/schema.json); yaml: a config that starts from its weights;\n" +
	"flat: name: number only; c, go, python, javascript, java: one file of source code with value and best_move; tables: the look-up\n" +
	"table of the lines, as a header of C, or with -o FILE.bin raw. With -games it is the run's games that are kept, as csv or jsonl."

// writeExport writes a player for other programs, or a run's games.
func writeExport(ctx context.Context, in *invocation) error {
	f := in.flags()
	var database string
	databaseFlag(f, &database)
	format := f.String("format", "", "write the player in this `FORMAT`: "+strings.Join(exportFormatNames(), ", ")+
		" (default json); with -games csv or jsonl (default csv)")
	out := f.String("o", "", "write to this `FILE`, not to stdout")
	games := f.Bool("games", false, "write the run's games instead, one a row; RUN:CANDIDATE: those of the candidate")
	phase := f.String("phase", "", "with -games: those of this `PHASE` only, such as validation")
	name, err := in.parseRun(f)
	if err != nil {
		return err
	}
	known := exportFormatNames()
	if *games {
		known = []string{"csv", "jsonl"}
	}
	if *format == "" {
		*format = known[0]
	}
	switch {
	case !slices.Contains(known, *format):
		near := ""
		if n := configs.Nearest(*format, known); n != "" {
			near = fmt.Sprintf("; did you mean %s?", n)
		}
		return usagef("export: -format: want %s, got %q%s", strings.Join(known, ", "), *format, near)
	case *phase != "" && !*games:
		return usagef("export: -phase goes with -games")
	}
	if isRecordFile(name) && *games {
		return usagef("export: -games goes with a RUN, whose games are in the database; %s is a file", name)
	}
	var record *export.Record
	if isRecordFile(name) {
		record, err = loadRecord(name)
	} else {
		reader, opening := results.OpenReader(database)
		if opening != nil {
			return opening
		}
		defer reader.Close()
		if *games {
			return in.exportGames(ctx, reader, name, *phase, *format, *out)
		}
		record, err = findRecord(ctx, reader, name)
	}
	if err != nil {
		return err
	}
	var data bytes.Buffer // a file is written as a whole or not at all
	if err := writeRecord(&data, record, *format, *out); err != nil {
		return err
	}
	return in.writeFile(*out, func(w io.Writer) error {
		_, err := data.WriteTo(w)
		return err
	})
}

// findRecord returns the record of a player: of a run's champion, or of RUN:CANDIDATE.
func findRecord(ctx context.Context, reader *results.Reader, name string) (*export.Record, error) {
	run, candidate, err := findCandidate(ctx, reader, name)
	if err == nil && candidate < 0 {
		var champion results.Champion
		champion, err = reader.Champion(ctx, run.Name)
		candidate = champion.Candidate.Number
	}
	if err != nil {
		return nil, err
	}
	return export.New(ctx, reader, run, candidate)
}

// findCandidate returns a run and the number of a candidate: -1 for RUN, 7 for RUN:7.
func findCandidate(ctx context.Context, reader *results.Reader, name string) (run results.Run, candidate int, err error) {
	name, number, given := strings.Cut(name, ":")
	candidate = -1
	if given {
		if candidate, err = strconv.Atoi(number); err != nil || candidate < 0 {
			return run, 0, usagef("export: %s:%s: want the number of a candidate after the colon, such as %s:0 for the start weights", name, number, name)
		}
	}
	run, err = reader.Find(ctx, name)
	return run, candidate, err
}

// exportGames writes the games of a run that are kept, or of RUN:CANDIDATE, and of one phase unless
// that is empty.
func (in *invocation) exportGames(ctx context.Context, reader *results.Reader, name, phase, format, out string) error {
	if phases := experiments.Phases(); phase != "" && !slices.Contains(phases, phase) {
		return usagef("export: -phase: want %s, got %q", strings.Join(phases, ", "), phase)
	}
	run, candidate, err := findCandidate(ctx, reader, name)
	if err != nil {
		return err
	}
	rows := 0
	chosen := func(yield func(experiments.Game, error) bool) {
		for g, err := range reader.GamesOf(ctx, run.ID, phase, candidate) {
			if rows++; !yield(g, err) {
				return
			}
		}
	}
	write := export.WriteCSV
	if format == "jsonl" {
		write = export.WriteLines
	}
	err = in.writeFile(out, func(w io.Writer) error { return write(w, run.Name, chosen) })
	if err == nil && rows == 0 {
		fmt.Fprintf(in.stderr, "run %s has no such games as rows (store: games: in its config says which are kept)\n", run.Name)
	}
	return err
}

// writeFile writes to a file, or to stdout if the path is empty or -.
func (in *invocation) writeFile(path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		return buffered(in.data, write)
	}
	if err := saveFile(path, write); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	fmt.Fprintf(in.stderr, "wrote %s\n", path)
	return nil
}

// saveFile writes to a file as a whole, or leaves the old file as it was. It writes into a pipe, a
// device or a link: no other file takes its place.
func saveFile(path string, write func(io.Writer) error) (err error) {
	old, missing := os.Lstat(path)
	if missing == nil && !old.Mode().IsRegular() {
		err = writeInto(path, write)
	} else {
		err = replaceFile(path, old, write)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// replaceFile writes to a file beside path, and renames it to path once it is whole. The old file
// is nil if there is none.
func replaceFile(path string, old os.FileInfo, write func(io.Writer) error) (err error) {
	if old != nil {
		file, err := os.OpenFile(path, os.O_WRONLY, 0) // one that may not be written is not replaced either
		if err != nil {
			return err
		}
		file.Close()
	}
	beside := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	defer os.Remove(beside) // unless it is renamed
	if err = writeInto(beside, write); err == nil && old != nil {
		err = os.Chmod(beside, old.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(beside, path)
	}
	return err
}

// writeInto creates a file, or empties it, and writes to it.
func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(buffered(file, write), file.Close())
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}
