package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tune2048/experiments"
)

// Deleted is what Delete took away, and what it left.
type Deleted struct {
	Run        Run
	FileBytes  int64 // of the database afterwards
	SpareBytes int64 // of those, free for later runs
	Vacuumed   bool  // whether the file was made smaller
}

// deletions take a run's rows away. ?1 is the run's id, ?2 and ?3 are its first and last candidate's.
var deletions = []string{
	"DELETE FROM runs WHERE id = ?1",
	"DELETE FROM games WHERE id BETWEEN ?1 * 1000000000 AND ?1 * 1000000000 + 999999999",
	"DELETE FROM workers WHERE run_id = ?1",
	"DELETE FROM generations WHERE run_id = ?1",
	"DELETE FROM reaches WHERE run_id = ?1",
	"DELETE FROM standings WHERE run_id = ?1",
	"DELETE FROM spreads WHERE run_id = ?1",
	"DELETE FROM comparisons WHERE run_id = ?1",
	"DELETE FROM evaluations WHERE run_id = ?1",
	"DELETE FROM weights WHERE candidate_id BETWEEN ?2 AND ?3",
	"DELETE FROM candidates WHERE id BETWEEN ?2 AND ?3",
}

// Delete takes a run and all that belongs to it out of the database, in one transaction; other runs are not touched.
// The error wraps ErrNotFound if there is none of that name, experiments.ErrBusy if a process works on it. When at
// least a quarter of the file is free afterwards and no run is being worked on, the file is made smaller.
func (s *Store) Delete(ctx context.Context, name string) (Deleted, error) {
	const operation = "delete the run from"
	if name == "" {
		return Deleted{}, fmt.Errorf("cannot %s %s: it has no name", operation, s.path)
	}
	run, err := s.reader.Find(ctx, name)
	if err != nil {
		return Deleted{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return Deleted{}, fmt.Errorf("cannot %s %s: it is closed", operation, s.path)
	}
	d := Deleted{Run: run}
	lock, err := acquire(lockPath(s.absolute, run.ID))
	if err != nil {
		return d, fmt.Errorf("cannot delete run %s from %s: %w", name, s.path, err)
	}
	err = s.commitUnreferred(ctx, operation, func(ctx context.Context, tx *sql.Tx) error { return deleteRun(ctx, tx, run) })
	if err = errors.Join(err, lock.release()); err != nil {
		return d, err
	}
	return d, explain("make room in", s.path, s.shrink(ctx, &d))
}

// commitUnreferred is commit where rows are deleted to which none of those refers that stay. The ids of a run's rows are computed
// from its own, so no row of another run can refer to them, and to have SQLite look for such rows, for each candidate in all
// tables, would take minutes.
func (s *Store) commitUnreferred(ctx context.Context, operation string, do func(context.Context, *sql.Tx) error) error {
	if _, err := s.writer.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return explain(operation, s.path, err)
	}
	err := s.commit(ctx, operation, do)
	if _, back := s.writer.ExecContext(context.WithoutCancel(ctx), "PRAGMA foreign_keys = ON"); back != nil {
		err = errors.Join(err, explain(operation, s.path, back))
	}
	return err
}

func deleteRun(ctx context.Context, tx *sql.Tx, run Run) error {
	for _, statement := range deletions {
		changed, err := changes(tx.ExecContext(ctx, statement, run.ID, candidateID(run.ID, 0), candidateID(run.ID, candidatesPerRun-1)))
		if err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
		if statement == deletions[0] && !changed {
			return fmt.Errorf("another process has deleted run %s: %w", run.Name, ErrNotFound)
		}
	}
	return nil
}

// shrink makes the file smaller if that is worth it and nobody has to wait for it.
func (s *Store) shrink(ctx context.Context, d *Deleted) error {
	runs, err := s.reader.Runs(ctx)
	if err != nil {
		return err
	}
	idle := len(s.begun) == 0
	for _, r := range runs {
		idle = idle && !(r.Status == experiments.Running && r.Alive)
	}
	if err := s.measure(ctx, d); err != nil {
		return err
	}
	if idle && d.SpareBytes*4 >= d.FileBytes {
		// Failing is no harm: the room is used by the next run.
		if _, err := s.writer.ExecContext(ctx, "VACUUM"); err == nil {
			d.Vacuumed = true
		}
	}
	return s.measure(ctx, d)
}

func (s *Store) measure(ctx context.Context, d *Deleted) error {
	return s.writer.QueryRowContext(ctx, `SELECT page_size * page_count, page_size * freelist_count
		FROM pragma_page_size, pragma_page_count, pragma_freelist_count`).Scan(&d.FileBytes, &d.SpareBytes)
}
