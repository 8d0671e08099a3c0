package results

import (
	"context"
	"errors"
	"testing"
	"time"

	"tune2048/experiments"
)

// setClock lets the clock be set by as much as jump says, each time that somebody looks at it, until the test is over.
func setClock(t *testing.T, jump func(look int) time.Duration) {
	t.Helper()
	looks := 0
	clock = func() time.Time {
		looks++
		return time.Now().Add(jump(looks))
	}
	t.Cleanup(func() {
		clock = time.Now
		if looks < 10 {
			t.Errorf("the clock was looked at %d times", looks)
		}
	})
}

// TestTheClockIsSet: somebody sets the clock, forward and back, while a run records, and between its starts. It ends with the
// same content, is resumed, found and locked as ever, and the times that are written down are what the clock said.
func TestTheClockIsSet(t *testing.T) {
	ctx := context.Background()
	w := newWorld(random(1))
	steady, _ := open(t)
	run := begin(t, steady, spec("snake", "a"))
	must(t, w.replay(steady, run.ID, func() {}))
	must(t, steady.Finish(ctx, run.ID, experiments.Finished))
	want := find(t, steady, "snake")

	const hour = time.Hour
	day := time.Duration(0) // by which it is wrong since the last start
	jumps := []time.Duration{0, -5 * hour, 7 * hour, -hour, 3 * hour}
	setClock(t, func(look int) time.Duration { return day + jumps[look%len(jumps)] })
	s, path := open(t)
	begin(t, s, spec("snake", "older"))
	for i, blocks := range []int{2, 5, len(w.blocks)} {
		day = []time.Duration{0, -72 * hour, 24 * 365 * hour}[i]
		part := w
		part.blocks, part.contrasts = w.blocks[:blocks], nil
		run := begin(t, s, spec("snake", "a"))
		if run.Name != "snake.2" || run.Resumed != (i > 0) {
			t.Fatalf("start %d: got %+v", i, run)
		}
		must(t, part.replay(s, run.ID, func() {}))
		if got := find(t, s, ""); got.Name != "snake.2" || !got.Alive {
			t.Errorf("start %d: the newest run is %+v", i, got)
		}
		second, err := Open(path)
		must(t, err)
		if _, err := second.Begin(ctx, spec("snake", "a")); !errors.Is(err, experiments.ErrBusy) {
			t.Errorf("start %d: a second one began: %v", i, err)
		}
		must(t, second.Close())
		must(t, s.Close()) // as if it were killed
		s, err = Open(path)
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
	}
	day = -24 * 365 * hour
	run = begin(t, s, spec("snake", "a"))
	must(t, w.replay(s, run.ID, func() {}))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	got := find(t, s, "snake.2")
	if got.Fingerprint != want.Fingerprint || got.Status != experiments.Finished || got.Games != want.Games {
		t.Errorf("got %+v, want what %+v has", got, want)
	}
	if age := time.Since(got.Finished); got.Finished.After(got.Started) || age < 364*24*hour || age > 366*24*hour {
		t.Errorf("it started at %v and finished at %v, want what the clock said", got.Started, got.Finished)
	}

	// With the clock a year behind, a run that begins now is still the newest, and the one that its config means.
	fresh := spec("snake", "a")
	fresh.New = true
	newest := begin(t, s, fresh)
	if got := find(t, s, ""); got.ID != newest.ID || got.Started.After(want.Started) {
		t.Errorf("the newest run is %+v", got)
	}
	must(t, s.Finish(ctx, newest.ID, experiments.Interrupted))
	if again := begin(t, s, spec("snake", "a")); again.ID != newest.ID {
		t.Errorf("run %d is resumed, want %d", again.ID, newest.ID)
	}
}
