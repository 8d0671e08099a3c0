package results

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"slices"
	"strings"
)

// Alone lets do ask the views as if an ending were the only one in the database, whether its run
// shows it or not. Tables other than searches, endings and standings keep all rows: views find
// theirs by the first two.
func (r *Reader) Alone(ctx context.Context, run Run, do func(alone *Reader) error) error {
	const operation = "read one run of"
	made, err := r.figuresBefore(ctx, run)
	if err != nil {
		return explain(operation, r.path, err)
	}
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return explain(operation, r.path, err)
	}
	// What is temporary goes with the connection.
	defer conn.Raw(func(any) error { return driver.ErrBadConn })
	if err := hideOthers(ctx, conn, run, made); err != nil {
		return explain(operation, r.path, err)
	}
	return do(&Reader{r.path, r.absolute, r.db, conn})
}

// figuresBefore makes the figures of an ending whose search went on behind it, so that the table
// standings ranks candidates of the longer tuning. It returns nil for another ending.
func (r *Reader) figuresBefore(ctx context.Context, run Run) (*figures, error) {
	longer := false
	err := r.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM asked WHERE owner_id = ? AND number >= ?)",
		run.owned.search, run.owned.questions).Scan(&longer)
	if err != nil || !longer || run.owned.search == 0 {
		return nil, err
	}
	run.Look = allLooks
	var made figures
	err = r.Moment(ctx, func(now *Reader) (err error) {
		made, err = now.figures(ctx, run, true)
		return err
	})
	made.owned = run.owned
	return &made, err
}

// hideOthers puts temporary tables with the rows of one ending before the tables searches and
// endings, and the schema's views of them before the views. The figures, if there are any, stand
// before the table standings. The connection changes nothing else: a
// name without a schema is a temporary one first.
func hideOthers(ctx context.Context, conn *sql.Conn, run Run, made *figures) error {
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
		view, found := strings.CutPrefix(text, "CREATE VIEW ")
		if found && err == nil {
			_, err = conn.ExecContext(ctx, "CREATE TEMP VIEW "+view)
		}
		table, found := strings.CutPrefix(text, "CREATE TABLE standings ")
		if found && made != nil && err == nil {
			_, err = conn.ExecContext(ctx, "CREATE TEMP TABLE standings "+table)
		}
	}
	if err == nil && made != nil {
		err = writeStandings(ctx, conn, *made)
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "PRAGMA query_only = ON")
	}
	return err
}

// writeStandings writes figures into the temporary table standings.
func writeStandings(ctx context.Context, conn *sql.Conn, made figures) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	i := slices.IndexFunc(figureTables, func(f figureTable) bool { return f.name == "standings" })
	return cmp.Or(figureTables[i].write(ctx, tx, made), tx.Commit())
}
