package results

import (
	"context"
	"database/sql"

	"tune2048/experiments"
)

// Reader is the read model of a database: what runs found, for people, reports and exports. It changes nothing. Its
// methods may be called from any goroutine, while a run is writing. Names of runs are those of runs.name.
type Reader struct {
	path     string // as given, for messages
	absolute string // without links
	settings string // of the connection beside the mode, as a URI has them
	db       *sql.DB
	owned    bool // not a Store's
}

// Close closes the database. On a Store's Reader it does nothing: the Store closes that.
func (r *Reader) Close() error {
	if !r.owned {
		return nil
	}
	return explain("close", r.path, r.db.Close())
}

// Path is the path the database was opened with.
func (r *Reader) Path() string { return r.path }

// Candidates returns a run's candidates by number.
func (r *Reader) Candidates(ctx context.Context, run int64) ([]experiments.Candidate, error) {
	all, err := candidates(ctx, r.db, "c.run_id = ?", run)
	return all, explain("read candidates", r.path, err)
}

// Candidate returns one candidate of a run. The error wraps ErrNotFound if the run has none of that number.
func (r *Reader) Candidate(ctx context.Context, run int64, number int) (experiments.Candidate, error) {
	const operation = "read a candidate"
	all, err := candidates(ctx, r.db, "c.run_id = ? AND c.number = ?", run, number)
	if err == nil && len(all) == 0 {
		return experiments.Candidate{}, notFound(operation, r.path, "run %d has no candidate %d", run, number)
	}
	if err != nil {
		return experiments.Candidate{}, explain(operation, r.path, err)
	}
	return all[0], nil
}

// Contrasts returns a run's comparisons by phase, search, candidate and baseline.
func (r *Reader) Contrasts(ctx context.Context, run int64) ([]experiments.Contrast, error) {
	all, err := contrasts(ctx, r.db, "run_id = ?", run)
	return all, explain("read comparisons", r.path, err)
}

// Fingerprint computes the fingerprint of what is recorded of a run now. That of a finished run is the one it
// finished with, unless somebody changed the file.
func (r *Reader) Fingerprint(ctx context.Context, run int64) (string, error) {
	const operation = "compute the fingerprint"
	// One transaction: one state of a run that may be going on.
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return "", explain(operation, r.path, err)
	}
	defer tx.Rollback()
	sum, err := fingerprint(ctx, tx, run)
	return sum, explain(operation, r.path, err)
}
