package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tune2048/experiments"
)

// SetChampion records the winner of the playoff. Doing so again replaces it.
func (s *Store) SetChampion(ctx context.Context, run int64, candidate int) error {
	return s.record(ctx, run, "record the champion", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		id := candidateID(run, candidate)
		changed, err := changes(tx.ExecContext(ctx,
			"UPDATE runs SET champion_id = ? WHERE id = ? AND champion_id IS NOT ?", id, run, id))
		if err != nil {
			return false, fmt.Errorf("candidate %d: %w", candidate, err)
		}
		return changed, nil
	})
}

// SetStop records that tuning ends after so many generations of the run: a replay ends there too.
func (s *Store) SetStop(ctx context.Context, run int64, generations int) error {
	return s.record(ctx, run, "record the end of tuning", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		if generations < 1 {
			return false, fmt.Errorf("want at least 1 generation, got %d", generations)
		}
		return changes(tx.ExecContext(ctx,
			"UPDATE runs SET stopped_after = ? WHERE id = ? AND stopped_after IS NOT ?", generations, run, generations))
	})
}

// Finish commits what is held back, sets the run's status and gives its lock up. Finished also sets the
// fingerprint, and keeps the time of finishing if nothing was recorded since. A finished run that was only looked at
// again stays finished, whatever the status: an interrupted replay takes nothing away. When games that are held back
// cannot be recorded, a run that is not finished is given up without them, and the error says why.
func (s *Store) Finish(ctx context.Context, run int64, status string) error {
	const operation = "finish the run"
	s.mu.Lock()
	defer s.mu.Unlock()
	// A failure of the clock's is not told here: the games are still held back, and are tried again.
	s.takeFailure()
	h, err := s.ready(run, operation)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{experiments.Interrupted, experiments.Failed, experiments.Finished}, status) {
		return fmt.Errorf("results: %s: want the status interrupted, failed or finished, got %q", operation, status)
	}
	var lost error
	if !h.finished || h.changed {
		finish := func() error {
			return s.commit(context.WithoutCancel(ctx), operation, func(ctx context.Context, tx *sql.Tx) error {
				return setStatus(ctx, tx, run, status)
			})
		}
		err := finish()
		if err != nil && status != experiments.Finished && s.forget(run) {
			lost, err = err, finish()
		}
		if err != nil {
			return errors.Join(lost, err)
		}
	}
	delete(s.held, run)
	return errors.Join(lost, explain(operation, s.path, h.lock.release()))
}

// forget drops the games of a run that are held back, and tells whether there were any. It is the way out when they
// cannot be recorded: a run that ends badly anyway must not stay locked for games that can be played again.
func (s *Store) forget(run int64) bool {
	before := len(s.pending)
	s.pending = slices.DeleteFunc(s.pending, func(g heldGame) bool { return g.run == run })
	s.lost += before - len(s.pending)
	return len(s.pending) < before
}

func setStatus(ctx context.Context, tx *sql.Tx, run int64, status string) error {
	var print, finished any // NULL
	at := now()
	if status == experiments.Finished {
		sum, err := fingerprint(ctx, tx, run)
		if err != nil {
			return err
		}
		print, finished = sum, at
	}
	_, err := tx.ExecContext(ctx, "UPDATE runs SET status = ?, updated_at = ?, finished_at = ?, fingerprint = ? WHERE id = ?",
		status, at, finished, print, run)
	return err
}
