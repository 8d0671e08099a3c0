package results

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
)

// checkedSize is the largest file that is read through for damage when it is opened for writing, in bytes; reading takes
// about a second for it. Damage in a larger file is found when it is met, or by Reader.CheckFile.
const checkedSize = 256 << 20

// checkWhole reads a file of moderate size through, without its indexes, before anything is added to it.
func checkWhole(ctx context.Context, db *sql.DB, operation, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("results: %s: %w", operation, err)
	}
	if info.Size() > checkedSize {
		return nil
	}
	return check(ctx, db, "PRAGMA quick_check(1)", operation, path)
}

// check runs a pragma that answers ok, or says what is wrong.
func check(ctx context.Context, db *sql.DB, pragma, operation, path string) error {
	var verdict string
	if err := db.QueryRowContext(ctx, pragma).Scan(&verdict); err != nil {
		return explain(operation, path, err)
	}
	if verdict != "ok" {
		return damaged(operation, path, verdict)
	}
	return nil
}

// CheckFile reads the whole file through, indexes included. The error wraps ErrDamaged if something is wrong.
func (r *Reader) CheckFile(ctx context.Context) error {
	return check(ctx, r.db, "PRAGMA integrity_check(1)", "check the file", r.path)
}

// CheckSummaries makes the summaries of a run's evaluations anew, elsewhere, and returns how many rows of those that the views
// read are missing, added or different.
func (r *Reader) CheckSummaries(ctx context.Context, run int64) (differences int, err error) {
	differences, err = r.checkSummaries(ctx, run)
	return differences, explain("check the summaries", r.path, err)
}

func (r *Reader) checkSummaries(ctx context.Context, run int64) (differences int, err error) {
	fresh, err := sql.Open(driverName, ":memory:")
	if err != nil {
		return 0, err
	}
	defer fresh.Close()
	fresh.SetMaxOpenConns(1) // what is in memory or attached belongs to its connection
	if err := migrate(ctx, fresh, nil); err != nil {
		return 0, err
	}
	if _, err := fresh.ExecContext(ctx, "PRAGMA foreign_keys = OFF; ATTACH ? AS stored", location(r.absolute)+"?mode="+readOnly+r.settings); err != nil {
		return 0, err
	}
	tx, err := fresh.BeginTx(ctx, nil) // sees one moment: a run may be recording
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	for _, statement := range []string{
		"INSERT INTO evaluations SELECT * FROM stored.evaluations WHERE run_id = ?",
		summarise,
	} {
		if _, err := tx.ExecContext(ctx, statement, run); err != nil {
			return 0, err
		}
	}
	for _, table := range []string{"blocks", "pools", "generations"} {
		query, err := summaryRows(ctx, tx, table)
		if err != nil {
			return 0, err
		}
		made, stored := fmt.Sprintf(query, "main"), fmt.Sprintf(query, "stored")
		statement := "SELECT (SELECT count(*) FROM (" + made + " EXCEPT " + stored + ")), (SELECT count(*) FROM (" + stored + " EXCEPT " + made + "))"
		var missing, added int
		if err := tx.QueryRowContext(ctx, statement, run).Scan(&missing, &added); err != nil {
			return 0, err
		}
		differences += max(missing, added) // a row that differs is both
	}
	return differences, nil
}

// summaryRows returns the query of what a table of summaries says of run ?1, in the schema %[1]s: with what its ranking says in
// place of the ranking's number, which is as it comes.
func summaryRows(ctx context.Context, q querier, table string) (string, error) {
	var columns string
	if err := q.QueryRowContext(ctx, `SELECT group_concat('t.' || name) FROM pragma_table_info(?)
		WHERE name NOT IN ('ranking_id', 'setting_id')`, table).Scan(&columns); err != nil {
		return "", err
	}
	if table == "blocks" {
		return "SELECT " + columns + " FROM %[1]s.blocks AS t WHERE t.run_id = ?1", nil
	}
	ranking := "k.phase, k.stage, k.search, k.run_order, k.phase_order, k.stage_order, "
	return strings.Join([]string{"SELECT", ranking + columns, "FROM %[1]s." + table, "AS t JOIN %[1]s.rankings AS k ON k.id = t.ranking_id WHERE k.run_id = ?1"}, " "), nil
}
