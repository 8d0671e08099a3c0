package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// someGames are games of a few players at depth 2, which take some milliseconds each.
func someGames(players, games int) simulator.Batch {
	family := &eval.Heuristic{Dead: eval.Dead{Worst: true}, Symmetry: eval.SymmetryNone}
	family.Add(family.Add(nil, eval.Defaults(eval.Empty), 200), eval.Defaults(eval.Monotonicity), 0, 1)
	b, form := simulator.Batch{Search: engine.FixedDepth(2)}, eval.NewForm(engine.DefaultRules(), family)
	for p := range players {
		b.Players = append(b.Players, form.Player(eval.Vector{200, -float64(p), 1}))
		for seed := range games {
			b.Jobs = append(b.Jobs, simulator.Job{Player: p, Seed: uint64(seed)})
		}
	}
	return b
}

// truth is a local pool's outcome of the batch.
func truth(t *testing.T, b simulator.Batch) []simulator.Outcome {
	t.Helper()
	return must(simulator.NewPool(2).Play(t.Context(), b, nil))
}

// open starts a coordinator that is a NATS server, too.
func open(t *testing.T, cores int, change ...func(*Options)) *Coordinator {
	t.Helper()
	o := Options{
		Access: Access{Listen: "127.0.0.1:0"}, Cores: cores, Name: "test", Identity: t.Name(), Version: "test",
		Warn: func(text string) { t.Log("warning:", text) },
	}
	for _, c := range change {
		c(&o)
	}
	c := must(Open(t.Context(), o))
	t.Cleanup(c.Close)
	return c
}

// join starts a worker of one core.
func join(t *testing.T, c *Coordinator, name string, change ...func(*Worker)) {
	t.Helper()
	w := Worker{Access: Access{Server: c.URL}, Name: name, Cores: 1}
	for _, f := range change {
		f(&w)
	}
	employ(t, w)
	waitFor(t, "worker "+name, func() bool {
		return slices.ContainsFunc(members(c), func(m member) bool { return m.name == name })
	})
}

// members returns the workers that a coordinator knows.
func members(c *Coordinator) (all []member) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, m := range c.members {
		all = append(all, *m)
	}
	return all
}

// waitFor waits until something is so.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: it did not come about in a minute", what)
		}
	}
}

// wantOutcomes compares all but times and workers.
func wantOutcomes(t *testing.T, got, want []simulator.Outcome) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d outcomes, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Result != want[i].Result {
			t.Fatalf("outcome %d: %+v, want %+v", i, got[i].Result, want[i].Result)
		}
	}
}

// Whoever plays, the outcomes equal the local pool's, and each is reported once.
func TestPlayIsThatOfThePool(t *testing.T) {
	batch := someGames(6, 20)
	batch.Players[5] = batch.Players[2] // its games are the same, and are played once or twice
	want := truth(t, batch)
	for _, test := range []struct{ cores, workers int }{{1, 0}, {2, 0}, {0, 1}, {0, 3}, {1, 2}} {
		t.Run(fmt.Sprintf("%d cores %d workers", test.cores, test.workers), func(t *testing.T) {
			c := open(t, test.cores)
			for n := range test.workers {
				join(t, c, fmt.Sprint("worker", n))
			}
			for range 2 { // the second batch knows the pace
				reported := make([]int, len(batch.Jobs))
				got, err := c.Play(t.Context(), batch, func(job int, o simulator.Outcome) error {
					reported[job]++ // the race detector finds two reports at once
					if o.Result != want[job].Result {
						t.Errorf("job %d is reported as %+v, want %+v", job, o, want[job])
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				wantOutcomes(t, got, want)
				for job, n := range reported {
					if n != 1 {
						t.Errorf("job %d is reported %d times", job, n)
					}
				}
				for _, o := range got {
					if here := o.Worker == ""; here && test.cores == 0 || !here && test.workers == 0 {
						t.Errorf("a game was played by %q", o.Worker)
					}
				}
			}
		})
	}
}

// rogue is a connection with a worker's rights, which says what it likes.
type rogue struct {
	*nats.Conn
	id string
}

// intrude connects a rogue.
func intrude(t *testing.T, access Access, name string) *rogue {
	t.Helper()
	r := &rogue{id: newID(name)}
	r.Conn = must(access.connect(clientPrefix+r.id, nats.CustomInboxPrefix(inboxPrefix+r.id)))
	t.Cleanup(r.Close)
	return r
}

// greeting is a hello of one core.
func greeting() hello { return hello{Cores: 1, Version: "test", Signature: signature} }

// hand hands in a result until the run has it, or until its batch has ended.
func (r *rogue) hand(c *Coordinator, of result) {
	of.hello = greeting()
	for {
		_, err := r.Request(playedPrefix+c.run+"."+r.id, encode(of), time.Second)
		if err == nil || !errors.Is(err, nats.ErrNoResponders) && !errors.Is(err, nats.ErrTimeout) {
			return
		}
	}
}

// take asks for a job until there is one.
func (r *rogue) take(t *testing.T, c *Coordinator) (j job) {
	t.Helper()
	waitFor(t, "a job", func() bool {
		m, err := r.Request(askPrefix+c.run+"."+r.id, encode(greeting()), patienceOfTests)
		if err == nil && len(m.Data) > 0 {
			j = must(decode[job](m.Data))
		}
		return err == nil && len(m.Data) > 0
	})
	return j
}

// resultOf is a result with these outcomes of a batch of one player.
func resultOf(b simulator.Batch, outcomes ...simulator.Outcome) (r result) {
	for i, o := range outcomes {
		r.Games = append(r.Games, resultGame{gameOf(b.Players[0], b.Search), b.Jobs[i].Seed, o})
	}
	return r
}

// An error of finished, and the end of the context, end the batch.
func TestPlayEnds(t *testing.T) {
	c := open(t, 1)
	join(t, c, "worker")
	full := errors.New("the disk is full")
	if _, err := c.Play(t.Context(), someGames(4, 20), func(int, simulator.Outcome) error { return full }); !errors.Is(err,
		full) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := c.Play(ctx, someGames(4, 20),
		func(int, simulator.Outcome) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := c.Play(t.Context(), someGames(2, 5), nil); err != nil {
		t.Error(err)
	}
}

// A game that this machine cannot play is an error.
func TestGameThatCannotBePlayed(t *testing.T) {
	c := open(t, 1)
	batch := someGames(1, 2)
	batch.Players[0].Values = eval.Vector{1, 1} // one too few
	if _, err := c.Play(t.Context(), batch, nil); err == nil {
		t.Error("no error")
	}
}

// TestRunStandsStill: a worker that gives no sign is gone, but not while the run heard nobody.
func TestRunStandsStill(t *testing.T) {
	c := open(t, 0)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, stood := range []bool{true, false} {
		c.member(newID("w"), "w", greeting()).seen = time.Now().Add(-time.Minute)
		if stood {
			c.looked = time.Now().Add(-time.Minute)
		}
		if c.forget(); (len(c.members) == 1) != stood {
			t.Errorf("stood still %v: there are %d workers", stood, len(c.members))
		}
		clear(c.members)
	}
}
