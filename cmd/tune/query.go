package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"tune2048/configs"
	"tune2048/results"
)

// query answers a shipped query, or the user's own, from the database.
func query(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	asJSON := f.Bool("json", false, "print a JSON array of objects")
	asCSV := f.Bool("csv", false, "print comma-separated values")
	show := f.Bool("show", false, "print the query itself, for another SQL client")
	schema := f.Bool("schema", in.command.name == "schema", "print the tables and views, with what each column means")
	own := f.String("sql", "", "run this SQL `STATEMENT` instead of a shipped query; it cannot change anything")
	arguments, err := in.parse(f)
	if err == nil && len(arguments) > 1 {
		err = usagef("query: want one NAME at most, got %d", len(arguments))
	}
	if err != nil {
		return err
	}
	statement := *own
	switch {
	case *schema && (len(arguments) > 0 || given(f, "sql")):
		return usagef("query: want -schema alone")
	case *schema: // the same of every database
		_, err := fmt.Fprint(in.stdout, results.Schema())
		return err
	case *asJSON && *asCSV:
		return usagef("query: want -json or -csv, not both")
	case given(f, "sql") && len(arguments) > 0:
		return usagef("query: want a NAME or -sql, not both")
	case given(f, "sql"):
		all := results.Statements(statement)
		if len(all) != 1 {
			return usagef("query: -sql: want one statement, got %d", len(all))
		}
		statement = all[0]
	case len(arguments) == 0:
		return in.listQueries()
	default:
		if statement, err = namedQuery(arguments[0]); err != nil {
			return err
		}
	}
	if *show {
		_, err := fmt.Fprint(in.stdout, statement)
		return err
	}
	reader, err := results.OpenReader(in.database)
	if err != nil {
		return err
	}
	defer reader.Close()
	rows := func(columns func([]string) error, row func([]any) error) error {
		return reader.Query(ctx, statement, columns, row)
	}
	switch {
	case *asJSON:
		return results.JSON(in.stdout, rows)
	case *asCSV:
		return results.CSV(in.data, rows)
	default:
		table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
		line := func(cells []string) error {
			for i := range cells {
				cells[i] = cell(cells[i])
			}
			_, err := fmt.Fprintln(table, strings.Join(cells, "\t"))
			return err
		}
		err := rows(line, func(row []any) error { return line(results.Cells(row)) })
		return errors.Join(err, table.Flush())
	}
}

func (in *invocation) listQueries() error {
	table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
	for _, q := range results.NamedQueries() {
		fmt.Fprintf(table, "%s\t%s\n", q.Name, q.Summary())
	}
	return table.Flush()
}

func queryNames() (names []string) {
	for _, q := range results.NamedQueries() {
		names = append(names, q.Name)
	}
	return names
}

func namedQuery(name string) (string, error) {
	for _, q := range results.NamedQueries() {
		if q.Name == name {
			return q.SQL, nil
		}
	}
	names := queryNames()
	if near := configs.Nearest(name, names); near != "" {
		return "", usagef("query: there is no query %q; did you mean %s? (tune query lists them)", name, near)
	}
	return "", usagef("query: there is no query %q; there are %s; or give one of your own with -sql", name, strings.Join(names, ", "))
}
