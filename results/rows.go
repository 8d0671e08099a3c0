package results

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"tune2048/experiments/stats"
)

// insertion inserts rows into a table.
type insertion struct {
	table   string
	columns []string
	text    string // of a row
}

func newInsertion(table, columns, conflict string) insertion {
	n := insertion{table: table, columns: strings.Split(columns, ", ")}
	n.text = "INSERT INTO " + table + " (" + columns + ") VALUES (?" + strings.Repeat(", ?", len(n.columns)-1) + ")" +
		conflict
	return n
}

// insert inserts the rows that the values fill. It returns the number of new rows. It refuses
// numbers that are not finite.
func (n *insertion) insert(ctx context.Context, tx *sql.Tx, values []any) (added int, err error) {
	for i, v := range values {
		if x, isFloat := v.(float64); isFloat {
			if err := finite(n.columns[i%len(n.columns)]+" of "+n.table, x); err != nil {
				return 0, err
			}
		}
	}
	for row := range slices.Chunk(values, len(n.columns)) {
		changed, err := changes(tx.ExecContext(ctx, n.text, row...))
		if err != nil {
			return added, err
		}
		if changed {
			added++
		}
	}
	return added, nil
}

// replacing is the clause that writes columns of a row anew.
func replacing(key, columns string) string {
	var set []string
	for _, c := range strings.Split(columns, ", ") {
		set = append(set, c+" = excluded."+c)
	}
	return " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(set, ", ")
}

// SQLite keeps the bits of a REAL, with two exceptions: -0 becomes 0, which is equal to it, and NaN
// becomes NULL.

// finite refuses NaN and infinity.
func finite(what string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: want a finite number, got %v", what, v)
	}
	return nil
}

// orNull is NULL for the number that a column has no other word for: shells and JSON have no
// infinity, and a bot's moves are not 0 but unknown.
func orNull[T comparable](v, null T) any {
	if v == null {
		return nil
	}
	return v
}

// lowEnd and highEnd are an interval's ends as columns: NULL where it is open.
func lowEnd(i stats.Interval) any  { return orNull(i.Low, math.Inf(-1)) }
func highEnd(i stats.Interval) any { return orNull(i.High, math.Inf(1)) }

// duration is the time that a column of microseconds has, or 0 if it can be none.
func duration(us int64) time.Duration {
	if us < 0 || us > math.MaxInt64/1000 {
		return 0
	}
	return time.Duration(us) * time.Microsecond
}

// querier is a set of connections or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// each yields the rows of a query, each by scan. An error is the last thing it yields.
func each[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string,
	args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		rows, err := q.QueryContext(ctx, query, args...)
		if err != nil {
			yield(none, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			one, err := scan(rows)
			if !yield(one, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(none, err)
		}
	}
}

// collect reads all rows of a query, each by scan.
func collect[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string,
	args ...any) (all []T, err error) {
	for one, err := range each(ctx, q, scan, query, args...) {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// held counts the bytes of the texts that a list of rows holds in memory.
type held int

// maxHeld is far more than a list of runs, candidates or comparisons has. A file may come from
// somebody else. Tests lower it.
var maxHeld held = 128 << 20

func (h *held) add(texts ...string) error {
	for _, text := range texts {
		*h += held(len(text))
	}
	if *h > maxHeld {
		return fmt.Errorf("%w: its texts are too long: more than %d MB of them are wanted at once", ErrDamaged, maxHeld>>20)
	}
	return nil
}

func scanText(rows *sql.Rows) (text string, err error) { return text, rows.Scan(&text) }

func scanID(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) }

// scanRow reads a row of any columns.
func scanRow(rows *sql.Rows) ([]any, error) {
	names, err := rows.Columns()
	row, to := make([]any, len(names)), make([]any, len(names))
	for i := range row {
		to[i] = &row[i]
	}
	return row, cmp.Or(err, rows.Scan(to...))
}

// readAll reads all rows of a query for a Reader. The error names the kind of rows.
func readAll[T any](ctx context.Context, r *Reader, what string, scan func(*sql.Rows) (T, error), query string,
	args ...any) ([]T, error) {
	all, err := collect(ctx, r.at, scan, query, args...)
	return all, explain("read "+what+" of", r.path, err)
}

// first returns the first of all, and the error none if there are none.
func first[T any](all []T, err, none error) (one T, _ error) {
	switch {
	case err != nil:
		return one, err
	case len(all) == 0:
		return one, none
	}
	return all[0], nil
}

// changes reports whether a statement changed a row.
func changes(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}
