package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tune2048/configs/config"
	"tune2048/results"
	"tune2048/results/report"
)

// query answers a shipped query, or the user's own, from the database.
func query(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	asJSON := f.Bool("json", false, "print a JSON array of objects")
	asCSV := f.Bool("csv", false, "print comma-separated values")
	wide := f.Bool("wide", false, "print all columns, however wide they are together")
	schema := f.Bool("schema", false, "print the tables and views, with what each column means")
	own := f.String("sql", "", "run this SQL `STATEMENT` instead of a shipped query; it cannot change anything")
	name, err := in.parseName(f)
	if err != nil {
		return err
	}
	statement, queries := *own, results.NamedQueries()
	switch {
	case *schema && (name != "" || given(f, "sql")):
		return usagef("query: want -schema alone")
	case *schema: // the same of every database
		_, err := fmt.Fprint(in.stdout, results.Schema())
		return err
	case *asJSON && *asCSV:
		return usagef("query: want -json or -csv, not both")
	case given(f, "sql") && name != "":
		return usagef("query: want a NAME or -sql, not both")
	case given(f, "sql"):
		all := results.Statements(statement)
		if len(all) != 1 {
			return usagef("query: -sql: want one statement, got %d", len(all))
		}
		statement = all[0]
	case name == "":
		for _, q := range queries {
			printLine(in.stdout, q.Name, q.Summary())
		}
		_, err := fmt.Fprintln(in.stdout, "more on each: tune help query")
		return err
	default:
		i := slices.Index(queryNames(), name)
		if i < 0 {
			return usagef("query: there is no query %q%s (tune query lists them; -sql takes one of your own)", name,
				config.DidYouMean(name, queryNames()))
		}
		statement = queries[i].SQL
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	if err := in.renewFigures(ctx, reader); err != nil {
		return err
	}
	rows := func(columns func([]string) error, row func([]any) error) error {
		return reader.Query(ctx, statement, columns, row)
	}
	switch {
	case *asJSON:
		return results.JSON(in.stdout, rows)
	case *asCSV:
		return results.CSV(in.data, rows, terminal(in.data) != nil)
	default:
		var table report.Table
		err := rows(func(columns []string) error {
			for _, name := range columns {
				table.Columns = append(table.Columns, report.Column{Name: name, Number: true})
			}
			return nil
		}, func(row []any) error {
			for k, value := range row {
				if _, isText := value.(string); isText {
					table.Columns[k].Number = false
				}
			}
			table.Rows = append(table.Rows, results.Cells(row))
			return nil
		})
		if ctx.Err() != nil {
			return err
		}
		return errors.Join(err, in.printTable(table, *wide))
	}
}

// renewFigures has the figures of killed runs written, which the views show. Where the file may not
// be written, it says how many games they lag.
func (in *invocation) renewFigures(ctx context.Context, reader *results.Reader) error {
	behind, err := reader.Behind(ctx)
	if err != nil || len(behind) == 0 {
		return err
	}
	err = in.write(func(store *results.Store) error { return store.Renew(ctx, behind) })
	for _, run := range behind {
		if err != nil {
			fmt.Fprintf(in.stderr, "the views lag %s games of %s: the process was killed, and the figures cannot be written here: %v\n",
				report.Grouped(run.Games), cell(run.Name), err)
		}
	}
	return ctx.Err()
}

func queryNames() (names []string) {
	for _, q := range results.NamedQueries() {
		names = append(names, q.Name)
	}
	return names
}
