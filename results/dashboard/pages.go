package dashboard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"tune2048/results"
	"tune2048/results/report"
)

// most runs side by side.
const most = 8

// reportPause is the least time between two makings of a report: a page asks as often.
const reportPause = 2 * time.Second

// dated is a report and the state of its run that it was made from.
type dated struct {
	report.Report
	state string
}

// report returns the report of a run, as new as thrift allows.
func (d *Dashboard) report(ctx context.Context, list *listing, run results.Run) (dated, error) {
	state := list.state(run)
	return cached(ctx, &d.cache, fmt.Sprint("report ", list.opened, run.ID), state, reportPause, func(ctx context.Context) (dated, error) {
		made, err := d.build(ctx, list.reader, run)
		return dated{made, state}, err
	})
}

// find returns the run of a name.
func (l *listing) find(ctx context.Context, name string) (results.Run, error) {
	if i := slices.IndexFunc(l.runs, func(run results.Run) bool { return run.Name == name }); i >= 0 {
		return l.runs[i], nil
	}
	return l.reader.Find(ctx, name) // whose error has the nearest right name
}

// reportsOf returns the reports of the runs that a request names: /runs/NAME?with=OTHER.
func (d *Dashboard) reportsOf(r *http.Request) (all []dated, err error) {
	list, err := d.listed(r.Context())
	if err != nil {
		return nil, err
	}
	names := append([]string{r.PathValue("run")}, r.URL.Query()["with"]...)
	for i, name := range names {
		if slices.Contains(names[:i], name) || len(all) == most {
			continue
		}
		run, err := list.find(r.Context(), name)
		if err != nil {
			return nil, err
		}
		one, err := d.report(r.Context(), list, run)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// answer sends a page of the reports that a request names. Pages of the same reports differ in
// their names.
func (d *Dashboard) answer(w http.ResponseWriter, r *http.Request, name, kind string, write func(*bytes.Buffer, []report.Report) error) error {
	all, err := d.reportsOf(r)
	if err != nil {
		return err
	}
	var state strings.Builder
	reports := make([]report.Report, len(all))
	for i, one := range all {
		fmt.Fprintf(&state, "%q", one.state)
		name += fmt.Sprintf("%q", one.Name)
		reports[i] = one.Report
	}
	return d.page(w, r, name, state.String(), kind, func(b *bytes.Buffer) error { return write(b, reports) })
}

// showRun answers with the report of a run, or of several side by side.
func (d *Dashboard) showRun(w http.ResponseWriter, r *http.Request) error {
	return d.answer(w, r, "page", "text/html; charset=utf-8", func(b *bytes.Buffer, reports []report.Report) error {
		return report.Page{Reports: reports, Live: true}.Write(b)
	})
}

// showChosen leads to the page of the runs that were chosen in the list:
// /runs?with=NAME&with=OTHER.
func (d *Dashboard) showChosen(w http.ResponseWriter, r *http.Request) error {
	names := r.URL.Query()["with"]
	to := "/"
	if len(names) > 0 {
		to = "/runs/" + url.PathEscape(names[0])
	}
	if len(names) > 1 {
		to += "?" + url.Values{"with": names[1:]}.Encode()
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// showData answers with the report of a run as JSON.
func (d *Dashboard) showData(w http.ResponseWriter, r *http.Request) error {
	return d.answer(w, r, "data", "application/json", func(b *bytes.Buffer, reports []report.Report) error {
		e := json.NewEncoder(b)
		e.SetIndent("", " ")
		return e.Encode(reports[0])
	})
}
