package cluster

import (
	"context"
	"errors"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"tune2048/engine"
	"tune2048/engine/simulator"
)

// amid plays a batch and calls do when this number of games has been reported.
func amid(t *testing.T, c *Coordinator, b simulator.Batch, games int32, do func()) []simulator.Outcome {
	t.Helper()
	var reported atomic.Int32
	did := make(chan struct{})
	got, err := c.Play(t.Context(), b, func(int, simulator.Outcome) error {
		if reported.Add(1) == games {
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

// external starts a NATS server that belongs to no run.
func external(t *testing.T, port int) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(patienceOfTests) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// Whatever the server loses, the batch goes on.
func TestLosses(t *testing.T) {
	b := someGames(20, 40)
	want := truth(t, b)
	for name, lose := range map[string]func(c *Coordinator, s *server.Server) error{
		"server restarts": func(c *Coordinator, s *server.Server) error {
			port := s.Addr().(*net.TCPAddr).Port
			s.Shutdown()
			s.WaitForShutdown()
			time.Sleep(time.Second)
			external(t, port)
			return nil
		},
		"streams are gone": func(c *Coordinator, s *server.Server) error {
			return errors.Join(c.js.DeleteStream(t.Context(), jobsStream), c.js.DeleteStream(t.Context(), resultsStream))
		},
		"stream of jobs is gone": func(c *Coordinator, s *server.Server) error { return c.js.DeleteStream(t.Context(), jobsStream) },
		"jobs are gone":          func(c *Coordinator, s *server.Server) error { c.purge(jobsStream, c.jobsSubject()); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := external(t, server.RANDOM_PORT)
			access := Access{Server: s.ClientURL()}
			c := open(t, 0, func(o *Options) { o.Listen, o.Access = nil, access })
			for _, worker := range []string{"one", "two"} {
				join(t, c, worker, func(w *Worker) { w.Access = access })
			}
			if name != "jobs are gone" { // no block is late for minutes
				c.pace.saw("depth 2", time.Hour)
			}
			began := time.Now()
			got := amid(t, c, b, 100, func() {
				if err := lose(c, s); err != nil {
					t.Error(err)
				}
			})
			if took := time.Since(began); took > time.Minute {
				t.Errorf("it took %v", took)
			}
			wantOutcomes(t, got, want)
		})
	}
}

// The run warns once when the workers' games do not arrive, and once when they do again.
func TestLostResultsAreReported(t *testing.T) {
	t.Parallel()
	warnings := make(chan string, 10)
	c := open(t, 0, func(o *Options) { o.Warn = func(text string) { warnings <- text } })
	join(t, c, "worker")
	b := someGames(4, 20)
	amid(t, c, b, 10, func() { must(0, c.js.DeleteStream(t.Context(), resultsStream)) })
	for _, want := range []string{"the workers' games do not arrive: ", "the workers' games arrive again"} {
		if text := receive(t, warnings, "warning"); !strings.HasPrefix(text, want) {
			t.Errorf("a warning %q, want %q", text, want)
		}
	}
	if len(warnings) > 0 {
		t.Errorf("another warning: %q", <-warnings)
	}
}

// Neither a game at hand nor the replay of a game holds up a batch that is done. The end of the run
// waits for the replay.
func TestNobodyHoldsUpABatch(t *testing.T) {
	b := someGames(1, 1)
	b.Players[0].Settings = engine.FixedDepth(9) // takes longer than any test
	c := open(t, 1)
	o := simulator.Outcome{Result: engine.Result{Score: 8, MaxTile: 8, Moves: 4}}
	go func() {
		for c.nats.Publish(resultsPrefix+c.run, encode(result{Worker: "afar", Games: []resultGame{{Key: playerKey(b.Rules, &b.Players[0]), Outcome: o}}})) == nil {
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
	if err := c.settle(settled); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends before the replay: %v", err)
	}
}

// A run takes back the jobs of its process that was killed before it deals its own.
func TestOpenTakesBack(t *testing.T) {
	t.Parallel()
	access := Access{Server: external(t, server.RANDOM_PORT).ClientURL()}
	other := open(t, 0, func(o *Options) { o.Listen, o.Access, o.Identity = nil, access, "another run" })
	same := hashOf("run", t.Name(), simulator.Signature)
	must(other.js.Publish(t.Context(), jobsPrefix+simulator.Signature+"."+same, []byte("{}")))
	open(t, 0, func(o *Options) { o.Listen, o.Access = nil, access })
	if left := must(must(other.js.Stream(t.Context(), jobsStream)).Info(t.Context())).State.Msgs; left != 0 {
		t.Errorf("%d jobs are left", left)
	}
}

// Close takes back what the server has for the run, and nothing of other runs.
func TestCloseTakesBack(t *testing.T) {
	t.Parallel()
	access := Access{Server: external(t, server.RANDOM_PORT).ClientURL()}
	other := open(t, 0, func(o *Options) { o.Listen, o.Access, o.Identity = nil, access, "another run" })
	c := open(t, 0, func(o *Options) { o.Listen, o.Access = nil, access })
	for _, of := range []*Coordinator{c, other} {
		for _, subject := range []string{of.jobsSubject(), resultsPrefix + of.run} {
			must(other.js.Publish(t.Context(), subject, []byte("{}")))
		}
	}
	c.Close()
	for _, stream := range []string{jobsStream, resultsStream} {
		if left := must(must(other.js.Stream(t.Context(), stream)).Info(t.Context())).State.Msgs; left != 1 {
			t.Errorf("%d messages are left in %s, want the other run's", left, stream)
		}
	}
}

// When coordinator and workers have ended, so have their goroutines.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("play", func(t *testing.T) {
		lonely := employ(t, Worker{Access: Access{Server: "nats://127.0.0.1:1"}})
		lonely.until(t, "that it waits", func(s Status) bool { return s.Message != "" })
		c := open(t, 1)
		join(t, c, "worker")
		for range 2 {
			amid(t, c, someGames(4, 20), 10, func() { c.js.DeleteStream(t.Context(), resultsStream) })
		}
	})
	waitFor(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// A worker that cannot report its games leaves all the same.
func TestWorkerLeavesUnheard(t *testing.T) {
	t.Parallel()
	e := serve(t, Listener{})
	c := call(t, e)
	w := employ(t, Worker{Access: Access{Server: e.url()}})
	if err := c.js.DeleteStream(t.Context(), resultsStream); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c.ask(t, testJob(1, 1))
	}
	w.until(t, "that it cannot store a result", func(s Status) bool { return strings.Contains(s.Message, "cannot store results") })
	w.stop()
	if err := w.end(t); err != nil {
		t.Error(err)
	}
	if left := must(must(c.js.Stream(t.Context(), jobsStream)).Info(t.Context())).State.Msgs; left != 3 {
		t.Errorf("%d jobs are left, want 3: none has a result", left)
	}
}
