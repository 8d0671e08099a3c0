// Package dashboard serves the runs of a database, live and read-only: the list of runs, and the
// report of each as a page and as JSON. Each page takes at most a hundredth of a processor from a
// run beside it, however often it is asked for.
//
// Begin in this file: it has the addresses and their answers. kept.go: when an answer is made
// again. guard.go: which requests are answered. listen.go: at which address.
package dashboard

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tune2048/results"
	"tune2048/results/report"
)

// Kinds of content.
const html, data = "text/html; charset=utf-8", "application/json"

// Options are how a database is served.
type Options struct {
	// Address is the host:port that is served. Without a token the dashboard answers only requests
	// for this host or this machine. Empty: it answers all.
	Address string
	Token   string       // that each request must have; empty: none
	Warn    func(string) // receives the mistakes of the program that a request ran into; may be nil
}

// Dashboard is the handler of a database's pages. It opens the file whenever it makes one, so the
// file may be replaced. While the file is missing or damaged, each page says so.
type Dashboard struct {
	database       string
	options        Options
	handler        http.Handler
	pages, replays *shelf
	playing        sync.Mutex // of replays: one at a time, beside a run

	// Tests replace them.
	build func(context.Context, *results.Reader, results.Run) (report.Report, error)
	play  func(context.Context, *results.Reader, results.Run, int64) (report.Record, error)
}

// New returns the handler of a database.
func New(database string, options Options) *Dashboard {
	d := &Dashboard{
		database: database, options: options, pages: newShelf(), replays: newShelf(), play: report.Play,
		build: func(ctx context.Context, reader *results.Reader, run results.Run) (report.Report, error) {
			return report.Build(ctx, reader, run, report.Call{})
		},
	}
	mux := http.NewServeMux()
	for at, show := range map[string]endpoint{
		"/{$}":                       d.showList,
		"/runs/{run}":                d.showReport(html),
		"/runs/{run}/report.json":    d.showReport(data),
		"/runs/{run}/now.json":       d.showStatus,
		"/runs/{run}/replays/{game}": d.showReplay,
		"/assets/{file}":             showAsset,
		"/":                          func(http.ResponseWriter, *http.Request) error { return errNoPage },
	} {
		mux.HandleFunc(at, func(w http.ResponseWriter, r *http.Request) {
			if err := show(w, r); err != nil {
				d.fail(w, r, err)
			}
		})
	}
	d.handler = d.guard(mux)
	return d
}

// ServeHTTP answers a request.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// endpoint answers a request, or returns why it cannot.
type endpoint func(http.ResponseWriter, *http.Request) error

// read reads the file as it is now.
func (d *Dashboard) read(do func(*results.Reader) error) error {
	reader, err := results.OpenReader(d.database)
	if err != nil {
		return err
	}
	defer reader.Close()
	return do(reader)
}

// get returns the kept answer of a name, see [shelf]. It is made to its end even if who asked for
// it leaves.
func (d *Dashboard) get(r *http.Request, name string,
	renew func(ctx context.Context, reader *results.Reader, to io.Writer) error) (answer, error) {
	return d.pages.get(name, func(to io.Writer) error {
		return d.read(func(reader *results.Reader) error { return renew(context.WithoutCancel(r.Context()), reader, to) })
	})
}

// showList answers with the list of runs.
func (d *Dashboard) showList(w http.ResponseWriter, r *http.Request) error {
	list, err := d.get(r, "list", func(ctx context.Context, reader *results.Reader, to io.Writer) error {
		runs, err := reader.Runs(ctx)
		if err != nil {
			return err
		}
		return templates.ExecuteTemplate(to, "list.html", map[string]any{"Title": "Runs", "Root": root(r),
			"Database": d.database, "Runs": runs, "Warning": reader.LargeLog()})
	})
	return send(w, r, html, list, err)
}

// status returns where the run of the address is, as JSON.
func (d *Dashboard) status(r *http.Request) (answer, error) {
	return d.get(r, "now "+r.PathValue("run"), func(ctx context.Context, reader *results.Reader, to io.Writer) error {
		run, err := reader.Find(ctx, r.PathValue("run"))
		if err != nil {
			return err
		}
		status, err := report.StatusOf(ctx, reader, run)
		if err != nil {
			return err
		}
		return write(to, status)
	})
}

func (d *Dashboard) showStatus(w http.ResponseWriter, r *http.Request) error {
	status, err := d.status(r)
	return send(w, r, data, status, err)
}

// showReport answers with the report of the run of the address, as a page or JSON. When the status
// says that the run is in another state, the report is made at once.
func (d *Dashboard) showReport(kind string) endpoint {
	return func(w http.ResponseWriter, r *http.Request) error {
		now, err := d.status(r)
		if err != nil {
			return err
		}
		var status report.Status
		if err := json.Unmarshal(now.body, &status); err != nil {
			return err
		}
		name := kind + " " + status.State + " " + r.PathValue("run")
		made, err := d.get(r, name, func(ctx context.Context, reader *results.Reader, to io.Writer) error {
			run, err := reader.Find(ctx, r.PathValue("run"))
			if err != nil {
				return err
			}
			found, err := d.build(ctx, reader, run)
			if err != nil {
				return err
			}
			if kind == html {
				return report.Page{Report: found, Root: root(r), Warning: reader.LargeLog()}.Write(to)
			}
			return write(to, found)
		})
		return send(w, r, kind, made, err)
	}
}

// write writes a value as JSON.
func write(to io.Writer, value any) error {
	e := json.NewEncoder(to)
	e.SetIndent("", " ")
	return e.Encode(value)
}

// showReplay answers with a stored game, played again while who asked for it waits.
func (d *Dashboard) showReplay(w http.ResponseWriter, r *http.Request) error {
	number, isJSON := strings.CutSuffix(r.PathValue("game"), ".json")
	game, err := strconv.ParseInt(number, 10, 64)
	if !isJSON || err != nil || game < 0 {
		return refusal{http.StatusNotFound, errors.New(
			"a game is at replays/ID.json (the column id of games lists them)")}
	}
	if err := fromElsewhere(r); err != nil {
		return err
	}
	var run results.Run
	if err := d.read(func(reader *results.Reader) (err error) {
		run, err = reader.Find(r.Context(), r.PathValue("run"))
		return err
	}); err != nil {
		return err
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour)) // deep searches take minutes
	name := fmt.Sprint(run.ID, run.Started, run.ConfigHash, game)
	replay, err := d.replays.get(name, func(to io.Writer) error {
		d.playing.Lock()
		defer d.playing.Unlock()
		return d.read(func(reader *results.Reader) error {
			record, err := d.play(r.Context(), reader, run, game)
			if err != nil {
				return err
			}
			return json.NewEncoder(to).Encode(record)
		})
	})
	return send(w, r, data, replay, err)
}

//go:embed *.html assets
var files embed.FS

var ownAssets, _ = fs.Sub(files, "assets")

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"path": url.PathEscape, "grouped": report.Grouped, "duration": report.Duration, "flag": results.DatabaseFlag,
	"percent": report.Percent,
	"linked":  func(name string) bool { return !slices.Contains([]string{"", ".", "..", "/"}, name) },
	"left":    func(run results.Run) time.Duration { return max(0, run.ExpectedEnd.Sub(run.Updated)) },
	"listing": report.Listing,
}).ParseFS(files, "*.html"))

// assetKinds are the kinds of files that pages link to, by their ending.
var assetKinds = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

// showAsset answers with a file that pages link to.
func showAsset(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("file")
	kind := assetKinds[path.Ext(name)]
	for _, folder := range []fs.FS{report.Assets, ownAssets} {
		if text, err := fs.ReadFile(folder, name); err == nil && kind != "" {
			return send(w, r, kind, answer{body: text}, nil)
		}
	}
	return errNoPage
}

// refusal is an error that is answered with a status of its own.
type refusal struct {
	status int
	error
}

var errNoPage = refusal{http.StatusNotFound, errors.New("there is no such page")}

// fail answers that something is not there or went wrong, in HTML to who asked for a page. Errors
// without a status of their own are the database's.
func (d *Dashboard) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusServiceUnavailable
	var refused refusal
	if errors.As(err, &refused) {
		status = refused.status
	} else if errors.Is(err, results.ErrNotFound) {
		status = http.StatusNotFound
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", html)
	w.WriteHeader(status)
	templates.ExecuteTemplate(w, "error.html", map[string]any{"Title": http.StatusText(status), "Root": root(r),
		"Text": err.Error()})
}

// root is the address of the list of runs, relative to the requested one. All links begin with it:
// a proxy may serve the pages below a path of its own.
func root(r *http.Request) string {
	return "./" + strings.Repeat("../", max(1, strings.Count(r.URL.EscapedPath(), "/"))-1)
}
