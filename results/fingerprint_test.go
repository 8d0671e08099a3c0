package results

import (
	"testing"
	"time"

	"tune2048/experiments"
)

// printOf records the world as a run among others and returns its fingerprint.
func printOf(t *testing.T, w world, name string, others int, keep bool, shuffle uint64) string {
	t.Helper()
	s, _ := open(t)
	r := random(shuffle)
	for range others {
		other := newWorld(r)
		another := spec("other", "hash")
		another.New = true
		other.record(t, s, begin(t, s, another).ID, true, r)
	}
	run := begin(t, s, spec(name, "hash of "+name))
	w.stopped = others > 0
	w.record(t, s, run.ID, keep, r)
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	found := find(t, s, name)
	again := sure(fingerprint(ctx, s.reader.db, run.ID))(t)
	if len(found.Fingerprint) != 64 || again != found.Fingerprint {
		t.Errorf("stored %q, computed again %q", found.Fingerprint, again)
	}
	return found.Fingerprint
}

// failing makes an evaluation one that could not be played.
func failing(fault string) func(w *world) {
	return func(w *world) {
		e := &w.blocks[2].evaluations[1]
		*e = experiments.Evaluation{Place: e.Place, Number: e.Number, Key: e.Key, Failure: fault}
	}
}

// TestFingerprintOfAFailure: what a bot did is a part of it, and what it wrote to stderr is not.
func TestFingerprintOfAFailure(t *testing.T) {
	prints := map[string]int{}
	for _, fault := range []string{"it exited\nat 0x7f00", "it exited\nat 0x7fff", "it exited",
		"it refuses these weights: low > high"} {
		w := newWorld(random(1))
		failing(fault)(&w)
		prints[printOf(t, w, "snake", 0, true, 1)]++
	}
	if len(prints) != 2 {
		t.Errorf("of four failures of two kinds: %v", prints)
	}
}

func TestFingerprintIsOfResultsOnly(t *testing.T) {
	make := func() world { return newWorld(random(1)) }
	want := printOf(t, make(), "snake", 0, true, 1)
	slow := make()
	for _, b := range slow.blocks {
		for i := range b.games {
			b.games[i].Duration += time.Second
		}
		for i := range b.evaluations {
			b.evaluations[i].Time += time.Second
		}
	}
	if got := printOf(t, slow, "renamed", 3, true, 2); got != want {
		t.Errorf("another order, name, config, end of tuning, id and duration change the fingerprint: %s, %s", got, want)
	}
	for what, change := range map[string]func(w *world){
		"a weight":     func(w *world) { w.candidates[3].Weights[1].Value += 1e-12 },
		"its weights":  func(w *world) { w.candidates[w.reference].Weights[1].Value += 1e-12 },
		"a name":       func(w *world) { w.candidates[3].Weights[1].Name = "emptyy" },
		"the champion": func(w *world) { w.champion = 1 },
		"a number":     func(w *world) { w.blocks[len(w.blocks)-1].evaluations[1].Number += 1000 },
		"its key":      func(w *world) { w.blocks[2].evaluations[1].Key = key("another") },
		"its score":    func(w *world) { w.blocks[len(w.blocks)-1].evaluations[1].Scores[0] += 4 },
		"a score":      func(w *world) { w.blocks[2].evaluations[1].Scores[0] += 4 },
		"a tile":       func(w *world) { w.blocks[2].evaluations[1].Each[0].Rank ^= 1 },
		"moves":        func(w *world) { w.blocks[2].evaluations[1].Each[0].Moves++ },
		"more games":   func(w *world) { w.comparisons[0].More = 100 },
		"a failure":    failing("its game with seed 7: it exited"),
		"a play":       func(w *world) { w.candidates[3].PlayHash += "0" },
		"a comparison": func(w *world) { w.comparisons[0].Ratio.Interval.Low += 1e-9 },
		"a verdict":    func(w *world) { w.comparisons[0].Verdict = experiments.Better },
	} {
		w := make()
		change(&w)
		if printOf(t, w, "snake", 0, true, 1) == want {
			t.Errorf("%s does not change the fingerprint", what)
		}
	}
	cheap := make() // by another version of the search
	cheap.blocks[2].evaluations[1].Each[0].Nodes++
	cheap.blocks[2].evaluations[1].Nodes++
	if printOf(t, cheap, "snake", 0, true, 1) != want {
		t.Error("a count of nodes changes the fingerprint")
	}
	if printOf(t, make(), "snake", 0, false, 1) != want {
		t.Error("whether games are kept as rows changes the fingerprint")
	}
}
