package dashboard

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"tune2048/results"
	"tune2048/results/report"
)

// listing is the database's runs at a moment: what every page begins with.
type listing struct {
	reader *results.Reader
	file   os.FileInfo // that the reader has open
	opened int         // how many times the file was opened so far: other files have other runs of the same number
	read   string      // when, so that lists can be told apart
	runs   []results.Run
	others string // what a run's report says of other runs changes with this
}

// lastUse is how long a reader stays open after its file was replaced: the reports of one page may
// still be made from it.
const lastUse = (most + 1) * makeTime

// listPause is how often the list is read at most, however little that takes.
const listPause = time.Second

// listed returns the list of runs.
func (d *Dashboard) listed(ctx context.Context) (*listing, error) {
	// Nothing tells beforehand whether it has changed, so each moment is another one.
	return d.list.get(ctx, d.now, d.now().String(), listPause, d.readList)
}

func (d *Dashboard) readList(ctx context.Context, before *listing) (*listing, error) {
	next := &listing{read: d.now().String()}
	file, err := os.Stat(d.database)
	if before != nil {
		next.reader, next.file, next.opened = before.reader, before.file, before.opened
	}
	if next.reader != nil && (err != nil || !os.SameFile(file, next.file)) { // it was deleted or replaced
		time.AfterFunc(lastUse, func() { before.reader.Close() })
		next.reader = nil
	}
	if next.reader == nil {
		reader, err := results.OpenReader(d.database)
		if err != nil {
			return next, err
		}
		next.reader, next.file = reader, file
		next.opened++
	}
	if next.runs, err = next.reader.Runs(ctx); err != nil {
		return next, err
	}
	finished := 0
	for _, run := range next.runs {
		if !run.Finished.IsZero() {
			finished++
		}
	}
	next.others = fmt.Sprint(next.opened, len(next.runs), finished)
	return next, nil
}

// state is all of a run that a report of it depends on.
func (l *listing) state(run results.Run) string {
	return fmt.Sprint(l.others, run.ID, run.Name, run.Status, run.Alive, run.Updated, run.Games, run.Champion)
}

// showList answers with the list of runs.
func (d *Dashboard) showList(w http.ResponseWriter, r *http.Request) {
	list, err := d.listed(r.Context())
	if err != nil {
		d.failReading(w, r, err)
		return
	}
	page, err := d.pages.at("/").get(r.Context(), d.now, list.read, 0, func(context.Context, document) (document, error) {
		var rows []row
		for _, run := range list.runs {
			rows = append(rows, newRow(run))
		}
		var b bytes.Buffer
		err := templates.ExecuteTemplate(&b, "list.html", map[string]any{"Database": d.database, "Flag": results.DatabaseFlag(d.database), "Runs": rows})
		return newDocument("text/html; charset=utf-8", b.Bytes()), err
	})
	if err != nil {
		d.fail(w, r, http.StatusInternalServerError, err)
		return
	}
	page.serve(w, r)
}

// row is a run in the list.
type row struct {
	results.Run
	State   string
	Going   bool          // Done is known, and grows
	Stopped bool          // Done is known, and does not grow
	Left    time.Duration // when something was last recorded; 0: not known
	Figures []string      // what the champion is worth, for each validated search
	Linked  bool          // its page has an address, which . and / cannot have
}

func newRow(run results.Run) row {
	l := row{Run: run, State: report.State(run), Linked: !slices.Contains([]string{"", ".", "..", "/"}, run.Name)}
	l.Going = run.Alive && run.Done >= 0
	l.Stopped = !run.Alive && run.Done >= 0 && run.Finished.IsZero()
	if !run.ExpectedEnd.IsZero() {
		l.Left = max(0, run.ExpectedEnd.Sub(run.Updated))
	}
	for _, h := range run.HeldOut {
		u := report.UnitOf(h.Objective)
		u.Separated = true
		text := fmt.Sprintf("%s: %s %s %s", h.Search, u.Title, u.Figure(h.Fitness.Value), u.Interval(h.Fitness.Interval))
		if h.Compared && h.Ratio.Value > 0 {
			text += "; over the start weights " + report.Change(h.Ratio) + ": " + h.Verdict
		}
		l.Figures = append(l.Figures, text)
	}
	return l
}
