package results

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"time"
)

// The schema is a sequence of numbered steps. A step that was released never changes; a new one is added.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step: version N leads from PRAGMA user_version N-1 to N.
type migration struct {
	version   int
	name      string
	statement string
}

// migrations lists the steps by version, from 1 without gaps.
var migrations = mustLoadMigrations()

func mustLoadMigrations() []migration {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		panic(err)
	}
	var all []migration
	for i, name := range names { // Glob sorts
		var number int
		if _, err := fmt.Sscanf(name, "migrations/%03d_", &number); err != nil || number != i+1 {
			panic(fmt.Sprintf("results: %s: want number %03d", name, i+1))
		}
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all = append(all, migration{version: number, name: name, statement: string(text)})
	}
	return all
}

// newestVersion is the schema this program knows.
func newestVersion() int { return len(migrations) }

// upgradePatience is how long to wait for another process that upgrades the database: a million games take seconds.
const upgradePatience = time.Minute

// migrate brings the database from the version that it has to the newest, in one transaction: whatever happens, it is of
// the one or of the other. Several processes may do so at once: the version is looked at again once the write lock is
// held. before is called then, unless the database is new.
func migrate(ctx context.Context, db *sql.DB, before func(ctx context.Context, tx *sql.Tx, version int) error) error {
	return migrateTo(ctx, db, newestVersion(), before)
}

func migrateTo(ctx context.Context, db *sql.DB, newest int, before func(ctx context.Context, tx *sql.Tx, version int) error) error {
	var tx *sql.Tx
	for deadline := time.Now().Add(upgradePatience); ; {
		// Without asking for the write lock: opening must not wait for a writer.
		version, err := userVersion(ctx, db)
		if err != nil || version >= newest {
			return err
		}
		if tx, err = db.BeginTx(ctx, nil); err == nil {
			break
		}
		if !isBusy(err) || version == 0 || time.Now().After(deadline) {
			return err
		}
	}
	defer tx.Rollback()
	version, err := userVersion(ctx, tx)
	if err != nil || version >= newest {
		return err
	}
	if version > 0 && before != nil {
		if err := before(ctx, tx, version); err != nil {
			return err
		}
	}
	for _, m := range migrations[version:newest] {
		if _, err := tx.ExecContext(ctx, m.statement); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, newest)
	if _, err := tx.ExecContext(ctx, mark); err != nil {
		return err
	}
	return tx.Commit()
}

func userVersion(ctx context.Context, q querier) (version int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}
