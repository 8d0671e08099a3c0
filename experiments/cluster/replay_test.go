package cluster

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tune2048/engine"
	"tune2048/engine/simulator"
)

// sampledGame returns the first job of a batch of one player that is in the sample.
func sampledGame(t *testing.T, b simulator.Batch) (job int) {
	t.Helper()
	key := playerKey(b.Rules, &b.Players[0])
	job = slices.IndexFunc(b.Jobs, func(j simulator.Job) bool { return gameID{key, j.Seed}.sampled() })
	if job < 0 {
		t.Fatalf("none of %d games is in the sample: choose another number of games", len(b.Jobs))
	}
	return job
}

// TestWrongOutcome: one wrong outcome of a worker ends the run if it is the worker's first game,
// or in the sample. The error names the worker, the game and both outcomes, and so does each later
// batch's.
func TestWrongOutcome(t *testing.T) {
	b := someGames(1, 600)
	want := truth(t, b)
	late := sampledGame(t, b)
	for _, test := range []struct {
		name  string
		wrong func(games int64, o *simulator.Outcome) bool // which game the worker gets wrong
	}{
		{"first game", func(games int64, o *simulator.Outcome) bool { return games == 1 }},
		{"game of the sample", func(games int64, o *simulator.Outcome) bool { return games > 1 && o.Result == want[late].Result }},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := open(t, 0)
			join(t, c, "good")
			var bad, right atomic.Pointer[simulator.Outcome]
			var games atomic.Int64
			join(t, c, "bad", func(w *Worker) {
				w.change = func(o *simulator.Outcome) {
					if test.wrong(games.Add(1), o) {
						was := *o
						o.Nodes++ // and nothing else
						is := *o
						right.Store(&was)
						bad.Store(&is)
					}
				}
			})
			var err error
			for bad.Load() == nil && err == nil { // the worker may get no such game of a batch
				_, err = c.Play(t.Context(), b, nil)
			}
			if err == nil {
				err = c.Settle(t.Context())
			}
			var wrong *Mismatch
			if !errors.As(err, &wrong) {
				t.Fatalf("the run goes on: %v", err)
			}
			if wrong.Worker != "bad" || wrong.Search != "depth 2" || wrong.Reported.Result != bad.Load().Result || wrong.Replayed.Result != right.Load().Result {
				t.Errorf("got %+v, want %+v and %+v", wrong, bad.Load(), right.Load())
			}
			if want[wrong.Seed].Result != wrong.Replayed.Result {
				t.Errorf("the error names seed %d", wrong.Seed)
			}
			for _, part := range []string{"worker bad", "at depth 2", resultText(wrong.Reported), resultText(wrong.Replayed)} {
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
		})
	}
}

// TestTwoOutcomes: a worker that reports a game otherwise than another one did before ends the run.
func TestTwoOutcomes(t *testing.T) {
	b := someGames(1, 3)
	want := truth(t, b)
	for _, first := range []bool{true, false} { // whether the wrong outcome comes first
		c := open(t, 0)
		workers := map[string]*rogue{}
		for _, name := range []string{"good", "bad"} {
			w := intrude(t, Access{Server: c.URL}, name)
			workers[name] = w
			c.mutex.Lock()
			c.member(w.id, name, greeting()).played = true // no first game is left to replay
			c.mutex.Unlock()
		}
		report := func(worker string, seed int, nodes int64) {
			r := resultOf(b, want...)
			r.Games = r.Games[seed : seed+1]
			r.Games[0].Nodes += nodes
			workers[worker].hand(c, r)
		}
		go func() {
			if first {
				report("bad", 0, 1)
				report("good", 0, 0)
			} else {
				report("good", 0, 0)
				report("bad", 0, 1)
			}
			report("good", 1, 0)
			report("good", 2, 0)
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
	for seed := range uint64(100_000) {
		if (gameID{"0123456789abcdef", seed}).sampled() {
			seeds = append(seeds, seed)
		}
	}
	// 200 are expected, with a standard deviation of 14.
	if len(seeds) < 140 || len(seeds) > 260 {
		t.Errorf("%d of 100,000 games", len(seeds))
	}
	if want := []uint64{278, 462, 2028}; !slices.Equal(seeds[:3], want) {
		t.Errorf("the sample begins with %v, want %v", seeds[:3], want)
	}
}

// TestMismatchEndsTheBatch: a run does not play on until the end of a long batch.
func TestMismatchEndsTheBatch(t *testing.T) {
	short, long := someGames(1, 1), someGames(1, 1)
	long.Players[0].Settings = engine.FixedDepth(9) // takes longer than any test
	wrong := truth(t, short)[0]
	wrong.Score, wrong.Worker = wrong.Score+1, "w"
	c := open(t, 1)
	ended := make(chan error, 1)
	go func() {
		_, err := c.Play(t.Context(), long, nil)
		ended <- err
	}()
	c.mutex.Lock()
	c.replays = append(c.replays, replay{short, wrong})
	c.mutex.Unlock()
	if err := receive(t, ended, "end of the batch"); !errors.As(err, new(*Mismatch)) {
		t.Errorf("the batch ends with %v", err)
	}
}
