package cluster

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"tune2048/engine"
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

// Whoever empties the queue, or takes jobs without a word, delays what was in it, and no more.
func TestQueueIsEmptied(t *testing.T) {
	b := someGames(20, 40)
	want := truth(t, b)
	c := open(t, 0)
	join(t, c, "one")
	began := time.Now()
	got := amid(t, c, b, 100, func() {
		s, err := c.js.Stream(t.Context(), jobsStream)
		if err != nil || s.Purge(t.Context()) != nil {
			t.Error("the queue cannot be emptied")
		}
	})
	t.Log(time.Since(began))
	wantOutcomes(t, got, want)
}

// Neither a game at hand nor the replay of a game holds up a batch that is done. The end of the run
// waits for the replay.
func TestNobodyHoldsUpABatch(t *testing.T) {
	b := someGames(1, 1)
	b.Players[0].Settings = engine.FixedDepth(9) // takes longer than any test
	c := open(t, 1)
	o := simulator.Outcome{Result: engine.Result{Score: 8, MaxTile: 8, Moves: 4}}
	go func() {
		for c.nats.Publish(resultsPrefix+c.run, encode(result{ID: "x", Worker: "afar", Signature: simulator.Signature, Players: []resultPlayer{{
			Key: playerKey(b.Rules, &b.Players[0]), Seeds: []uint64{0}, Games: [][7]uint64{numbers(o)},
		}}})) == nil {
			time.Sleep(10 * time.Millisecond)
		}
	}()
	got, err := c.Play(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, got, []simulator.Outcome{o})
	settled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Settle(settled); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends before the replay: %v", err)
	}
}

// A coordinator that is closed leaves nothing behind, whatever went on.
func TestCoordinatorLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("play", func(t *testing.T) {
		c := open(t, 1)
		join(t, c, "worker")
		for range 3 {
			amid(t, c, someGames(4, 20), 10, func() { c.js.DeleteStream(t.Context(), resultsStream) })
		}
	})
	waitFor(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// A worker that cannot tell what it played leaves all the same.
func TestWorkerLeavesUnheard(t *testing.T) {
	t.Parallel()
	e := serve(t, Listener{})
	c := call(t, e)
	w := employ(t, Worker{Access: Access{Server: e.url()}})
	if err := c.js.DeleteStream(t.Context(), resultsStream); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"1", "2", "3"} {
		c.ask(t, testJob(id, 1, 1))
	}
	w.until(t, "that it has played two jobs", func(s Status) bool { return s.Games == 4 && s.Playing == 0 })
	w.stop()
	if err := w.end(t); err != nil {
		t.Error(err)
	}
}
