package report

import (
	"context"
	"errors"
	"io"

	"tune2048/results"
)

// Build reads what there is to say of a run. It is quick enough for a live page: replays are made by Play.
func Build(ctx context.Context, reader *results.Reader, run results.Run) (Report, error) {
	return Report{}, errors.New("not built yet")
}

// Page is the HTML page of one run, or of several side by side.
type Page struct {
	Reports []Report
	Live    bool // served: assets are linked, data is asked for again as the runs go on; otherwise one file that needs nothing else
}

// Write writes the page.
func (p Page) Write(w io.Writer) error { return errors.New("not built yet") }
