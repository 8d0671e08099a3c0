package results

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// schema makes every table and view of a new database, with the meaning of each column.
//
//go:embed schema.sql
var schema string

// Schema returns the SQL that makes a database: its documentation.
func Schema() string { return schema }

// made matches each statement of the schema, with its kind, its name and the table of an index.
var made = regexp.MustCompile(`(?ms)^CREATE (?:UNIQUE )?(TABLE|INDEX|VIEW) (\w+)(?: ON (\w+))?.*?;(?: --[^\n]*)?\n`)

// SchemaOf returns the part of the schema that makes a table, with its indexes, or a view. "tables"
// and "views" stand for all of them. It returns "" for another name.
func SchemaOf(name string) string {
	var parts []string
	for _, m := range made.FindAllStringSubmatch(schema, -1) {
		if name == m[2] || name == m[3] || name == "tables" && m[1] != "VIEW" || name == "views" && m[1] == "VIEW" {
			parts = append(parts, m[0])
		}
	}
	return strings.Join(parts, "\n")
}

// SchemaNames are the names of all tables and views.
func SchemaNames() (names []string) {
	for _, m := range made.FindAllStringSubmatch(schema, -1) {
		if m[1] != "INDEX" {
			names = append(names, m[2])
		}
	}
	return names
}

// version is the number of the schema in schema.sql: PRAGMA user_version of its files.
const version = 5

// applicationID marks our files in PRAGMA application_id: "tune" in ASCII.
const applicationID = 't'<<24 | 'u'<<16 | 'n'<<8 | 'e'

// identify looks at a file before anything is changed, and returns the version of its schema, or 0
// for an empty file. Other files are refused.
func identify(ctx context.Context, db querier, operation, path string) (found int, err error) {
	var objects, application int
	// One statement sees one moment: another process may be creating the file.
	const query = "SELECT count(*), (SELECT application_id FROM pragma_application_id), (SELECT user_version " +
		"FROM pragma_user_version) FROM sqlite_schema"
	if err := db.QueryRowContext(ctx, query).Scan(&objects, &application, &found); err != nil {
		return 0, explain(operation, path, err)
	}
	switch {
	case application == 0 && objects == 0 && found == 0:
		return 0, nil
	case application != applicationID || found < 1:
		return 0, fmt.Errorf("cannot %s %s: %w (choose another file with -db)", operation, path, errOtherContents)
	case found >= oldest && found < version:
		_, err := schemaOf(ctx, db, operation, path)
		return found, err
	case found < oldest:
		last := "50db9161"
		if found < 3 {
			last = "171f45d"
		}
		return 0, wrongInput{fmt.Errorf("cannot %s %s: it is of version %d, which the program at commit %s was the last to "+
			"read (choose another file with -db)",
			operation, path, found, last)}
	case found > version:
		return 0, fmt.Errorf("cannot %s %s: %w: its version is %d, the newest known here is %d (update this program, or "+
			"choose another file with -db)",
			operation, path, errNewer, found, version)
	}
	return found, checkSchema(ctx, db, operation, path)
}

// statement is the text of a statement without its comments and its layout. Literals stay.
func statement(text string) string {
	return strings.TrimSpace(layout.ReplaceAllStringFunc(text, func(found string) string {
		if strings.ContainsRune("'\"`[", rune(found[0])) {
			return found
		}
		return " "
	}))
}

// statements are the schema's own, in the form of [statement].
var statements = sync.OnceValue(splitSchema)

func splitSchema() (all []string) {
	for text := range strings.SplitSeq(statement(schema), ";") {
		text = strings.TrimSpace(text)
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

// layout matches comments and blanks, and literals, in which there are none.
var layout = regexp.MustCompile("(?s)'[^']*'|\"[^\"]*\"|`[^`]*`|\\[[^\\]]*\\]" + `|(?:\s|--[^\n]*|/\*.*?\*/)+`)

var trigger = regexp.MustCompile(`(?i)^CREATE (?:TEMP |TEMPORARY )?TRIGGER (\S+)`)

// checkSchema refuses a file whose tables or views differ from the schema: a version that was never
// released made it, or somebody changed it. Other content belongs to the file's owner.
func checkSchema(ctx context.Context, db querier, operation, path string) error {
	made, err := schemaOf(ctx, db, operation, path)
	if err != nil {
		return err
	}
	lacking := map[string]bool{}
	for _, text := range statements() {
		lacking[text] = true
	}
	for _, text := range made {
		delete(lacking, text)
	}
	if len(lacking) > 0 {
		return fmt.Errorf("cannot %s %s: %w: its tables or views differ from this program's: an unreleased version made "+
			"it, or it was changed by hand (choose another file with -db)",
			operation, path, errForeign)
	}
	return nil
}

// schemaOf returns the statements that made a file. It refuses one with triggers, which change
// facts when the program writes others.
func schemaOf(ctx context.Context, db querier, operation, path string) ([]string, error) {
	made, err := collect(ctx, db, scanText, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
	if err != nil {
		return nil, explain(operation, path, err)
	}
	for i, text := range made {
		if strings.ContainsRune(text, 0) { // SQLite reads no further
			return nil, damaged(operation, path, "a zero byte is in its schema")
		}
		made[i] = statement(text)
		if name := trigger.FindStringSubmatch(made[i]); name != nil {
			return nil, fmt.Errorf("cannot %s %s: it has a trigger, %.100s: triggers change what is recorded (drop it in an "+
				"SQL shell, or "+
				"choose another file with -db)", operation, path, name[1])
		}
	}
	return made, nil
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
	_, err = tx.ExecContext(ctx, schema)
	if err == nil {
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
			applicationID, version))
	}
	if err == nil {
		err = tx.Commit()
	}
	return explain(operation, path, err)
}
