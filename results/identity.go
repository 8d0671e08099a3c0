package results

import (
	"context"
	"database/sql"
	"fmt"
	"os"
)

// applicationID marks our files in PRAGMA application_id: "tune" in ASCII.
const applicationID = 't'<<24 | 'u'<<16 | 'n'<<8 | 'e'

// checkedSize is the largest file that is read through for damage when it is opened, in bytes; reading takes about
// a second for it. Damage in a larger file is found when it is met.
const checkedSize = 256 << 20

// identify looks at a file before anything is changed: whether it is a database of ours, of a version that is
// known, and whole. It returns the version, 0 for an empty file.
func identify(ctx context.Context, db *sql.DB, operation, path string) (version int, err error) {
	var application, objects int
	// One statement sees one moment: another process may be creating the file.
	const query = "SELECT count(*), (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version) FROM sqlite_schema"
	if err := db.QueryRowContext(ctx, query).Scan(&objects, &application, &version); err != nil {
		return 0, explain(operation, path, err)
	}
	switch {
	case application == applicationID && version > newestVersion():
		return 0, fmt.Errorf("results: %s: %s: %w: its version is %d, the newest known here is %d "+
			"(update this program, or choose another file with -db)", operation, path, ErrNewer, version, newestVersion())
	case application == applicationID:
		return version, checkWhole(ctx, db, operation, path)
	case application == 0 && objects == 0 && version == 0:
		return 0, nil
	}
	return 0, fmt.Errorf("results: %s: %s: %w: it is SQLite, but has other contents (choose another file with -db)",
		operation, path, ErrForeign)
}

// checkWhole reads a file of moderate size through, without its indexes.
func checkWhole(ctx context.Context, db *sql.DB, operation, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("results: %s: %w", operation, err)
	}
	if info.Size() > checkedSize {
		return nil
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return explain(operation, path, err)
	}
	if verdict != "ok" {
		return damaged(operation, path, verdict)
	}
	return nil
}
