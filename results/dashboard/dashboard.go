// Package dashboard serves the runs of a database, live and read-only: the list of runs, and the
// report of each as a page and as JSON. A page takes at most a hundredth of a processor from a run
// beside it, however often it is asked for.
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

	// Tests replace them.
	build func(context.Context, *results.Reader, results.Run) (report.Report, error)
	play  func(context.Context, *results.Reader, results.Run, int64) (report.Record, error)
}

// New returns the handler of a database.
func New(database string, options Options) *Dashboard {
	d := &Dashboard{
		database: database, options: options, pages: newShelf(), replays: newShelf(), build: report.Build,
		play: report.Play,
	}
	whole := func(ctx context.Context, reader *results.Reader, run results.Run) (any, error) {
		return d.build(ctx, reader, run)
	}
	mux := http.NewServeMux()
	for at, answer := range map[string]answer{
		"/{$}":                    d.showList,
		"/runs/{run}":             d.ofRun(html, whole),
		"/runs/{run}/report.json": d.ofRun(data, whole),
		"/runs/{run}/now.json": d.ofRun(data, func(ctx context.Context, reader *results.Reader, run results.Run) (any, error) {
			return report.StatusOf(ctx, reader, run)
		}),
		"/runs/{run}/replays/{game}": d.showReplay,
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

// answer answers a request, or returns why it cannot.
type answer func(http.ResponseWriter, *http.Request) error

// page answers with the kept page of an address, see [shelf]. It is made from the file as it is
// now, to its end even if who asked for it leaves.
func (d *Dashboard) page(w http.ResponseWriter, r *http.Request, kind string,
	renew func(ctx context.Context, reader *results.Reader, to io.Writer) error) error {
	body, err := d.pages.get(r.Pattern+r.PathValue("run"), func(to io.Writer) error {
		reader, err := results.OpenReader(d.database)
		if err != nil {
			return err
		}
		defer reader.Close()
		return renew(context.WithoutCancel(r.Context()), reader, to)
	})
	return send(w, r, kind, body, err)
}

// showList answers with the list of runs.
func (d *Dashboard) showList(w http.ResponseWriter, r *http.Request) error {
	return d.page(w, r, html, func(ctx context.Context, reader *results.Reader, to io.Writer) error {
		runs, err := reader.Runs(ctx)
		if err != nil {
			return err
		}
		return templates.ExecuteTemplate(to, "list.html", map[string]any{"Title": "Runs", "Root": root(r),
			"Database": d.database, "Runs": runs, "Warning": reader.LargeLog()})
	})
}

// ofRun answers with what find finds about the run of the address: a page, or JSON.
func (d *Dashboard) ofRun(kind string, find func(context.Context, *results.Reader, results.Run) (any, error)) answer {
	return func(w http.ResponseWriter, r *http.Request) error {
		return d.page(w, r, kind, func(ctx context.Context, reader *results.Reader, to io.Writer) error {
			run, err := reader.Find(ctx, r.PathValue("run"))
			if err != nil {
				return err
			}
			found, err := find(ctx, reader, run)
			if err != nil {
				return err
			}
			if kind == html {
				return report.Page{Report: found.(report.Report), Root: root(r), Warning: reader.LargeLog()}.Write(to)
			}
			e := json.NewEncoder(to)
			e.SetIndent("", " ")
			return e.Encode(found)
		})
	}
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
	reader, err := results.OpenReader(d.database)
	if err != nil {
		return err
	}
	defer reader.Close()
	run, err := reader.Find(r.Context(), r.PathValue("run"))
	if err != nil {
		return err
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour)) // deep searches take minutes
	name := fmt.Sprint(run.ID, run.Started, run.ConfigHash, game)
	body, err := d.replays.get(name, func(to io.Writer) error {
		record, err := d.play(r.Context(), reader, run, game)
		if err != nil {
			return err
		}
		return json.NewEncoder(to).Encode(record)
	})
	return send(w, r, data, body, err)
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
			return send(w, r, kind, text, nil)
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
