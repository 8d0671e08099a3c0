package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// checkBeside refuses what no program of this kind leaves beside a database: SQLite's own files and the locks of runs
// are found by their names, and a link or a pipe among them, in a folder from somebody else, would have us read or write
// where nobody said, or wait for ever.
func checkBeside(operation, path, database string) error {
	for _, ending := range []string{"-wal", "-shm", "-journal"} {
		if err := checkPlain(database + ending); err != nil {
			return fmt.Errorf("results: %s: %s: %w (remove it, or choose another file with -db)", operation, path, err)
		}
	}
	return nil
}

// checkPlain reports an error if there is something else than a regular file at the path.
func checkPlain(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: it is a link, a pipe or the like, want a regular file or none", path)
	}
	return nil
}
