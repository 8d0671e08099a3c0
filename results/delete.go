package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mattn/go-sqlite3"

	"tune2048/experiments"
)

// Delete takes a run with all its endings, or one ending that is not its longest, and all that
// belongs to it out of the database, in one transaction; other runs are not touched. What the
// search has beyond the endings that stay goes, too. The error wraps ErrNotFound if there is none
// of that name, experiments.ErrBusy if a process works on it. When at least a quarter of the file
// is free afterwards and no run is being worked on, the file is made smaller, if the disk has room
// to write it anew. Delete returns how many bytes of it are free.
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
		all, err = s.reader.Endings(ctx, run)
		if err != nil {
			return 0, err
		}
	}
	running, err := collect(ctx, s.reader.db, scanID, "SELECT coalesce(search_id, id) FROM endings WHERE status = ?",
		experiments.Running)
	if err != nil {
		return 0, explain(operation, s.path, err)
	}
	// A run under way may be about to ask for the games.
	busy := slices.ContainsFunc(running, func(id int64) bool { return alive(lockPath(s.absolute, id)) })
	lock, err := acquire(lockPath(s.absolute, run.owned.run()))
	if err != nil {
		return 0, fmt.Errorf("cannot delete run %s from %s: %w", run.Name, s.path, err)
	}
	defer lock.release()
	longest := int64(0) // ending of a search that is shorter now
	err = s.commitUnreferred(ctx, operation, func(ctx context.Context, tx *sql.Tx) (err error) {
		if run.Name == run.Root {
			err = deleteOwner(ctx, tx, run.owned.run(), busy)
		}
		for _, one := range all {
			if err == nil {
				err = deleteOwner(ctx, tx, one.ID, busy)
			}
		}
		if err == nil && run.Name != run.Root {
			longest, err = shortenSearch(ctx, tx, run.owned, busy)
		}
		return err
	})
	if err == nil && longest != 0 {
		err = s.writeFigures(ctx, longest, true)
	}
	var full sqlite3.Error
	if errors.As(err, &full) && full.Code == sqlite3.ErrFull {
		err = fmt.Errorf("cannot %s %s: %w (nothing is deleted, and nothing lost; the log beside the file may need %d MB "+
			"for a moment: free "+
			"them and run the same command again, or copy the file to another disk and delete the run there)",
			operation, s.path, full, s.file.Size()/1_000_000+1)
	}
	if err != nil {
		return 0, err
	}
	size := int64(0)
	measure := func() error {
		return s.writer.QueryRowContext(ctx, "SELECT page_size * page_count, page_size * freelist_count "+
			"FROM pragma_page_size, pragma_page_count, pragma_freelist_count").Scan(&size, &free)
	}
	err = measure()
	if err == nil && !busy && 4*free >= size { // otherwise the next run uses the room
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

// shortenSearch deletes what a search has behind its longest ending, once a longer one is deleted.
// It returns that ending, whose figures are to be written, or 0 if the search stays as it is.
func shortenSearch(ctx context.Context, tx *sql.Tx, deleted owned, keepGames bool) (longest int64, err error) {
	var o owned
	err = tx.QueryRowContext(ctx, "SELECT "+ownedColumns+
		" FROM endings WHERE search_id = ? ORDER BY questions DESC, id LIMIT 1", deleted.search).Scan(o.columns()...)
	if err != nil || o.questions >= deleted.questions {
		return 0, err
	}
	if err := deleteMemo(ctx, tx, o.search, o.questions, keepGames); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM asked WHERE owner_id = ? AND number >= ?;
		DELETE FROM slices WHERE owner_id = ? AND number >= ?;
		DELETE FROM playing WHERE id BETWEEN ? AND ?;
		DELETE FROM candidates WHERE id BETWEEN ? AND ?`, o.search, o.questions, o.search, o.questions,
		GameID(o.search, o.questions, 0), GameID(o.search+1, 0, 0)-1, candidateID(o.search, o.candidates),
		candidateID(o.search+1, 0)-1)
	for _, f := range figureTables { // those of the ending are written again, too, by whoever comes first
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM "+f.name+" WHERE run_id = ? AND "+f.owner+" IN (?1, ?)", o.search,
				o.ending)
		}
	}
	if err != nil {
		return 0, err
	}
	// A part has its size before its first game.
	parts := map[string]bool{}
	places, err := collect(ctx, tx, func(rows *sql.Rows) (at experiments.Place, err error) {
		return at, rows.Scan(&at.Phase, &at.Stage, &at.Search, &at.Generation, &at.Round)
	}, "SELECT phase, stage, search, generation, round FROM slices WHERE owner_id = ?", o.search)
	for _, at := range places {
		parts[at.Part()] = true
	}
	tuned := ""
	if err == nil {
		err = tx.QueryRowContext(ctx, "SELECT coalesce(sizes, 'null') FROM searches WHERE id = ?", o.search).Scan(&tuned)
	}
	if err != nil {
		return 0, err
	}
	sizes, err := readSizes("", tuned)
	if err != nil {
		return 0, err
	}
	maps.DeleteFunc(sizes, func(part string, _ experiments.Size) bool { return !parts[part] })
	left, _ := json.Marshal(sizes) // never fails
	_, err = tx.ExecContext(ctx, "UPDATE searches SET sizes = nullif(?, 'null'), hashed = NULL WHERE id = ?", string(left),
		o.search)
	return o.ending, err
}

// deleteMemo deletes the games of an owner's questions from a number on that nobody else asked for.
func deleteMemo(ctx context.Context, tx *sql.Tx, owner int64, from int, keepGames bool) (err error) {
	if !keepGames {
		_, err = tx.ExecContext(ctx, `DELETE FROM memo WHERE id IN (SELECT memo_id FROM asked WHERE owner_id = ?1
			AND number >= ?2
			EXCEPT SELECT memo_id FROM asked WHERE owner_id <> ?1 OR number < ?2)`, owner, from)
	}
	return err
}

// deleteOwner deletes a search, or an ending.
func deleteOwner(ctx context.Context, tx *sql.Tx, owner int64, keepGames bool) error {
	err := deleteMemo(ctx, tx, owner, 0, keepGames)
	if err == nil {
		err = emptyOwner(ctx, tx, owner, 0)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM searches WHERE id = ?; DELETE FROM endings WHERE id = ?", owner, owner)
	}
	return err
}

// emptyOwner deletes all that a search or an ending asked for and found, and its games under way
// from an evaluation on.
func emptyOwner(ctx context.Context, tx *sql.Tx, owner int64, number int) error {
	first, last := candidateID(owner, 0), candidateID(owner+1, 0)-1
	for _, f := range figureTables {
		_, err := tx.ExecContext(ctx, "DELETE FROM "+f.name+
			" WHERE run_id IN (?1, (SELECT e.search_id FROM endings AS e WHERE e.id = ?1)) AND "+f.owner+" = ?1", owner)
		if err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM comparisons WHERE ending_id = ?; DELETE FROM asked WHERE owner_id = ?;
		DELETE FROM slices WHERE owner_id = ?;
		DELETE FROM playing WHERE id BETWEEN ? AND ?; DELETE FROM candidates WHERE id BETWEEN ? AND ?`,
		owner, owner, owner, GameID(owner, number, 0), GameID(owner+1, 0, 0)-1, first, last)
	return err
}
