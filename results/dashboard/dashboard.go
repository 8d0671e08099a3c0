// Package dashboard serves what a database says of its runs, live and read-only: the list of runs, the report of each, an SQL box,
// and each chart's data as JSON. It changes nothing, and costs a run that goes on beside it little however many pages are open.
// In the process of a run there is no SQL box: a question could take memory that the run needs.
//
// Read it in this order:
//
//  1. dashboard.go: the addresses and what each answers.
//  2. kept.go: how one reading of the database serves all who ask, and how often it is made anew.
//  3. listing.go, pages.go, replays.go, query.go, move.go: the list of runs, reports, games played again, the SQL box, moves for bots.
//  4. guard.go: who is answered at all. listen.go: on which address.
package dashboard

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"tune2048/results"
	"tune2048/results/report"
)

// Options are how a database is served.
type Options struct {
	Address string       // host:port that it is bound to. Only requests for it are answered, unless there is a token; empty: all are
	Token   string       // that each request must have; empty: none
	Serve   string       // beside a run the command that serves the SQL box; empty: it is here
	Origin  string       // of pages elsewhere that may ask for moves, see [Origin]; empty: none may
	Warn    func(string) // is told of a mistake of the program that a request ran into; may be nil
}

// Dashboard is the handler of a database's pages.
type Dashboard struct {
	database string
	options  Options
	handler  http.Handler

	list    kept[*listing]
	reports shelf[dated]
	pages   shelf[document]
	replays replays
	mover   mover

	// The world outside, other in tests.
	now   func() time.Time
	build func(context.Context, *results.Reader, results.Run) (report.Report, error)
}

// New returns the handler of a database. The file is opened when it is first asked for, and again when it was replaced: while it
// is missing or damaged each page says so. Close it.
func New(database string, options Options) *Dashboard {
	d := &Dashboard{database: database, options: options, now: time.Now, build: report.Build}
	d.reports.size, d.pages.size = 32, 64
	d.replays = newReplays(report.Play)
	d.mover.searching = make(chan struct{}, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", d.showList)
	mux.HandleFunc("/runs", d.showChosen)
	mux.HandleFunc("/runs/{run}", d.showRun)
	mux.HandleFunc("/runs/{run}/{file}", d.showSection)
	mux.HandleFunc("/runs/{run}/replays/{file}", d.showReplay)
	mux.HandleFunc(movePath, d.showMove)
	mux.HandleFunc("/query", d.showQuery)
	mux.HandleFunc("/query.csv", d.queryCSV)
	mux.HandleFunc("/query.json", d.queryJSON)
	mux.Handle("/assets/{file}", newAssets(report.Assets, ownAssets))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		d.fail(w, r, http.StatusNotFound, errors.New("there is no such page"))
	})
	d.handler = d.guard(mux)
	return d
}

// ServeHTTP answers a request.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// Close closes the database.
func (d *Dashboard) Close() error {
	d.list.mutex.Lock()
	defer d.list.mutex.Unlock()
	if list := d.list.value; list != nil && list.reader != nil {
		return list.reader.Close()
	}
	return nil
}

//go:embed *.html assets
var files embed.FS

var ownAssets, _ = fs.Sub(files, "assets")

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"path": url.PathEscape, "grouped": report.Grouped, "duration": report.Duration,
	"percent": func(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) },
}).ParseFS(files, "*.html"))

// fail answers that something is not there or went wrong, in HTML to who asked for a page.
func (d *Dashboard) fail(w http.ResponseWriter, r *http.Request, status int, err error) {
	if r.Context().Err() != nil {
		return // nobody is there to read it
	}
	w.Header().Del("ETag")
	if r.URL.Path == movePath {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]string{"error": err.Error()})
		return
	}
	if !strings.HasSuffix(r.URL.Path, ".json") && !strings.HasSuffix(r.URL.Path, ".csv") {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		templates.ExecuteTemplate(w, "error.html", map[string]any{"Title": http.StatusText(status), "Text": err.Error()})
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, err)
}

// failReading answers with an error of the database.
func (d *Dashboard) failReading(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusServiceUnavailable
	if errors.Is(err, results.ErrNotFound) {
		status = http.StatusNotFound
	}
	d.fail(w, r, status, err)
}

// newAssets serves what pages link to.
func newAssets(folders ...fs.FS) http.Handler {
	var all sync.Map // documents by name: what is embedded does not change
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		kind := map[string]string{"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}[name[strings.LastIndex(name, ".")+1:]]
		var text []byte
		for _, folder := range folders {
			if found, err := fs.ReadFile(folder, name); err == nil {
				text = found
			}
		}
		if text == nil || kind == "" {
			http.Error(w, "there is no such file", http.StatusNotFound)
			return
		}
		found, known := all.Load(name)
		if !known {
			found, _ = all.LoadOrStore(name, newDocument(kind, text))
		}
		found.(document).serve(w, r)
	})
}
