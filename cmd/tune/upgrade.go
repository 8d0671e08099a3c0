package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tune2048/results"
)

// openStore opens a database for writing, which upgrades one of an older version, and says so.
func (in *invocation) openStore(ctx context.Context, database string) (*results.Store, error) {
	return in.openStoreWith(ctx, database, results.Options{Observe: in.tellUpgrade})
}

func (in *invocation) openStoreWith(ctx context.Context, database string, o results.Options) (*results.Store, error) {
	store, err := results.OpenWith(ctx, database, o)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(in.stderr, "interrupted: %s is as it was\n", database)
	}
	return store, err
}

func (in *invocation) tellUpgrade(u results.Upgrade) {
	switch {
	case u.Done:
		fmt.Fprintf(in.stderr, "upgraded %s to version %d\n", u.Path, u.To)
	case u.Backup != "":
		// A write-ahead log that is left beside another file than its own would damage it.
		fmt.Fprintf(in.stderr, "backup: %s, %s; to go back to it, and to the older program: rm -f %s %s && mv %s %s\n", u.Backup, bytesText(u.BackupBytes),
			quote(u.Path+"-wal"), quote(u.Path+"-shm"), quote(u.Backup), quote(u.Path))
	default:
		fmt.Fprintf(in.stderr, "upgrading %s from version %d to %d; a million games take some seconds\n", u.Path, u.From, u.To)
	}
}

// upgradeDatabase brings a database up to date.
func (in *invocation) upgradeDatabase(ctx context.Context, database string, noBackup bool) error {
	if _, err := os.Stat(database); errors.Is(err, fs.ErrNotExist) { // opening would make it
		return fmt.Errorf("runs: -upgrade: %s: %w (-db names another)", database, fs.ErrNotExist)
	}
	upgraded := false
	store, err := in.openStoreWith(ctx, database, results.Options{NoBackup: noBackup, Observe: func(u results.Upgrade) {
		in.tellUpgrade(u)
		upgraded = true
	}})
	if err != nil {
		return err
	}
	if !upgraded {
		fmt.Fprintf(in.stderr, "%s is up to date\n", database)
	}
	return store.Close()
}
