// Package dashboard serves the runs of a database, live and read-only: the list of runs, the report
// of each as a page and as JSON, and an SQL box. However many pages are open, a run beside it loses
// at most about a hundredth of a processor. In the process of a run there is no SQL box: a question
// could take memory that the run needs.
//
// Read it in this order:
//
//  1. dashboard.go: the addresses and their answers.
//  2. cache.go: how one reading of the database serves all who ask, and how often it is made again.
//  3. listing.go, pages.go, replays.go, query.go: the list of runs, reports, replays of games, the
//     SQL box.
//  4. guard.go: which requests are answered. listen.go: at which address.
package dashboard

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"tune2048/results"
	"tune2048/results/report"
)

// Options are how a database is served.
type Options struct {
	Address string       // host:port. Without a token only requests for it are answered; empty: all
	Token   string       // that each request must have; empty: none
	Serve   string       // beside a run the command that serves the SQL box; empty: it is here
	Warn    func(string) // receives the mistakes of the program that a request ran into; may be nil
}

// Dashboard is the handler of a database's pages.
type Dashboard struct {
	database string
	options  Options
	handler  http.Handler

	cache
	source  source
	playing chan struct{} // one replay at a time
	holding chan struct{} // a few answers to SQL

	// Tests replace them.
	build func(context.Context, *results.Reader, results.Run) (report.Report, error)
	play  func(context.Context, *results.Reader, results.Run, int64) (report.Record, error)
}

// New returns the handler of a database. The first request opens the file, and the next one after
// the file was replaced opens it again. While the file is missing or damaged, each page says so.
// Call Close in the end.
func New(database string, options Options) *Dashboard {
	d := &Dashboard{
		database: database, options: options, cache: cache{now: time.Now, all: map[string]*entry{}}, playing: make(chan struct{}, 1), holding: make(chan struct{}, mostHeld),
		build: report.Build, play: report.Play,
	}
	mux := http.NewServeMux()
	for at, answer := range map[string]func(http.ResponseWriter, *http.Request) error{
		"/{$}":                       d.showList,
		"/runs":                      d.showChosen,
		"/runs/{run}":                d.showRun,
		"/runs/{run}/report.json":    d.showData,
		"/runs/{run}/replays/{file}": d.showReplay,
		"/query":                     d.held(d.showQuery),
		"/query.csv":                 d.held(d.download("query.csv", "text/csv; charset=utf-8", results.CSV)),
		"/query.json":                d.held(d.download("query.json", "application/json", results.JSON)),
		"/assets/{file}":             showAsset,
		"/":                          func(http.ResponseWriter, *http.Request) error { return errNoPage },
	} {
		mux.HandleFunc(at, func(w http.ResponseWriter, r *http.Request) {
			if err := answer(w, r); err != nil {
				d.fail(w, r, err)
			}
		})
	}
	d.handler = d.guard(mux)
	return d
}

// ServeHTTP answers a request.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// Close closes the database.
func (d *Dashboard) Close() error { return d.source.close() }

//go:embed *.html assets
var files embed.FS

var ownAssets, _ = fs.Sub(files, "assets")

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"path": url.PathEscape, "grouped": report.Grouped, "duration": report.Duration,
	"percent": func(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) },
}).ParseFS(files, "*.html"))

// refusal is an error that is answered with a status of its own.
type refusal struct {
	status int
	error
}

var errNoPage = refusal{http.StatusNotFound, errors.New("there is no such page")}

// statusOf returns the status that an error is answered with. Most are errors of the database.
func statusOf(err error) int {
	var refused refusal
	switch {
	case err == nil:
		return http.StatusOK
	case errors.As(err, &refused):
		return refused.status
	case errors.Is(err, results.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, results.ErrLarge):
		return http.StatusBadRequest
	}
	return http.StatusServiceUnavailable
}

// fail answers that something is not there or went wrong, in HTML to who asked for a page.
func (d *Dashboard) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody is there to read it
	}
	status := statusOf(err)
	if strings.HasSuffix(r.URL.Path, ".json") || strings.HasSuffix(r.URL.Path, ".csv") {
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	templates.ExecuteTemplate(w, "error.html", map[string]any{"Title": http.StatusText(status), "Text": err.Error()})
}

// assetKinds are the kinds of files that pages link to, by their ending.
var assetKinds = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

// showAsset answers with a file that pages link to.
func showAsset(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("file")
	kind := assetKinds[path.Ext(name)]
	for _, folder := range []fs.FS{report.Assets, ownAssets} {
		if text, err := fs.ReadFile(folder, name); err == nil && kind != "" {
			return newDocument(kind, text).serve(w, r)
		}
	}
	return errNoPage
}
