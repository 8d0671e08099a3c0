package cluster

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// battlefield is a run on a server, with users "w1" and "w2" of a worker's rights.
type battlefield struct {
	*Coordinator
	access   func(user string) Access
	shared   bool // the server is no run's
	warnings chan string
}

// embeddedField has the run's own server.
func embeddedField(t *testing.T) *battlefield {
	f := &battlefield{warnings: make(chan string, 1000)}
	f.Coordinator = open(t, 0, func(o *Options) {
		o.Token, o.Warn = secret, func(text string) { f.warnings <- text }
	})
	f.access = func(string) Access { return Access{Server: f.URL, Token: secret} }
	return f
}

// sharedField has a server with exactly the rights that the README gives to a run and its workers.
func sharedField(t *testing.T) *battlefield {
	_, text, _ := strings.Cut(string(must(os.ReadFile("README.md"))), "```conf\n")
	text, _, _ = strings.Cut(text, "```")
	worker := text[strings.Index(text, "    {user: w1"):strings.Index(text, "  ]")]
	text = strings.Replace(text, worker, worker+strings.ReplaceAll(worker, "w1", "w2"), 1)
	file := filepath.Join(t.TempDir(), "server.conf")
	must(0, os.WriteFile(file, []byte(text), 0o600))
	o := must(server.ProcessConfigFile(file))
	o.Port = server.RANDOM_PORT
	s := external(t, o)
	f := &battlefield{shared: true, warnings: make(chan string, 1000)}
	f.access = func(user string) Access {
		return Access{Server: strings.Replace(s.ClientURL(), "nats://", "nats://"+user+":SECRET@", 1)}
	}
	f.Coordinator = open(t, 0, func(o *Options) {
		o.Access, o.Warn = f.access("run"), func(text string) { f.warnings <- text }
	})
	return f
}

// played is what became of a batch.
type playedBatch struct {
	outcomes []simulator.Outcome
	err      error
}

// begin plays a batch, after which all replays must pass.
func (f *battlefield) begin(t *testing.T, b simulator.Batch) <-chan playedBatch {
	ended := make(chan playedBatch, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		outcomes, err := f.Play(ctx, b, nil)
		if err == nil {
			err = f.Settle(ctx)
		}
		ended <- playedBatch{outcomes, err}
	}()
	t.Cleanup(cancel)
	return ended
}

// honest lets the worker w2 play until the batch is complete with right outcomes.
func (f *battlefield) honest(t *testing.T, b simulator.Batch, ended <-chan playedBatch) []simulator.Outcome {
	t.Helper()
	join(t, f.Coordinator, "w2", func(w *Worker) { w.Access = f.access("w2") })
	got := receive(t, ended, "end of the batch")
	if got.err != nil {
		t.Fatal(got.err)
	}
	wantOutcomes(t, got.outcomes, truth(t, b))
	return got.outcomes
}

// attacks are the rows of the README's table, by their first cell. Each reports whether it succeeds
// as the user w1. TestStranger is the table's second column.
var attacks = map[string]func(t *testing.T, f *battlefield, w *rogue) bool{
	"take a job and hand in its games": func(t *testing.T, f *battlefield, w *rogue) bool {
		b := someGames(1, 1)
		ended := f.begin(t, b)
		w.take(t, f.Coordinator)
		w.hand(f.Coordinator, resultOf(b, truth(t, b)...))
		got := receive(t, ended, "end of the batch")
		return got.err == nil && got.outcomes[0].Worker == "w1"
	},
	"see the messages of other workers": func(t *testing.T, f *battlefield, w *rogue) bool {
		other := intrude(t, f.access("w2"), "w2")
		seen := make(chan *nats.Msg, 1000)
		for _, subject := range []string{">", "_INBOX.>", "_INBOX.*.>", inboxPrefix + other.id + ".>", "tune.>", "tune.*.*.*",
			"tune.*.*.*.*", helloPrefix + "*.*"} {
			must(w.ChanSubscribe(subject, seen))
		}
		must(0, w.Flush())
		b := someGames(1, 1)
		ended := f.begin(t, b)
		other.take(t, f.Coordinator)
		other.hand(f.Coordinator, resultOf(b, truth(t, b)...))
		receive(t, ended, "end of the batch")
		must(0, w.Flush())
		return len(seen) > 0
	},
	"play under another worker's name": func(t *testing.T, f *battlefield, w *rogue) bool {
		b := someGames(1, 2)
		ended := f.begin(t, b)
		other := intrude(t, f.access("w2"), "w2")
		other.take(t, f.Coordinator)
		for _, id := range []string{other.id, newID("w2")} { // its id, or only its name
			r := resultOf(b, truth(t, b)...)
			r.hello = greeting()
			must(0, w.PublishRequest(playedPrefix+f.run+"."+id, inboxPrefix+id+".1", encode(r)))
		}
		must(0, w.Flush())
		same, want := w, "w1"
		if !f.shared { // everybody with the token may choose a name
			same, want = intrude(t, f.access(""), "w2"), "w2.2"
		}
		same.hand(f.Coordinator, resultOf(b, truth(t, b)...))
		got := receive(t, ended, "end of the batch")
		if got.outcomes[0].Worker != want {
			t.Errorf("the games are by %s, want %s", got.outcomes[0].Worker, want)
		}
		return got.outcomes[0].Worker == "w2"
	},
	"end the run with an error": func(t *testing.T, f *battlefield, w *rogue) bool {
		b := someGames(2, 20)
		ended := f.begin(t, b)
		w.take(t, f.Coordinator)
		w.hand(f.Coordinator, result{Error: "bye"})
		if !slices.ContainsFunc(members(f.Coordinator), func(m member) bool { return !m.able }) {
			t.Error("a worker that cannot play gets more")
		}
		f.honest(t, b, ended)
		for !strings.Contains(receive(t, f.warnings, "warning"), "cannot play a game of this run") {
		}
		return false // honest would have failed
	},
	"end the run with a wrong game": func(t *testing.T, f *battlefield, w *rogue) bool {
		b := someGames(1, 1)
		ended := f.begin(t, b)
		o := truth(t, b)[0]
		o.Nodes++
		w.hand(f.Coordinator, resultOf(b, o))
		var wrong *Mismatch
		return errors.As(receive(t, ended, "end of the batch").err, &wrong) && wrong.Worker == "w1"
	},
	"store a game that cannot be": func(t *testing.T, f *battlefield, w *rogue) bool {
		b := someGames(1, 1)
		ended := f.begin(t, b)
		fits := truth(t, b)[0].Result
		f.veteran(w)
		for n, change := range []func(r *engine.Result){
			func(r *engine.Result) { *r = engine.Result{Score: 4e15, MaxTile: 3, Moves: 3} },
			func(r *engine.Result) { r.Score += 4 }, func(r *engine.Result) { r.Moves++ },
			func(r *engine.Result) { r.MaxTile *= 2 },
			func(r *engine.Result) { r.Final ^= 1 }, func(r *engine.Result) { r.Capped = true },
			func(r *engine.Result) { r.Nodes = -1 },
			func(r *engine.Result) { r.Nodes = 1 << 52 },
		} {
			o := simulator.Outcome{Result: fits}
			if change(&o.Result); o.Result.Check() == nil {
				t.Errorf("change %d fits", n)
			}
			w.hand(f.Coordinator, resultOf(b, o))
		}
		got := receive(t, ended, "end of the batch")
		var wrong *Mismatch
		return !errors.As(got.err, &wrong) || wrong.Worker != "w1"
	},
	"keep a job and not play it": func(t *testing.T, f *battlefield, w *rogue) bool {
		b := someGames(1, 100)
		f.pace.saw("depth 2", time.Millisecond)
		ended := f.begin(t, b)
		w.take(t, f.Coordinator)
		go w.hoard(f.Coordinator)
		f.honest(t, b, ended)
		return true
	},
}

// TestNobodyStopsARun: the run plays the blocks of a connection that takes all, and plays none.
func TestNobodyStopsARun(t *testing.T) {
	t.Parallel()
	c, b := open(t, 1), someGames(4, 20)
	c.pace.saw("depth 2", time.Millisecond)
	w := intrude(t, Access{Server: c.URL}, "w")
	taken := make(chan int)
	go func() { taken <- w.hoard(c) }()
	waitFor(t, "a request", func() bool { return len(members(c)) == 1 })
	got := must(c.Play(t.Context(), b, nil))
	wantOutcomes(t, got, truth(t, b))
	w.Close()
	if n := receive(t, taken, "end of the worker"); n == 0 {
		t.Error("it took no block")
	}
}

// hoard takes all blocks that the run gives until the connection is closed. It returns their
// number.
func (r *rogue) hoard(c *Coordinator) (n int) {
	for {
		m, err := r.Request(askPrefix+c.run+"."+r.id, encode(greeting()), patience)
		if errors.Is(err, nats.ErrConnectionClosed) {
			return n
		} else if err != nil || len(m.Data) == 0 {
			time.Sleep(time.Millisecond)
			continue
		}
		n++
	}
}

// TestOnlyBotsFail: a worker cannot say of a heuristic that it crashed.
func TestOnlyBotsFail(t *testing.T) {
	p := &play{batch: someGames(1, 1)}
	if o := truth(t, p.batch)[0]; !p.fits(0, o) || p.fits(0, simulator.Outcome{Result: o.Result, Failed: "it crashed"}) {
		t.Error("a game without a failure does not fit, or one with a failure does")
	}
}

// TestWrongTimes: the games of a worker's block took no longer together than the block was out, and
// none a time below 0.
func TestWrongTimes(t *testing.T) {
	f, b := embeddedField(t), someGames(1, 3)
	f.Coordinator.pace.saw(b.Search.String(), time.Millisecond) // one block has all
	began, ended := time.Now(), f.begin(t, b)
	w := intrude(t, f.access("w"), "w")
	w.take(t, f.Coordinator)
	outcomes := truth(t, b)
	outcomes[0].Duration, outcomes[1].Duration, outcomes[2].Duration = math.MaxInt64, math.MinInt64, math.MaxInt64
	w.hand(f.Coordinator, resultOf(b, outcomes...))
	got := receive(t, ended, "end of the batch")
	if got.err != nil {
		t.Fatal(got.err)
	}
	all, most := time.Duration(0), time.Since(began)
	for _, o := range got.outcomes {
		all += o.Duration
	}
	if long, short := got.outcomes[0].Duration, got.outcomes[1].Duration; long < 0 || all > most || short != 0 {
		t.Errorf("the games took %v, the second one %v: want at most %v and 0", all, short, most)
	}
}

// TestWrongFiguresOfABot: the run names a worker that reports an answer that no bot can give. A
// fault that is too long for the database is not stored.
func TestWrongFiguresOfABot(t *testing.T) {
	t.Parallel()
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Skip(err)
	}
	b := someGames(1, 1)
	program := &bot.Program{Command: []string{echo, "12"}, Answers: bot.Score, Folder: "."}
	b.Players[0], b.Search = eval.NewForm(engine.DefaultRules(), &eval.Heuristic{Bot: program}).Player(nil),
		engine.Settings{Bot: true}
	for i, wrong := range []simulator.Outcome{
		{Result: engine.Result{Score: 1e60}}, {Result: engine.Result{Score: 12, Moves: -1}},
		{Result: engine.Result{Score: 12, Moves: 1 << 53}},
		{Result: engine.Result{Score: 12, MaxTile: -4}}, {Result: engine.Result{Score: 12, MaxTile: 3}},
		{Result: engine.Result{Score: 12, MaxTile: 1 << 20}},
		{Result: engine.Result{Score: 12, Nodes: 1}}, {Result: engine.Result{Score: 12, Final: 1}},
		{Result: engine.Result{Score: 12, Capped: true}},
		{Failed: "it refuses these weights: " + strings.Repeat("x", 1<<17)},
	} {
		f := embeddedField(t)
		ended := f.begin(t, b)
		w := intrude(t, f.access("w"), "w")
		f.veteran(w)
		w.hand(f.Coordinator, resultOf(b, wrong))
		got := receive(t, ended, "end of the batch")
		var mismatch *Mismatch
		if !errors.As(got.err, &mismatch) || mismatch.Worker != "w" {
			t.Errorf("result %d: got %v, want an error that names the worker", i, got)
		}
	}
}

// TestWhoCanDoWhat: each cell of the README's table is as it says.
func TestWhoCanDoWhat(t *testing.T) {
	_, text, _ := strings.Cut(string(must(os.ReadFile("README.md"))), "| who can |")
	text, _, _ = strings.Cut(text, "\n\n")
	rows := strings.Split(text, "\n")[2:]
	if len(rows) != len(attacks) {
		t.Errorf("%d rows, want %d", len(rows), len(attacks))
	}
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		attack := attacks[cells[0]]
		if attack == nil || len(cells) != 4 || cells[1] != "no" {
			t.Errorf("no test of the row %q", row)
			continue
		}
		for i, field := range []func(*testing.T) *battlefield{embeddedField, sharedField} {
			t.Run([]string{"token", "shared"}[i]+"/"+cells[0], func(t *testing.T) {
				t.Parallel()
				f := field(t)
				can := attack(t, f, intrude(t, f.access("w1"), "w1"))
				if says := strings.HasPrefix(cells[i+2], "yes"); says != can || !says && !strings.HasPrefix(cells[i+2], "no") {
					t.Errorf("the README says %q, the attack succeeds: %v", cells[i+2], can)
				}
			})
		}
	}
}

// TestStranger: nobody without the token is let in.
func TestStranger(t *testing.T) {
	f := embeddedField(t)
	for _, token := range []string{"", secret + "0"} {
		if nc, err := (Access{Server: f.URL, Token: token}).connect(clientPrefix + newID("w1")); err == nil {
			nc.Close()
			t.Errorf("the token %q lets in", token)
		}
	}
}

// TestUselessMessages: a run drops a message that it cannot read. A worker whose play is another
// one gets no job. The run warns once of each.
func TestUselessMessages(t *testing.T) {
	f := embeddedField(t)
	w := intrude(t, f.access(""), "w")
	answers := must(w.SubscribeSync(inboxPrefix + w.id + ".1"))
	other := greeting()
	other.Signature = "other"
	for _, text := range []string{"", "{", "[]", `{"cores":"x"}`, string(encode(other))} {
		must(0, w.PublishRequest(askPrefix+f.run+"."+w.id, inboxPrefix+w.id+".1", []byte(text)))
	}
	must(0, w.Flush())
	for _, want := range []string{"dropped a message that cannot be used: ",
		`worker w gets no games: it is tune "test", whose engine has the signature "other"`} {
		if text := receive(t, f.warnings, "warning"); !strings.HasPrefix(text, want) {
			t.Errorf("a warning %q, want %q", text, want)
		}
	}
	b := someGames(1, 1)
	f.honest(t, b, f.begin(t, b))
	if n, _, _ := answers.Pending(); n > 0 || len(f.warnings) > 0 {
		t.Errorf("%d answers and %d more warnings", n, len(f.warnings))
	}
}

// TestHostileMessages: whatever a worker with the token sends, the run names it or does not care.
// An honest worker plays the batch, and the outcomes are right.
func TestHostileMessages(t *testing.T) {
	b := someGames(2, 20)
	played := func(text string) func(*testing.T, *battlefield, *rogue) {
		return func(_ *testing.T, f *battlefield, w *rogue) {
			w.publish(playedPrefix+f.run+".", []byte(`{"cores":1,"signature":"`+signature+`",`+text+"}"))
		}
	}
	game := `{"key":"` + gameOf(b.Players[0], b.Search) + `","seed":0`
	for name, c := range map[string]struct {
		send func(*testing.T, *battlefield, *rogue)
		want string // the warning that names the worker; empty: there is none
	}{
		"a score that is no number":    {played(`"games":[` + game + `,"Score":1e999}]`), "1e999"},
		"a game that nobody asked for": {played(`"games":[{"key":"no such","seed":1,"Score":4}]`), ""},
		"an answer to all runs": {func(_ *testing.T, f *battlefield, w *rogue) {
			must(0, w.PublishRequest(helloPrefix+w.id, runsSubject, encode(greeting())))
		}, "it wants the answer at \"tune.runs\""},
		"a thousand requests": {func(t *testing.T, f *battlefield, w *rogue) {
			for range 1000 {
				w.publish(askPrefix+f.run+".", encode(greeting()))
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := embeddedField(t)
			ended := f.begin(t, b)
			w := intrude(t, f.access(""), "w1")
			w.hand(f.Coordinator, result{}) // from now on it takes results
			c.send(t, f, w)
			must(0, w.Flush())
			f.honest(t, b, ended)
			if c.want == "" {
				return
			}
			for text := ""; !strings.Contains(text, c.want); {
				text = receive(t, f.warnings, "warning")
				if !strings.Contains(text, "worker w1") || len(text) > 400 {
					t.Errorf("a warning %q, want one that names the worker", text)
				}
			}
		})
	}
}

// TestLiesOfAGame: a worker that reports a game in many ways is named, and the run keeps one
// of them for its replay.
func TestLiesOfAGame(t *testing.T) {
	f, b := embeddedField(t), someGames(1, 1)
	w := intrude(t, f.access(""), "w1")
	f.veteran(w)
	ended := f.begin(t, b)
	var lies []simulator.Outcome
	for n := range 500 {
		lies = append(lies, simulator.Outcome{Result: engine.Result{Score: float64(n)}, Failed: "it crashed"})
	}
	r := resultOf(b, lies[:1]...)
	for _, o := range lies[1:] {
		r.Games = append(r.Games, resultOf(b, o).Games...)
	}
	w.hand(f.Coordinator, r)
	f.mutex.Lock()
	waiting := len(f.rechecks)
	f.mutex.Unlock()
	var wrong *Mismatch
	if got := receive(t, ended, "end of the batch"); !errors.As(got.err, &wrong) || wrong.Worker != "w1" || waiting > 1 {
		t.Errorf("got %v, after %d replays", got.err, waiting)
	}
}

// publish sends a message of this worker.
func (r *rogue) publish(subject string, text []byte) {
	must(0, r.PublishRequest(subject+r.id, inboxPrefix+r.id+".1", text))
}

// TestAnswersGoToTheAsker: a run, which may publish everywhere, answers in the worker's inbox
// alone. It takes no result before its first batch, which may want it.
func TestAnswersGoToTheAsker(t *testing.T) {
	c := open(t, 0)
	w := intrude(t, Access{Server: c.URL}, "w")
	heard := must(w.SubscribeSync(runsSubject))
	ask := askPrefix + c.run + "." + w.id
	for _, reply := range []string{runsSubject, inboxPrefix + "w", helloPrefix + w.id} {
		must(0, w.PublishRequest(ask, reply, encode(greeting())))
	}
	if m := must(w.Request(ask, encode(greeting()), patienceOfTests)); len(m.Data) > 0 {
		t.Errorf("got %s without a batch", m.Data)
	}
	if _, err := w.Request(playedPrefix+c.run+"."+w.id, encode(result{hello: greeting()}), time.Second); !errors.Is(err,
		nats.ErrTimeout) {
		t.Errorf("a result without a batch: %v", err)
	}
	for n, _, _ := heard.Pending(); n > 0; n-- {
		if m := must(heard.NextMsg(patienceOfTests)); len(m.Data) == 0 {
			t.Error("the run answered at " + runsSubject)
		}
	}
}
