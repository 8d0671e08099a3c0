package results

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
)

// Alone lets do ask the views as if an ending were the only one in the database, whether its run
// shows it or not. Tables other than searches and endings keep all rows: views find theirs by these
// two.
func (r *Reader) Alone(ctx context.Context, run Run, do func(alone *Reader) error) error {
	const operation = "read one run of"
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return explain(operation, r.path, err)
	}
	// What is temporary goes with the connection.
	defer conn.Raw(func(any) error { return driver.ErrBadConn })
	if err := hideOthers(ctx, conn, run); err != nil {
		return explain(operation, r.path, err)
	}
	return do(&Reader{r.path, r.absolute, r.db, conn})
}

// hideOthers puts temporary tables with the rows of one ending before the tables searches and
// endings, and the schema's views of them before the views. The connection changes nothing else: a
// name without a schema is a temporary one first.
func hideOthers(ctx context.Context, conn *sql.Conn, run Run) error {
	for _, text := range []string{"PRAGMA temp_store = MEMORY", "PRAGMA query_only = OFF"} {
		if _, err := conn.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, "CREATE TEMP TABLE searches AS SELECT * FROM main.searches WHERE id = ?",
		run.owned.search)
	if err == nil {
		_, err = conn.ExecContext(ctx, "UPDATE temp.searches SET name = ?, ending_id = ?", run.Name, run.ID)
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "CREATE TEMP TABLE endings AS SELECT * FROM main.endings WHERE id = ?", run.ID)
	}
	for _, text := range statements() {
		if view, found := strings.CutPrefix(text, "CREATE VIEW "); found && err == nil {
			_, err = conn.ExecContext(ctx, "CREATE TEMP VIEW "+view)
		}
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "PRAGMA query_only = ON")
	}
	return err
}
