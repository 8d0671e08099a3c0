package results

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// Errors that callers tell apart; the errors that wrap them say more.
var (
	// ErrNotFound: no run, candidate or game of that name or number.
	ErrNotFound = errors.New("not found")
	// ErrForeign: the file is not a database of this program. It was not changed.
	ErrForeign = errors.New("not a database of this program")
	// ErrNewer: the file was written by a newer version of this program. It was not changed.
	ErrNewer = errors.New("written by a newer version of this program")
	// ErrDamaged: the file is a database, but parts of it are missing or make no sense. It was not changed.
	ErrDamaged = errors.New("the database is damaged")
)

// explain turns an error of SQLite into one that says what failed, on which file, and what to try: "cannot OPERATION PATH: ...".
// So an operation is a verb phrase that a path may follow, such as "record games in". Other errors get the operation and the
// path too. nil stays nil.
func explain(operation, path string, err error) error {
	if err == nil {
		return nil
	}
	fail := func(hint string) error {
		return fmt.Errorf("cannot %s %s: %w (%s)", operation, path, err, hint)
	}
	var s sqlite3.Error
	if !errors.As(err, &s) {
		return fmt.Errorf("cannot %s %s: %w", operation, path, err)
	}
	if s.SystemErrno == syscall.EMFILE || s.SystemErrno == syscall.ENFILE {
		return fail("no more files may be opened; close some, or allow more with: ulimit -n 1024")
	}
	switch s.Code {
	case sqlite3.ErrNotADB:
		return fmt.Errorf("cannot %s %s: %w: %w (choose another file with -db)", operation, path, ErrForeign, err)
	case sqlite3.ErrCorrupt:
		return damaged(operation, path, err.Error())
	case sqlite3.ErrCantOpen, sqlite3.ErrPerm:
		return fail("the file and its folder must be readable and writable; choose another file with -db")
	case sqlite3.ErrReadonly:
		return fail("the file or its folder is read-only; allow writing, or choose another file with -db")
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return fail("another program holds the database: is a transaction open in an SQL shell? end it, then run the same command again")
	case sqlite3.ErrFull:
		return fail("the disk is full; free some space and run the same command again, nothing recorded is lost")
	case sqlite3.ErrIoErr:
		return fail("the disk or file system failed; a network folder cannot hold the database, choose another with -db")
	case sqlite3.ErrInterrupt:
		return fmt.Errorf("cannot %s %s: %w", operation, path, context.Canceled)
	}
	return fmt.Errorf("cannot %s %s: %w", operation, path, err)
}

// damaged says that the file is corrupt, and what can be done.
func damaged(operation, path, what string) error {
	return fmt.Errorf("cannot %s %s: %w: %s (move it aside to start a new one; "+
		"`sqlite3 %s .recover` prints what can be saved)", operation, path, ErrDamaged, what, path)
}

// notFound says in plain words what there is none of; the error wraps ErrNotFound.
func notFound(format string, args ...any) error {
	return &plainly{fmt.Sprintf(format, args...), ErrNotFound}
}

// plainly says in words of its own what another error means.
type plainly struct {
	text string
	kind error
}

func (m *plainly) Error() string { return m.text }
func (m *plainly) Unwrap() error { return m.kind }
