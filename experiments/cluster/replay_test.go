package cluster

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/simulator"
)

// TestWrongOutcome: one wrong outcome of the sample ends the run. The error names the worker, the
// game and both outcomes, and so does each later batch's.
func TestWrongOutcome(t *testing.T) {
	b := someGames(1, 10_000)
	key := gameOf(b.Players[0], b.Search)
	at := slices.IndexFunc(b.Jobs, func(j simulator.Job) bool { return gameID{key, j.Seed}.sampled() })
	b.Jobs = b.Jobs[at : at+1]
	right := truth(t, b)[0]
	bad := right
	bad.Nodes++ // and nothing else
	c := open(t, 0)
	w := intrude(t, Access{Server: c.URL}, "bad")
	c.veteran(w)
	go w.hand(c, resultOf(b, bad))
	_, err := c.Play(t.Context(), b, nil)
	if err == nil {
		err = c.Settle(t.Context())
	}
	var wrong *Mismatch
	if !errors.As(err, &wrong) {
		t.Fatalf("the run goes on: %v", err)
	}
	if wrong.Worker != "bad" || wrong.Seed != b.Jobs[0].Seed || wrong.Reported.Result != bad.Result ||
		wrong.Replayed.Result != right.Result {
		t.Errorf("got %+v, want %+v and %+v", wrong, bad, right)
	}
	for _, part := range []string{"worker bad", "at depth 2", resultText(bad), resultText(right)} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %q in %v", part, err)
		}
	}
	if _, again := c.Play(t.Context(), b, nil); again != err {
		t.Errorf("the next batch: %v", again)
	}
	if again := c.Settle(t.Context()); again != err {
		t.Errorf("the end: %v", again)
	}
}

// veteran lets a rogue have played before, so that no first game of it is replayed.
func (c *Coordinator) veteran(w *rogue) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.member(w.id, must(nameOf(w.id)), greeting()).played = true
}

// TestTwoOutcomes: a worker that reports a game otherwise than another one did before ends the run.
func TestTwoOutcomes(t *testing.T) {
	b := someGames(1, 3)
	want := truth(t, b)
	for _, first := range []bool{true, false} { // whether the wrong outcome comes first
		c := open(t, 0)
		good, bad := intrude(t, Access{Server: c.URL}, "good"), intrude(t, Access{Server: c.URL}, "bad")
		c.veteran(good)
		c.veteran(bad)
		report := func(w *rogue, seed int) {
			r := resultOf(b, want...)
			r.Games = r.Games[seed : seed+1]
			if w == bad {
				r.Games[0].Nodes++
			}
			w.hand(c, r)
		}
		order := []*rogue{good, bad}
		if first {
			slices.Reverse(order)
		}
		go func() {
			report(order[0], 0)
			report(order[1], 0)
			report(good, 1)
			report(good, 2)
		}()
		_, err := c.Play(t.Context(), b, nil)
		if err == nil {
			err = c.Settle(t.Context())
		}
		var wrong *Mismatch
		if !errors.As(err, &wrong) || wrong.Worker != "bad" || wrong.Seed != 0 {
			t.Errorf("wrong first %v: %v", first, err)
		}
	}
}

// TestSample: one game in 500 is in the sample, and always the same ones.
func TestSample(t *testing.T) {
	var seeds []uint64
	for seed := range uint64(2100) {
		if (gameID{"0123456789abcdef", seed}).sampled() {
			seeds = append(seeds, seed)
		}
	}
	if want := []uint64{278, 462, 2028, 2040}; !slices.Equal(seeds, want) {
		t.Errorf("the sample has %v, want %v", seeds, want)
	}
}

// TestMismatchEndsTheBatch: a run does not play on until the end of a long batch.
func TestMismatchEndsTheBatch(t *testing.T) {
	short, long := someGames(1, 1), someGames(1, 1)
	long.Search = engine.FixedDepth(9) // takes longer than any test
	wrong := truth(t, short)[0]
	wrong.Score, wrong.Worker = wrong.Score+1, "w"
	c := open(t, 1)
	ended := make(chan error, 1)
	go func() {
		_, err := c.Play(t.Context(), long, nil)
		ended <- err
	}()
	c.mutex.Lock()
	c.rechecks = append(c.rechecks, recheck{short, wrong})
	c.mutex.Unlock()
	if err := receive(t, ended, "end of the batch"); !errors.As(err, new(*Mismatch)) {
		t.Errorf("the batch ends with %v", err)
	}
}
