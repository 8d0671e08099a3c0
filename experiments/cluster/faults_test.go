package cluster

import (
	"sync/atomic"
	"testing"
	"time"

	"tune2048/engine/simulator"
)

// amid plays a batch and does something when so many of its games have been told.
func amid(t *testing.T, c *Coordinator, b simulator.Batch, games int32, do func()) []simulator.Outcome {
	t.Helper()
	var told atomic.Int32
	did := make(chan struct{})
	got, err := c.Play(t.Context(), b, func(int, simulator.Outcome) error {
		if told.Add(1) == games {
			go func() { defer close(did); do() }()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	<-did
	return got
}

// Whichever stream somebody deletes, the batch goes on at once.
func TestStreamsVanish(t *testing.T) {
	b := someGames(20, 40)
	want := truth(t, b)
	for _, streams := range [][]string{{jobsStream}, {resultsStream}, {jobsStream, resultsStream}} {
		t.Run(streams[0], func(t *testing.T) {
			c := open(t, 0)
			join(t, c, "one")
			join(t, c, "two")
			began := time.Now()
			got := amid(t, c, b, 100, func() {
				for _, name := range streams {
					if err := c.js.DeleteStream(t.Context(), name); err != nil {
						t.Error(err)
					}
				}
			})
			t.Log(time.Since(began))
			wantOutcomes(t, got, want)
		})
	}
}
