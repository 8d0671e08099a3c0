package cluster

import (
	"cmp"
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// patienceOfTests is the longest wait of the tests of servers and workers, which share this file.
const patienceOfTests = 60 * time.Second

// serve starts a server until the test ends.
func serve(t *testing.T, l Access) *embedded {
	t.Helper()
	if l.Listen == "" {
		l.Listen = "127.0.0.1:0"
	}
	e, err := l.listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.close)
	return e
}

// caller does the part of a coordinator that a worker sees.
type caller struct {
	server  *embedded
	nc      *nats.Conn
	deaf    atomic.Bool // answers no result
	asks    chan asking
	results chan result
	hellos  chan hello
}

// asking is a worker's request of a job.
type asking struct {
	*nats.Msg
	at time.Time
}

// call connects to a server as the process that it belongs to, and is the run "test" there.
func call(t *testing.T, e *embedded) *caller {
	t.Helper()
	nc, err := e.connect("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	c := &caller{server: e, nc: nc, asks: make(chan asking, 1000), results: make(chan result, 100),
		hellos: make(chan hello, 1000)}
	for subject, take := range map[string]nats.MsgHandler{
		askPrefix + "test.*.*": func(m *nats.Msg) { c.asks <- asking{m, time.Now()} },
		playedPrefix + "test.*.*": func(m *nats.Msg) {
			c.results <- must(decode[result](m.Data))
			if !c.deaf.Load() {
				m.Respond(nil)
			}
		},
		helloPrefix + "*.*": func(m *nats.Msg) {
			c.hellos <- must(decode[hello](m.Data))
			if c.deaf.Load() {
				return
			}
			c.announce(notice{Run: "test", Name: "test", Signature: signature, Version: "1.0"})
		},
	} {
		if _, err := nc.Subscribe(subject, take); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	return c
}

// announce publishes a notice. A worker's last hello may ask for one when the test has ended.
func (c *caller) announce(n notice) {
	if err := c.nc.Publish(runsSubject, encode(n)); !c.nc.IsClosed() {
		must(0, err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// ask gives a message to the next worker that asks for a job.
func (c *caller) ask(t *testing.T, message any) {
	t.Helper()
	text, raw := message.([]byte)
	if !raw {
		text = encode(message)
	}
	for {
		if a := receive(t, c.asks, "request of a job"); time.Since(a.at) < beat { // otherwise the worker asks again
			must(0, a.Respond(text))
			return
		}
	}
}

func receive[T any](t *testing.T, from <-chan T, what string) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(patienceOfTests):
		t.Fatalf("no %s came", what)
	}
	return value
}

// testJob is a job of two players at a depth.
func testJob(depth int, seeds ...uint64) job {
	feature := eval.Defaults(eval.Empty)
	family := eval.Heuristic{Features: []eval.Term{feature}, Symmetry: eval.SymmetryNone}
	j := job{Search: engine.FixedDepth(depth).String(), Form: eval.NewForm(engine.DefaultRules(), &family).Text,
		Values: []eval.Vector{{10}, {-10}}}
	for i := range j.Values {
		for _, seed := range seeds {
			j.Games = append(j.Games, simulator.Job{Player: i, Seed: seed})
		}
	}
	return j
}

// working is a worker that works.
type working struct {
	stop  context.CancelFunc
	ended chan error
	last  atomic.Pointer[Status]
}

// employ starts a worker.
func employ(t *testing.T, w Worker) *working {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	running := &working{stop: stop, ended: make(chan error, 1)}
	running.last.Store(&Status{})
	w.Status = func(s Status) { running.last.Store(&s) }
	w.Name, w.Version = cmp.Or(w.Name, "w"), cmp.Or(w.Version, "1.0")
	finished := make(chan struct{})
	go func() { running.ended <- w.Work(ctx); close(finished) }()
	t.Cleanup(func() { stop(); <-finished })
	return running
}

// until waits for a status.
func (w *working) until(t *testing.T, what string, is func(Status) bool) {
	t.Helper()
	waitFor(t, "a status "+what, func() bool { return is(*w.last.Load()) })
}

// end waits until the worker has ended.
func (w *working) end(t *testing.T) error {
	t.Helper()
	return receive(t, w.ended, "end of the worker")
}
