package cluster

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
	"tune2048/experiments"
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

// What a worker tells is told to nobody before its first audit has ended well: whoever kills this process before that keeps nothing wrong.
func TestNothingIsToldBeforeTheAudit(t *testing.T) {
	b := someGames(1, 40)
	c := open(t, 0)
	nc, err := c.server.connect("a worker that lies")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js := must(jetstream.New(nc))
	nc.Publish(workersSubject, encode(hello{Worker: "liar", Process: "p", Cores: 1, Signature: simulator.Signature}))
	nc.Publish(workersSubject, encode(hello{Worker: "sleeper", Process: "p", Cores: 1, Signature: simulator.Signature})) // its audits wait
	go func() {
		for queue := must(consumerFor(t.Context(), c.js, simulator.Signature)); t.Context().Err() == nil; {
			batch, err := queue.Fetch(1, jetstream.FetchMaxWait(time.Second))
			if err != nil {
				return
			}
			for m := range batch.Messages() {
				if j := must(decode[job](m.Data())); j.Not == "" {
					outcomes := make([]simulator.Outcome, len(j.Players[0].Seeds))
					js.Publish(t.Context(), resultsPrefix+j.Run, encode(j.answer("liar", outcomes)))
				}
				m.Ack()
			}
		}
	}()
	var wrong *experiments.Untrusted
	_, err = c.Play(t.Context(), b, func(job int, o simulator.Outcome) error {
		if o.Worker == "liar" {
			t.Errorf("game %d was told before anybody had looked at it", job)
		}
		return nil
	})
	if !errors.As(err, &wrong) || wrong.Worker != "liar" {
		t.Errorf("found %v, %v", wrong, err)
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
