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

// relation is a table or a view of the database with the names of its columns.
type relation struct {
	name    string
	columns []string
}

var unknownName = regexp.MustCompile(`no such (column|table): (?:\w+\.)?(\w+)$`)

// meant adds to the error of a statement that has an unknown name: the tables that have such a
// column, or the nearest name.
func (r *Reader) meant(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	unknown := unknownName.FindStringSubmatch(err.Error())
	if unknown == nil {
		return err
	}
	all, failed := readAll(ctx, r, "tables", func(rows *sql.Rows) (one relation, err error) {
		columns := ""
		err = rows.Scan(&one.name, &columns)
		one.columns = strings.Split(columns, ",")
		return one, err
	}, `SELECT m.name, group_concat(c.name) FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
		WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\' GROUP BY m.name ORDER BY m.type = 'table', m.name`)
	if failed != nil {
		return err
	}
	kind, name := unknown[1], unknown[2]
	var names, have []string
	for _, one := range all {
		switch {
		case kind == "table":
			names = append(names, one.name)
		case slices.Contains(one.columns, name):
			have = append(have, one.name)
		default:
			names = append(names, one.columns...)
		}
	}
	if len(have) > 0 {
		return fmt.Errorf("%w; %s is a column of %s", err, name, strings.Join(have, ", "))
	}
	slices.Sort(names)
	return fmt.Errorf("%w%s", err, configs.DidYouMean(name, slices.Compact(names)))
}
