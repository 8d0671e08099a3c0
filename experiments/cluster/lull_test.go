package cluster

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// TestHungry: a worker that a run gives nothing for a minute says so, until it plays again.
func TestHungry(t *testing.T) {
	var h hungry
	now := time.Unix(0, 0)
	said := func(after time.Duration, s Status) bool {
		now = now.Add(after)
		h.note(&s, now)
		return strings.Contains(s.Message, "run mine has given it nothing to play for a minute")
	}
	waiting := Status{Connected: true, Runs: []string{"mine"}}
	playing, away, troubled := waiting, waiting, waiting
	playing.Playing, away.Runs, troubled.Message = 1, nil, "trouble"
	for i, step := range []struct {
		Status
		after time.Duration
		want  bool
	}{
		{waiting, 0, false}, {waiting, 59 * time.Second, false}, {waiting, time.Second, true}, {waiting, time.Hour, true},
		{playing, time.Second, false}, {waiting, time.Second, false}, {waiting, time.Minute, true},
		{away, time.Second, false}, {waiting, time.Hour, false}, {troubled, time.Hour, false}, {waiting, time.Hour, false},
	} {
		if got := said(step.after, step.Status); got != step.want {
			t.Errorf("step %d: said %v, want %v", i, got, step.want)
		}
	}
	waiting.Games = 5 // between two looks
	if said(time.Hour, waiting) {
		t.Error("it has played")
	}
}

// TestIdleWorkers: a run whose workers bring nothing for a minute says so once, and a run that
// nobody plays, too. Games may take longer than a minute.
func TestIdleWorkers(t *testing.T) {
	b := batchOf(2, 100)
	newRun := func(workers int, cores int) *Coordinator {
		c := &Coordinator{pace: gameTimes{b.Search.String(): time.Second}}
		c.play = &play{c: c, batch: *b, dealer: newDealer(b, c.pace)}
		c.workers.Store(int64(workers))
		for range cores {
			c.pools = append(c.pools, nil)
		}
		return c
	}
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	for _, x := range []struct {
		name           string
		workers, cores int
		prepare        func(*Coordinator)
		want           string // after a minute
	}{
		{"none asks", 2, 1, func(*Coordinator) {}, "2 workers have brought no game for 1m0s, and asked for none"},
		{"one holds a block", 1, 1, func(c *Coordinator) { c.play.dealer.deal(&member{able: true}, 1, at(0)) },
			"a worker has brought no game for 1m0s, and games of this run are with them"},
		{"no worker", 0, 1, func(*Coordinator) {}, ""},
		{"nobody", 0, 0, func(*Coordinator) {}, "nobody plays: no worker that can is here, and -workers 0 leaves all games " +
			"to them"},
		{"long games", 2, 1, func(c *Coordinator) { c.pace[b.Search.String()] = time.Minute }, ""},
		{"between batches", 2, 1, func(c *Coordinator) { c.play = nil }, ""},
	} {
		c := newRun(x.workers, x.cores)
		x.prepare(c)
		early, late, again := c.idle(at(0))+c.idle(at(59)), c.idle(at(60)), c.idle(at(61))
		if early != "" || again != "" || !strings.HasPrefix(late, x.want) || x.want == "" && late != "" {
			t.Errorf("%s: %q, %q, %q", x.name, early, late, again)
		}
	}
	c := newRun(2, 1)
	c.idle(at(0))
	c.taken++
	if text := c.idle(at(60)); text != "" {
		t.Errorf("a game came, and it says %q", text)
	}
}

// TestTooLargeForAMessage: a run whose form or weights no message holds is refused before it
// begins. The largest one that is not refused fits, and so does its result.
func TestTooLargeForAMessage(t *testing.T) {
	form := func(symbols int) *eval.Form {
		h := &eval.Heuristic{Dead: eval.Dead{Worst: true}, Symmetry: eval.SymmetryNone}
		f := eval.Defaults(eval.Formula)
		f.Name, f.Over, f.Formula = "long", "", "a"+strings.Repeat(" + a", symbols)
		h.Features = append(h.Features, f)
		return eval.NewForm(engine.DefaultRules(), h)
	}
	if err := Fits(form(100)); err != nil {
		t.Error(err)
	}
	if err := Fits(form(40_000)); err == nil || !strings.Contains(err.Error(), "leave out -listen and -server") {
		t.Errorf("got %v", err)
	}
	largest := form((maxBytes - 1000) / 4)
	if err := Fits(largest); err != nil {
		t.Fatal(err)
	}
	b := simulator.Batch{Search: engine.FixedDepth(1)}
	for player := range 20 {
		b.Players = append(b.Players, largest.Player(eval.Vector{float64(player)}))
		for seed := range 20 {
			b.Jobs = append(b.Jobs, simulator.Job{Player: player, Seed: 1<<53 - uint64(seed+1)})
		}
	}
	p := play{batch: b, dealer: newDealer(&b, gameTimes{b.Search.String(): time.Microsecond})}
	for block := p.dealer.cut(1); block != nil; block = p.dealer.cut(1) {
		if size := len(p.message(p.dealer.open(block))); size > maxMessage {
			t.Fatalf("a message of %d bytes, want at most %d", size, maxMessage)
		}
	}
	bot := &eval.Heuristic{Features: make([]eval.Term, 10_000)}
	for i := range bot.Features {
		bot.Features[i] = eval.Term{Kind: eval.Line, Name: "w"}
	}
	if err := Fits(eval.NewForm(engine.DefaultRules(), bot)); err == nil {
		t.Error("10,000 weights fit into a message")
	}
}

// TestResultTooLarge: a worker whose server takes no such message tells the run so in a small one,
// and does not drop the result in silence.
func TestResultTooLarge(t *testing.T) {
	large := result{Games: make([]resultGame, 7)}
	if small := large.orReason(errors.Join(nats.ErrMaxPayload),
		1000); small.Error != "the result of 7 games is larger than the 1000 bytes of a message that its server takes" ||
		small.Games != nil {
		t.Errorf("got %+v", small)
	}
	if same := large.orReason(nats.ErrTimeout, 1000); same.Error != "" || len(same.Games) != 7 {
		t.Errorf("got %+v", same)
	}
}
