package results

import (
	"context"
	"database/sql"
	"strings"
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
