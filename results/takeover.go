package results

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"tune2048/experiments"
)

// A file of an older version is taken over when it is opened, in one transaction, and a copy stays
// beside it. So a takeover that was interrupted begins anew.

//go:embed takeover.sql
var takeoverSQL string

// oldest is the oldest version that is taken over.
const oldest = 4

// takeOver makes a file of version 4 one of this version. Its runs are used and go on as before.
func takeOver(ctx context.Context, db *sql.DB, operation, path string) error {
	// Tables that stay refer to the new ones, not to those that are called otherwise.
	if _, err := db.ExecContext(ctx, "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON"); err != nil {
		return explain(operation, path, err)
	}
	err := copyAndTakeOver(ctx, db, path)
	_, back := db.ExecContext(context.WithoutCancel(ctx), "PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON")
	return explain(operation, path, errors.Join(err, back))
}

// copyAndTakeOver does both in one transaction. Other processes wait for it, and find the file
// taken over.
func copyAndTakeOver(ctx context.Context, db *sql.DB, path string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	found := 0
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found); err != nil || found == version {
		return err
	}
	copied := fmt.Sprintf("%s.version%d", path, oldest)
	part := copied + ".part" // one that is there is of a process that was killed
	from, err := connect(writing, path, "ro", attempt)
	if err != nil {
		return err
	}
	defer from.Close()
	os.Remove(part)
	if _, err := from.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return fmt.Errorf("copy it to %s before it is taken over: %w", part, err)
	}
	if err := takeOverRows(ctx, tx, path); err != nil {
		os.Remove(part)
		return err
	}
	for n := 2; err == nil; n++ { // a file of that name is not overwritten
		_, err = os.Stat(copied)
		if err == nil {
			copied = fmt.Sprintf("%s.version%d.%d", path, oldest, n)
		}
	}
	if err := os.Rename(part, copied); err != nil {
		return err
	}
	return tx.Commit()
}

// changed are the tables of version 4 that this version has otherwise.
var changed = []string{"runs", "candidates", "weights", "games", "workers", "memo", "asked", "comparisons", "standings",
	"generations", "tiles"}

// takeOverRows leaves tables, views and indexes alone that are somebody's own, and tables that are
// as before. Somebody's index of a column that is gone goes, too.
func takeOverRows(ctx context.Context, tx *sql.Tx, path string) error {
	if err := checkIdle(ctx, tx, path); err != nil {
		return err
	}
	var own []string // indexes of the tables that changed, which go with the old ones
	scan := func(rows *sql.Rows) (change string, err error) {
		var kind, name, table, text string
		if err := rows.Scan(&kind, &name, &table, &text); err != nil {
			return "", err
		}
		switch ours := slices.Contains(madeNames, kind+" "+name); {
		case kind == "table" && slices.Contains(changed, name):
			return "ALTER TABLE " + name + " RENAME TO old_" + name, nil
		case ours && kind != "table", kind == "view" && name == "endings", kind == "index" && name == "runs_by_identity":
			return "DROP " + kind + " " + name, nil
		case kind == "index" && slices.Contains(changed, table):
			own = append(own, text)
		}
		return "", nil
	}
	all, err := collect(ctx, tx, scan, "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
	missing := strings.ReplaceAll(schema, "CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ")
	for _, statement := range append(all, missing, takeoverSQL) {
		if err == nil {
			_, err = tx.ExecContext(ctx, statement)
		}
	}
	for _, index := range own {
		if err == nil {
			_, _ = tx.ExecContext(ctx, index) // games and weights are views now
		}
	}
	if err == nil {
		err = checkSchema(ctx, tx, "take over", path)
	}
	if err == nil {
		err = printAnew(ctx, tx)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	}
	return err
}

// printAnew gives endings the fingerprints of this version.
func printAnew(ctx context.Context, tx *sql.Tx) error {
	all, err := collect(ctx, tx, scanID, "SELECT id FROM endings WHERE fingerprint IS NOT NULL")
	for _, ending := range all {
		print := ""
		if err == nil {
			print, err = fingerprint(ctx, tx, ending)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE endings SET fingerprint = ? WHERE id = ?", print, ending)
		}
	}
	return err
}

// seedsOf is the SQL function seeds_of: the seeds of games at a place of a run.
func seedsOf(seed int64, phase, stage, search string, generation int64, heldOutSalt string, first, games int64) string {
	at := experiments.Place{Phase: phase, Stage: stage, Search: search, Generation: int(generation)}
	return seedDigits(at.Stream(uint64(seed), heldOutSalt), int(first), int(min(games, sliceGames)))
}

// madeNames are the names of the schema, behind their kinds. Version 4 has all names of its indexes
// and views.
var madeNames = func() (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^CREATE (?:UNIQUE )?(TABLE|INDEX|VIEW) (\w+)`).FindAllStringSubmatch(schema,
		-1) {
		names = append(names, strings.ToLower(m[1])+" "+m[2])
	}
	return names
}()

// checkIdle refuses a file on which a process works.
func checkIdle(ctx context.Context, tx *sql.Tx, path string) error {
	all, err := collect(ctx, tx, func(rows *sql.Rows) (r Run, err error) { return r, rows.Scan(&r.ID, &r.Name) },
		"SELECT id, name FROM runs")
	for _, r := range all {
		if alive(lockPath(path, r.ID)) {
			return fmt.Errorf("run %s is under way with an older program: wait for it, or stop it", r.Name)
		}
	}
	return err
}
