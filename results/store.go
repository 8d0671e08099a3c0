package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mattn/go-sqlite3"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
)

// Store is the one writer of a process. It implements [experiments.Store]: its methods are called
// one at a time. Cancelling their context does not stop a commit that began, so that no game is
// lost.
type Store struct {
	path     string      // as given, for messages
	absolute string      // without links
	file     os.FileInfo // what the path named when it was opened
	writer   *sql.DB
	reader   *Reader

	begun     map[int64]*begunRun // by id
	unshown   []string            // lock files of runs that are finished, see show
	pending   []pendingGame
	committed time.Time // when the last commit was
	closed    bool
	patience  time.Duration                                         // for another's transaction
	hurry     context.Context                                       // waiting ends when it is done
	notice    func(string)                                          // shows a long wait, or a large log; may be nil
	clock     func() time.Time                                      // time.Now, but in tests
	foresee   func() (done float64, left time.Duration, known bool) // may be nil
	log       logWatch
}

// begunRun is a run that this process works on: from Begin to Finish or Close.
type begunRun struct {
	lock     *runLock
	finished bool      // whether it was finished already when it was begun
	counted  time.Time // until then the time of work is in runs.worked_ms
	changed  bool      // something was recorded since
	played   int64     // games since the last commit
	owned
	// of the memo
	alone  bool   // its games serve no other run
	serves string // which only_run it takes games of, a JSON list
	// of its streams
	seed uint64
	salt string // of its held-out games
	// of its figures
	objective fitness.Objective
	phase     string    // at hand
	tuned     bool      // this process has written those of the tuning, which is over
	due       time.Time // when they are written again within a phase
	ranks     time.Time // when those of a long tuning are ranked again
}

var _ experiments.Store = (*Store)(nil)

// Reader returns the read model of the same file. It is closed with the Store.
func (s *Store) Reader() *Reader { return s.reader }

// Close commits the games that are pending, gives up the runs that are not finished (their status
// stays as it is: the same command resumes them) and closes the file, so that it is one file again.
// Unless others have it open, it then needs no write-ahead log: read-only media and other users'
// programs can read it. Closing twice is fine.
func (s *Store) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	// The readers first: a checkpoint cannot pass them. Where other processes read, the last one
	// moves the write-ahead log into the file. Without main, SQLite moves that of its temporary
	// tables too, which is locked after a takeover.
	err := errors.Join(s.flush(), s.reader.db.Close())
	_, moved := s.writer.Exec("PRAGMA main.wal_checkpoint(TRUNCATE)")
	if moved == nil {
		s.writer.Exec("PRAGMA main.journal_mode = DELETE") // fails where others have it open, and the next writer does it
	}
	err = errors.Join(err, explain("close", s.path, moved), s.writer.Close())
	for run, h := range s.begun {
		err = errors.Join(err, h.lock.release())
		delete(s.begun, run)
	}
	s.show()
	return err
}

// show removes the lock files of finished runs, which are free. The process has shown what it found
// when it begins another run, or closes the store. One that is killed before leaves the files, see
// [Reader.Unshown].
func (s *Store) show() {
	for _, path := range s.unshown {
		if lock, err := acquire(path); err == nil {
			_ = lock.release()
		}
	}
	s.unshown = nil
}

// record runs a transaction of a run that is begun, together with the games that are pending:
// either all of it is committed or nothing. An error names the operation. do reports whether it
// changed anything: a resumed run records many facts again.
func (s *Store) record(ctx context.Context, run int64, operation string,
	do func(context.Context, *sql.Tx) (changed bool, err error)) error {
	h, err := s.ready(run, operation)
	if err != nil {
		return err
	}
	changed := false
	err = s.commit(context.WithoutCancel(ctx), operation, func(ctx context.Context, tx *sql.Tx) (err error) {
		changed, err = do(ctx, tx)
		if err == nil && changed {
			err = touch(ctx, tx, run)
		}
		return err
	})
	h.changed = h.changed || err == nil && changed
	return err
}

// touch records that a run changes. A finished one is not finished until Finish says so again.
func touch(ctx context.Context, tx *sql.Tx, run int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE endings SET updated_at = ? WHERE id = ?;
		UPDATE endings SET status = ?, fingerprint = NULL, finished_at = NULL, done = NULL WHERE id = ? AND status = ?`,
		now(), run, experiments.Running, run, experiments.Finished)
	return err
}

// ready returns a run that can be written to.
func (s *Store) ready(run int64, operation string) (*begunRun, error) {
	h := s.begun[run]
	if h == nil {
		return nil, fmt.Errorf("cannot %s %s: run %d is not begun, or is finished", operation, s.path, run)
	}
	return h, nil
}

// commit runs a transaction that first inserts the games that are pending.
func (s *Store) commit(ctx context.Context, operation string, do func(context.Context, *sql.Tx) error) error {
	if err := s.inPlace(operation); err != nil {
		return err
	}
	tx, err := s.begin(ctx)
	if err != nil {
		return explain(operation, s.path, err)
	}
	defer tx.Rollback()
	at := s.clock()
	err = insertGames(ctx, tx, s.pending)
	if err == nil {
		err = s.storeProgress(ctx, tx, at)
	}
	if err == nil {
		err = do(ctx, tx)
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return explain(operation, s.path, err)
	}
	for _, h := range s.begun {
		h.counted, h.played = h.counted.Add(h.worked(at)), 0
	}
	s.pending, s.committed = s.pending[:0], at
	s.watchLog(at)
	return s.inPlace(operation)
}

// worked is the time since the last commit, in whole milliseconds, or 0 for a finished run.
func (h *begunRun) worked(at time.Time) time.Duration {
	if h.finished && !h.changed {
		return 0
	}
	return max(0, at.Sub(h.counted).Truncate(time.Millisecond))
}

// storeProgress adds the time since the last commit to the runs that are begun, and records where
// they are, for people.
func (s *Store) storeProgress(ctx context.Context, tx *sql.Tx, at time.Time) error {
	done, left, known := 0.0, time.Duration(0), false
	if s.foresee != nil {
		done, left, known = s.foresee()
	}
	for run, h := range s.begun {
		_, err := tx.ExecContext(ctx, "UPDATE endings SET worked_ms = min(worked_ms, 1 << 53) + ?, "+
			"played_games = min(played_games, 1 << 53) + ? WHERE id = ?", // a false one may be the largest number
			h.worked(at).Milliseconds(), h.played, run)
		if err == nil && known {
			_, err = tx.ExecContext(ctx, "UPDATE endings SET done = ?, expected_end = ?, updated_at = ? "+
				"WHERE id = ? AND status = ?",
				done, TimeText(time.Now().Add(left)), now(), run, experiments.Running)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inPlace reports a file that was deleted, moved or replaced under us: SQLite would go on writing
// to a file that nobody finds again.
func (s *Store) inPlace(operation string) error {
	file, err := os.Stat(s.absolute)
	if err == nil && os.SameFile(file, s.file) {
		return nil
	}
	return fmt.Errorf("cannot %s %s: the file was deleted, moved or replaced while it was open: further records would "+
		"be lost "+
		"(put it back, or run the same command again to start anew)", operation, s.path)
}

// Another process's transaction is waited for in attempts of SQLite's own: short ones, so that they
// do not hold up the end of a run that was interrupted. A wait longer than noticeAfter is shown.
const (
	attempt     = 250 * time.Millisecond
	noticeAfter = 2 * time.Second
)

// Wait makes the store wait for another process's transaction up to limit, instead of 10 seconds,
// or until ctx is done: this program's take milliseconds, one that was left open in an SQL shell
// may take all night. Meanwhile the run waits too.
// notice shows that this takes long, and that it is over. It also shows that a reader makes the
// write-ahead log grow.
func (s *Store) Wait(ctx context.Context, limit time.Duration, notice func(message string)) {
	s.patience, s.hurry, s.notice = limit, ctx, notice
}

// Foresee makes the store ask where the run of this process is, and record that whenever it commits
// something anyway: the share of its plan that is done, by time, 0..1, and how long the rest will
// take. known is false before that can be estimated.
func (s *Store) Foresee(ask func() (done float64, left time.Duration, known bool)) {
	s.foresee = ask
}

// begin begins a transaction of the writer.
func (s *Store) begin(ctx context.Context) (*sql.Tx, error) {
	noticed := false
	for began := time.Now(); ; {
		tx, err := s.writer.BeginTx(ctx, nil)
		waited := time.Since(began)
		if !isBusy(err) {
			if noticed {
				s.notice(fmt.Sprintf("%s is free again after %s; going on", s.path, waited.Round(time.Second)))
			}
			return tx, err
		}
		if waited >= s.patience || s.hurry.Err() != nil {
			s.patience = 0 // who waited in vain does not wait again to say so
			return nil, fmt.Errorf("waited %s: %w", waited.Round(100*time.Millisecond), err)
		}
		if waited >= noticeAfter && !noticed && s.notice != nil {
			noticed = true
			s.notice(fmt.Sprintf("%s is held by another program: waiting for it, at most %s; is a transaction open in an SQL "+
				"shell?",
				s.path, s.patience))
		}
	}
}

func isBusy(err error) bool {
	var s sqlite3.Error
	return errors.As(err, &s) && s.Code == sqlite3.ErrBusy
}

// timeLayout has a fixed width, so that times sort as text.
const timeLayout = "2006-01-02T15:04:05.000Z"

// now is the time of day as the database writes it, for people: somebody may set the clock at any
// moment, so nothing depends on it. The newer run has the larger id.
func now() string { return TimeText(time.Now()) }

// TimeText is a time as the database writes it.
func TimeText(t time.Time) string { return t.UTC().Format(timeLayout) }
