package results

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/summary"
)

func TestBeginCreatesThenResumes(t *testing.T) {
	s, _ := open(t)
	first := begin(t, s, spec("snake", "a"))
	if want := (experiments.Run{ID: 2, Name: "snake", Status: experiments.Running}); !reflect.DeepEqual(first, want) {
		t.Errorf("got %+v, want %+v", first, want)
	}
	must(t, second(s.Judge(ctx, first.ID, experiments.Length{Generations: 7, Stopped: true})))
	must(t, s.Finish(ctx, first.ID, experiments.Interrupted))
	again := begin(t, s, spec("snake", "a"))
	if want := (experiments.Run{ID: 2, Name: "snake", Status: experiments.Interrupted, Resumed: true,
		Generations: 7}); !reflect.DeepEqual(again, want) {
		t.Errorf("got %+v, want %+v", again, want)
	}
	if got := find(t, s, "snake"); got.Status != experiments.Running || got.StoppedAfter != 7 {
		t.Errorf("a resumed run is %s, stopped after %d", got.Status, got.StoppedAfter)
	}
}

func TestBeginNamesWhatIsTaken(t *testing.T) {
	s, _ := open(t)
	other := func(change func(*experiments.RunSpec)) experiments.RunSpec {
		v := spec("snake", "a")
		change(&v)
		return v
	}
	for _, step := range []struct {
		spec    experiments.RunSpec
		name    string
		resumed bool
	}{
		{spec("snake", "a"), "snake", false},
		{spec("snake", "b"), "snake.2", false},
		{spec("snake", "a"), "snake", true},
		{spec("snake", "b"), "snake.2", true},
		{other(func(v *experiments.RunSpec) { v.Signature = "changed play" }), "snake.3", false},
		{other(func(v *experiments.RunSpec) { v.Kind = experiments.KindCompare }), "snake.4", false},
		{other(func(v *experiments.RunSpec) { v.New = true }), "snake.5", false},
		{spec("snake", "a"), "snake.5", true}, // the newest of this config
		{spec("snake.2", "a"), "snake.2.2", false},
		{other(func(v *experiments.RunSpec) { v.Name, v.New = "rows", true }), "rows", false},
		// A bot's files are a part of a run's identity.
		{other(func(v *experiments.RunSpec) { v.Programs = "one" }), "snake.6", false},
		{other(func(v *experiments.RunSpec) { v.Programs = "mended" }), "snake.7", false},
		{spec("snake", "a"), "snake.5", true},
		{other(func(v *experiments.RunSpec) { v.Programs = "one" }), "snake.6", true},
	} {
		run := begin(t, s, step.spec)
		if run.Name != step.name || run.Resumed != step.resumed || run.Renamed != (step.name != step.spec.Name) {
			t.Errorf("%+v: got %+v, want %s", step.spec, run, step.name)
		}
		must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	}
}

// TestQuestions: all questions that were asked of the same players count, in whatever run.
func TestQuestions(t *testing.T) {
	s, _ := open(t)
	ask := func(config, players, question string, look int) map[string]int {
		asked := spec("compare", config)
		asked.Tuning = players
		asked.Kind, asked.New = experiments.KindCompare, true
		run := begin(t, s, asked)
		must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0}, {Number: 1}}))
		must(t, s.AddComparisons(ctx, run.ID,
			[]experiments.Comparison{{Phase: experiments.PhaseComparison, Baseline: 1, Question: question, Look: look}}))
		return sure(s.Questions(ctx, run.ID))(t)
	}
	ask("a", "set", "200 games", 1)
	ask("another seed", "set", "200 games", 2)
	ask("another config", "others", "10 games", 1)
	if got := ask("a", "set", "a difference of 5%", 3); !maps.Equal(got,
		map[string]int{"200 games": 1, "another seed200 games": 2, "a difference of 5%": 3}) {
		t.Errorf("got %v", got)
	}
}

func TestFinishedRunStaysFinishedUntilSomethingIsRecorded(t *testing.T) {
	s, _ := open(t)
	w := recordRun(t, s, "snake", 1)
	before := find(t, s, "snake")
	if before.Fingerprint == "" || before.Finished.IsZero() {
		t.Fatalf("%+v", before)
	}

	// A replay says again what is there, and is interrupted.
	run := begin(t, s, spec("snake", "snake"))
	if run.Status != experiments.Finished {
		t.Errorf("got %+v", run)
	}
	must(t, s.AddCandidates(ctx, run.ID, nil))
	must(t, s.SetChampion(ctx, run.ID, w.champion, "salt"))
	must(t, s.AddComparisons(ctx, run.ID, w.comparisons))
	for _, b := range w.blocks {
		must(t, b.finish(s, run.ID, true))
	}
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	after := find(t, s, "snake")
	after.Headline, before.Headline = summary.Summary{}, summary.Summary{}
	if key(after) != key(before) {
		t.Errorf("got  %+v\nwant %+v", after, before)
	}

	run = begin(t, s, spec("snake", "snake"))
	must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 100}}))
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	after = find(t, s, "snake")
	if after.Status != experiments.Interrupted || after.Fingerprint != "" || !after.Finished.IsZero() {
		t.Errorf("got %+v", after)
	}
}

// TestFailureIsKeptUntilTheRunGoesOn: beside the owner's note, whichever was written first. Only a
// failed run has one.
func TestFailureIsKeptUntilTheRunGoesOn(t *testing.T) {
	s, _ := open(t)
	for _, first := range []string{"", "why?"} {
		run := begin(t, s, spec("snake", "a"))
		must(t, s.SetNote(ctx, "snake", first))
		must(t, s.SetFailure(ctx, run.ID, "too early"))
		must(t, s.Finish(ctx, run.ID, experiments.Failed))
		must(t, s.SetFailure(ctx, run.ID, "it broke:\n  here"))
		if got := find(t, s, "snake"); got.Note != first || got.Failure != "it broke:\n  here" {
			t.Errorf("note %q, failure %q", got.Note, got.Failure)
		}
		must(t, s.SetNote(ctx, "snake", "mended"))
		if got := find(t, s, "snake"); got.Note != "mended" || got.Failure != "it broke:\n  here" {
			t.Errorf("note %q, failure %q", got.Note, got.Failure)
		}
		run = begin(t, s, spec("snake", "a"))
		if got := find(t, s, "snake"); got.Note != "mended" || got.Failure != "" {
			t.Errorf("going on: note %q, failure %q", got.Note, got.Failure)
		}
		must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	}
}

func TestFindHintsAtTheNearestName(t *testing.T) {
	s, _ := open(t)
	fails(t, "", second(s.Reader().Find(ctx, "")), "there are no runs in ", ErrNotFound)
	begin(t, s, spec("snake", "a"))
	begin(t, s, spec("nneonneo", "a"))
	for name, hint := range map[string]string{"snack": "did you mean snake?", "NN": "did you mean nneonneo?",
		"something else": "there is no run something else in "} {
		fails(t, name, second(s.Reader().Find(ctx, name)), hint, ErrNotFound)
	}
	if run := find(t, s, ""); run.Name != "nneonneo" {
		t.Errorf("the newest run is %s", run.Name)
	}
}

// TestForesightIsStoredBesideTheGames: each commit also stores the progress, and no result depends
// on it.
func TestForesightIsStoredBesideTheGames(t *testing.T) {
	s, _ := open(t)
	w := newWorld(random(1))
	run := begin(t, s, spec("snake", "snake"))
	if r := find(t, s, "snake"); r.Done != -1 || !r.ExpectedEnd.IsZero() {
		t.Errorf("before anything is known: %v done, ends %v", r.Done, r.ExpectedEnd)
	}
	asked := 0
	s.Foresee(func() (float64, time.Duration, bool) { asked++; return 0.25, time.Hour, true })
	w.record(t, s, run.ID, true, random(1))
	r := find(t, s, "snake")
	if left := time.Until(r.ExpectedEnd); asked == 0 || r.Done != 0.25 || left > time.Hour || left < 50*time.Minute {
		t.Errorf("asked %d times: %v done, ends %v", asked, r.Done, r.ExpectedEnd)
	}
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	if r := find(t, s, "snake"); r.Done != 0.25 || !r.ExpectedEnd.IsZero() {
		t.Errorf("interrupted: %v done, ends %v", r.Done, r.ExpectedEnd)
	}
	begin(t, s, spec("snake", "snake"))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	r = find(t, s, "snake")
	if r.Done != 1 || !r.ExpectedEnd.IsZero() {
		t.Errorf("finished: %v done, ends %v", r.Done, r.ExpectedEnd)
	}
	other, _ := open(t)
	recordRun(t, other, "snake", 1)
	if unforeseen := find(t, other, "snake"); r.Fingerprint != unforeseen.Fingerprint {
		t.Error("the fingerprint hangs on it")
	}
}

// setSize records that the first part of a tuning has so many games.
func setSize(s *Store, run int64, games int) error {
	return s.SetSize(ctx, run, experiments.Place{Phase: experiments.PhaseTuning}, experiments.Size{Games: games}, nil)
}

// TestWorkedIsWithoutTheTimeThatARunLayStopped: a killed process counts to its last commit, and
// reading a finished run back counts for nothing.
func TestWorkedIsWithoutTheTimeThatARunLayStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	now := time.Now()
	work := func(do func(s *Store, run int64, passes func(time.Duration))) {
		s := reopen(t, path)
		s.clock = func() time.Time { return now }
		run := begin(t, s, spec("snake", "a"))
		do(s, run.ID, func(d time.Duration) { now = now.Add(d) })
		must(t, s.Close())
		now = now.Add(24 * time.Hour) // until the next process
	}
	worked := func(want time.Duration) {
		t.Helper()
		r := reading(t, path)
		run := sure(r.Find(ctx, "snake"))(t)
		if run.Worked != want {
			t.Errorf("got %v, want %v", run.Worked, want)
		}
	}
	work(func(s *Store, run int64, passes func(time.Duration)) {
		passes(10*time.Second + 999*time.Microsecond)
		must(t, setSize(s, run, 1))
		passes(time.Millisecond) // the rest of the millisecond before is not lost
		must(t, setSize(s, run, 2))
		passes(time.Hour) // killed before the next commit
	})
	worked(10*time.Second + time.Millisecond)
	work(func(s *Store, run int64, passes func(time.Duration)) {
		passes(5 * time.Second)
		must(t, s.Finish(ctx, run, experiments.Finished))
		passes(time.Hour)
	})
	worked(15*time.Second + time.Millisecond)
	work(func(s *Store, run int64, passes func(time.Duration)) { // a replay
		passes(time.Minute)
		must(t, setSize(s, run, 2))
		must(t, s.Finish(ctx, run, experiments.Finished))
	})
	worked(15*time.Second + time.Millisecond)
}

// TestFinishedRunHasItsFigures: a run whose figures could not be written is not finished. So the
// next process writes them.
func TestFinishedRunHasItsFigures(t *testing.T) {
	s, _ := open(t)
	run := begin(t, s, spec("snake", "a"))
	for _, statement := range []string{
		"CREATE TRIGGER full BEFORE DELETE ON standings BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
		"INSERT INTO standings VALUES (1, 2, 0, '', '', '', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)",
	} {
		_, err := s.writer.ExecContext(ctx, statement)
		must(t, err)
	}
	if err := s.Finish(ctx, run.ID, experiments.Finished); err == nil {
		t.Error("no error, but the figures cannot be written")
	}
	if got := find(t, s, "snake").Status; got == experiments.Finished {
		t.Error("the run is finished without its figures")
	}
}

// TestLargeSizesAreRefused: a run has a few parts, so what would take the memory is damage.
func TestLargeSizesAreRefused(t *testing.T) {
	sizes := func(parts int) string {
		return fmt.Sprintf("UPDATE endings SET sizes = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "+
			"FROM n WHERE i < %d) "+
			"SELECT json_group_object('part ' || i, json('{\"planned\":1}')) FROM n)", parts)
	}
	s, path := open(t)
	begin(t, s, spec("snake", "a"))
	must(t, s.Close())
	edit(t, path, sizes(500))
	if run := find(t, reopen(t, path), "snake"); len(run.Sizes) != 500 {
		t.Errorf("got %d sizes", len(run.Sizes))
	}
	defer func(most held) { maxHeld = most }(maxHeld)
	maxHeld = 40_000
	fails(t, "many sizes", second(reading(t, path).Runs(ctx)), "its texts are too long", ErrDamaged)
	edit(t, path, sizes(5000))
	s = reopen(t, path)
	if run := find(t, s, "snake"); run.Sizes != nil {
		t.Errorf("got %d sizes", len(run.Sizes))
	}
	fails(t, "a run that goes on", second(s.Begin(ctx, spec("snake", "a"))), "the sizes of its parts have", ErrDamaged)
}

// TestClocksAreNotVerified: nobody can check a clock, so a verification names what it decided.
func TestClocksAreNotVerified(t *testing.T) {
	for want, run := range map[string]Run{
		"": {Sizes: map[string]experiments.Size{"playoff depth 1": {Planned: 5, Games: 5, Played: 5}}},
		"that -for had to end the tuning after 3 generations: a clock decided it": {StoppedAfter: 3},
		"how many games followed the tuning: another version of tune, which counts other nodes, decided it": {Sizes: map[string]experiments.Size{
			"playoff depth 1":    {Planned: 5, Games: 5, Played: 5, Costs: simulator.Costs},
			"validation depth 1": {Planned: 9, Games: 9, Played: 9, Costs: "other"}}},
		"how many games -for left each part: a clock decided it": {Sizes: map[string]experiments.Size{
			"playoff depth 1": {Planned: 5, Games: 5, Played: 4}, "validation depth 1": {Planned: 9, Games: 3, Played: 3}}},
	} {
		v := Redone{run: run}
		if v.addClock(); strings.Join(v.Unverified, ";") != want {
			t.Errorf("got %q, want %q", v.Unverified, want)
		}
	}
}
