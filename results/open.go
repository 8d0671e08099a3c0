package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mattn/go-sqlite3"
)

// DefaultPath is where results are kept unless the user says otherwise, relative to the current folder.
var DefaultPath = filepath.Join("results", "tune.db")

// Open is OpenWith without options.
func Open(path string) (*Store, error) { return OpenWith(context.Background(), path, Options{}) }

// OpenWith opens the database for reading and writing. Missing folders and a missing file are created, an older version
// is brought up to date after a backup of it was written beside it; canceling ctx ends that, and leaves it as it was. A
// file that is not ours, damaged, or newer than this program is refused and left alone: the error wraps ErrForeign,
// ErrDamaged or ErrNewer. Several processes may have the same file open. Close it.
func OpenWith(ctx context.Context, path string, o Options) (*Store, error) {
	const operation = "open"
	if err := checkPath(operation, path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("results: create the folder of %s: %w (choose another file with -db)", path, err)
	}
	absolute, err := filepath.Abs(path) // the process may change its folder later
	if err != nil {
		return nil, fmt.Errorf("results: %s: %s: %w", operation, path, err)
	}
	// SQLite's own files lie beside the file itself, not beside a link to it.
	database := absolute
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		database = real
	}
	if err := checkBeside(operation, path, database); err != nil {
		return nil, err
	}
	writer, err := openWriter(ctx, path, absolute, o)
	if err != nil {
		return nil, err
	}
	// One name for one file, by whatever link it is reached: the locks of runs lie beside it.
	if absolute, err = filepath.EvalSymlinks(absolute); err != nil {
		writer.Close()
		return nil, fmt.Errorf("results: %s: %w", operation, err)
	}
	file, err := os.Stat(absolute)
	if err != nil {
		writer.Close()
		return nil, fmt.Errorf("results: %s: %w", operation, err)
	}
	pool, err := connect(absolute, readWrite, "_query_only=1")
	if err != nil {
		writer.Close()
		return nil, explain(operation, path, err)
	}
	return newStore(path, absolute, file, writer, pool), nil
}

// openWriter opens the one connection that writes.
func openWriter(ctx context.Context, path, absolute string, o Options) (*sql.DB, error) {
	const operation = "open"
	writer, err := connect(absolute, readWriteCreate, fmt.Sprintf("_busy_timeout=%d", attempt.Milliseconds()))
	if err != nil {
		return nil, explain(operation, path, err)
	}
	// SQLite has one writer at a time; a second connection of our own would only wait for the first.
	writer.SetMaxOpenConns(1)
	if err := patiently(func() error { return prepare(ctx, writer, operation, path, absolute, o) }); err != nil {
		writer.Close()
		return nil, err
	}
	return writer, nil
}

// prepare makes the file ours, once it is known that it is or is empty.
func prepare(ctx context.Context, writer *sql.DB, operation, path, absolute string, o Options) error {
	if _, err := identify(ctx, writer, operation, path); err != nil {
		return err
	}
	if err := checkSchema(ctx, writer, operation, path); err != nil {
		return err
	}
	if err := checkWhole(ctx, writer, operation, path); err != nil {
		return err
	}
	// Only now: the journal mode is a mark in the file.
	var mode string
	if err := writer.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return explain(operation, path, err)
	}
	if mode != "wal" {
		return fmt.Errorf("results: %s: %s: this file system cannot hold a write-ahead log, the journal mode stays %s "+
			"(choose a local folder with -db)", operation, path, mode)
	}
	if err := upgrade(ctx, writer, path, absolute, o); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // what was upgraded is not as it was
	version, err := userVersion(ctx, writer)
	if err != nil {
		return explain(operation, path, err)
	}
	if version > newestVersion() { // another process upgraded it meanwhile
		return newer(operation, path, version)
	}
	// A file that may not be written opens without an error; better to say so now than after the first game.
	tx, err := writer.BeginTx(ctx, nil)
	if err != nil {
		return explain(operation, path, err)
	}
	return explain(operation, path, tx.Rollback())
}

// OpenReader opens the database for reading only: nothing that is done with the Reader can change it. The file
// must exist (the error wraps fs.ErrNotExist otherwise) and be of this version. A run may be writing to it at the
// same time. SQLite may leave an empty -wal and a -shm file beside it, which the next writer removes. Close it.
func OpenReader(path string) (*Reader, error) {
	const operation = "open for reading"
	if err := checkPath(operation, path); err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err == nil {
		absolute, err = filepath.EvalSymlinks(absolute)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("results: %s: %s: %w (a run creates it: tune -config FILE; -db names another)",
			operation, path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("results: %s: %s: %w", operation, path, err)
	}
	if err := checkBeside(operation, path, absolute); err != nil {
		return nil, err
	}
	r, err := openReader(operation, path, absolute)
	// A reader of a WAL database writes beside it: it announces itself to the writers. Where it may not and nobody
	// writes, the file can be read as one that does not change.
	var s sqlite3.Error
	if errors.As(err, &s) && (s.Code == sqlite3.ErrReadonly || s.Code == sqlite3.ErrCantOpen) && !pending(absolute) {
		return openReader(operation, path, absolute, "immutable=1")
	}
	return r, err
}

func openReader(operation, path, absolute string, settings ...string) (*Reader, error) {
	pool, err := connect(absolute, readOnly, settings...)
	if err != nil {
		return nil, explain(operation, path, err)
	}
	var version int
	err = patiently(func() (err error) {
		version, err = identify(context.Background(), pool, operation, path)
		if err == nil {
			err = checkSchema(context.Background(), pool, operation, path)
		}
		return err
	})
	if err == nil && version < newestVersion() {
		err = outdated(operation, path, version)
	}
	if err != nil {
		pool.Close()
		return nil, err
	}
	r := &Reader{path: path, absolute: absolute, db: pool, owned: true}
	for _, s := range settings {
		r.settings += "&" + s
	}
	return r, nil
}

func outdated(operation, path string, version int) error {
	if version == 0 {
		return fmt.Errorf("results: %s: %s: it is empty (a run fills it: tune -config FILE; -db names another)", operation, path)
	}
	return fmt.Errorf("results: %s: %s: its version is %d, this program reads %d (bring it up to date: %s; a run does so too)",
		operation, path, version, newestVersion(), UpgradeCommand(path))
}

// pending tells whether the write-ahead log beside the file has something that is not in the file yet.
func pending(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// checkPath refuses what SQLite would explain badly. It does not open the file: on Unix, closing any descriptor of
// a file drops the locks that this process's other connections hold on it.
func checkPath(operation, path string) error {
	if path == "" {
		return fmt.Errorf("results: %s: no path given (the default is %s)", operation, DefaultPath)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("results: %s: %w (choose another file with -db)", operation, err)
	case info.IsDir():
		return fmt.Errorf("results: %s: %s: it is a folder (name a file in it: %s)",
			operation, path, filepath.Join(path, "tune.db"))
	case !info.Mode().IsRegular():
		return fmt.Errorf("results: %s: %s: it is not a regular file (choose another with -db)", operation, path)
	}
	return nil
}
