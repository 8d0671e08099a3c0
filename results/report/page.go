package report

import (
	"context"
	"errors"
	"io"

	"tune2048/results"
)

// Play plays a stored game again and returns it move by move, with what the search thought of each direction.
func Play(ctx context.Context, reader *results.Reader, run results.Run, game int64) (Record, error) {
	return Record{}, errors.New("not built yet")
}

// Page is the HTML page of one run, or of several side by side.
type Page struct {
	Reports []Report
	Live    bool // served: assets are linked, data is asked for again as the runs go on; otherwise one file that needs nothing else
}

// Write writes the page.
func (p Page) Write(w io.Writer) error { return errors.New("not built yet") }
