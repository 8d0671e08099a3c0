package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tune2048/results"
	"tune2048/results/report"
)

// deleteRun deletes a run if -yes was given. Otherwise it only describes the run.
func (in *invocation) deleteRun(ctx context.Context, database, name string, yes bool) error {
	if name == "" {
		return usagef("runs: -delete: want the name of a run; tune runs lists them")
	}
	reader, err := results.OpenReader(database) // opening for writing would make a database
	if err != nil {
		return err
	}
	run, err := reader.Find(ctx, name)
	list, failed := reader.Runs(ctx)
	if err = errors.Join(err, failed, reader.Close()); err != nil {
		return err
	}
	goes, stays := fmt.Sprintf("run %s (%s, %s games)", name, report.State(run), report.Grouped(run.Games)), ""
	for _, other := range list {
		if other.GoesOnFrom == run.ID {
			stays += ", " + other.Name
		}
	}
	if stays != "" {
		stays = "; what went on from it stays: " + strings.TrimPrefix(stays, ", ")
	}
	if !yes {
		return usagef("runs: -delete: give -yes to delete %s; this cannot be undone%s", goes, stays)
	}
	store, err := results.Open(database)
	if err != nil {
		return err
	}
	deleted, err := store.Delete(ctx, name)
	if err = errors.Join(err, store.Close()); err != nil {
		return err
	}
	room := ""
	switch {
	case deleted.Vacuumed:
		room = fmt.Sprintf("; %s is %s now", database, bytesText(deleted.FileBytes))
	case deleted.SpareBytes > 0:
		room = fmt.Sprintf("; %s of %s are free for later runs", bytesText(deleted.SpareBytes), database)
	}
	_, err = fmt.Fprintf(in.stdout, "deleted %s%s%s\n", goes, room, stays)
	return err
}
