package dashboard

import (
	"bytes"
	"encoding/csv"
	"errors"
	"net/http"

	"tune2048/results"
)

// shownRows is how many rows of an answer a page has; a file has up to results.AskRows.
const shownRows = 1000

// cell is a value in the table of an answer.
type cell struct {
	Text     string
	IsNumber bool
}

// ask answers the SQL of a request. If that went wrong it says so and returns false.
func (d *Dashboard) ask(w http.ResponseWriter, r *http.Request, rows int) (answer results.Answer, status int, err error) {
	if d.options.Serve != "" {
		return answer, http.StatusNotFound, errors.New("pages beside a run answer no SQL; start a server of its own in a second terminal: " + d.options.Serve)
	}
	list, err := d.listed(r.Context())
	if err != nil {
		return answer, http.StatusServiceUnavailable, err
	}
	answer, err = list.reader.Ask(r.Context(), r.URL.Query().Get("sql"), rows)
	switch {
	case errors.Is(err, results.ErrAsking):
		return answer, http.StatusServiceUnavailable, err
	case err != nil:
		return answer, http.StatusBadRequest, err
	}
	return answer, http.StatusOK, nil
}

// showQuery answers with the SQL box: ?sql= is answered, ?show= a shipped query that is to be put
// into the box.
func (d *Dashboard) showQuery(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	page := map[string]any{"SQL": asked.Get("sql"), "Queries": results.NamedQueries(), "Shown": int64(shownRows), "Most": int64(results.AskRows), "Time": results.AskTime,
		"Values": results.AskBytes >> 20, "Serve": d.options.Serve}
	status := http.StatusOK
	for _, q := range results.NamedQueries() {
		if q.Name == asked.Get("show") {
			page["SQL"] = q.SQL
		}
	}
	if asked.Has("sql") {
		if d.fromElsewhere(w, r) {
			return
		}
		answer, code, err := d.ask(w, r, shownRows)
		status = code
		if err != nil {
			page["Error"] = err.Error()
		} else {
			cells := make([][]cell, len(answer.Rows))
			for i, row := range answer.Rows {
				for k, text := range results.Cells(row) {
					switch row[k].(type) {
					case int64, float64:
						cells[i] = append(cells[i], cell{text, true})
					default:
						cells[i] = append(cells[i], cell{results.Escape(text, "\n\t"), false})
					}
				}
			}
			page["Answer"], page["Rows"] = answer, cells
		}
	}
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, "query.html", page); err != nil {
		d.fail(w, r, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	b.WriteTo(w)
}

// queryCSV answers ?sql= as a file for a spreadsheet.
func (d *Dashboard) queryCSV(w http.ResponseWriter, r *http.Request) {
	d.download(w, r, "text/csv; charset=utf-8", "query.csv", func(b *bytes.Buffer, answer results.Answer) error {
		c := csv.NewWriter(b)
		c.Write(results.Harmless(answer.Columns))
		for _, row := range answer.Rows {
			c.Write(results.CSVCells(row))
		}
		c.Flush()
		return c.Error()
	})
}

// queryJSON answers ?sql= as a JSON array of objects.
func (d *Dashboard) queryJSON(w http.ResponseWriter, r *http.Request) {
	d.download(w, r, "application/json", "query.json", func(b *bytes.Buffer, answer results.Answer) error {
		b.WriteString("[")
		for i, row := range answer.Rows {
			if i > 0 {
				b.WriteString(",")
			}
			object, err := results.JSONRow(answer.Columns, row)
			if err != nil {
				return err
			}
			b.WriteString("\n")
			b.Write(object)
		}
		b.WriteString("\n]\n")
		return nil
	})
}

func (d *Dashboard) download(w http.ResponseWriter, r *http.Request, kind, name string, write func(*bytes.Buffer, results.Answer) error) {
	if d.fromElsewhere(w, r) {
		return
	}
	answer, status, err := d.ask(w, r, results.AskRows)
	if err != nil {
		d.fail(w, r, status, err)
		return
	}
	var b bytes.Buffer
	if err := write(&b, answer); err != nil {
		d.fail(w, r, http.StatusBadRequest, err)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	b.WriteTo(w)
}
