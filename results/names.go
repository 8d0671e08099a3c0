package results

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tune2048/configs"
)

// Relation is a table or a view of the database with the names of its columns.
type Relation struct {
	Name    string
	Columns []string
}

// Relations returns the tables and views, those that people ask for most first: views.
func (r *Reader) Relations(ctx context.Context) ([]Relation, error) {
	return readAll(ctx, r, "tables", func(rows *sql.Rows) (one Relation, err error) {
		columns := ""
		err = rows.Scan(&one.Name, &columns)
		one.Columns = strings.Split(columns, ",")
		return one, err
	}, `SELECT m.name, group_concat(c.name) FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
		WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\' GROUP BY m.name ORDER BY m.type = 'table', m.name`)
}

var unknownName = regexp.MustCompile(`no such (?:column|table): (?:\w+\.)?(\w+)$`)

// meant adds the nearest name of a table or column to the error of a statement that has an unknown
// one.
func (r *Reader) meant(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	unknown := unknownName.FindStringSubmatch(err.Error())
	if unknown == nil {
		return err
	}
	all, failed := r.Relations(ctx)
	if failed != nil {
		return err
	}
	var names []string
	for _, one := range all {
		names = append(append(names, one.Name), one.Columns...)
	}
	slices.Sort(names)
	return fmt.Errorf("%w%s", err, configs.DidYouMean(unknown[1], slices.Compact(names)))
}
