package experiments

import "time"

// Worker is a machine that plays games for a run, beside the process that carries the run out. None
// of this is part of a result.
type Worker struct {
	Name      string  // of one connection at a time: while it has it, another one gets a number
	Cores     int     // games that it plays at once
	Version   string  // of its program
	Signature string  // of its play: with another one than the run's it gets no games
	Games     int64   // of the run that it played
	Speed     float64 // games per second, of about the last minute
	FirstSeen time.Time
	LastSeen  time.Time
}
