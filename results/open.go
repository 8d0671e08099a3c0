package results

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/mattn/go-sqlite3"

	_ "tune2048/results/cgo"
)

// DefaultPath is where results are kept unless the user says otherwise, relative to the current
// folder.
var DefaultPath = filepath.Join("results", "tune.db")

// Open opens the database for reading and writing. A missing file is created, and a missing
// folder results in a folder that exists. Another missing folder is an error: it may be mistyped,
// and the history lies elsewhere.
// A file that is damaged (the error wraps ErrDamaged), newer than this program or of another
// program is refused and left alone. Several processes may have the same file open. Close it.
func Open(path string) (*Store, error) {
	const operation = "open"
	if err := checkPath(operation, path); err != nil {
		return nil, wrongInput{err}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("cannot create the folder of %s: %w (choose another file with -db)", path, err)
	}
	absolute, err := filepath.Abs(path) // the process may change its folder later
	if err != nil {
		return nil, fmt.Errorf("cannot %s %s: %w", operation, path, err)
	}
	if err := checkLinks(operation, path, absolute); err != nil {
		return nil, err
	}
	writer, err := connect(writing, absolute, "rwc", attempt)
	if err != nil {
		return nil, explain(operation, path, err)
	}
	// SQLite has one writer at a time. A second connection of our own would only wait for the
	// first.
	writer.SetMaxOpenConns(1)
	s := &Store{
		path: path, writer: writer, begun: map[int64]*begunRun{},
		patience: busyTimeout, hurry: context.Background(), clock: time.Now,
	}
	err = patiently(absolute, func() error { return prepare(context.Background(), writer, operation, path) })
	if err == nil {
		// One name for one file, by whatever link it is reached: the locks of runs lie beside it.
		s.absolute, err = filepath.EvalSymlinks(absolute)
	}
	if err == nil {
		s.file, err = os.Stat(s.absolute)
	}
	var reading *sql.DB
	if err == nil {
		reading, err = connect(readingOnly, s.absolute, "rw", busyTimeout)
	}
	if err != nil {
		writer.Close()
		return nil, err
	}
	s.reader = &Reader{path: path, absolute: s.absolute, db: reading, at: reading}
	return s, nil
}

// prepare makes the file ours, once it is known that it is or is empty.
func prepare(ctx context.Context, writer *sql.DB, operation, path string) error {
	found, err := identify(ctx, writer, operation, path)
	if err != nil {
		return err
	}
	if found >= oldest && found < version {
		err = takeOver(ctx, writer, operation, path)
	} else {
		err = makeSchema(ctx, writer, operation, path)
	}
	if err != nil {
		return err
	}
	// Only now: the journal mode is a mark in the file.
	var mode string
	err = writer.QueryRowContext(ctx, "PRAGMA main.journal_mode = WAL").Scan(&mode)
	if isBusy(err) { // SQLite changes the mode while nobody reads
		return fmt.Errorf("cannot %s %s for writing: %w: a program has been reading it since before, such as a notebook or "+
			"a shell with an "+
			"open transaction (close the file there, then run the same command again; lsof %s lists the programs)", operation,
			path, err, ShellWord(path))
	}
	if err != nil {
		return explain(operation, path, err)
	}
	if mode != "wal" {
		return fmt.Errorf("cannot %s %s: this file system cannot hold a write-ahead log, the journal mode stays %s "+
			"(choose a local folder with -db)", operation, path, mode)
	}
	return nil
}

// OpenReader opens the database for reading only: nothing that is done with the Reader can change
// it. The file must exist (the error wraps fs.ErrNotExist otherwise). A run may be writing to it at
// the same time. SQLite may leave an empty -wal and a -shm file beside it, which the next writer
// removes. Close it.
func OpenReader(path string) (*Reader, error) {
	const operation = "read"
	if err := checkPath(operation, path); err != nil {
		return nil, wrongInput{err}
	}
	absolute, err := filepath.Abs(path)
	if err == nil {
		absolute, err = filepath.EvalSymlinks(absolute)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, wrongInput{&plainly{fmt.Sprintf("cannot %s %s: it does not exist yet (a run creates it: tune -config "+
			"FILE%s; -db names another)",
			operation, path, DatabaseFlag(path)), fs.ErrNotExist}}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot %s %s: %w", operation, path, err)
	}
	r, err := openReader(operation, path, absolute, "ro")
	// A reader of a WAL database writes beside it: it announces itself to the writers. Where it may
	// not and nobody writes, the file can be read as one that does not change.
	var s sqlite3.Error
	if errors.As(err, &s) && (s.Code == sqlite3.ErrReadonly || s.Code == sqlite3.ErrCantOpen) && !pending(absolute) {
		return openReader(operation, path, absolute, "ro&immutable=1")
	}
	return r, err
}

func openReader(operation, path, absolute, mode string) (*Reader, error) {
	db, err := connect(readingOnly, absolute, mode, busyTimeout)
	if err != nil {
		return nil, explain(operation, path, err)
	}
	var found int
	err = patiently(absolute, func() (err error) {
		found, err = identify(context.Background(), db, operation, path)
		return err
	})
	if err == nil && found != 0 && found < version {
		db.Close()
		store, err := Open(path)
		if err == nil {
			err = store.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("it is of version %d, and is taken over where it may be written: %w", found, err)
		}
		return openReader(operation, path, absolute, mode)
	}
	if err == nil && found == 0 {
		err = wrongInput{fmt.Errorf("cannot %s %s: %w (a run fills it: tune -config FILE%s; -db names another)",
			operation, path, errEmpty, DatabaseFlag(path))}
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return &Reader{path: path, absolute: absolute, db: db, at: db}, nil
}

// pending reports whether the write-ahead log beside the file has data that the file lacks.
func pending(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

// checkPath refuses a path that SQLite would explain badly. It does not open the file: on Unix,
// closing any descriptor of a file drops the locks that this process's other connections hold on
// it.
func checkPath(operation, path string) error {
	if path == "" {
		return fmt.Errorf("cannot %s the database: no path given (the default is %s)", operation, DefaultPath)
	}
	if database := CompanionOf(path); database != "" {
		return fmt.Errorf("cannot %s %s: it belongs to the database %s (choose another file with -db; to open a copy of a "+
			"database, copy it to another name)", operation, path, database)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		folder := filepath.Dir(path)
		if filepath.Base(folder) == filepath.Dir(DefaultPath) {
			folder = filepath.Dir(folder)
		}
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			return &plainly{fmt.Sprintf("cannot %s %s: there is no folder %s (make it with: mkdir -p %s; or choose another "+
				"file with -db)", operation, path, folder, ShellWord(folder)), fs.ErrNotExist}
		}
		return nil
	case err != nil:
		return fmt.Errorf("cannot %s the database: %w (choose another file with -db)", operation, err)
	case info.IsDir():
		return fmt.Errorf("cannot %s %s: it is a folder (name a file in it: %s)", operation, path,
			filepath.Join(path, "tune.db"))
	case !info.Mode().IsRegular():
		return fmt.Errorf("cannot %s %s: it is not a regular file (choose another with -db)", operation, path)
	}
	return nil
}

// checkLinks refuses to write to a database that has a second name by a hard link. SQLite keeps its
// log and its locks beside one name, so two processes with two names destroy the file.
func checkLinks(operation, path, absolute string) error {
	if target, err := filepath.EvalSymlinks(absolute); err == nil {
		absolute = target
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(absolute + end); err == nil && links(info) > 1 {
			file, own := ShellWord(absolute+end), ShellWord(absolute+end+".copy")
			return fmt.Errorf("cannot %s %s for writing: a hard link gives %s a second name, and programs that write by two "+
				"names "+
				"destroy a database (end those programs, then give this name a file of its own: cp %[3]s %[4]s && mv %[4]s %[3]s)",
				operation, path, file, own)
		}
	}
	return nil
}

// Two drivers: connections for writing, and those that only read. The file may come from somebody
// else, so its views may not call unsafe functions, its pages are checked, and no value in it is
// large enough to eat the memory.
const (
	writing      = "tune2048_sqlite3"
	readingOnly  = "tune2048_sqlite3_reader"
	largestValue = 64 << 20 // bytes
)

// always is the beginning of every connection. The write-ahead log grows to 4000 pages, 16 MB,
// before it is moved into the file: pages that change often are moved once. A log that a reader has
// made larger is cut when it begins again. On macOS only fullfsync writes past the disk's cache, so
// a power cut loses no more than elsewhere.
const always = "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA " +
	"cell_size_check = ON; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 17000000"

func init() {
	noMore := func(*sqlite3.SQLiteConn) error { return nil }
	hook := func(statements string, attached int, more func(*sqlite3.SQLiteConn) error) func(*sqlite3.SQLiteConn) error {
		return func(c *sqlite3.SQLiteConn) error {
			c.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, largestValue)
			c.SetLimit(sqlite3.SQLITE_LIMIT_ATTACHED, attached)
			_, err := c.Exec(statements, nil)
			return cmp.Or(err, c.RegisterFunc("first_of", firstOf, true), c.RegisterFunc("decimal", decimal, true),
				c.RegisterFunc("rank_of", rankOf, true), c.RegisterFunc("seeds_of", seedsOf, true), more(c))
		}
	}
	sql.Register(writing, &sqlite3.SQLiteDriver{ConnectHook: hook(always, 1, noMore)}) // VACUUM attaches
	sql.Register(readingOnly, &sqlite3.SQLiteDriver{ConnectHook: hook(always+"; PRAGMA query_only = ON", 0, registerMath)})
}

// busyTimeout is how long a reader waits for another process. Transactions of this package take
// milliseconds. One that was left open in somebody's shell may take for ever, and does not hold up
// readers.
const busyTimeout = 10 * time.Second

// patiently calls do again while it fails because the database is busy, for as long as a reader may
// wait. SQLite waits by itself, but for a few moments: while another process makes the file a WAL
// database, or is the last to close it. Nobody waits for a file system that refuses all locks.
func patiently(database string, do func() error) error {
	asked := false
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		err := do()
		if !isBusy(err) || time.Since(began) > busyTimeout {
			return err
		}
		if !asked && time.Since(began) > attempt {
			asked = true
			if refusesLocks(database) {
				return err
			}
		}
	}
}

// connect returns the connections to a file in one of SQLite's modes. It does not touch the file
// yet.
func connect(driver, path, mode string, busy time.Duration) (*sql.DB, error) {
	settings := url.Values{
		"_busy_timeout": {strconv.FormatInt(busy.Milliseconds(), 10)},
		"_foreign_keys": {"on"},
		// FULL: a committed block survives a power cut, not only a crash.
		"_synchronous": {"FULL"},
		// Statements stay prepared.
		"_stmt_cache_size": {"64"},
	}
	if driver == writing {
		// A deferred transaction that reads and then writes fails at once when another one wrote in
		// between, whatever the timeout is.
		settings.Set("_txlock", "immediate")
	}
	// As a URI, so that no character of the path means something else.
	file := &url.URL{Path: filepath.ToSlash(path)}
	return sql.Open(driver, "file:"+file.EscapedPath()+"?mode="+mode+"&"+settings.Encode())
}

// Errors that callers distinguish. The errors that wrap them say more.
var (
	// ErrNotFound: no run, candidate or game of that name or number.
	ErrNotFound = errors.New("not found")
	// errForeign: the file is not a database of this program. It was not changed.
	errForeign = errors.New("not a database of this program")
	// errNewer: the file was written by a newer version of this program. It was not changed.
	errNewer = errors.New("written by a newer version of this program")
	// ErrDamaged: the file is a database, but parts of it are missing or make no sense. It was not
	// changed.
	ErrDamaged = errors.New("the database is damaged")
	// errUndecided: the run is there, and its work has not come to a champion yet.
	errUndecided = fmt.Errorf("%w: no champion yet", ErrNotFound)
	// errEmpty: the file has nothing in it yet.
	errEmpty = errors.New("it is empty")
	// errOtherContents: a database of another program.
	errOtherContents = fmt.Errorf("%w: it is SQLite, but has other contents", errForeign)
)

// wrongInput is an error of something that the user named, and not of work that failed.
type wrongInput struct{ error }

func (w wrongInput) Unwrap() error { return w.error }

// WrongInput reports whether an error says that what the user named is wrong: a file, a run, or a
// statement. Then no work began.
func WrongInput(err error) bool {
	if errors.Is(err, errUndecided) {
		return false
	}
	return errors.As(err, new(wrongInput)) || errors.Is(err, ErrNotFound) || errors.Is(err, errForeign) ||
		errors.Is(err, errNewer)
}

// hints are remedies after an error of SQLite, by its code.
var hints = map[sqlite3.ErrNo]string{
	sqlite3.ErrCantOpen: "the file and its folder must be readable and writable; choose another file with -db",
	sqlite3.ErrBusy: "another program holds the database: is a transaction open in an SQL shell? end it, then run " +
		"the same command again",
	sqlite3.ErrFull: "the disk is full; free 20 MB or more and run the same command again, nothing recorded is lost",
	sqlite3.ErrIoErr: "the disk or file system failed; a network folder cannot hold the database, choose another " +
		"with -db",
	sqlite3.ErrProtocol: noLocks,
}

// noLocks is the remedy where SQLite calls a database locked that nobody holds.
const noLocks = "no other program holds it: this file system refuses locks, as some network drives do; choose a " +
	"local folder with -db"

// refusesLocks reports whether the file system of a database refuses the locks that SQLite needs,
// also on a new file, which nobody else holds. Where no new file can be made it knows nothing.
func refusesLocks(database string) bool {
	file, err := os.CreateTemp(filepath.Dir(database), "."+filepath.Base(database)+"-locks-*")
	if err != nil {
		return false
	}
	defer os.Remove(file.Name())
	defer file.Close()
	absolute, err := filepath.Abs(file.Name())
	if err != nil {
		return false
	}
	db, err := connect(writing, absolute, "rw", 0)
	if err != nil {
		return false
	}
	defer db.Close()
	_, err = db.Exec("BEGIN EXCLUSIVE; ROLLBACK")
	return isBusy(err)
}

// explain turns an error of SQLite into one with the operation, the file and a remedy: "cannot
// OPERATION PATH: ...". So an operation is a verb phrase that a path may follow, such as "record
// games in". Other errors get the operation and the path too. nil stays nil.
func explain(operation, path string, err error) error {
	var s sqlite3.Error
	errors.As(err, &s) // else its codes are 0, which is none
	switch {
	case err == nil:
		return nil
	case s.SystemErrno == syscall.EMFILE || s.SystemErrno == syscall.ENFILE:
		err = fmt.Errorf("%w (no more files may be opened; close some, or allow more with: ulimit -n 1024)", err)
	case s.SystemErrno == syscall.EFBIG:
		err = fmt.Errorf("%w (files may not grow further: allow more with ulimit -f unlimited, or choose another file "+
			"system with -db; "+
			"nothing recorded is lost)", err)
	case s.SystemErrno == syscall.EDQUOT:
		err = fmt.Errorf("%w (your share of the disk is used up: free 20 MB or more and run the same command again, "+
			"nothing recorded is lost)", err)
	case s.ExtendedCode == sqlite3.ErrIoErrGetTempPath || s.Code == sqlite3.ErrIoErr && s.SystemErrno == syscall.EACCES:
		err = fmt.Errorf("%w (no folder for temporary files may be written: name one with TMPDIR=FOLDER)", err)
	// What SQLite may not create beside the file, it then fails to find.
	case s.Code == sqlite3.ErrReadonly || s.Code == sqlite3.ErrCantOpen && s.SystemErrno == syscall.ENOENT:
		err = &plainly{"the file or its folder is read-only (allow writing; or copy the file, with its -wal if there is " +
			"one, " +
			"to another folder and name the copy with -db)", err}
	case s.Code == sqlite3.ErrNotADB && isCompressed(path):
		err = fmt.Errorf("%w: it is compressed (gunzip %s writes the database)", errForeign, ShellWord(path))
	case s.Code == sqlite3.ErrNotADB:
		err = fmt.Errorf("%w: %w (choose another file with -db)", errForeign, err)
	case s.Code == sqlite3.ErrCorrupt:
		return damaged(operation, path, err.Error())
	case s.Code == sqlite3.ErrInterrupt:
		err = context.Canceled
	case s.Code == sqlite3.ErrBusy && refusesLocks(path):
		err = fmt.Errorf("%w (%s)", err, noLocks)
	case hints[s.Code] != "":
		err = fmt.Errorf("%w (%s)", err, hints[s.Code])
	}
	return fmt.Errorf("cannot %s %s: %w", operation, path, err)
}

// isCompressed reports whether gzip made a file.
func isCompressed(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	begin := make([]byte, 2)
	_, err = io.ReadFull(file, begin)
	return err == nil && string(begin) == "\x1f\x8b"
}

// damaged says that the file is corrupt, and how to save its contents.
func damaged(operation, path, what string) error {
	return fmt.Errorf("cannot %s %s: %w: %s (move it aside to start a new one; "+
		"`sqlite3 %s .recover` prints what can be saved)", operation, path, ErrDamaged, what, path)
}

// notFound is an error in plain words that wraps ErrNotFound.
func notFound(format string, args ...any) error {
	return &plainly{fmt.Sprintf(format, args...), ErrNotFound}
}

// plainly has words of its own for another error.
type plainly struct {
	text string
	kind error
}

func (m *plainly) Error() string { return m.text }
func (m *plainly) Unwrap() error { return m.kind }
