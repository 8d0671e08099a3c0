package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/mattn/go-sqlite3"
)

// AskRows is the largest number of rows that a question of somebody who need not be trusted is
// answered with.
const AskRows = 10_000

// AskBytes bounds such an answer twice: its values together, and its text as it is written.
const AskBytes = 16 << 20

// ErrLarge is the error of an answer that has more than AskBytes.
var ErrLarge = fmt.Errorf("the answer has more than %d MB: ask for fewer rows or columns (a LIMIT, one run: WHERE run_id = ...), "+
	"or ask tune query -sql, which has no such limit", AskBytes>>20)

// What else such a question may take.
const (
	longestAsk = 10 * time.Second
	askText    = 10_000    // bytes of a statement
	askValue   = 1 << 20   // bytes of a value or row
	askMemory  = 512 << 20 // bytes that SQLite may hold: sorting a million games takes 100 MB
)

// boundedMemory keeps the sorts and temporary tables of a question in memory, where the limit of
// the heap bounds them: SQLite has no limit for temporary files. The limit is the process's.
var boundedMemory = fmt.Sprintf("PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = %d", askMemory)

// explainMemory advises on a question that reached the limit.
func explainMemory(err error) error {
	return &plainly{fmt.Sprintf("stopped: it needs more than %d MB to sort, group or join; ask for less "+
		"(fewer columns, one run: WHERE run_id = ..., sort only the rows that a LIMIT keeps), or ask the sqlite3 shell, which has no such limit", askMemory>>20), err}
}

// ErrAsking: the question would have to wait too long for another one.
var ErrAsking = errors.New("another query is being answered: try again when it is done")

var askTime = longestAsk // less in tests

// asking holds a value while a question is answered, whatever the file.
var asking = make(chan struct{}, 1)

// Ask answers one statement of somebody who need not be trusted, as [Reader.Query] does, with rows
// up to a limit of at most AskRows. cut says why there are no more rows, and is empty if these are
// all. The statement is refused if it would do anything but select, and stopped at the first other
// limit that it reaches. The error names the limit and a remedy.
func (r *Reader) Ask(ctx context.Context, text string, limit int, columns func([]string) error, row func([]any) error) (cut string, err error) {
	const operation = "query"
	if len(text) > askText {
		return "", fmt.Errorf("the statement is too long: want at most %d bytes, got %d (tune query -sql takes longer ones)", askText, len(text))
	}
	switch all := Statements(text); len(all) {
	case 0:
		return "", errors.New("there is no statement: want one SELECT")
	case 1:
		text = all[0]
	default:
		return "", fmt.Errorf("want one statement, got %d", len(all))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, askTime, errTooLong)
	defer cancel()
	select {
	case asking <- struct{}{}:
		defer func() { <-asking }()
	case <-ctx.Done():
		return "", ErrAsking
	}
	// A connection of its own takes with it all that SQLite remembers of the question.
	db, err := connect(asked, r.absolute, r.mode, busyTimeout)
	if err != nil {
		return "", explain(operation, r.path, err)
	}
	defer db.Close()
	rows, size := 0, 0
	limit = min(limit, AskRows)
	err = eachRow(ctx, db, text, columns, func(values []any) error {
		for _, v := range values {
			size += 16
			switch v := v.(type) {
			case string:
				size += len(v)
			case []byte:
				size += len(v)
			}
		}
		switch {
		case rows == limit:
			cut = fmt.Sprintf("only the first %d rows", limit)
			return errCut
		case size > AskBytes:
			return ErrLarge
		}
		rows++
		return row(values)
	})
	if errors.Is(err, errCut) {
		return cut, nil
	}
	return "", r.meant(ctx, explainAsked(ctx, r.path, err))
}

var errTooLong = fmt.Errorf("stopped after %v: ask for less (a LIMIT, one run: WHERE run = '...'), or ask tune query -sql, which takes its time", longestAsk)

var errCut = errors.New("the answer is cut")

// explainAsked says why a question was refused or stopped.
func explainAsked(ctx context.Context, path string, err error) error {
	var s sqlite3.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // whatever SQLite makes of it
		return context.Cause(ctx)
	case errors.Is(err, ErrLarge):
		return ErrLarge
	case !errors.As(err, &s):
		return explain("query", path, err)
	case s.Code == sqlite3.ErrAuth || s.Code == sqlite3.ErrReadonly:
		return &plainly{"refused: only a SELECT is answered, from this database alone: nothing is written, attached or set, and no pragma is read", err}
	case s.Code == sqlite3.ErrTooBig:
		return &plainly{fmt.Sprintf("refused: a text, blob or row in it is larger than %d MB", askValue>>20), err}
	case s.Code == sqlite3.ErrNomem:
		return explainMemory(err)
	case s.Code == sqlite3.ErrError: // a mistake in the statement: SQLite's message is enough
		return errors.New(err.Error())
	}
	return explain("query", path, err)
}

// asked is the driver of connections for questions: they read the file and nothing else.
const asked = "tune2048_sqlite3_asked"

func init() {
	sql.Register(asked, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		if _, err := c.Exec(always+"; PRAGMA query_only = ON; "+boundedMemory, nil); err != nil {
			return err
		}
		for limit, value := range map[int]int{
			sqlite3.SQLITE_LIMIT_LENGTH: askValue, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 20, // schema too
			sqlite3.SQLITE_LIMIT_ATTACHED: 0, sqlite3.SQLITE_LIMIT_COLUMN: 200, sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
			sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 50, sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 50, sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
			sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
		} {
			c.SetLimit(limit, value)
		}
		began := time.Now()
		c.RegisterAuthorizer(func(action int, _, _, _ string) int {
			// A statement whose table expressions name one another is planned for minutes, and its
			// context does not stop that.
			if time.Since(began) > askTime {
				return sqlite3.SQLITE_DENY
			}
			switch action {
			case sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqliteRecursive:
				return sqlite3.SQLITE_OK
			}
			return sqlite3.SQLITE_DENY
		})
		return nil
	}})
}

// sqliteRecursive is SQLITE_RECURSIVE, the action of a recursive table expression.
const sqliteRecursive = 33
