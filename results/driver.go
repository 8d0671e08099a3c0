package results

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"
)

// driverName is our own: go-sqlite3 has no sqrt() unless it is built with a tag, which a plain go run does not
// pass, and the views need it.
const driverName = "tune2048_sqlite3"

// readerName is the same for connections that only read: without ATTACH, and so without VACUUM INTO, which writes a file
// even from a database that may not be written.
const readerName = driverName + "_reader"

// largestValue is the longest text or blob, in bytes, and the longest row: nothing of ours comes near it, and what
// somebody else put into a file, or a query makes up, does not eat the memory.
const largestValue = 64 << 20

// checkpointPages is how large the write-ahead log grows before it is moved into the file, 16 MB. A block of games
// changes many pages of an index by mean score; those that the next blocks change again are moved once.
const checkpointPages = 4000

func init() {
	hook := func(c *sqlite3.SQLiteConn) error {
		c.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, largestValue)
		// PRAGMA trusted_schema = OFF would refuse our views: the driver cannot say that a function is innocuous. What it is
		// against, a schema that calls functions of the program, is checked otherwise, and sqrt is the only one.
		_, err := c.Exec(fmt.Sprintf("PRAGMA wal_autocheckpoint = %d; PRAGMA cell_size_check = ON", checkpointPages), nil)
		return errors.Join(err, c.RegisterFunc("sqrt", squareRoot, true))
	}
	sql.Register(driverName, &sqlite3.SQLiteDriver{ConnectHook: hook})
	sql.Register(readerName, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		c.SetLimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
		return hook(c)
	}})
}

// squareRoot is SQLite's sqrt(): NULL for what is not a number and for negative ones.
func squareRoot(x any) any {
	var v float64
	switch n := x.(type) {
	case float64:
		v = n
	case int64:
		v = float64(n)
	default:
		return nil
	}
	if v < 0 {
		return nil
	}
	return math.Sqrt(v)
}

// Ways to open a file.
const (
	readWriteCreate = "rwc" // SQLite's names of the modes
	readWrite       = "rw"
	readOnly        = "ro"
)

// busyTimeout is how long a statement waits for another process's transaction. Transactions of
// this package take milliseconds; an open transaction in somebody's shell may take for ever.
const busyTimeout = 10 * time.Second

// patiently calls do again while it fails because the database is busy, for as long as a statement may wait. SQLite
// waits by itself, but for a few moments: while another process makes the file a WAL database, or is the last to
// close it.
func patiently(do func() error) error {
	for deadline := time.Now().Add(busyTimeout); ; time.Sleep(5 * time.Millisecond) {
		err := do()
		var s sqlite3.Error
		if !errors.As(err, &s) || s.Code != sqlite3.ErrBusy || time.Now().After(deadline) {
			return err
		}
	}
}

// connect returns a pool of connections to the file. It does not touch the file yet.
func connect(path, mode string, settings ...string) (*sql.DB, error) {
	if mode == readWriteCreate {
		return connectBy(driverName, path, mode, settings...)
	}
	return connectBy(readerName, path, mode, settings...)
}

func connectBy(driver, path, mode string, settings ...string) (*sql.DB, error) {
	q := url.Values{
		"mode":          {mode},
		"_busy_timeout": {strconv.FormatInt(busyTimeout.Milliseconds(), 10)},
		"_foreign_keys": {"on"},
		// FULL: a committed block survives a power cut, not only a crash.
		"_synchronous": {"FULL"},
		// Statements stay prepared: that of a block compiles a trigger, that of the leaderboard a page of SQL.
		"_stmt_cache_size": {"64"},
	}
	if mode == readWriteCreate {
		// A deferred transaction that reads and then writes fails at once when another one wrote in between,
		// whatever the timeout is.
		q.Set("_txlock", "immediate")
	}
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		q.Set(name, value)
	}
	return sql.Open(driver, location(path)+"?"+q.Encode())
}

// location is the path as SQLite's URI, so that no character of it means something else.
func location(path string) string {
	u := &url.URL{Path: filepath.ToSlash(path)}
	return "file:" + u.EscapedPath()
}
