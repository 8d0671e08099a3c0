package results

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

// schema makes every table and view of a new database, with the meaning of each column.
//
//go:embed schema.sql
var schema string

// Schema returns the SQL that makes a database: its documentation.
func Schema() string { return schema }

// version is the number of the schema in schema.sql: PRAGMA user_version of its files.
const version = 5

// applicationID marks our files in PRAGMA application_id: "tune" in ASCII.
const applicationID = 't'<<24 | 'u'<<16 | 'n'<<8 | 'e'

// identify looks at a file before anything is changed, and returns the version of its schema, or 0
// for an empty file. Other files are refused.
func identify(ctx context.Context, db querier, operation, path string) (found int, err error) {
	var objects, application int
	// One statement sees one moment: another process may be creating the file.
	const query = "SELECT count(*), (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version) FROM sqlite_schema"
	if err := db.QueryRowContext(ctx, query).Scan(&objects, &application, &found); err != nil {
		return 0, explain(operation, path, err)
	}
	switch {
	case application == 0 && objects == 0 && found == 0:
		return 0, nil
	case application != applicationID || found < 1:
		return 0, fmt.Errorf("cannot %s %s: %w: it is SQLite, but has other contents (choose another file with -db)",
			operation, path, errForeign)
	case found >= oldest && found < version:
		return found, nil
	case found < oldest:
		last := "50db9161"
		if found < 3 {
			last = "171f45d"
		}
		return 0, fmt.Errorf("cannot %s %s: it is of version %d, which the program at commit %s was the last to read (choose another file with -db)",
			operation, path, found, last)
	case found > version:
		return 0, fmt.Errorf("cannot %s %s: %w: its version is %d, the newest known here is %d (update this program, or choose another file with -db)",
			operation, path, errNewer, found, version)
	}
	return found, checkSchema(ctx, db, operation, path)
}

// statement is the text of a statement without its comments and its layout.
func statement(text string) string {
	return strings.Join(strings.Fields(comments.ReplaceAllString(text, "")), " ")
}

var comments = regexp.MustCompile(`--[^\n]*`)

// checkSchema refuses a file whose tables or views differ from the schema: a version that was never
// released made it, or somebody changed it. Other content belongs to the file's owner.
func checkSchema(ctx context.Context, db querier, operation, path string) error {
	made, err := collect(ctx, db, scanText, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
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
		return fmt.Errorf("cannot %s %s: %w: its tables or views differ from this program's: an unreleased version made it, or it was changed by hand (choose another file with -db)",
			operation, path, errForeign)
	}
	return nil
}

// makeSchema makes the schema of an empty file, in one transaction. Several
// processes may do so at once. It begins to write to any file: one that may not be written opens
// without an error, and it is better to say so before the first game.
func makeSchema(ctx context.Context, db *sql.DB, operation, path string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return explain(operation, path, err)
	}
	defer tx.Rollback()
	found, err := identify(ctx, tx, operation, path)
	if err != nil || found != 0 { // another process was faster
		return err
	}
	if _, err = tx.ExecContext(ctx, schema); err == nil {
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
			applicationID, version))
	}
	if err == nil {
		err = tx.Commit()
	}
	return explain(operation, path, err)
}
