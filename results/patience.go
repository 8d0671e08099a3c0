package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/mattn/go-sqlite3"
)

// attempt is how long the writer waits for another process's transaction before it looks whether it should go on
// waiting: it must not hold up the end of a run that was interrupted.
const attempt = 250 * time.Millisecond

// patience is how a store waits for a transaction of another process. A transaction of this program takes milliseconds;
// one that was left open in an SQL shell may take all night.
type patience struct {
	limit time.Duration   // after which an operation fails
	hurry <-chan struct{} // once it is closed there is no more waiting; may be nil
	tell  func(string)    // told of a long wait, now and then; may be nil
	spent bool            // a wait was in vain: the next ones are short, until one is not
}

// tellFirst and tellEvery are when a wait is told of.
const (
	tellFirst = 2 * time.Second
	tellEvery = 30 * time.Second
)

// Wait makes the store wait for another process's transaction up to limit, instead of 10 seconds, or until ctx is done.
// Meanwhile nothing can be recorded, and what is to be recorded waits too. tell is told when that takes long, and when
// it is over.
func (s *Store) Wait(ctx context.Context, limit time.Duration, tell func(message string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.patience = patience{limit: limit, hurry: ctx.Done(), tell: tell}
}

// begin begins a transaction of the writer.
func (s *Store) begin(ctx context.Context) (*sql.Tx, error) {
	began, next := time.Now(), tellFirst
	for {
		tx, err := s.writer.BeginTx(ctx, nil)
		waited := time.Since(began)
		if !isBusy(err) {
			s.patience.spent = s.patience.spent && err != nil
			if next > tellFirst {
				s.patience.say("%s is free again after %s; going on", s.path, waited.Round(time.Second))
			}
			return tx, err
		}
		if waited >= s.patience.limit || s.patience.spent || s.patience.hurried() {
			s.patience.spent = true
			return nil, fmt.Errorf("waited %s: %w", waited.Round(100*time.Millisecond), err)
		}
		if waited >= next {
			s.patience.say("%s is held by another program: waiting for it since %s, at most %s; is a transaction open in an SQL shell?",
				s.path, waited.Round(time.Second), s.patience.limit)
			next += tellEvery
		}
	}
}

func (p patience) say(format string, args ...any) {
	if p.tell != nil {
		p.tell(fmt.Sprintf(format, args...))
	}
}

func (p patience) hurried() bool {
	select {
	case <-p.hurry:
		return true
	default: // also if there is no such channel
		return false
	}
}

// Lost is how many games were played and could not be recorded, because a run that ended badly was given up without
// them.
func (s *Store) Lost() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

func isBusy(err error) bool {
	var s sqlite3.Error
	return errors.As(err, &s) && s.Code == sqlite3.ErrBusy
}
