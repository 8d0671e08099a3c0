package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tune2048/results"
	"tune2048/results/report"
)

// writeReport writes the report of runs as a page or JSON.
func writeReport(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	out := f.String("o", "", "write to this `FILE`; - is stdout (default of a page: RUN.html, otherwise stdout)")
	asJSON := f.Bool("json", false, "write the data of the page as JSON, a list of reports")
	names, err := in.parse(f, math.MaxInt)
	switch {
	case err != nil:
		return err
	case len(names) == 0:
		names = []string{""} // the newest run
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	var reports []report.Report
	for _, name := range names {
		run, err := reader.Find(ctx, name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(reports, func(r report.Report) bool { return r.Name == run.Name }) {
			continue
		}
		r, err := report.Build(ctx, reader, run)
		if err != nil {
			return err
		}
		if r.Doubt != "" {
			fmt.Fprintln(in.stderr, "warning:", r.Doubt)
		}
		reports = append(reports, r)
	}

	var text bytes.Buffer // a file is written as a whole or not at all
	switch {
	case *asJSON:
		err = writeJSON(&text, reports)
	default:
		if err = in.playReplays(ctx, reader, reports); err == nil {
			err = report.Page{Reports: reports}.Write(&text)
		}
		if *out == "" {
			*out = pageName(reports)
		}
	}
	if err != nil {
		return err
	}
	stdout := in.stdout
	if !*asJSON && terminal(in.data) == nil {
		stdout = in.data // a page obeys nothing itself
	}
	return in.save(*out, stdout, text.Bytes())
}

// pageName names the file of a page after its runs.
func pageName(reports []report.Report) string {
	var names []string
	for _, r := range reports {
		names = append(names, r.Name)
	}
	return report.FileName(strings.Join(names, "-")) + ".html"
}

// playReplays plays the games that a page shows once more. A game that cannot be played, such as
// another version's, is left out.
func (in *invocation) playReplays(ctx context.Context, reader *results.Reader, reports []report.Report) error {
	for i := range reports {
		r := &reports[i]
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
	}
	return nil
}
