package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tune2048/results"
	"tune2048/results/report"
)

// writeReport writes the report of a run as a page or JSON.
func writeReport(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	out := in.outputFlags(f, "write to this `FILE`; - is stdout (default of a page: RUN.html, otherwise stdout)")
	asJSON := f.Bool("json", false, "write the data of the page as JSON")
	name, err := in.parseName(f)
	if err != nil {
		return err
	}
	switch ending := strings.ToLower(filepath.Ext(*out)); {
	case ending == ".json":
		*asJSON = true
	case ending == "" || *out == "-":
	case *asJSON:
		return in.unlessTaken(*out, usagef("report: -o: want a file that ends in .json beside -json, got %s", *out))
	case ending != ".html" && ending != ".htm":
		return in.unlessTaken(*out, usagef("report: -o: want a page, which ends in .html, or its data, which end in .json, "+
			"got %s", *out))
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	run, err := reader.Find(ctx, name)
	if err != nil {
		return err
	}
	r, err := report.Build(ctx, reader, run, report.Call{})
	if err != nil {
		return err
	}
	if r.Doubt != "" {
		fmt.Fprintln(in.stderr, "warning:", r.Doubt)
	}

	var text bytes.Buffer // a file is written as a whole or not at all
	stdout := in.stdout
	if *asJSON {
		err = writeJSON(&text, r)
	} else {
		err = in.playReplays(ctx, reader, &r)
		if err == nil {
			*out = cmp.Or(*out, report.FileName(r.Name)+".html")
			page := report.Page{Report: r}
			if plays := report.PlayFile(r.Name); *out != "-" && exists(filepath.Join(filepath.Dir(*out), plays)) {
				page.PlayFile = plays
			}
			err = page.Write(&text)
		}
		if terminal(in.data) == nil {
			stdout = in.data // a page obeys nothing itself
		}
	}
	if err != nil {
		return err
	}
	return in.save(*out, stdout, text.Bytes())
}

// exists reports whether there is a file.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// playReplays plays the games that a page shows once more. A game that cannot be played, such as
// another version's, is left out.
func (in *invocation) playReplays(ctx context.Context, reader *results.Reader, r *report.Report) error {
	shown := r.Games.Replays[:0]
	for _, replay := range r.Games.Replays {
		record, err := report.Play(ctx, reader, r.Run, replay.Game)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			fmt.Fprintf(in.stderr, "game %d is not shown: %v\n", replay.Game, err)
		default:
			replay.Record = &record
			shown = append(shown, replay)
		}
	}
	r.Games.Replays = shown
	return nil
}
