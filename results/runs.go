package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/mattn/go-sqlite3"

	"tune2048/experiments"
)

// Limits of the numbering: ids of candidates and games are computed from the run's, so that they
// are the same whatever else is in the file, and must not overlap or overflow.
const (
	candidatesPerRun = experiments.MaxCandidates
	gamesPerRun      = experiments.MaxGames * sliceGames // by the numbers of its evaluations
	largestSeed      = 1<<53 - 1                         // what every reader of JSON can carry
)

// Begin implements [experiments.Store]. Of several runs with the identity of the spec it takes the
// newest. A new run whose name was given before is called NAME.2, NAME.3 and so on, whichever is
// free first. If another process has the run, the error also names the lock file. A finished run
// keeps its status until something is recorded.
func (s *Store) Begin(ctx context.Context, spec experiments.RunSpec) (experiments.Run, error) {
	const operation = "begin a run in"
	var run experiments.Run
	var lock *runLock
	h := &begunRun{objective: objectiveOf(spec.Objective), seed: spec.Seed}
	err := s.commit(ctx, operation, func(ctx context.Context, tx *sql.Tx) (err error) {
		if run, err = findOrCreate(ctx, tx, spec); err != nil {
			return err
		}
		// The lock is taken within the transaction: nobody else sees a new run before its creator
		// has it.
		if lock, err = acquire(lockPath(s.absolute, run.ID)); err != nil {
			return fmt.Errorf("run %s: %w", run.Name, err)
		}
		err = tx.QueryRowContext(ctx, `SELECT iif(own_games_only <> 0 OR unrepeatable IS NOT NULL, id, 0),
			(SELECT json_group_array(e.id) FROM (SELECT id, root FROM runs UNION ALL SELECT 0, r.root WHERE r.own_games_only = 0) AS e
				WHERE e.root = r.root), -- all endings
			`+saltOfRun+` FROM runs AS r WHERE id = ?`, run.ID).Scan(&h.owner, &h.serves, &h.salt)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE runs SET status = ?, updated_at = ?, expected_end = NULL, error = NULL WHERE id = ? AND status <> ?",
			experiments.Running, now(), run.ID, experiments.Finished)
		return err
	})
	if err != nil {
		if lock != nil {
			err = errors.Join(err, lock.release())
		}
		return experiments.Run{}, err
	}
	s.show()
	h.lock, h.finished, h.counted = lock, run.Status == experiments.Finished, s.clock()
	s.begun[run.ID] = h
	return run, nil
}

// findOrCreate finds the run of a spec, or creates it: as another ending of a run with its tuning,
// if there is one.
func findOrCreate(ctx context.Context, tx *sql.Tx, spec experiments.RunSpec) (run experiments.Run, err error) {
	root, own, unrepeatable, same := "", false, "", false
	if !spec.New {
		sizes := ""
		err = tx.QueryRowContext(ctx, `SELECT id, name, status, coalesce(stopped_after, 0), coalesce(sizes, 'null'), coalesce(held_out_salt, ''), root, own_games_only <> 0,
			coalesce(unrepeatable, ''), config_hash = ?1 AND (status <> ? OR NOT ?) AS same
			FROM runs WHERE base_name = ? AND (config_hash = ?1 OR tuning = ?) AND kind = ? AND signature = ? AND coalesce(programs, '') = ?
			AND root = coalesce(nullif(?, ''), root) ORDER BY same DESC, id DESC LIMIT 1`,
			spec.ConfigHash, experiments.Finished, spec.Another, spec.Name, spec.Tuning, spec.Kind, spec.Signature, spec.Programs, spec.Root).Scan(
			&run.ID, &run.Name, &run.Status, &run.StoppedAfter, &sizes, &run.HeldOutSalt, &root, &own, &unrepeatable, &same)
		if err == nil {
			run.Sizes, err = readSizes(run.Name, sizes)
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return run, err
		}
	}
	if same {
		run.Resumed, run.Renamed = true, run.Name != spec.Name
		return run, nil
	}
	base := root + openEnding
	if spec.Kind != experiments.KindTune || root == "" {
		base, root, own, unrepeatable = spec.Name, "", spec.New, ""
	}
	name, err := freeName(ctx, tx, base)
	if err != nil {
		return run, err
	}
	root = cmp.Or(root, name)
	at := now()
	result, err := tx.ExecContext(ctx, `INSERT INTO runs (name, root, base_name, kind, config_yaml, config_hash, tuning, seed, status,
		signature, objective, own_games_only, go_version, goarch, started_at, updated_at, programs, unrepeatable, note)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		name, root, spec.Name, spec.Kind, spec.ConfigYAML, spec.ConfigHash, spec.Tuning, int64(spec.Seed), experiments.Running,
		spec.Signature, spec.Objective, own,
		runtime.Version(), runtime.GOARCH, at, at, orNull(spec.Programs, ""), orNull(unrepeatable, ""), orNull(spec.Note, ""))
	if err != nil {
		return run, err
	}
	id, err := result.LastInsertId()
	if err == nil { // somebody may have put games there, for the run to take
		err = emptyRun(ctx, tx, id, 0)
	}
	return experiments.Run{ID: id, Name: name, Status: experiments.Running, Renamed: root != spec.Name}, err
}

// openEnding is the end of the name of an ending that is under way, where the run has another one.
const openEnding = "@open"

// nameEndings names the endings of a run: the longest finished one has the run's name.
func nameEndings(ctx context.Context, tx *sql.Tx, run int64) error {
	if _, err := tx.ExecContext(ctx, "UPDATE runs SET name = root || '@' || id || '@' WHERE root = (SELECT root FROM runs WHERE id = ?)",
		run); err != nil { // out of the way
		return err
	}
	all, err := collect(ctx, tx, func(rows *sql.Rows) (e Run, err error) { return e, rows.Scan(&e.ID, &e.Root, &e.Name) },
		`SELECT r.id, r.root, r.root || iif(r.status = ?1, '@' || n, ?2)
			FROM (SELECT *, (SELECT count(*) FROM generations AS g WHERE g.run_id = runs.id) AS n FROM runs) AS r
			WHERE r.root = (SELECT root FROM runs WHERE id = ?3) ORDER BY r.status = ?1 DESC, n DESC, r.id`, experiments.Finished, openEnding, run)
	for i, e := range all {
		name := e.Root
		if i > 0 && err == nil {
			name, err = freeName(ctx, tx, e.Name)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE runs SET name = ? WHERE id = ?", name, e.ID)
		}
	}
	return err
}

// freeName returns the name, or the first of name.2, name.3, ... that no run has.
func freeName(ctx context.Context, tx *sql.Tx, base string) (string, error) {
	name := base
	for n := 2; ; n++ {
		var taken bool
		err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM runs WHERE ? IN (name, root))", name).Scan(&taken)
		if err != nil || !taken {
			return name, err
		}
		name = fmt.Sprintf("%s.%d", base, n)
	}
}

// SetChampion implements [experiments.Store]. Doing so again replaces both.
func (s *Store) SetChampion(ctx context.Context, run int64, candidate int, heldOutSalt string) error {
	err := s.decide(ctx, run, fmt.Sprintf("record the champion, candidate %d, in", candidate),
		"champion_id = ?2, held_out_salt = ?3 WHERE id = ?1 AND (champion_id IS NOT ?2 OR held_out_salt IS NOT ?3)", candidateID(run, candidate), heldOutSalt)
	if err == nil {
		s.begun[run].salt = heldOutSalt
	}
	return err
}

// SetStop implements [experiments.Store].
func (s *Store) SetStop(ctx context.Context, run int64, generations int) error {
	return s.decide(ctx, run, "record the end of tuning in", "stopped_after = ?2 WHERE id = ?1 AND stopped_after IS NOT ?2", generations)
}

// saltOfRun is the salt of the held-out games of a row of runs.
const saltOfRun = "coalesce(held_out_salt, iif(kind = 'compare', tuning, NULL), '')"

// SetSize implements [experiments.Store].
func (s *Store) SetSize(ctx context.Context, run int64, part string, size experiments.Size, left map[int]int) error {
	text, err := json.Marshal(size)
	if err != nil {
		return err
	}
	return s.record(ctx, run, "record the size of a part of", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		const path = `'$."' || ?2 || '"'`
		changed, err := changes(tx.ExecContext(ctx, "UPDATE runs SET sizes = json_set(coalesce(sizes, '{}'), "+path+
			", json(?3)) WHERE id = ?1 AND json_extract(coalesce(sizes, '{}'), "+path+") IS NOT json(?3)", run, part, string(text)))
		for number, place := range left {
			if err == nil {
				_, err = tx.ExecContext(ctx, "DELETE FROM playing WHERE id BETWEEN ? AND ?", GameID(run, number, place), GameID(run, number, sliceGames-1))
			}
		}
		return changed, err
	})
}

// longestSizes is far more bytes than the sizes of a run take: it has a few parts.
const longestSizes = 64 << 10

// readSizes reads the column of SetSizes.
func readSizes(run, text string) (sizes map[string]experiments.Size, err error) {
	if len(text) > longestSizes {
		return nil, fmt.Errorf("%w: run %s: the sizes of its parts have %d bytes, and %d are the most (start afresh with -new)",
			ErrDamaged, run, len(text), longestSizes)
	}
	if err = json.Unmarshal([]byte(text), &sizes); err != nil {
		err = fmt.Errorf("run %s: the sizes of its parts cannot be read: %w (the database was changed by hand: start afresh with -new)", run, err)
	}
	return sizes, err
}

// SetUnrepeatable implements [experiments.Store].
func (s *Store) SetUnrepeatable(ctx context.Context, run int64, why string) error {
	return s.record(ctx, run, "record what a bot does in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		changed, err := changes(tx.ExecContext(ctx, "UPDATE runs SET unrepeatable = ? WHERE id = ? AND unrepeatable IS NULL", why, run))
		if err == nil && changed { // its games serve nobody else
			s.begun[run].owner = run
			_, err = tx.ExecContext(ctx, "UPDATE OR IGNORE memo SET only_run = ?1 WHERE only_run = 0 AND id IN (SELECT memo_id FROM asked WHERE run_id = ?1)", run)
		}
		return changed, err
	})
}

// decide sets columns of a run's row.
func (s *Store) decide(ctx context.Context, run int64, operation, columns string, values ...any) error {
	return s.record(ctx, run, operation, func(ctx context.Context, tx *sql.Tx) (bool, error) {
		return changes(tx.ExecContext(ctx, "UPDATE runs SET "+columns, append([]any{run}, values...)...))
	})
}

// Finish implements [experiments.Store]. A finished run that was only looked at again stays
// finished, whatever the status: an interrupted replay takes nothing away.
func (s *Store) Finish(ctx context.Context, run int64, status string) error {
	const operation = "finish the run in"
	ctx = context.WithoutCancel(ctx)
	h, err := s.ready(run, operation)
	if err != nil {
		return err
	}
	changed, figured := !h.finished || h.changed, false
	err = explain(operation, s.path, s.writer.QueryRowContext(ctx,
		"SELECT EXISTS (SELECT 1 FROM standings WHERE run_id = ?)", run).Scan(&figured))
	if err == nil && (changed || !figured) { // before the status: the figures of a finished run are whole
		err = s.writeFigures(ctx, run)
	}
	if err == nil && changed {
		err = s.commit(ctx, operation, func(ctx context.Context, tx *sql.Tx) error {
			if err := setStatus(ctx, tx, run, status); err != nil || status != experiments.Finished {
				return err
			}
			return nameEndings(ctx, tx, run)
		})
	}
	if err != nil {
		return err
	}
	delete(s.begun, run)
	if status == experiments.Finished {
		s.unshown = append(s.unshown, h.lock.file.Path())
		return explain(operation, s.path, h.lock.file.Unlock())
	}
	return explain(operation, s.path, h.lock.release())
}

func setStatus(ctx context.Context, tx *sql.Tx, run int64, status string) error {
	var print, finished, done any // NULL
	at := now()
	if status == experiments.Finished {
		done = 1
		sum, err := fingerprint(ctx, tx, run)
		if err != nil {
			return err
		}
		print, finished = sum, at
	}
	_, err := tx.ExecContext(ctx, "UPDATE runs SET status = ?, updated_at = ?, finished_at = ?, fingerprint = CASE WHEN unrepeatable IS NULL THEN ? END, done = coalesce(?, done), expected_end = NULL WHERE id = ?",
		status, at, finished, print, done, run)
	return err
}

// SetFailure writes why a failed run failed. Begin takes the failure away.
func (s *Store) SetFailure(ctx context.Context, run int64, why string) error {
	return s.commit(ctx, "write why a run failed in", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE runs SET error = ? WHERE id = ? AND status = ?", why, run, experiments.Failed)
		return err
	})
}

// SetNote replaces the note of a run. An empty one takes it away. The error wraps ErrNotFound if
// there is no run of that name.
func (s *Store) SetNote(ctx context.Context, name, note string) error {
	run, err := s.reader.Find(ctx, name)
	if err != nil {
		return err
	}
	return s.commit(ctx, "write the note of a run in", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE runs SET note = ? WHERE id = ?", orNull(note, ""), run.ID)
		return err
	})
}

// Rename gives a run, with all its endings, another name. The error wraps ErrNotFound if there is
// none of the old name. Only the store's names change: the same command as before finds the run.
func (s *Store) Rename(ctx context.Context, old, name string) error {
	run, err := s.reader.Find(ctx, old)
	if err == nil && run.Root != old {
		err = notFound("%s is an ending: name its run, %s", old, run.Root)
	}
	if err != nil {
		return err
	}
	return s.commit(ctx, "rename a run in", func(ctx context.Context, tx *sql.Tx) error {
		if free, err := freeName(ctx, tx, name); err != nil || free != name {
			return errors.Join(err, fmt.Errorf("a run is called %s: choose another name", name))
		}
		if _, err := tx.ExecContext(ctx, "UPDATE runs SET root = ? WHERE root = ?", name, run.Root); err != nil {
			return err
		}
		return nameEndings(ctx, tx, run.ID)
	})
}

// Delete takes a run with all its endings, or one ending that is not its longest, and all that
// belongs to it out of the database, in one transaction; other runs are not touched. The error
// wraps ErrNotFound if there is none of that name, experiments.ErrBusy if a process works on it.
// When at least a quarter of the file is free afterwards and no run is being worked on, the file
// is made smaller, if the disk has room to write it anew. Delete returns how many bytes of it are
// free.
func (s *Store) Delete(ctx context.Context, name string) (free int64, err error) {
	const operation = "delete the run from"
	run, err := s.reader.Find(ctx, name)
	if err == nil && run.Name != name {
		err = notFound("there is no run %s in %s: it is called %s now", name, s.path, run.Name)
	}
	if err != nil {
		return 0, err
	}
	all := []Run{run}
	if run.Name == run.Root {
		if all, err = s.reader.Endings(ctx, run); err != nil {
			return 0, err
		}
	}
	running, err := collect(ctx, s.reader.db, scanID, "SELECT id FROM runs WHERE status = ?", experiments.Running)
	if err != nil {
		return 0, explain(operation, s.path, err)
	}
	// A run under way may be about to ask for the games.
	busy := slices.ContainsFunc(running, func(id int64) bool { return alive(lockPath(s.absolute, id)) })
	for _, one := range all {
		lock, err := acquire(lockPath(s.absolute, one.ID))
		if err != nil {
			return 0, fmt.Errorf("cannot delete run %s from %s: %w", one.Name, s.path, err)
		}
		defer lock.release()
	}
	err = s.commitUnreferred(ctx, operation, func(ctx context.Context, tx *sql.Tx) error {
		for _, one := range all {
			if err := deleteRun(ctx, tx, one, busy); err != nil {
				return err
			}
		}
		return nil
	})
	var full sqlite3.Error
	if errors.As(err, &full) && full.Code == sqlite3.ErrFull {
		err = fmt.Errorf("cannot %s %s: %w (nothing is deleted, and nothing lost; the log beside the file may need %d MB for a moment: free "+
			"them and run the same command again, or copy the file to another disk and delete the run there)",
			operation, s.path, full, s.file.Size()/1_000_000+1)
	}
	if err != nil {
		return 0, err
	}
	size := int64(0)
	measure := func() error {
		return s.writer.QueryRowContext(ctx, "SELECT page_size * page_count, page_size * freelist_count FROM pragma_page_size, pragma_page_count, pragma_freelist_count").Scan(&size, &free)
	}
	if err = measure(); err == nil && !busy && 4*free >= size { // otherwise the next run uses the room
		if _, err := s.writer.ExecContext(ctx, "VACUUM"); err == nil { // failing is no harm
			free = 0
		}
	}
	return free, explain("measure", s.path, err)
}

// commitUnreferred is commit where rows are deleted to which none of those refers that stay. The
// ids of a run's rows are computed from its own, so no row of another run can refer to them, and to
// have SQLite look for such rows, for each candidate in all tables, would take minutes.
func (s *Store) commitUnreferred(ctx context.Context, operation string, do func(context.Context, *sql.Tx) error) error {
	if _, err := s.writer.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return explain(operation, s.path, err)
	}
	err := s.commit(ctx, operation, do)
	_, back := s.writer.ExecContext(context.WithoutCancel(ctx), "PRAGMA foreign_keys = ON")
	return errors.Join(err, explain(operation, s.path, back))
}

func deleteRun(ctx context.Context, tx *sql.Tx, run Run, keepGames bool) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM runs WHERE id = ?", run.ID)
	if err == nil && !keepGames { // those that no other run asked for
		_, err = tx.ExecContext(ctx, `DELETE FROM memo WHERE id IN (SELECT memo_id FROM asked WHERE run_id = ?1
			EXCEPT SELECT memo_id FROM asked WHERE run_id <> ?1)`, run.ID)
	}
	if err == nil {
		err = emptyRun(ctx, tx, run.ID, 0)
	}
	return err
}

// emptyRun deletes all that a run asked for and found, and its games under way from an evaluation
// on.
func emptyRun(ctx context.Context, tx *sql.Tx, run int64, number int) error {
	first, last := candidateID(run, 0), candidateID(run+1, 0)-1
	_, err := tx.ExecContext(ctx, `DELETE FROM standings WHERE run_id = ?; DELETE FROM generations WHERE run_id = ?;
		DELETE FROM tiles WHERE run_id = ?; DELETE FROM comparisons WHERE run_id = ?; DELETE FROM asked WHERE run_id = ?;
		DELETE FROM slices WHERE run_id = ?; DELETE FROM playing WHERE id BETWEEN ? AND ?; DELETE FROM candidates WHERE id BETWEEN ? AND ?`,
		run, run, run, run, run, run, GameID(run, number, 0), GameID(run+1, 0, 0)-1, first, last)
	return err
}
