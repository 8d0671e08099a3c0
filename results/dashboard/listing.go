package dashboard

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"tune2048/results"
	"tune2048/results/report"
)

// listing is the database's runs at a moment. Every page begins with it.
type listing struct {
	reader *results.Reader
	opened int    // how often the file was opened: another file's runs have the same numbers
	read   string // when: two lists differ in it
	runs   []results.Run
	others string // changes with the sentences that a run's report has about other runs
}

// source is the database's file. It may be replaced while it is served.
type source struct {
	mutex  sync.Mutex // guards the fields below
	reader *results.Reader
	file   os.FileInfo // that the reader has open
	opened int
}

// lastUse is how long a reader stays open after its file was replaced: the reports of one page may
// still be made from it.
const lastUse = (most + 1) * makeTime

// open returns a reader of the file as it is now, and how many times the file was opened so far.
func (s *source) open(database string) (*results.Reader, int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	file, err := os.Stat(database)
	if old := s.reader; old != nil && (err != nil || !os.SameFile(file, s.file)) { // was replaced
		time.AfterFunc(lastUse, func() { old.Close() })
		s.reader = nil
	}
	if s.reader == nil {
		if s.reader, err = results.OpenReader(database); err != nil {
			return nil, s.opened, err
		}
		s.file = file
		s.opened++
	}
	return s.reader, s.opened, nil
}

func (s *source) close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.reader == nil {
		return nil
	}
	return s.reader.Close()
}

// listPause is the least time between two readings of the list.
const listPause = time.Second

// listed returns the list of runs. Nothing shows beforehand whether it has changed, so each moment
// is a state of its own.
func (d *Dashboard) listed(ctx context.Context) (*listing, error) {
	now := d.now().String()
	return cached(ctx, &d.cache, "list", now, listPause, func(ctx context.Context) (list *listing, err error) {
		list = &listing{read: now}
		if list.reader, list.opened, err = d.source.open(d.database); err != nil {
			return nil, err
		}
		if list.runs, err = list.reader.Runs(ctx); err != nil {
			return nil, err
		}
		finished, last := 0, time.Time{} // a comparison may finish again, with another question
		for _, run := range list.runs {
			if !run.Finished.IsZero() {
				finished++
			}
			if run.Finished.After(last) {
				last = run.Finished
			}
		}
		list.others = fmt.Sprint(list.opened, len(list.runs), finished, last)
		return list, nil
	})
}

// state is the part of a run that its report depends on.
func (l *listing) state(run results.Run) string {
	return fmt.Sprint(l.others, run.ID, run.Name, run.Status, run.Alive, run.Updated, run.Games, run.Champion)
}

// showList answers with the list of runs.
func (d *Dashboard) showList(w http.ResponseWriter, r *http.Request) error {
	list, err := d.listed(r.Context())
	if err != nil {
		return err
	}
	return d.page(w, r, "/", list.read, "text/html; charset=utf-8", func(b *bytes.Buffer) error {
		var rows []row
		courses, err := list.reader.Courses(r.Context())
		if err != nil {
			return err
		}
		for _, run := range list.runs {
			rows = append(rows, newRow(run, courses[run.ID]))
		}
		return templates.ExecuteTemplate(b, "list.html", map[string]any{"Database": d.database, "Flag": results.DatabaseFlag(d.database), "Runs": rows})
	})
}

// page answers with a page of that name, which is written again when the state of its data has
// changed.
func (d *Dashboard) page(w http.ResponseWriter, r *http.Request, name, state, kind string, write func(*bytes.Buffer) error) error {
	page, err := cached(r.Context(), &d.cache, "page "+name, state, 0, func(context.Context) (document, error) {
		var b bytes.Buffer
		err := write(&b)
		return newDocument(kind, b.Bytes()), err
	})
	if err != nil {
		return refusal{http.StatusInternalServerError, err}
	}
	return page.serve(w, r)
}

// row is a run in the list.
type row struct {
	results.Run
	State   string
	Left    time.Duration // time left when something was last recorded; 0: not known
	Figures []string      // of the champion, one for each validated search
	Linked  bool          // its page has an address, which . and / cannot have

	Sparkline string // path of the generations' means in a box of 100 x 20; empty before there are two
}

// sparkline draws values from 0 to the highest in a box of 100 x 20.
func sparkline(values []float64) string {
	if len(values) < 2 || slices.Max(values) <= 0 {
		return ""
	}
	path, highest := "", slices.Max(values)
	for i, v := range values {
		path += fmt.Sprintf("L%.1f %.1f", 100*float64(i)/float64(len(values)-1), 20*(1-max(0, v)/highest))
	}
	return "M" + path[1:]
}

// newRow is the row of a run whose generations have these means.
func newRow(run results.Run, course []float64) row {
	l := row{Run: run, State: run.State(), Linked: !slices.Contains([]string{"", ".", "..", "/"}, run.Name), Sparkline: sparkline(course)}
	if !run.ExpectedEnd.IsZero() {
		l.Left = max(0, run.ExpectedEnd.Sub(run.Updated))
	}
	for _, h := range run.HeldOut {
		l.Figures = append(l.Figures, report.Validated(h))
	}
	return l
}
