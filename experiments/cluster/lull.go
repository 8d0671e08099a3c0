package cluster

import (
	"fmt"
	"time"
)

// lullAfter is how long nothing has to happen before somebody hears of it.
const lullAfter = time.Minute

// lull finds out that something that is due does not happen for a long time. It has no clock.
type lull struct {
	since time.Time // when it last happened, or was not due; zero: it is not due
	said  bool
}

// begins reports, once, that it has been due for so long without happening.
func (l *lull) begins(due, happened bool, now time.Time, after time.Duration) bool {
	switch {
	case !due || happened:
		*l = lull{}
	case l.since.IsZero():
		l.since = now
	case !l.said && now.Sub(l.since) >= after:
		l.said = true
		return true
	}
	return false
}

// hungry is a worker that runs give nothing to play.
type hungry struct {
	lull
	games int64 // at the last look
}

// note takes a worker's state, and adds to it that runs give it nothing to play.
func (h *hungry) note(s *Status, now time.Time) {
	due := s.Connected && s.Message == "" && len(s.Runs) > 0
	h.begins(due, s.Playing > 0 || s.Games != h.games, now, lullAfter)
	h.games = s.Games
	if h.said {
		s.Message = fmt.Sprintf("run %s has given it nothing to play for a minute: the run's own cores may be enough, as "+
			"at a shallow "+
			"search, or the run stands still; it goes on waiting", s.Runs[0])
	}
}

// idle returns, once, that a batch is played and the workers do nothing for it, or that there is
// nobody to play it. Its caller holds the mutex.
func (c *Coordinator) idle(now time.Time) (warning string) {
	after, due := lullAfter, c.play != nil
	workers := int(c.workers.Load())
	if due {
		after = max(after, overdue*c.pace.mean(c.play.dealer.search)+patience)
		due = workers > 0 || len(c.pools) == 0
	}
	happened := c.taken != c.lookedAt
	c.lookedAt = c.taken
	if !c.lull.begins(due, happened, now, after) {
		return ""
	}
	who := fmt.Sprintf("%d workers have", workers)
	if workers == 1 {
		who = "a worker has"
	}
	switch {
	case workers == 0:
		return "nobody plays: no worker that can is here, and -workers 0 leaves all games to them"
	case c.play.dealer.workersPlay():
		return fmt.Sprintf("%s brought no game for %s, and games of this run are with them: see the screens of the "+
			"workers, or stop those that hang",
			who, after.Round(time.Second))
	}
	return fmt.Sprintf("%s brought no game for %s, and asked for none: they play for another run, or their games take "+
		"long; see their screens",
		who, after.Round(time.Second))
}

// workersPlay reports whether a worker has a block.
func (d *dealer) workersPlay() bool {
	for _, b := range d.out {
		if !b.holder.here {
			return true
		}
	}
	return false
}
