package experiments

import (
	"fmt"
	"time"
)

// Worker is a machine that plays games for a run, beside the process that carries the run out. None of this is part of a result.
type Worker struct {
	Name      string  // processes of one name are one worker
	Cores     int     // games that it plays at once
	Version   string  // of its program
	Signature string  // of its play: with another one than the run's it gets no games
	Games     int64   // of the run whose outcome it was the first to tell
	Repeated  int64   // of the run that somebody else had told before
	Audited   int64   // of its games that another worker played, too, and that came out the same
	Speed     float64 // games per second, of about the last minute
	FirstSeen time.Time
	LastSeen  time.Time
	FirstGame int64  // number of the first game of the run that it told of, kept by the store; -1: none, or it is cut off and all were checked
	CutOff    string // why its games are not believed any more; empty: they are
}

// Untrusted is the error of a Simulator when a worker has told of a game what is not so. What it told of other games may be
// wrong, too: see Experiment.Run.
type Untrusted struct {
	Worker string
	Reason string // such as: game with seed 7: it told 1044 points, two others 1024
}

// Error implements error.
func (u *Untrusted) Error() string {
	return fmt.Sprintf("worker %s is cut off: %s", u.Worker, u.Reason)
}
