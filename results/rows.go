package results

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"

	"tune2048/experiments/stats"
)

// insertion inserts rows into a table, up to 32 with each statement: calling SQLite costs as much as a row does. Its
// texts are few, one for each power of two, so that the connection keeps them prepared.
type insertion struct {
	columns int
	texts   [6]string // of 1, 2, 4 ... rows
}

func newInsertion(table, columns, conflict string) insertion {
	n := insertion{columns: strings.Count(columns, ",") + 1}
	row := "(?" + strings.Repeat(", ?", n.columns-1) + ")"
	for i := range n.texts {
		n.texts[i] = "INSERT INTO " + table + " (" + columns + ") VALUES " + row + strings.Repeat(", "+row, 1<<i-1) + conflict
	}
	return n
}

// insert inserts as many rows as the values fill, and returns how many were new.
func (n *insertion) insert(ctx context.Context, tx *sql.Tx, values []any) (added int, err error) {
	for len(values) > 0 {
		i := len(n.texts) - 1
		for n.columns<<i > len(values) {
			i--
		}
		result, err := tx.ExecContext(ctx, n.texts[i], values[:n.columns<<i]...)
		if err != nil {
			return added, err
		}
		changed, err := result.RowsAffected()
		if err != nil {
			return added, err
		}
		added += int(changed)
		values = values[n.columns<<i:]
	}
	return added, nil
}

// SQLite keeps the bits of a REAL, with two exceptions: -0 becomes 0, which is equal to it, and NaN becomes NULL.

// finite refuses what is not a number to compute with.
func finite(what string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: want a finite number, got %v", what, v)
	}
	return nil
}

// ends returns an interval's ends as columns: NULL where it is open, since shells and JSON have no infinity.
func ends(what string, i stats.Interval) (low, high sql.NullFloat64, err error) {
	if math.IsNaN(i.Low) || math.IsNaN(i.High) || math.IsInf(i.Low, 1) || math.IsInf(i.High, -1) {
		return low, high, fmt.Errorf("%s: want an interval, got [%v, %v]", what, i.Low, i.High)
	}
	low = sql.NullFloat64{Float64: i.Low, Valid: !math.IsInf(i.Low, -1)}
	high = sql.NullFloat64{Float64: i.High, Valid: !math.IsInf(i.High, 1)}
	return low, high, nil
}

// ratioColumn is NULL for the ratio to something that is 0.
func ratioColumn(x float64) (column sql.NullFloat64, err error) {
	if math.IsInf(x, 1) {
		return column, nil
	}
	return sql.NullFloat64{Float64: x, Valid: true}, finite("ratio", x)
}

// ratioValue is its opposite.
func ratioValue(x sql.NullFloat64) float64 {
	if !x.Valid {
		return math.Inf(1)
	}
	return x.Float64
}

// interval is the opposite of ends.
func interval(low, high sql.NullFloat64) stats.Interval {
	i := stats.Unbounded()
	if low.Valid {
		i.Low = low.Float64
	}
	if high.Valid {
		i.High = high.Float64
	}
	return i
}

// querier is a set of connections or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// collect reads all rows of a query, each by scan.
func collect[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// readAll reads all rows of a query for a Reader. The error names what could not be read.
func readAll[T any](ctx context.Context, r *Reader, what string, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	all, err := collect(ctx, r.db, scan, query, args...)
	return all, explain("read "+what+" of", r.path, err)
}

// changes tells whether a statement changed a row.
func changes(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}
