package results

import (
	"context"
	"embed"
	"errors"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// Query runs a user's SQL and hands over the names of its columns once, then each row: nil, int64, float64, string
// or []byte for each column, valid until row returns. An error of columns or row ends it. Statements that would
// change the database fail, and so does one that needs too much memory.
func (r *Reader) Query(ctx context.Context, statement string, columns func([]string) error, row func([]any) error) error {
	connection, err := r.db.Conn(ctx)
	if err != nil {
		return explainQuery(r.path, err)
	}
	defer connection.Close()
	if _, err := connection.ExecContext(ctx, boundedMemory); err != nil {
		return explainQuery(r.path, err)
	}
	rows, err := connection.QueryContext(ctx, statement)
	if err != nil {
		return explainQuery(r.path, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return explainQuery(r.path, err)
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
			return explainQuery(r.path, err)
		}
		if err := row(values); err != nil {
			return err
		}
	}
	return explainQuery(r.path, rows.Err())
}

// explainQuery is explain, but for a statement that would change the database or needs too much
// memory.
func explainQuery(path string, err error) error {
	var s sqlite3.Error
	switch {
	case !errors.As(err, &s):
	case s.Code == sqlite3.ErrReadonly:
		return &plainly{"tune query only reads (tune runs -delete NAME" + DatabaseFlag(path) + " deletes a run)", err}
	case s.Code == sqlite3.ErrNomem:
		return explainMemory(err)
	}
	return explain("query", path, err)
}

//go:embed queries/*.sql
var queryFiles embed.FS

// NamedQuery is a query that is shipped: plain SQL for any shell, the first lines a comment that says what it answers.
type NamedQuery struct {
	Name string
	SQL  string
}

// Summary returns the query's comment as one line.
func (q NamedQuery) Summary() string {
	var lines []string
	for _, line := range strings.Split(q.SQL, "\n") {
		text, isComment := strings.CutPrefix(line, "-- ")
		if !isComment {
			break
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, " ")
}

// NamedQueries returns the shipped queries by name.
func NamedQueries() []NamedQuery {
	entries, err := queryFiles.ReadDir("queries")
	if err != nil {
		panic(err) // embedded
	}
	var list []NamedQuery
	for _, e := range entries {
		text, err := queryFiles.ReadFile("queries/" + e.Name())
		if err != nil {
			panic(err)
		}
		list = append(list, NamedQuery{strings.TrimSuffix(e.Name(), ".sql"), string(text)})
	}
	return list
}
