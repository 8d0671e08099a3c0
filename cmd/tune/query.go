package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

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
	schema := f.Bool("schema", false, "print the tables and views, with what each column means; "+
		"or of one, -schema games, or all -schema views")
	own := f.String("sql", "", "run this SQL `STATEMENT` instead of a shipped query, or the one in a file NAME.sql, or "+
		"with - "+
		"the one on stdin; it cannot change anything")
	arguments, err := in.parse(f, 3)
	if err != nil {
		return err
	}
	switch {
	case *schema && (len(arguments) > 1 || given(f, "sql")):
		return usagef("query: want -schema alone, or with the name of one table or view, or tables or views")
	case *schema: // the same of every database
		text := results.Schema()
		if len(arguments) == 1 {
			text = results.SchemaOf(arguments[0])
			if text == "" {
				return usagef("query: -schema: there is no table or view %q%s (want one of %s; or tables, or views)", arguments[0],
					config.DidYouMean(arguments[0], results.SchemaNames()), strings.Join(results.SchemaNames(), ", "))
			}
		}
		_, err := fmt.Fprint(in.stdout, text)
		return err
	case *asJSON && *asCSV:
		return usagef("query: want -json or -csv, not both")
	case len(arguments) == 0 && !given(f, "sql"):
		for _, q := range results.NamedQueries() {
			printLine(in.stdout, q.Name, q.Summary())
		}
		printLine(in.stdout, differenceName, differenceSummary)
		_, err := fmt.Fprintln(in.stdout, "more on each: tune help query")
		return err
	}
	shipped := append(queryNames(), differenceName)
	if len(arguments) > 0 && given(f, "sql") && slices.Contains(shipped, arguments[0]) {
		return usagef("query: want the shipped query %s or -sql, not both", arguments[0])
	}
	form := answerForm{*asJSON, *asCSV, *wide}
	if len(arguments) > 0 && arguments[0] == differenceName && !given(f, "sql") {
		return in.difference(ctx, arguments[1:], form)
	}
	asked := results.NamedQuery{Name: "the statement"}
	if given(f, "sql") {
		asked.SQL, err = ownStatement(*own)
	} else {
		asked, err = queryNamed(arguments[0])
		arguments = arguments[1:]
	}
	if err == nil && len(arguments) > 1 {
		asker := asked.Name
		if given(f, "sql") {
			asker = "-sql"
		}
		err = usagef("query: unexpected argument %q: %s takes one RUN", arguments[1], asker)
	}
	if err != nil {
		return err
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	if err := in.renewFigures(ctx, reader, arguments); err != nil {
		return err
	}
	of, answer := "", func(reader *results.Reader) error {
		return in.answer(ctx, form, func(columns func([]string) error, row func([]any) error) error {
			return reader.Query(ctx, asked.SQL, columns, row)
		})
	}
	if len(arguments) == 0 {
		err = answer(reader)
	} else if run, unknown := reader.Find(ctx, arguments[0]); unknown != nil {
		err = unknown
	} else {
		of = fmt.Sprintf(" of run %s (%s)", run.Name, run.State())
		err = reader.Alone(ctx, run, answer)
	}
	if errors.Is(err, errNoRows) {
		why := asked.Empty()
		if why != "" {
			why = ": " + why
		}
		fmt.Fprintf(in.stderr, "%s has no rows%s%s\n", asked.Name, of, why)
		return nil
	}
	return err
}

// ownStatement returns the statement that -sql means.
func ownStatement(text string) (string, error) {
	switch {
	case text == "-":
		read, err := io.ReadAll(os.Stdin)
		if err != nil {
			return "", fmt.Errorf("query: -sql -: %w", err)
		}
		text = string(read)
	case strings.HasSuffix(text, ".sql"):
		read, err := os.ReadFile(text)
		if err != nil {
			return "", usagef("query: -sql: %w", err)
		}
		text = string(read)
	}
	all := results.Statements(text)
	switch name := strings.TrimSpace(text); {
	case slices.Contains(append(queryNames(), differenceName), name):
		return "", usagef("query: -sql: want SQL; %s is a shipped query: tune query %[1]s", name)
	case isTable(name):
		return "", usagef("query: -sql: want SQL, such as -sql 'select * from %s'", name)
	case len(all) != 1:
		return "", usagef("query: -sql: want one statement, got %d", len(all))
	}
	return all[0], nil
}

// queryNamed returns the shipped query of that name.
func queryNamed(name string) (results.NamedQuery, error) {
	all := results.NamedQueries()
	i := slices.IndexFunc(all, func(q results.NamedQuery) bool { return q.Name == name })
	if i < 0 && isTable(name) {
		return results.NamedQuery{}, usagef("query: %s is a table or a view: -sql 'select * from %[1]s'", name)
	}
	if i < 0 {
		return results.NamedQuery{}, usagef("query: there is no query %q%s (tune query lists them; -sql takes one of your "+
			"own)", name,
			config.DidYouMean(name, append(queryNames(), differenceName)))
	}
	return all[i], nil
}

// isTable reports whether the database has a table or a view of that name.
func isTable(name string) bool {
	for _, m := range regexp.MustCompile(`(?m)^CREATE (?:TABLE|VIEW) (\w+)`).FindAllStringSubmatch(results.Schema(), -1) {
		if strings.EqualFold(m[1], name) {
			return true
		}
	}
	return false
}

func queryNames() (names []string) {
	for _, q := range results.NamedQueries() {
		names = append(names, q.Name)
	}
	return names
}

// errNoRows says that a statement found nothing. What a program reads is written all the same: an
// empty array, and the names of the columns.
var errNoRows = errors.New("no rows")

// answerForm is how rows are printed: as a table unless a flag says otherwise.
type answerForm struct{ asJSON, asCSV, wide bool }

// answer prints rows.
func (in *invocation) answer(ctx context.Context, form answerForm, found results.Rows) error {
	none := errNoRows
	rows := func(columns func([]string) error, row func([]any) error) error {
		return found(columns, func(values []any) error {
			none = nil
			return row(values)
		})
	}
	if form.asJSON {
		err := results.JSON(in.stdout, rows)
		return cmp.Or(err, none)
	}
	if form.asCSV {
		err := results.CSV(in.data, rows, terminal(in.data) != nil)
		return cmp.Or(err, none)
	}
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
	if ctx.Err() != nil || none != nil { // a statement that fails before its first row has no table
		return cmp.Or(err, none)
	}
	return errors.Join(err, in.printTable(table, form.wide))
}

// The query difference compares configs, of which SQL knows the text alone.
const (
	differenceName    = "difference"
	differenceSummary = "What two runs were asked differently: their configs, key by key. It needs the names of both. A " +
		"key that a config " +
		"lacks has no value there."
)

// difference prints the keys in which the configs of two runs differ.
func (in *invocation) difference(ctx context.Context, names []string, form answerForm) error {
	if len(names) != 2 {
		return usagef("query: difference: want the names of two runs: tune query difference A B")
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	var runs [2]results.Run
	for i, name := range names {
		run, err := reader.Find(ctx, name)
		if err != nil {
			return err
		}
		names[i], runs[i] = run.Name, run
	}
	differences, err := config.DifferencesOf([]byte(runs[0].ConfigYAML), []byte(runs[1].ConfigYAML))
	if err != nil {
		return fmt.Errorf("query: difference: the configs of %s and %s cannot be read: %w", names[0], names[1], err)
	}
	differences = byTime(differences, runs)
	err = in.answer(ctx, form, func(columns func([]string) error, row func([]any) error) error {
		err := columns([]string{"key", names[0], names[1]})
		for _, d := range differences {
			err = cmp.Or(err, row([]any{d.Key, d.Was, d.Now}))
		}
		return err
	})
	if errors.Is(err, errNoRows) {
		fmt.Fprintf(in.stderr, "difference has no rows: %s and %s have the same config\n", names[0], names[1])
		return nil
	}
	return err
}

// byTime puts one row in the place of the length of the last stage, where the clock of -for was to
// end it: such a config has lengths that nobody wrote.
func byTime(differences []config.Difference, runs [2]results.Run) []config.Difference {
	stage, texts := "", [2]string{}
	for i, run := range runs {
		if c, err := run.Config(); err == nil && c.IsEndless() {
			stage, texts[i] = fmt.Sprintf("stages[%d]", len(c.Stages)-1), "no end but that of -for"
			if run.StoppedAfter > 0 {
				texts[i] = "ended by -for after " + report.Count(run.StoppedAfter, "generation")
			}
		}
	}
	if stage == "" {
		return differences
	}
	lengths := [2][]string{}
	differences = slices.DeleteFunc(differences, func(d config.Difference) bool {
		key, inStage := strings.CutPrefix(d.Key, stage+".")
		isLength := inStage && (key == "generations" || key == "max_games" || key == "patience")
		if isLength {
			lengths[0], lengths[1] = append(lengths[0], key+": "+d.Was), append(lengths[1], key+": "+d.Now)
		}
		return isLength
	})
	for i := range texts {
		if texts[i] == "" {
			texts[i] = strings.Join(lengths[i], ", ")
		}
	}
	if texts[0] != texts[1] {
		differences = append(differences, config.Difference{Key: stage, Was: texts[0], Now: texts[1]})
	}
	return differences
}

// renewFigures has the figures of killed runs written, which the views show. It says how many games
// they lag where the file may not be written, or where that takes long, and of runs that go on. The
// names are of the run that is asked about: there are none if it is not said.
func (in *invocation) renewFigures(ctx context.Context, reader *results.Reader, names []string) error {
	behind, err := reader.Behind(ctx)
	if err != nil || len(behind) == 0 {
		return err
	}
	for _, run := range behind {
		if run.Alive && (len(names) == 0 || run.Name == names[0]) {
			fmt.Fprintf(in.stderr, "the views lag %s games of %s: it goes on, and its figures are written once a minute at "+
				"most\n",
				report.Grouped(run.Games), cell(run.Name))
		}
	}
	behind = unattended(behind)
	if len(behind) == 0 {
		return nil
	}
	why := "the figures of so long a tuning are ranked when its run goes on"
	err = in.write(func(store *results.Store) error { return store.Renew(ctx, behind) })
	if err != nil {
		why = fmt.Sprintf("the process was killed, and the figures cannot be written here: %v", err)
	} else {
		behind, err = reader.Behind(ctx)
		if err != nil {
			return err
		}
	}
	for _, run := range unattended(behind) {
		if run.Games != 0 {
			fmt.Fprintf(in.stderr, "the views lag %s games of %s: %s\n", report.Grouped(run.Games), cell(run.Name), why)
		}
	}
	return ctx.Err()
}

// unattended returns the runs that nobody works on.
func unattended(runs []results.Run) []results.Run {
	return slices.DeleteFunc(slices.Clone(runs), func(run results.Run) bool { return run.Alive })
}
