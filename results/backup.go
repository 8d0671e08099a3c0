package results

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// backUp writes what is committed in a database into a file beside it, tune.db.v2.backup for version 2, and returns its
// path and size. Nobody may write to the database meanwhile. Under its name the file is whole: it is written under
// another one first, which a process that is killed may leave and the next one removes. No file is overwritten: where
// another backup has the name, the next free one of tune.db.v2.backup.2, .3 ... is taken; the same backup is not kept twice.
func backUp(ctx context.Context, database string, version int) (path string, size int64, err error) {
	base := fmt.Sprintf("%s.v%d.backup", database, version)
	partial := base + ".partial"
	if err := removePartial(partial); err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, removePartial(partial)) }()
	if size, err = copyDatabase(ctx, database, partial); err != nil {
		return "", 0, err
	}
	for n := 1; ; n++ {
		path = base
		if n > 1 {
			path = fmt.Sprintf("%s.%d", base, n)
		}
		_, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", 0, err
		}
		if same, err := sameContent(path, partial); same || err != nil {
			return path, size, err
		}
	}
	if err := os.Rename(partial, path); err != nil {
		return "", 0, err
	}
	return path, size, syncFile(filepath.Dir(path))
}

// copyDatabase writes a copy that is on the disk when it returns.
func copyDatabase(ctx context.Context, database, to string) (size int64, err error) {
	info, err := os.Stat(database)
	if err != nil {
		return 0, err
	}
	reader, err := connectBy(driverName, database, readOnly) // a reader otherwise cannot write another file
	if err != nil {
		return 0, err
	}
	defer reader.Close()
	// SQLite fills an empty file too; it would create one that everybody may read.
	empty, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return 0, err
	}
	if err := empty.Close(); err != nil {
		return 0, err
	}
	if _, err := reader.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return 0, err
	}
	if err := errors.Join(os.Chmod(to, info.Mode().Perm()), syncFile(to)); err != nil { // whatever the umask is
		return 0, err
	}
	if info, err = os.Stat(to); err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func removePartial(partial string) error {
	for _, path := range []string{partial, partial + "-journal"} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// syncFile waits until a file or folder is on the disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// sameContent tells whether two files have the same bytes. Something else than a file is the same as none.
func sameContent(path, other string) (bool, error) {
	a, err := os.Stat(path)
	if err != nil || !a.Mode().IsRegular() {
		return false, nil
	}
	b, err := os.Stat(other)
	if err != nil || a.Size() != b.Size() {
		return false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, nil // it may not be ours to read
	}
	defer f.Close()
	g, err := os.Open(other)
	if err != nil {
		return false, err
	}
	defer g.Close()
	const chunk = 1 << 16
	x, y := make([]byte, chunk), make([]byte, chunk)
	for {
		n, end := io.ReadFull(f, x)
		m, _ := io.ReadFull(g, y)
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if end == io.EOF || end == io.ErrUnexpectedEOF {
			return true, nil
		}
		if end != nil {
			return false, end
		}
	}
}
