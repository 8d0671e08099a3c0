package results

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"tune2048/experiments"
)

// printOf records the world as a run among others and returns its fingerprint.
func printOf(t *testing.T, w world, name string, others int, keep bool, shuffle uint64) string {
	t.Helper()
	s, _ := open(t)
	r := random(shuffle)
	for range others {
		other := newWorld(r)
		fresh := spec("other", "hash")
		fresh.New = true
		other.record(t, s, begin(t, s, fresh).ID, true, r)
	}
	run := begin(t, s, spec(name, "hash"))
	w.record(t, s, run.ID, keep, r)
	must(t, s.Finish(context.Background(), run.ID, experiments.Finished))
	found := find(t, s, name)
	again, err := s.Reader().Fingerprint(context.Background(), run.ID)
	must(t, err)
	if len(found.Fingerprint) != 64 || again != found.Fingerprint {
		t.Errorf("stored %q, computed again %q", found.Fingerprint, again)
	}
	return found.Fingerprint
}

func TestFingerprintIsOfResultsOnly(t *testing.T) {
	make := func() world { return newWorld(random(1)) }
	want := printOf(t, make(), "snake", 0, true, 1)
	slow := make()
	for _, b := range slow.blocks {
		for i := range b.games {
			b.games[i].DurationUS += 1000
		}
	}
	if got := printOf(t, slow, "renamed", 3, true, 2); got != want {
		t.Errorf("another order, name, id and duration change the fingerprint: %s, %s", got, want)
	}
	for what, change := range map[string]func(w *world){
		"a weight":      func(w *world) { w.candidates[3].Weights[1].Value += 1e-12 },
		"a name":        func(w *world) { w.candidates[3].Weights[1].Name = "emptyy" },
		"the champion":  func(w *world) { w.champion = 1 },
		"its games":     func(w *world) { w.blocks[2].evaluations[1].GamesHash += "0" },
		"an evaluation": func(w *world) { w.blocks[2].evaluations[1].Score.M2 += 1e-3 },
		"a comparison":  func(w *world) { w.contrasts[0].RatioInterval.Low += 1e-9 },
	} {
		w := make()
		change(&w)
		if printOf(t, w, "snake", 0, true, 1) == want {
			t.Errorf("%s does not change the fingerprint", what)
		}
	}
	if printOf(t, make(), "snake", 0, false, 1) != want {
		t.Error("whether games are kept as rows changes the fingerprint")
	}
}

// TestChangedAfterTheEnd: a finished run whose rows were changed is not read back as if nothing had happened.
func TestChangedAfterTheEnd(t *testing.T) {
	s, path := open(t)
	run, err := s.Begin(context.Background(), spec("changed", "hash"))
	if err == nil {
		err = errors.Join(s.AddCandidates(context.Background(), run.ID, []experiments.Candidate{{Origin: "start", Weights: []experiments.Weight{{Name: "a", Value: 1}}}}),
			s.Finish(context.Background(), run.ID, experiments.Finished))
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Begin(context.Background(), spec("changed", "hash"))
	if err != nil || again.Status != experiments.Finished {
		t.Fatalf("got %+v, %v", again, err)
	}
	if err := errors.Join(s.Finish(context.Background(), run.ID, experiments.Finished), s.Close()); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("sqlite3", path, "UPDATE weights SET value = 2").CombinedOutput(); err != nil {
		t.Skipf("needs the sqlite3 shell: %v: %s", err, out)
	}
	other, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Begin(context.Background(), spec("changed", "hash")); err == nil || !strings.Contains(err.Error(), "was changed after it had finished") {
		t.Errorf("got error %v", err)
	}
}
