package cluster

import (
	"context"
	"errors"
)

// Worker plays games for the runs of a NATS server.
type Worker struct {
	Access
	Name    string       // of this machine; processes of one name are one worker to the runs
	Cores   int          // games at once
	Version string       // of this program
	Status  func(Status) // told now and then, one at a time; may be nil
}

// Status is how a worker fares.
type Status struct {
	Connected bool
	Runs      []string // that are heard of, of this worker's signature
	Playing   int      // games at once, now
	Games     int64    // played since it began
	Speed     float64  // games per second, of about the last minute
	Message   string   // what somebody should know: that it waits for a server, that a run wants another version; otherwise empty
}

// Work plays until ctx is done: then it finishes its blocks, or returns those that take longer than a few seconds. The error says
// why it cannot go on: it is let in no more, or a run has cut it off.
func (w Worker) Work(ctx context.Context) error { return errors.ErrUnsupported }
