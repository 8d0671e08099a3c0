package results

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"

	"tune2048/experiments"
)

// Options are how a database is opened for writing.
type Options struct {
	NoBackup bool          // upgrade a database of an older version without a backup of it
	Observe  func(Upgrade) // told how an upgrade goes: when it begins, once the backup is there, at the end; may be nil
}

// Upgrade is how far the upgrade of a database is that an older version of this program wrote.
type Upgrade struct {
	Path        string
	From, To    int    // versions
	Backup      string // of the database as it was, beside it; "": there is none yet, or nothing to keep
	BackupBytes int64
	Done        bool
}

// UpgradeCommand is what brings a database up to date, and nothing else.
func UpgradeCommand(path string) string {
	command := "tune runs -upgrade"
	if filepath.Clean(path) == DefaultPath {
		return command
	}
	if !strings.ContainsAny(path, " '\"$\\&;()<>|*?`!#~\t\n") {
		return command + " -db " + path
	}
	return command + " -db '" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// upgrade brings a database to the newest version, and an empty file too. A backup is written while the write lock is
// held, so of several processes that upgrade at once one writes it, and it has all that was there.
func upgrade(ctx context.Context, db *sql.DB, path, absolute string, o Options) error {
	u := Upgrade{Path: path, To: newestVersion()}
	tell := func() {
		if o.Observe != nil && u.From > 0 {
			o.Observe(u)
		}
	}
	var unsaved error // of the backup, which says more
	err := migrate(ctx, db, func(ctx context.Context, tx *sql.Tx, version int) error {
		absolute, err := filepath.EvalSymlinks(absolute)
		if err != nil {
			return err
		}
		runs, err := idleRuns(ctx, tx, absolute)
		if err != nil || runs == 0 {
			return err
		}
		if given, err := filepath.Abs(path); err != nil || given != absolute {
			u.Path = absolute // path is a link
		}
		u.From = version
		tell()
		if o.NoBackup {
			return nil
		}
		if u.Backup, u.BackupBytes, err = backUp(ctx, absolute, version); err != nil {
			unsaved = fmt.Errorf("%w; it stays at version %d; to upgrade it without a backup: %s -backup=false",
				explain("back up the database before its upgrade", path, err), version, UpgradeCommand(path))
			return err
		}
		if u.Path == path {
			u.Backup = path + strings.TrimPrefix(u.Backup, absolute)
		}
		tell()
		return nil
	})
	if unsaved != nil && ctx.Err() == nil {
		return unsaved
	}
	if err == nil {
		u.Done = true
		tell()
	}
	return explain("upgrade", path, err)
}

// idleRuns counts the runs, none of which may be worked on: the program that does so is an older version, and would go
// on in a database that it does not know.
func idleRuns(ctx context.Context, tx *sql.Tx, absolute string) (n int, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT id, name FROM runs")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return 0, err
		}
		n++
		if lock := lockPath(absolute, id); alive(lock) {
			return n, fmt.Errorf("run %s: %w by an older version of this program, %s (wait for it or stop it, then run the same command again)",
				name, experiments.ErrBusy, holder(lock))
		}
	}
	return n, rows.Err()
}
