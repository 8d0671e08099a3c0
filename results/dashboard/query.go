package dashboard

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"tune2048/results"
)

// shownRows is the number of rows of an answer on a page. A file has up to results.AskRows.
const shownRows = 1000

// example stands in an empty SQL box.
const example = "SELECT run, search, mean_score, ci_low, ci_high, games\nFROM champions\nORDER BY mean_score DESC"

// cell is a value in the table of an answer.
type cell struct {
	Text     string
	IsNumber bool
}

// answer is the text for a request. It takes at most [results.AskBytes].
type answer []byte

func (a *answer) Write(p []byte) (int, error) {
	if len(*a)+len(p) > results.AskBytes {
		return 0, results.ErrLarge
	}
	*a = append(*a, p...)
	return len(p), nil
}

// mostHeld is the number of answers that wait at once until those who asked have read them.
const mostHeld = 8

// held lets mostHeld requests in at a time, as each holds an answer in memory.
func (d *Dashboard) held(show func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		select {
		case d.holding <- struct{}{}:
			defer func() { <-d.holding }()
			return show(w, r)
		default:
			return results.ErrAsking
		}
	}
}

// ask hands over the rows that the SQL of a request selects, see [results.Reader.Ask].
func (d *Dashboard) ask(r *http.Request, limit int, columns func([]string) error, row func([]any) error) (cut string, err error) {
	if d.options.Serve != "" {
		return "", refusal{http.StatusNotFound, errors.New("pages beside a run answer no SQL; start a server of its own in a second terminal: " + d.options.Serve)}
	}
	if err := fromElsewhere(r); err != nil {
		return "", err
	}
	list, err := d.listed(r.Context())
	if err != nil {
		return "", err
	}
	cut, err = list.reader.Ask(r.Context(), r.URL.Query().Get("sql"), limit, columns, row)
	if err != nil && !errors.Is(err, results.ErrAsking) {
		err = refusal{http.StatusBadRequest, err}
	}
	return cut, err
}

// showQuery answers with the SQL box: ?sql= is answered, ?show= a shipped query that is to be put
// into the box.
func (d *Dashboard) showQuery(w http.ResponseWriter, r *http.Request) error {
	asked, queries := r.URL.Query(), results.NamedQueries()
	page := map[string]any{"SQL": asked.Get("sql"), "Queries": queries, "Shown": int64(shownRows), "Most": int64(results.AskRows), "Serve": d.options.Serve}
	if !asked.Has("sql") {
		page["SQL"] = example
	}
	if list, err := d.listed(r.Context()); err == nil && d.options.Serve == "" {
		page["Relations"], _ = list.reader.Relations(r.Context()) // the page is of use without them
	}
	for _, q := range queries {
		if q.Name == asked.Get("show") {
			page["SQL"] = q.SQL
		}
	}
	status := http.StatusOK
	if asked.Has("sql") {
		var columns []string
		var rows [][]cell
		size := 0
		cut, err := d.ask(r, shownRows, func(names []string) error {
			columns = names
			return nil
		}, func(row []any) error {
			cells := cellsOf(row)
			for _, c := range cells {
				size += len(c.Text)
			}
			if size > results.AskBytes {
				return results.ErrLarge
			}
			rows = append(rows, cells)
			return nil
		})
		if status = statusOf(err); err != nil {
			page["Error"] = err.Error()
		} else {
			page["Columns"], page["Rows"], page["Cut"] = columns, rows, cut
		}
	}
	var b answer
	if err := templates.ExecuteTemplate(&b, "query.html", page); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b)
	return nil
}

func cellsOf(row []any) (cells []cell) {
	for i, text := range results.Cells(row) {
		switch row[i].(type) {
		case int64, float64:
			cells = append(cells, cell{text, true})
		default:
			cells = append(cells, cell{results.Escape(text, "\n\t"), false})
		}
	}
	return cells
}

// download answers ?sql= with a file of that name and kind. The name says if rows are missing.
func (d *Dashboard) download(name, kind string, write func(io.Writer, results.Rows) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		var b answer
		cut := ""
		err := write(&b, func(columns func([]string) error, row func([]any) error) (err error) {
			cut, err = d.ask(r, results.AskRows, columns, row)
			return err
		})
		if err != nil {
			return err
		}
		file := name
		if cut != "" {
			file = strings.Replace(name, ".", fmt.Sprintf("-first-%d-rows.", results.AskRows), 1)
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`)
		w.Write(b)
		return nil
	}
}
