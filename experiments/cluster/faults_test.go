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
func external(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	o.Host, o.NoLog, o.NoSigs = "127.0.0.1", true, true
	s := must(server.NewServer(o))
	s.Start()
	if !s.ReadyForConnections(patienceOfTests) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// When the server restarts, the batch goes on. The run warns once that the workers' games do not
// arrive, and once that they do again.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	b := someGames(20, 40)
	s := external(t, &server.Options{Port: server.RANDOM_PORT})
	access, warnings := Access{Server: s.ClientURL()}, make(chan string, 10)
	c := open(t, 0, func(o *Options) { o.Access, o.Warn = access, func(text string) { warnings <- text } })
	for _, worker := range []string{"one", "two"} {
		join(t, c, worker, func(w *Worker) { w.Access = access })
	}
	c.pace.saw("depth 2", time.Minute) // no block is late for some seconds
	got := amid(t, c, b, 100, func() {
		port := s.Addr().(*net.TCPAddr).Port
		s.Shutdown()
		s.WaitForShutdown()
		external(t, &server.Options{Port: port})
	})
	wantOutcomes(t, got, truth(t, b))
	for _, want := range []string{"the workers' games do not arrive: ", "the workers' games arrive again"} {
		if text := receive(t, warnings, "warning"); !strings.HasPrefix(text, want) {
			t.Errorf("a warning %q, want %q", text, want)
		}
	}
	if len(warnings) > 0 {
		t.Errorf("another warning: %q", <-warnings)
	}
}

// refuser is a server's that lets nobody in.
type refuser struct{ refused atomic.Int32 }

func (r *refuser) Check(server.ClientAuthentication) bool { r.refused.Add(1); return false }

// When the server comes back and refuses the run by mistake, the run returns once that is mended. A
// server that refuses the run from the beginning is an error.
func TestServerRefuses(t *testing.T) {
	t.Parallel()
	s, no := external(t, &server.Options{Port: server.RANDOM_PORT}), new(refuser)
	access := Access{Server: s.ClientURL()}
	c := open(t, 0, func(o *Options) { o.Access = access })
	port := s.Addr().(*net.TCPAddr).Port
	s.Shutdown()
	s.WaitForShutdown()
	s = external(t, &server.Options{Port: port, CustomClientAuthentication: no})
	waitFor(t, "four refusals", func() bool { return no.refused.Load() > 3 })
	if _, err := Open(t.Context(), Options{Access: access, Name: "late", Identity: "late"}); err == nil {
		t.Error("a run begins with a server that refuses it")
	}
	s.Shutdown()
	s.WaitForShutdown()
	external(t, &server.Options{Port: port})
	waitFor(t, "the connection", c.nats.IsConnected)
}

// Neither a game at hand nor the replay of a game holds up a batch that is done. The end of the run
// waits for the replay.
func TestNobodyHoldsUpABatch(t *testing.T) {
	b := someGames(1, 1)
	b.Search = engine.FixedDepth(9) // takes longer than any test
	c := open(t, 1)
	o := truth(t, someGames(1, 1))[0]
	go intrude(t, Access{Server: c.URL}, "afar").hand(c, resultOf(b, o))
	got, err := c.Play(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, got, []simulator.Outcome{o})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Settle(done); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends before the replay: %v", err)
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
			amid(t, c, someGames(4, 20), 10, func() {})
		}
	})
	waitFor(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// A worker gives up a result whose run has ended while there is another.
// It leaves though no run answers.
func TestResultInVain(t *testing.T) {
	t.Parallel()
	c := call(t, serve(t, Access{}))
	w := employ(t, Worker{Access: Access{Server: c.server.ClientURL()}})
	c.ask(t, testJob(1, 1, 2, 3))
	receive(t, c.results, "result")
	c.deaf.Store(true)
	c.ask(t, testJob(1, 1))
	receive(t, c.results, "result that is not answered")
	c.announce(notice{Run: "other", Name: "other", Signature: signature, Version: "1.0"})
	c.announce(notice{Run: "test", Name: "test", Signature: signature, Version: "1.0", Ended: true})
	w.until(t, "that it is given up", func(s Status) bool { return s.Playing == 0 })
	c.announce(notice{Run: "test", Name: "test", Signature: signature, Version: "1.0"})
	c.ask(t, testJob(1, 1))
	receive(t, c.results, "result that is not answered")
	w.stop()
	if err := w.end(t); err != nil {
		t.Error(err)
	}
}
