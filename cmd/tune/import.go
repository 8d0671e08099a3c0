package main

import (
	"context"
	"errors"
	"fmt"

	"tune2048/experiments"
	"tune2048/results"
)

// importRuns takes over the runs of another database.
func importRuns(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	arguments, err := in.parse(f, 1)
	if err != nil {
		return err
	}
	if len(arguments) == 0 {
		return usagef("import: want the file of another database")
	}
	var runs []results.Imported
	err = in.write(func(store *results.Store) (err error) {
		runs, err = store.Import(ctx, arguments[0])
		return err
	})
	if err != nil && !errors.Is(err, experiments.ErrBusy) {
		return err
	}
	for _, run := range runs {
		as := ""
		if run.To != run.From {
			as = " as " + run.To
		}
		fmt.Fprintf(in.stdout, "%s%s\n", cell(run.From), cell(as))
	}
	if runs == nil && err == nil {
		fmt.Fprintf(in.stdout, "all runs of %s are here already\n", cell(arguments[0]))
	}
	return err
}
