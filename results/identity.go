package results

import (
	"context"
	"database/sql"
	"fmt"
)

// applicationID marks our files in PRAGMA application_id: "tune" in ASCII.
const applicationID = 't'<<24 | 'u'<<16 | 'n'<<8 | 'e'

// identify looks at a file before anything is changed: whether it is a database of ours, of a version that is
// known. It returns the version, 0 for an empty file.
func identify(ctx context.Context, db *sql.DB, operation, path string) (version int, err error) {
	var application, objects int
	// One statement sees one moment: another process may be creating the file.
	const query = "SELECT count(*), (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version) FROM sqlite_schema"
	if err := db.QueryRowContext(ctx, query).Scan(&objects, &application, &version); err != nil {
		return 0, explain(operation, path, err)
	}
	switch {
	case application == applicationID && version > newestVersion():
		return 0, newer(operation, path, version)
	case application == applicationID:
		return version, nil
	case application == 0 && objects == 0 && version == 0:
		return 0, nil
	}
	return 0, fmt.Errorf("results: %s: %s: %w: it is SQLite, but has other contents (choose another file with -db)",
		operation, path, ErrForeign)
}
