package results

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
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

// migrate brings the database to the newest version, each step in a transaction of its own. Several processes may
// do so at once: the step looks again at the version once it has the write lock.
func migrate(ctx context.Context, db *sql.DB) error {
	for _, m := range migrations {
		if err := m.apply(ctx, db); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

func (m migration) apply(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version >= m.version {
		return nil // without asking for the write lock: opening must not wait for a writer
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version >= m.version {
		return nil
	}
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, m.version)
	if _, err := tx.ExecContext(ctx, m.statement+";\n"+mark); err != nil {
		return err
	}
	return tx.Commit()
}
