package results

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// object is a row of sqlite_schema.
type object struct{ kind, name string }

// definition is what it says of an object.
type definition struct {
	sql string
	// meddles is the table of an index that has a say in what is written to it, or computes something of its own.
	meddles string
}

// made returns the objects that the migrations up to a version make, with their SQL.
func made(version int) (map[object]definition, error) {
	schemas.Lock()
	defer schemas.Unlock()
	if schemas.byVersion[version] == nil {
		objects, err := makeSchema(version)
		if err != nil {
			return nil, fmt.Errorf("make the schema of version %d: %w", version, err)
		}
		schemas.byVersion[version] = objects
	}
	return schemas.byVersion[version], nil
}

var schemas = struct {
	sync.Mutex
	byVersion map[int]map[object]definition
}{byVersion: map[int]map[object]definition{}}

func makeSchema(version int) (map[object]definition, error) {
	db, err := sql.Open(driverName, ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	if err := migrateTo(context.Background(), db, version, nil); err != nil {
		return nil, err
	}
	_, objects, err := schemaOf(context.Background(), db)
	return objects, err
}

// schemaOf returns a database's version and objects.
func schemaOf(ctx context.Context, db *sql.DB) (version int, objects map[object]definition, err error) {
	// One statement sees one moment: another process may be bringing the file up to date.
	rows, err := db.QueryContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version), type, name, coalesce(sql, ''),
		coalesce((SELECT min(t.name) FROM pragma_table_list AS t, pragma_index_list(t.name) AS i
			WHERE m.type = 'index' AND i.name = m.name AND i.origin = 'c'
				AND (i."unique" OR i.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) WHERE cid = -2))), '')
		FROM sqlite_schema AS m`)
	if err != nil {
		return 0, nil, err
	}
	defer rows.Close()
	objects = map[object]definition{}
	for rows.Next() {
		var (
			o  object
			is definition
		)
		if err := rows.Scan(&version, &o.kind, &o.name, &is.sql, &is.meddles); err != nil {
			return 0, nil, err
		}
		objects[o] = is
	}
	return version, objects, rows.Err()
}

// checkSchema refuses a file in which what this program makes is not as it makes it, or that has other triggers: a file
// from somebody else must not do things of its own when it is opened, read or written. Tables, views and indexes that
// somebody added for himself are none of our business.
func checkSchema(ctx context.Context, db *sql.DB, operation, path string) error {
	version, found, err := schemaOf(ctx, db)
	if err != nil {
		return explain(operation, path, err)
	}
	if version > newestVersion() { // since it was identified
		return newer(operation, path, version)
	}
	if version < 0 {
		return damaged(operation, path, fmt.Sprintf("its version is %d", version))
	}
	wanted, err := made(version)
	if err != nil {
		return fmt.Errorf("results: %s: %w", operation, err)
	}
	for _, o := range slices.SortedFunc(maps.Keys(wanted), tablesFirst) {
		switch got, there := found[o]; {
		case !there:
			return altered(operation, path, "the %s %q is missing", o.kind, o.name)
		case got.sql != wanted[o].sql:
			return altered(operation, path, "the %s %q is not what this program makes: undo the change if it is yours, and keep what you add in tables and views of your own", o.kind, o.name)
		}
	}
	for o, is := range found {
		if _, ours := wanted[o]; ours {
			continue
		}
		if o.kind == "trigger" {
			return altered(operation, path, "it has a trigger %q, which this program does not make: if it is yours, drop it", o.name)
		}
		if _, ours := wanted[object{"table", is.meddles}]; ours {
			return altered(operation, path, "it has an index %q on a table of this program that is unique, partial or on an expression: if it is yours, drop it, or make it one of columns alone", o.name)
		}
	}
	return nil
}

// tablesFirst orders objects so that a table comes before what goes with it.
func tablesFirst(a, b object) int {
	order := []string{"table", "index", "trigger", "view"}
	return cmp.Or(cmp.Compare(slices.Index(order, a.kind), slices.Index(order, b.kind)), cmp.Compare(a.name, b.name))
}

func altered(operation, path, format string, args ...any) error {
	return fmt.Errorf("results: %s: %s: %w: %s (nothing of it was used; choose another file with -db)",
		operation, path, ErrAltered, fmt.Sprintf(format, args...))
}
