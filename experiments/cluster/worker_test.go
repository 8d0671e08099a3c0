package cluster

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// TestBadJobs: what is no job is dropped. One that cannot be played is answered by the reason.
func TestBadJobs(t *testing.T) {
	t.Parallel()
	e := serve(t, Access{})
	c := call(t, e)
	w := employ(t, Worker{Access: Access{Server: e.ClientURL()}})
	c.ask(t, []byte("{"))
	w.until(t, "of a dropped job", func(s Status) bool { return strings.Contains(s.Message, "dropped a job") })
	weights, search, features, player, more, less, nobody := testJob(1, 1), testJob(1, 1), testJob(1, 1), testJob(1, 1),
		testJob(1, 1), testJob(1, 1), testJob(1, 1)
	more.Form, less.Form = strings.Replace(more.Form, "0.1", "1.1", 1), strings.Replace(less.Form, "0.1", "-0.1", 1)
	weights.Values[1] = nil
	nobody.Values = nil
	features.Form = `{"heuristic": {"features": []}}`
	search.Search = "depth 0"
	player.Games[1].Player = 2
	for want, j := range map[string]job{
		"0 values": weights, "search: want a text such as": search, "a player below 2, got 2": player,
		"the file is empty":         {},
		"features: want at least 1": features, "0 to 1, got 1.1": more, "0 to 1, got -0.1": less,
		"a player below 0, got 0": nobody,
	} {
		c.ask(t, j)
		if r := receive(t, c.results, "result"); !strings.Contains(r.Error, want) || len(r.Games) > 0 {
			t.Errorf("want %s, got %+v", want, r)
		}
	}
	c.ask(t, testJob(1, 1))
	receive(t, c.results, "result")
	w.until(t, "that all is well", func(s Status) bool { return s.Message == "" })
}

// TestResultWaits: a game that ends while the server is away is reported when it is back.
func TestResultWaits(t *testing.T) {
	t.Parallel()
	first := serve(t, Access{})
	c := call(t, first)
	playing, goOn, hold := held()
	w := employ(t, Worker{Access: Access{Server: first.ClientURL()}, Cores: 1, change: hold})
	j := testJob(1, 1)
	c.ask(t, j)
	receive(t, playing, "game")
	first.close()
	close(goOn)
	w.until(t, "that the connection is lost", func(s Status) bool { return !s.Connected && s.Message != "" })
	again := call(t, serve(t, Access{Listen: strings.TrimPrefix(first.ClientURL(), "nats://")}))
	r, b := receive(t, again.results, "result"), must(j.batch())
	want := truth(t, b)
	for i, game := range r.Games {
		if game.Key != gameOf(b.Players[i], b.Search) || game.Seed != 1 || game.Result != want[i].Result {
			t.Errorf("game %d is %+v, want %+v", i, game, want[i])
		}
	}
	w.until(t, "that all is well", func(s Status) bool {
		return s.Connected && s.Message == "" && s.Games == 2 && len(r.Games) == 2
	})
}

// held stops a worker between a game and its result, from playing until goOn.
func held() (playing, goOn chan struct{}, hold func(*simulator.Outcome)) {
	playing, goOn = make(chan struct{}), make(chan struct{})
	return playing, goOn, func(*simulator.Outcome) {
		select {
		case playing <- struct{}{}:
			<-goOn
		case <-goOn:
		}
	}
}

// TestAServerHasAPort: an error names the port, also where it is the usual one and was not given.
func TestAServerHasAPort(t *testing.T) {
	for server, want := range map[string]string{"localhost": "nats://localhost:4222 ", "tls://[::1]": "tls://[::1]:4222 ",
		"nats://a:1": "nats://a:1 "} {
		if err := (Access{Server: server}).explain(nats.ErrNoServers); !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", server, err)
		}
	}
}

// TestWorkerComesFirst: it waits for a server, and for a run.
func TestWorkerComesFirst(t *testing.T) {
	t.Parallel()
	e := serve(t, Access{})
	address := strings.TrimPrefix(e.ClientURL(), "nats://")
	e.close()
	w := employ(t, Worker{Access: Access{Server: e.ClientURL()}})
	w.until(t, "that nobody listens",
		func(s Status) bool { return !s.Connected && strings.Contains(s.Message, "nobody listens") })
	e = serve(t, Access{Listen: address})
	w.until(t, "that it is connected", func(s Status) bool { return s.Connected && s.Message == "" })
	call(t, e).ask(t, testJob(1, 1))
	w.until(t, "that it plays", func(s Status) bool { return s.Games == 2 })
}

// TestDrain: a worker that leaves says so after a few seconds, whatever it has.
func TestDrain(t *testing.T) {
	t.Parallel()
	e := serve(t, Access{})
	c := call(t, e)
	w := employ(t, Worker{Access: Access{Server: e.ClientURL()}})
	long := testJob(9, 1) // nobody finishes it within a test
	c.ask(t, long)
	w.until(t, "that it plays", func(s Status) bool { return s.Playing == 1 })
	w.stop()
	if err := w.end(t); err != nil {
		t.Error(err)
	}
	for !receive(t, c.hellos, "last hello").Leaving {
	}
}

// TestRuns: a worker says which runs it hears of, and which version they want if it is another one.
func TestRuns(t *testing.T) {
	t.Parallel()
	e := serve(t, Access{})
	c := call(t, e)
	c.deaf.Store(true) // nor does it say that it is there
	ended := make(chan string, 10)
	w := employ(t, Worker{Access: Access{Server: e.ClientURL()}, Version: "1.5", Ended: func(run string) { ended <- run }})
	receive(t, c.hellos, "hello") // it listens
	c.announce(notice{Run: "r-1", Name: "snake", Signature: "00000000000000ff", Version: "1.6"})
	w.until(t, "that 1.6 is wanted", func(s Status) bool {
		return strings.Contains(s.Message, "run snake wants tune 1.6 (play 00000000000000ff), this is tune 1.5 (play "+
			signature+")")
	})
	c.announce(notice{Run: "r-2", Name: "rows", Signature: signature, Version: "1.5"})
	w.until(t, "of the run", func(s Status) bool { return s.Message == "" && len(s.Runs) == 1 && s.Runs[0] == "rows" })
	c.announce(notice{Run: "r-2", Name: "rows", Signature: signature, Version: "1.5", Ended: true})
	c.announce(notice{Run: "r-3", Name: "unknown", Signature: signature, Version: "1.5", Ended: true})
	if run := receive(t, ended, "end of a run"); run != "rows" {
		t.Errorf("run %s has ended", run)
	}
	w.until(t, "that the run has ended", func(s Status) bool { return len(s.Runs) == 0 })
}

// TestWrongToken: a worker that is not let in ends; so does one when the server comes back with
// another token.
func TestWrongToken(t *testing.T) {
	t.Parallel()
	first := serve(t, Access{Token: secret})
	w := employ(t, Worker{Access: Access{Server: first.ClientURL(), Token: secret}})
	w.until(t, "that it is connected", func(s Status) bool { return s.Connected })
	first.close()
	serve(t, Access{Listen: strings.TrimPrefix(first.ClientURL(), "nats://"), Token: "fedcba9876543210"})
	for _, w := range []*working{w, employ(t, Worker{Access: Access{Server: first.ClientURL(), Token: secret}})} {
		if err := w.end(t); err == nil || !strings.Contains(err.Error(), "refuses the token") {
			t.Errorf("got %v", err)
		}
	}
}

// TestFaultsFitAMessage: a bot that fails at once, with much to say, fails in as many games as a
// block can have.
func TestFaultsFitAMessage(t *testing.T) {
	j := testJob(1, make([]uint64, maxBytes/gameBytes/2)...)
	outcomes := make([]simulator.Outcome, len(j.Games))
	for i := range outcomes {
		outcomes[i].Failed = fmt.Sprintf("its game with seed %d: it exited (exit status 1)\n%s", uint64(math.MaxUint64),
			strings.Repeat("Traceback", 400))
	}
	r := answer(must(j.batch()), outcomes)
	if n := len(encode(r)); n > maxMessage {
		t.Errorf("the message has %d bytes, want at most %d", n, maxMessage)
	}
	if first, last := r.Games[0].Failed, r.Games[len(r.Games)-1].Failed; first != outcomes[0].Failed ||
		!strings.HasPrefix(first, last+"\n") {
		t.Errorf("the faults are %.80q ... %.80q", first, last)
	}
	b := batchOf(1000, 1) // all of a generation crash
	for i := range b.Players {
		b.Players[i] = eval.NewForm(engine.DefaultRules(), &eval.Heuristic{Bot: &bot.Program{}}).Player(nil)
	}
	dealt := newDealer(b, paceOf(time.Microsecond)).jobs(1, here, start)
	if n := len(dealt) * len(encode(r.Games[0])); n > maxMessage || len(dealt) < 20 {
		t.Errorf("%d players that fail have %d bytes, want at most %d", len(dealt), n, maxMessage)
	}
}
