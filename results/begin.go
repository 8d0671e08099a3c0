package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"tune2048/experiments"
)

// Limits of the numbering: ids of candidates and games are computed from the run's, so that they are the same
// whatever else is in the file, and must not overlap or overflow.
const (
	candidatesPerRun = experiments.MaxCandidates
	gamesPerRun      = experiments.MaxGames
	largestRun       = 9_000_000_000
	largestSeed      = 1<<53 - 1 // what every reader of JSON can carry
)

// Begin finds the run that was recorded under this name with this kind, config hash and signature of play, the
// newest if there are several; otherwise, or if New is asked for, it creates one. A new run whose name is taken is
// called NAME.2, NAME.3 and so on, whichever is free first. The run is locked against other processes until Finish
// or Close; if one has it, the error wraps experiments.ErrBusy and names it and the lock file. A finished run keeps
// its status until something is recorded.
func (s *Store) Begin(ctx context.Context, spec experiments.RunSpec) (experiments.Run, error) {
	const operation = "begin a run"
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return experiments.Run{}, fmt.Errorf("results: %s: %s is closed", operation, s.path)
	}
	if err := errors.Join(checkSpec(spec), s.takeFailure()); err != nil {
		return experiments.Run{}, fmt.Errorf("results: %s: %w", operation, err)
	}
	var (
		run  experiments.Run
		lock *runLock
	)
	err := s.commit(ctx, operation, func(ctx context.Context, tx *sql.Tx) (err error) {
		// The lock is taken within the transaction: nobody else sees a new run before its creator has it.
		if run, err = findOrCreate(ctx, tx, spec); err != nil {
			return err
		}
		if run.Status == experiments.Finished {
			if err := unchanged(ctx, tx, run); err != nil {
				return err
			}
		}
		if lock, err = acquire(lockPath(s.absolute, run.ID)); err != nil {
			return fmt.Errorf("run %s: %w", run.Name, err)
		}
		if err := refreshSummaries(ctx, tx, run.ID); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE runs SET status = ?, updated_at = ? WHERE id = ? AND status <> ?",
			experiments.Running, now(), run.ID, experiments.Finished)
		return err
	})
	if err != nil {
		if lock != nil {
			err = errors.Join(err, lock.release())
		}
		return experiments.Run{}, err
	}
	s.held[run.ID] = &hold{lock: lock, finished: run.Status == experiments.Finished}
	return run, nil
}

// unchanged compares a finished run with its fingerprint.
func unchanged(ctx context.Context, tx *sql.Tx, run experiments.Run) error {
	var recorded string
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(fingerprint, '') FROM runs WHERE id = ?", run.ID).Scan(&recorded); err != nil {
		return err
	}
	found, err := fingerprint(ctx, tx, run.ID)
	if err == nil && found != recorded {
		err = fmt.Errorf("run %s was changed after it had finished: its fingerprint was %.12s, its content has %.12s (start another run with -new)",
			run.Name, recorded, found)
	}
	return err
}

func checkSpec(spec experiments.RunSpec) error {
	switch {
	case spec.Name == "":
		return errors.New("the run has no name")
	case spec.ConfigHash == "":
		return fmt.Errorf("run %s has no config hash", spec.Name)
	case spec.Seed > largestSeed:
		return fmt.Errorf("run %s: want a seed in [0, 2^53), got %d", spec.Name, spec.Seed)
	}
	return nil
}

func findOrCreate(ctx context.Context, tx *sql.Tx, spec experiments.RunSpec) (experiments.Run, error) {
	if !spec.New {
		var run experiments.Run
		err := tx.QueryRowContext(ctx, `SELECT id, name, status, coalesce(stopped_after, 0), fresh FROM runs
			WHERE base_name = ? AND config_hash = ? AND kind = ? AND signature = ? ORDER BY id DESC LIMIT 1`,
			spec.Name, spec.ConfigHash, spec.Kind, spec.Signature).Scan(&run.ID, &run.Name, &run.Status, &run.StoppedAfter, &run.Fresh)
		if err == nil {
			if err := checkNumbered(run, spec.Name); err != nil {
				return experiments.Run{}, err
			}
			run.Resumed = true
			run.Renamed = run.Name != spec.Name
			return run, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return experiments.Run{}, err
		}
	}
	return create(ctx, tx, spec)
}

// checkNumbered refuses a run that create would have called otherwise: names are shown in commands to be pasted.
func checkNumbered(run experiments.Run, base string) error {
	number, numbered := strings.CutPrefix(run.Name, base+".")
	if run.Name != base && (!numbered || number == "" || strings.Trim(number, "0123456789") != "") || run.ID < 1 || run.ID > largestRun {
		return fmt.Errorf("%w: a run of %s is called %.100q and has the id %d", ErrDamaged, base, run.Name, run.ID)
	}
	return nil
}

func create(ctx context.Context, tx *sql.Tx, spec experiments.RunSpec) (experiments.Run, error) {
	name, err := freeName(ctx, tx, spec.Name)
	if err != nil {
		return experiments.Run{}, err
	}
	at := now()
	result, err := tx.ExecContext(ctx, `INSERT INTO runs (name, base_name, kind, config_yaml, config_hash, seed, status,
		signature, objective, fresh, go_version, goarch, started_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		name, spec.Name, spec.Kind, spec.ConfigYAML, spec.ConfigHash, int64(spec.Seed), experiments.Running,
		spec.Signature, spec.Objective, spec.New, runtime.Version(), runtime.GOARCH, at, at)
	if err != nil {
		return experiments.Run{}, err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return experiments.Run{}, err
	}
	return experiments.Run{ID: id, Name: name, Status: experiments.Running, Renamed: name != spec.Name, Fresh: spec.New}, nil
}

// freeName returns the name, or the first of name.2, name.3, ... that no run has.
func freeName(ctx context.Context, tx *sql.Tx, base string) (string, error) {
	name := base
	for n := 2; ; n++ {
		var taken bool
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM runs WHERE name = ?)", name).Scan(&taken); err != nil {
			return "", err
		}
		if !taken {
			return name, nil
		}
		name = fmt.Sprintf("%s.%d", base, n)
	}
}
