package results

import (
	"context"
)

// Query runs a user's SQL and hands over the names of its columns once, then each row: nil, int64, float64, string
// or []byte for each column, valid until row returns. An error of columns or row ends it. Statements that would
// change the database fail.
func (r *Reader) Query(ctx context.Context, statement string, columns func([]string) error, row func([]any) error) error {
	const operation = "query"
	rows, err := r.db.QueryContext(ctx, statement)
	if err != nil {
		return explain(operation, r.path, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return explain(operation, r.path, err)
	}
	if err := columns(names); err != nil {
		return err
	}
	values := make([]any, len(names))
	to := make([]any, len(names))
	for i := range values {
		to[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return explain(operation, r.path, err)
		}
		if err := row(values); err != nil {
			return err
		}
	}
	return explain(operation, r.path, rows.Err())
}
