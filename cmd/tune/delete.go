package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"tune2048/results"
	"tune2048/results/report"
)

// deleteRun deletes a run, once the user has said so.
func (in *invocation) deleteRun(ctx context.Context, database, name string, yes bool) error {
	if name == "" {
		return usagef("runs: -delete: want the name of a run; tune runs lists them")
	}
	run, after, err := describeRun(ctx, database, name)
	if err != nil {
		return err
	}
	if len(after) > 0 && !yes {
		return usagef("runs: -delete: %s went on from %s: give -yes to delete %s all the same", strings.Join(after, ", "), name, name)
	}
	if !yes {
		if !term.IsTerminal(int(os.Stdin.Fd())) {
			return usagef("runs: -delete asks before it deletes, and nobody is there to answer: give -yes")
		}
		fmt.Fprintf(in.stderr, "Delete run %s (%s)? This cannot be undone. [y/N] ", name, run)
		if agreed, err := confirmed(ctx); err != nil {
			return err
		} else if !agreed {
			fmt.Fprintln(in.stderr, "nothing was deleted")
			return nil
		}
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
	if len(after) > 0 {
		room += "; what went on from it stays: " + strings.Join(after, ", ")
	}
	_, err = fmt.Fprintf(in.stdout, "deleted run %s (%s)%s\n", name, run, room)
	return err
}

// describeRun says what a run has, and names the runs that went on from it. It also refuses a
// database that is not there, which opening for writing would make.
func describeRun(ctx context.Context, database, name string) (text string, after []string, err error) {
	reader, err := results.OpenReader(database)
	if err != nil {
		return "", nil, err
	}
	defer reader.Close()
	run, err := reader.Find(ctx, name)
	if err != nil {
		return "", nil, err
	}
	runs, err := reader.Runs(ctx)
	for _, other := range runs {
		if other.GoesOnFrom == run.ID {
			after = append(after, other.Name)
		}
	}
	return fmt.Sprintf("%s, %s games", report.State(run), report.Grouped(run.Games)), after, err
}

// confirmed reads the user's answer. An interruption is a no.
func confirmed(ctx context.Context) (bool, error) {
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case text := <-answer:
		return text == "y" || text == "yes", nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}
