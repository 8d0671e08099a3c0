package results

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

// schema makes every table and view of a new database, with what each column means.
//
//go:embed schema.sql
var schema string

// Schema returns the SQL that makes a database: its documentation.
func Schema() string { return schema }

// steps bring an older database up to date: steps[0] leads from version 1 to version 2, and so on. There are none yet. A
// step that was released never changes; the schema is always that of the newest version.
var steps []string

// newestVersion is that of the schema.
func newestVersion() int { return 1 + len(steps) }

// applicationID marks our files in PRAGMA application_id: "tune" in ASCII.
const applicationID = 't'<<24 | 'u'<<16 | 'n'<<8 | 'e'

// identify looks at a file before anything is changed: whether it is a database of ours, of a version that is known. It
// returns the version, 0 for an empty file.
func identify(ctx context.Context, db querier, operation, path string) (version int, err error) {
	var application, objects int
	// One statement sees one moment: another process may be creating the file.
	const query = "SELECT count(*), (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version) FROM sqlite_schema"
	if err := db.QueryRowContext(ctx, query).Scan(&objects, &application, &version); err != nil {
		return 0, explain(operation, path, err)
	}
	switch {
	case application == 0 && objects == 0 && version == 0:
		return 0, nil
	case application != applicationID || version < 1:
		return 0, fmt.Errorf("cannot %s %s: %w: it is SQLite, but has other contents (choose another file with -db)",
			operation, path, ErrForeign)
	case version > newestVersion():
		return 0, fmt.Errorf("cannot %s %s: %w: its version is %d, the newest known here is %d (update this program, or choose another file with -db)",
			operation, path, ErrNewer, version, newestVersion())
	}
	if version < newestVersion() {
		return version, nil
	}
	return version, checkSchema(ctx, db, operation, path)
}

// statement is the text of a statement without its comments and its layout.
func statement(text string) string {
	return strings.Join(strings.Fields(comments.ReplaceAllString(text, "")), " ")
}

var comments = regexp.MustCompile(`--[^\n]*`)

// checkSchema refuses a file whose tables or views are not those of the schema: a version that was never released made it, or
// somebody changed it. What else is in it is its owner's.
func checkSchema(ctx context.Context, db querier, operation, path string) error {
	made, err := collect(ctx, db, func(rows *sql.Rows) (text string, err error) {
		return text, rows.Scan(&text)
	}, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
	if err != nil {
		return explain(operation, path, err)
	}
	want, found := statement(schema), 0
	for _, text := range made {
		if strings.Contains(want, statement(text)+";") {
			found++
		}
	}
	if found < strings.Count(want, "CREATE ") {
		return fmt.Errorf("cannot %s %s: %w: its tables or views are not those of this program: an unreleased version made it, or it was changed by hand (choose another file with -db)",
			operation, path, ErrForeign)
	}
	return nil
}

// migrate makes the schema of an empty file, or brings an older one up to date, in one transaction: whatever happens, the
// file is as it was or of the newest version. Several processes may do so at once.
func migrate(ctx context.Context, db *sql.DB, operation, path string) error {
	if version, err := identify(ctx, db, operation, path); err != nil || version == newestVersion() {
		return err // without the write lock: opening does not wait for a writer
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return explain(operation, path, err)
	}
	defer tx.Rollback()
	version, err := identify(ctx, tx, operation, path) // again: another process may have been faster
	if err != nil || version == newestVersion() {
		return err
	}
	todo := []string{schema}
	if version > 0 {
		todo = steps[version-1:]
	}
	for _, statements := range append(todo, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, newestVersion())) {
		if _, err := tx.ExecContext(ctx, statements); err != nil {
			return explain(operation, path, fmt.Errorf("from version %d to %d: %w", version, newestVersion(), err))
		}
	}
	return explain(operation, path, tx.Commit())
}
