package results

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/experiments"
	"tune2048/experiments/summary"
)

// length returns the spec of the run snake with the config of so many generations.
func length(generations int) experiments.RunSpec {
	asked := spec("snake", fmt.Sprint("of ", generations))
	asked.Tuning, asked.Generations = "tuning", generations
	return asked
}

// recordEndings records the run snake with an ending after the first stage, and one after both.
// Their ids are 2 and 3, of the search 1.
func recordEndings(t testing.TB, s *Store) (short, long world) {
	t.Helper()
	short, long = newEndings(random(1))
	short.recordAs(t, s, length(short.length().Generations))
	long.recordAs(t, s, length(long.length().Generations))
	return short, long
}

// recordAs records a world as a finished ending of the run of a spec.
func (w *world) recordAs(t testing.TB, s *Store, asked experiments.RunSpec) int64 {
	t.Helper()
	run := begin(t, s, asked)
	w.record(t, s, run.ID, true, random(1))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	return run.ID
}

// sizes are the numbers of rows of the tables.
func sizes(t *testing.T, s *Store) map[string]int {
	t.Helper()
	all := map[string]int{}
	for table, rows := range rowsOf(t, s) {
		all[table] = len(rows)
	}
	return all
}

// TestMoreAddsRowsOfNewGenerations: a run that goes on stores its tuning once.
func TestMoreAddsRowsOfNewGenerations(t *testing.T) {
	s, _ := open(t)
	short, long := newEndings(random(1))
	short.recordAs(t, s, length(3))
	playing(t, s, 1)
	before, kept := sizes(t, s), rowsOf(t, s)
	run := begin(t, s, length(5))
	if want := (experiments.Run{ID: 3, Name: "snake", Status: experiments.Running, Resumed: true, Another: true,
		Longest: 3}); !reflect.DeepEqual(run, want) {
		t.Errorf("got %+v, want %+v", run, want)
	}
	if again := sure(s.Candidates(ctx, run.ID, 0, 100))(t); !reflect.DeepEqual(again, long.candidates[:7]) {
		t.Errorf("it begins with %d candidates, want those of the tuning", len(again))
	}
	for _, b := range short.blocks[:3] {
		for i, k := range sure(known(s, run.ID, b))(t) {
			if k.Evaluation == nil || k.Evaluation.Number != b.evaluations[i].Number {
				t.Errorf("it does not know evaluation %d of its tuning", b.evaluations[i].Number)
			}
		}
	}
	must(t, s.AddEvaluations(ctx, run.ID, short.blocks[0].evaluations, true)) // changes nothing
	long.record(t, s, run.ID, true, random(1))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))

	after, added := sizes(t, s), map[string]int{}
	for table, rows := range after {
		if rows != before[table] {
			added[table] = rows - before[table]
		}
	}
	asked, rows := 0, map[string]bool{}
	for _, b := range long.blocks[3:] {
		for _, e := range b.evaluations {
			asked++
			rows[e.Key] = true
		}
	}
	want := map[string]int{"endings": 1, "candidates": 3, "asked": asked, "memo": len(rows),
		"slices":      len(long.blocks[3:]),
		"comparisons": len(long.comparisons), "generations": 2}
	for _, table := range []string{"standings", "samples", "tiles"} { // as many as the summary has
		want[table] = added[table]
	}
	if !maps.Equal(added, want) {
		t.Errorf("added %v, want %v", added, want)
	}
	now := rowsOf(t, s)
	for _, table := range []string{"candidates", "asked", "memo", "slices", "comparisons", "endings", "tiles"} {
		for _, row := range kept[table] {
			if _, stays := slices.BinarySearch(now[table], row); !stays {
				t.Errorf("%s: the row is another one: %s", table, row)
			}
		}
	}
}

// TestEndingsDoNotMix: each ending of a search has the tuning so far and its own judging. Views
// show the longest one.
func TestEndingsDoNotMix(t *testing.T) {
	s, path := open(t)
	short, long := newEndings(random(1))
	versus := []string{"champion / start", "champion / start"}
	see := func(what string, shown int64, w world, tuning bool) {
		t.Helper()
		for relation, want := range rowsOfSummary("snake", 1, shown, "mean_score", w, versus) {
			if slices.Contains([]string{"standings", "samples", "generations", "tiles"}, relation) || relation == "vectors" &&
				!tuning {
				continue // of all endings; of all that the search asked for
			}
			if got := rowsByColumn(t, s.reader, "SELECT * FROM "+relation); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s: got %d rows\n%v, want %d\n%v", what, relation, len(got), got, len(want), want)
			}
		}
		asked := int64(len(w.evaluations()))
		for view, want := range map[string][]any{
			"runs":                                {"snake", int64(1), shown, int64(w.length().Generations)},
			"games WHERE phase <> 'tuning'":       {asked - int64(len(w.evaluations(experiments.PhaseTuning)))},
			"evaluations WHERE phase <> 'tuning'": {asked - int64(len(w.evaluations(experiments.PhaseTuning)))},
		} {
			columns := "count(DISTINCT id / 50)"
			if view == "runs" {
				columns = "name, id, ending_id, generations"
			} else if strings.HasPrefix(view, "evaluations") {
				columns = "count(*)"
			}
			if got := sure(rows(s.reader, "SELECT "+columns+" FROM "+view))(t); len(got) != 1 || !slices.Equal(got[0], want) {
				t.Errorf("%s: %s: got %v, want %v", what, view, got, want)
			}
		}
	}
	short.recordAs(t, s, length(3))
	see("one ending", 2, short, true)
	run := begin(t, s, length(5))
	see("another is begun", 2, short, true)
	long.recordTuning(t, s, run.ID, true, random(1))
	if got := find(t, s, "snake@open"); got.ID != 3 || got.Judged || got.Status != experiments.Running ||
		got.Generations != 5 || got.Candidates != 9 {
		t.Errorf("got %+v", got)
	}
	if list := sure(s.reader.Runs(ctx))(t); len(list) != 2 || list[0].Name != "snake@open" || list[1].Name != "snake" {
		t.Errorf("the runs are %+v", list)
	}
	long.recordEnding(t, s, run.ID, true, random(1))
	if got := find(t, s, "snake@5"); got.ID != 3 || got.Name != "snake@5" || !got.Judged {
		t.Errorf("got %+v", got)
	}
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	see("both", 3, long, true)

	for name, of := range map[string]struct {
		id   int64
		name string
		w    world
	}{"snake": {3, "snake", long}, "snake@5": {3, "snake", long}, "snake@3": {2, "snake@3", short},
		"snake@open": {3, "snake", long}} {
		r := reading(t, path)
		run, w := sure(r.Find(ctx, name))(t), of.w
		if run.ID != of.id || run.Name != of.name || run.Root != "snake" || run.Generations != w.length().Generations ||
			run.InStage != map[int64]int{2: 3, 3: 2}[of.id] ||
			run.Candidates != len(w.candidates) || run.Games != int64(w.played()) || run.Champion != w.champion ||
			run.HeldOutSalt != w.salt {
			t.Errorf("%s: got %+v", name, run)
		}
		if got := sure(r.Candidates(ctx, run.ID, 0, 1000))(t); !reflect.DeepEqual(got, w.candidates) {
			t.Errorf("%s: got the candidates %+v", name, got)
		}
		if got := sure(r.Evaluations(ctx, run.ID))(t); !reflect.DeepEqual(got, w.evaluations()) {
			t.Errorf("%s: got the evaluations %+v", name, got)
		}
		if got := sure(r.Comparisons(ctx, run.ID))(t); !reflect.DeepEqual(got, w.comparisons) {
			t.Errorf("%s: got the comparisons %+v", name, got)
		}
		whole := summary.Summarize(run.Run, nil, w.candidates, nil, slices.Values(w.evaluations()), nil, w.comparisons)
		if got := sure(r.Summary(ctx, run, 0, nil, w.candidates))(t); !reflect.DeepEqual(got, whole) {
			t.Errorf("%s: got the summary %+v", name, got)
		}
		validated := summary.Summarize(run.Run, nil, nil, nil, slices.Values(w.evaluations(experiments.PhaseValidation)), nil,
			w.comparisons)
		if !reflect.DeepEqual(run.Headline, validated) {
			t.Errorf("%s: got the headline %+v", name, run.Headline)
		}
		for _, b := range long.blocks[:7] {
			var got []experiments.Evaluation
			for e, err := range tuned(ctx, r.at, run.ID, b.Place, nil, 0, 1_000_000) {
				must(t, err)
				got = append(got, e)
			}
			want := slices.Collect(w.again(b.Place, nil, 0, 1_000_000))
			for i := range want {
				want[i].Key, want[i].Each = "", nil
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: of stage %s at %s it has %d evaluations, want %d", name, b.Stage, b.Search, len(got), len(want))
			}
		}
		if at, games, err := r.Latest(ctx, run.ID); err != nil || at.Phase != experiments.PhaseValidation ||
			at.Search != "depth 5" || games != 0 {
			t.Errorf("%s: the latest is %+v, %d, %v", name, at, games, err)
		}
		for _, b := range w.blocks {
			want, _ := b.game(1)
			want.Run = run.ID
			id := GameID(w.owner(1, run.ID, want.Number), want.Number, want.Index)
			if g, err := r.Game(ctx, run, id); err != nil || g != want {
				t.Errorf("%s: got %+v, %v, want %+v", name, g, err, want)
			}
			if found, err := r.GameOf(ctx, run.ID, want.Phase, want.Search, want.Candidate, want.Index); !b.Tuned() &&
				(err != nil || found != id) {
				t.Errorf("%s: got game %d, %v, want %d", name, found, err, id)
			}
		}
	}
	if all := sure(s.reader.Endings(ctx, find(t, s, "snake@3")))(t); len(all) != 2 || all[0].ID != 3 || all[1].ID != 2 {
		t.Errorf("the endings are %+v", all)
	}
	fails(t, "", second(s.reader.Find(ctx, "snake@4")), "there is no run snake@4", ErrNotFound)
}

// TestEndingsHaveTheirFingerprints: what a search does after an ending is no part of it, nor are
// the other endings.
func TestEndingsHaveTheirFingerprints(t *testing.T) {
	s, _ := open(t)
	short, long := recordEndings(t, s)
	for name, w := range map[string]world{"snake@3": short, "snake": long} {
		alone, _ := open(t)
		w.recordAs(t, alone, length(w.length().Generations))
		print := find(t, s, name).Fingerprint
		if want := find(t, alone, "snake").Fingerprint; len(print) != 64 || print != want {
			t.Errorf("%s: got %s, alone %s", name, print, want)
		}
		if again := sure(fingerprint(ctx, s.reader.db, find(t, s, name).ID))(t); again != print {
			t.Errorf("%s: stored %s, computed again %s", name, print, again)
		}
	}
}

// TestAnEndingIsTakenUp: a tuning that ends after as many generations as an ending has goes on with
// that one, whether it is finished or not.
func TestAnEndingIsTakenUp(t *testing.T) {
	for _, status := range []string{experiments.Finished, experiments.Interrupted, experiments.Failed} {
		s, path := open(t)
		now := time.Now()
		s.clock = func() time.Time { return now }
		short, long := newEndings(random(1))
		first := begin(t, s, length(3))
		must(t, s.SetSize(ctx, first.ID, experiments.Place{Phase: experiments.PhasePlayoff, Search: "depth 5"},
			experiments.Size{Games: 20}, nil))
		short.record(t, s, first.ID, true, random(1))
		must(t, s.Finish(ctx, first.ID, status))
		before := find(t, s, "snake")

		timed := length(0) // which says nothing of generations
		run := begin(t, s, timed)
		if run.ID != 3 || !run.Another || run.Generations != 0 ||
			run.Longest != map[bool]int{true: 3}[status == experiments.Finished] || run.Sizes != nil {
			t.Errorf("%s: got %+v", status, run)
		}
		long.blocks[0].finish(s, run.ID, true)
		now = now.Add(time.Minute)
		counts(t, s, "endings", 2)
		stopped := short.length()
		stopped.Stopped = true
		taken := sure(s.Judge(ctx, run.ID, stopped))(t)
		want := experiments.Run{ID: 2, Name: "snake", Status: status, Resumed: true, Generations: 3, Longest: run.Longest,
			HeldOutSalt: short.salt,
			Sizes:       map[string]experiments.Size{"playoff depth 5": {Games: 20}}}
		if status != experiments.Finished {
			want.Status = experiments.Running // by this process
		}
		if !reflect.DeepEqual(taken, want) {
			t.Errorf("%s: got %+v, want %+v", status, taken, want)
		}
		counts(t, s, "endings", 1)
		fails(t, "the ending that is gone", s.SetChampion(ctx, run.ID, 0, ""), "run 3 is not begun")
		if status != experiments.Finished {
			if got := find(t, s, "snake"); got.Worked != before.Worked+time.Minute || got.State() != experiments.Running {
				t.Errorf("%s: %s, worked %v", status, got.State(), got.Worked)
			}
		}
		short.recordEndingAgain(t, s, taken.ID)
		must(t, s.Finish(ctx, taken.ID, experiments.Finished))
		after := find(t, s, "snake")
		after.Headline, before.Headline = summary.Summary{}, summary.Summary{}
		if after.ID != 2 || after.Status != experiments.Finished || after.Fingerprint == "" ||
			status == experiments.Finished && key(after) != key(before) {
			t.Errorf("%s: got %+v, before %+v", status, after, before)
		}
		if got := sure(s.reader.Evaluations(ctx, 2))(t); !reflect.DeepEqual(got, short.evaluations()) {
			t.Errorf("%s: got %d evaluations", status, len(got))
		}
		if after.StoppedAfter != 0 {
			t.Errorf("%s: the config ended it, not -for", status)
		}
		must(t, s.Close())
		left(t, path, "tune.db")
		// A number is never used twice.
		if again := begin(t, reopen(t, path), length(5)); again.ID != 4 {
			t.Errorf("%s: the next ending is %d", status, again.ID)
		}
	}
}

// recordEndingAgain says again what an ending has.
func (w *world) recordEndingAgain(t testing.TB, s *Store, run int64) {
	t.Helper()
	_, judged := w.parts()
	must(t, s.SetChampion(ctx, run, w.champion, w.salt))
	for _, b := range judged.blocks {
		must(t, b.finish(s, run, true))
	}
	must(t, s.AddComparisons(ctx, run, w.comparisons))
}

// TestAKilledTuningIsTakenUp: by a command of any length. One that is judged is taken up by a
// command of its own length alone.
func TestAKilledTuningIsTakenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	short, long := newEndings(random(1))
	s := reopen(t, path)
	first := begin(t, s, length(3))
	must(t, s.AddCandidates(ctx, first.ID, long.candidates[:7]))
	must(t, long.blocks[0].finish(s, first.ID, true))
	must(t, long.blocks[1].add(s, first.ID, 2))
	must(t, s.Close()) // killed
	s = reopen(t, path)
	run := begin(t, s, length(5))
	if want := (experiments.Run{ID: 2, Name: "snake", Status: experiments.Running, Resumed: true}); !reflect.DeepEqual(run,
		want) {
		t.Errorf("got %+v, want %+v", run, want)
	}
	if got := find(t, s, "snake"); got.ConfigHash != "of 5" || got.Generations != 1 {
		t.Errorf("the config is %s, after %d generations", got.ConfigHash, got.Generations)
	}
	if k := sure(known(s, run.ID, long.blocks[1]))(t)[0]; len(k.Outcomes) != 1 {
		t.Errorf("it knows %+v of the game under way", k)
	}
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	run = begin(t, s, length(3))
	if run.ID != 2 || run.Another {
		t.Errorf("got %+v", run)
	}
	must(t, second(s.Judge(ctx, run.ID, short.length())))
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))

	run = begin(t, s, length(5))
	if run.ID != 3 || !run.Another {
		t.Errorf("beside an ending that is judged: got %+v", run)
	}
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	timed := length(0)
	timed.ConfigHash, timed.GoOn = "timed", true
	for _, asked := range []struct {
		spec experiments.RunSpec
		id   int64
	}{{length(3), 2}, {length(5), 3}, {timed, 3}, {length(7), 3}, {length(3), 2}} {
		run = begin(t, s, asked.spec)
		if run.ID != asked.id || run.Another || !run.Resumed {
			t.Errorf("%s: got %+v, want ending %d", asked.spec.ConfigHash, run, asked.id)
		}
		must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	}
	counts(t, s, "endings", 2)
	counts(t, s, "searches", 1)
	// What is finished answers its command, unless time ends that.
	run = begin(t, s, length(3))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	run = begin(t, s, length(3))
	if run.ID != 2 || run.Status != experiments.Finished {
		t.Errorf("got %+v", run)
	}
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	goesOn := length(3)
	goesOn.GoOn = true
	run = begin(t, s, goesOn)
	if run.ID != 3 {
		t.Errorf("it goes on with %+v", run)
	}
}

// TestAnEndingOfThisLengthIsAsked: an ending that time ended answers a command of its generations.
func TestAnEndingOfThisLengthIsAsked(t *testing.T) {
	s, _ := open(t)
	timed := length(0)
	timed.GoOn = true
	for i, generations := range []int{3, 5} {
		run := begin(t, s, timed)
		must(t, second(s.Judge(ctx, run.ID, experiments.Length{Generations: generations, Stopped: true})))
		must(t, s.Finish(ctx, run.ID, []string{experiments.Finished, experiments.Interrupted}[i]))
	}
	for generations, want := range map[int]experiments.Run{
		3: {ID: 2, Name: "snake", Status: experiments.Finished, Resumed: true, Generations: 3, Longest: 3},
		5: {ID: 3, Name: "snake", Status: experiments.Interrupted, Resumed: true, Generations: 5, Longest: 3},
	} {
		run := begin(t, s, length(generations))
		if !reflect.DeepEqual(run, want) {
			t.Errorf("got %+v, want %+v", run, want)
		}
		must(t, s.Finish(ctx, run.ID, want.Status))
	}
	if got := find(t, s, "snake@3"); got.ConfigHash != timed.ConfigHash {
		t.Errorf("its config is %s now", got.ConfigHash)
	}
}

// TestLooksOfAnotherEnding: a look at the centre behind an ending is none of its games.
func TestLooksOfAnotherEnding(t *testing.T) {
	s, _ := open(t)
	run := begin(t, s, length(1))
	must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0}}))
	must(t, second(s.Judge(ctx, run.ID, experiments.Length{Generations: 1, Candidates: 1})))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	longer := begin(t, s, length(2))
	look := plain(experiments.Place{Phase: experiments.PhaseCentre, Stage: "tune", Search: "depth 1"}, 0, 500)
	must(t, s.AddEvaluations(ctx, longer.ID, []experiments.Evaluation{look}, true))
	if id, err := s.reader.GameOf(ctx, longer.ID, look.Phase, look.Search, 0, 0); err != nil || id != GameID(1, 0, 0) {
		t.Errorf("got %d, %v", id, err)
	}
	fails(t, "", second(s.reader.GameOf(ctx, run.ID, look.Phase, look.Search, 0, 0)), "no game 0 of the centre",
		ErrNotFound)
	for ending, want := range map[int64]string{run.ID: "", longer.ID: look.Phase} {
		if at, _, err := s.reader.Latest(ctx, ending); err != nil || at.Phase != want {
			t.Errorf("ending %d: the latest is %+v, %v", ending, at, err)
		}
		if got := sure(s.reader.Evaluations(ctx, ending))(t); (len(got) > 0) != (want != "") {
			t.Errorf("ending %d has the evaluations %+v", ending, got)
		}
	}
}

// TestAReplayOfAnotherLengthIsAnError: an ending is judged where its tuning ended.
func TestAReplayOfAnotherLengthIsAnError(t *testing.T) {
	s, _, w, run := begun(t)
	must(t, second(s.Judge(ctx, run.ID, w.length())))
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	run = begin(t, s, spec("snake", "a"))
	other := w.length()
	other.Questions++
	fails(t, "", second(s.Judge(ctx, run.ID, other)), "another version made the run, or it was changed by hand")
	if taken := sure(s.Judge(ctx, run.ID, w.length()))(t); taken.ID != run.ID {
		t.Errorf("got %+v", taken)
	}
}

// TestARunWithEndingsIsBusy: one process works on a run, whichever ending it is at.
func TestARunWithEndingsIsBusy(t *testing.T) {
	s, path := open(t)
	recordEndings(t, s)
	run := begin(t, s, length(7))
	other := reopen(t, path)
	for generations := range 8 {
		fails(t, "", second(other.Begin(ctx, length(generations))), path+".run-1.lock", experiments.ErrBusy)
	}
	for _, name := range []string{"snake", "snake@3"} {
		fails(t, name, second(other.Delete(ctx, name)), "", experiments.ErrBusy)
	}
	if got := find(t, s, "snake@open"); !got.Alive || got.ID != run.ID {
		t.Errorf("got %+v", got)
	}
	if got := find(t, s, "snake"); got.Alive || got.Status != experiments.Finished {
		t.Errorf("got %+v", got)
	}
}

// TestDeleteAnEnding: its run stays, as if the ending had never been.
func TestDeleteAnEnding(t *testing.T) {
	s, path := open(t)
	_, long := recordEndings(t, s)
	fails(t, "the longest one", second(s.Delete(ctx, "snake@5")), "it is called snake now", ErrNotFound)
	playing(t, s, 1)
	before := rowsOf(t, s)
	must(t, second(s.Delete(ctx, "snake@3")))
	alone, _ := open(t)
	long.recordAs(t, alone, length(5))
	for table, count := range map[string]int{"searches": 1, "endings": 1, "candidates": len(long.candidates),
		"asked":       len(long.evaluations()),
		"comparisons": 2, "generations": 5} {
		counts(t, s, table, count)
		counts(t, alone, table, count)
	}
	after := rowsOf(t, s)
	for table, all := range after {
		for _, row := range all {
			if _, was := slices.BinarySearch(before[table], row); !was {
				t.Errorf("%s: the row is another one: %s", table, row)
			}
		}
	}
	for _, table := range []string{"standings", "tiles", "slices", "memo"} {
		if want := len(sure(rows(alone.reader, "SELECT * FROM "+table))(t)); len(after[table]) != want {
			t.Errorf("%s: %d rows, want %d", table, len(after[table]), want)
		}
	}
	if lost, err := rows(s.reader, "SELECT * FROM pragma_foreign_key_check"); err != nil || len(lost) > 0 {
		t.Errorf("rows refer to nothing: %v, %v", lost, err)
	}
	if run := begin(t, s, length(3)); run.ID != 4 || !run.Another || run.Longest != 5 {
		t.Errorf("an ending of its length is %+v", run)
	}
	must(t, s.Finish(ctx, 4, experiments.Interrupted))
	must(t, second(s.Delete(ctx, "snake")))
	for _, table := range []string{"searches", "endings", "candidates", "asked", "memo", "slices", "comparisons",
		"standings", "generations", "tiles", "playing"} {
		counts(t, s, table, 0)
	}
	if _, err := os.Stat(lockPath(path, 1)); err == nil {
		t.Error("the lock file is left")
	}
}

// TestDeleteAnOpenEnding: what the search has beyond the endings that stay goes with it, and comes
// again if the run goes on.
func TestDeleteAnOpenEnding(t *testing.T) {
	s, _ := open(t)
	short, long := newEndings(random(1))
	at := short.recordAs(t, s, length(3))
	execute(t, s.writer, `UPDATE searches SET sizes = '{"tuning explore 2 depth 3":{"planned":5,"games":5,"played":5}}'`)
	want := rowsOf(t, withPlaying(t, s))
	execute(t, s.writer, "DELETE FROM playing")
	run := begin(t, s, length(7))
	long.recordTuning(t, s, run.ID, true, nil)
	must(t, s.SetSize(ctx, run.ID, long.blocks[4].Place, experiments.Size{Planned: 5, Games: 4, Played: 3}, nil))
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	playing(t, s, 1)
	execute(t, s.writer, fmt.Sprintf("UPDATE playing SET id = %d", GameID(1, 900, 0)))
	counts(t, s, "generations", 5)
	must(t, second(s.Delete(ctx, "snake@open")))
	counts(t, s, "playing", 0)
	playing(t, s, 1)
	got := rowsOf(t, s)
	for table := range want {
		if table != "playing" && table != "searches" && table != "endings" && !slices.Equal(got[table], want[table]) {
			t.Errorf("%s: got\n%s, want\n%s", table, got[table], want[table])
		}
	}
	if run := find(t, s, "snake"); run.ID != at || len(run.Sizes) != 1 {
		t.Errorf("got %+v", run)
	}
	if print := sure(fingerprint(ctx, s.reader.db, at))(t); print != find(t, s, "snake").Fingerprint {
		t.Errorf("it has another fingerprint: %s", print)
	}
	execute(t, s.writer, "DELETE FROM playing")
	again := begin(t, s, length(5))
	long.record(t, s, again.ID, true, random(1))
	must(t, s.Finish(ctx, again.ID, experiments.Finished))
	alone, _ := open(t)
	long.recordAs(t, alone, length(5))
	if got, want := find(t, s, "snake"), find(t, alone, "snake"); got.Fingerprint != want.Fingerprint {
		t.Errorf("it goes on as %+v", got)
	}
}

// keyOf is the key of an evaluation in hexadecimal.
func keyOf(e experiments.Evaluation) string { return fmt.Sprintf("%x", e.Key) }

// TestForgetOfASearch: games of a tuning take all its endings with them. The newest one begins anew
// with its search.
func TestForgetOfASearch(t *testing.T) {
	s, _ := open(t)
	short, long := recordEndings(t, s)
	must(t, s.Finish(ctx, begin(t, s, length(7)).ID, experiments.Interrupted))
	// The hash has other games, as of a search whose games were false, and a part has a size that it
	// lacks later.
	falsely, _ := newEndings(random(2))
	falselyHeld, _ := open(t)
	falsely.recordAs(t, falselyHeld, length(3))
	var hash string
	must(t, falselyHeld.writer.QueryRow("SELECT hashed FROM searches").Scan(&hash))
	execute(t, s.writer, "UPDATE searches SET sizes = '{}', hashed = '"+hash+"'; UPDATE endings SET sizes = '{}'")
	memo := sizes(t, withPlaying(t, s))["memo"]
	names := sure(s.Forget(ctx, "snake@3",
		[]string{keyOf(short.blocks[1].evaluations[0]), keyOf(short.blocks[2].evaluations[1])}))(t)
	if !slices.Equal(names, []string{"snake"}) {
		t.Errorf("forgotten of %v", names)
	}
	counts(t, s, "memo", memo-2)
	for table, count := range map[string]int{"searches": 1, "endings": 1, "candidates": 0, "asked": 0, "slices": 0,
		"comparisons": 0, "standings": 0, "generations": 0, "tiles": 0} {
		counts(t, s, table, count)
	}
	got := find(t, s, "snake")
	if got.ID != 4 || got.Name != "snake" || got.Status != experiments.Interrupted || got.Judged || got.Generations != 0 ||
		got.Champion >= 0 || got.Fingerprint != "" ||
		got.HeldOutSalt != "" || got.Games != 0 || got.Candidates != 0 {
		t.Errorf("got %+v", got)
	}
	run := begin(t, s, length(5))
	if run.ID != 4 || run.Another || run.Generations != 0 {
		t.Errorf("got %+v", run)
	}
	for i, k := range sure(known(s, run.ID, long.blocks[1]))(t) {
		if k.Evaluation != nil || (len(k.Outcomes) == 5) != (i > 0) {
			t.Errorf("of evaluation %d it knows %+v", i, k)
		}
	}
	long.record(t, s, run.ID, true, random(1))
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	alone, _ := open(t)
	long.recordAs(t, alone, length(5))
	if print, want := find(t, s, "snake").Fingerprint, find(t, alone, "snake").Fingerprint; print != want {
		t.Errorf("it has the fingerprint %s, want %s", print, want)
	}
	counts(t, s, "searches WHERE sizes IS NULL", 1)
	counts(t, s, "endings WHERE sizes IS NULL", 1)
}

// withPlaying gives a store's tables a row each.
func withPlaying(t *testing.T, s *Store) *Store {
	t.Helper()
	playing(t, s, 1)
	return s
}

// TestForgetOfAnEnding: games that one ending asked for take that one with them, and no more. The
// run shows another one meanwhile.
func TestForgetOfAnEnding(t *testing.T) {
	s, _ := open(t)
	short, long := recordEndings(t, s)
	playoff := long.evaluations(experiments.PhasePlayoff)
	if names := sure(s.Forget(ctx, "snake", []string{keyOf(playoff[0])}))(t); !slices.Equal(names, []string{"snake"}) {
		t.Errorf("forgotten of %v", names)
	}
	run := find(t, s, "snake")
	if run.ID != 2 || run.Status != experiments.Finished || run.Fingerprint == "" || run.Champion != short.champion {
		t.Errorf("the run shows %+v", run)
	}
	if got := sure(s.reader.Evaluations(ctx, 2))(t); !reflect.DeepEqual(got, short.evaluations()) {
		t.Errorf("the other ending has %d evaluations", len(got))
	}
	taken := find(t, s, "snake@5")
	tuned, _ := long.parts()
	if taken.ID != 3 || taken.Status != experiments.Interrupted || !taken.Judged || taken.Champion >= 0 ||
		taken.Fingerprint != "" {
		t.Errorf("got %+v", taken)
	}
	if got := sure(s.reader.Evaluations(ctx, 3))(t); !reflect.DeepEqual(got, tuned.evaluations()) {
		t.Errorf("it has %d evaluations, want those of its tuning", len(got))
	}
	if taken.Games != int64(tuned.played()) {
		t.Errorf("it has %d games, want %d", taken.Games, tuned.played())
	}
	again := begin(t, s, length(5))
	if again.ID != 3 || again.Generations != 5 {
		t.Errorf("got %+v", again)
	}
	long.record(t, s, again.ID, true, random(1))
	must(t, s.Finish(ctx, again.ID, experiments.Finished))
	alone, _ := open(t)
	long.recordAs(t, alone, length(5))
	if got, want := find(t, s, "snake"), find(t, alone, "snake"); got.ID != 3 || got.Fingerprint != want.Fingerprint {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestFiguresOfTheLongerTuningStay: a shorter ending that is judged again writes its own figures
// alone.
func TestFiguresOfTheLongerTuningStay(t *testing.T) {
	s, _ := open(t)
	short, _ := recordEndings(t, s)
	want := figureRows(t, s)
	execute(t, s.writer, "UPDATE endings SET status = 'interrupted' WHERE id = 2; DELETE FROM standings "+
		"WHERE owner_id = 2; DELETE FROM tiles WHERE owner_id = 2")
	run := begin(t, s, length(3))
	short.recordEndingAgain(t, s, run.ID)
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	if got := figureRows(t, s); !reflect.DeepEqual(got, want) {
		t.Errorf("got %d figures, want %d", len(got), len(want))
	}
}

// TestFiguresOfAKilledEnding: a killed process leaves figures behind that are of fewer games.
// Renewing them touches no other ending.
func TestFiguresOfAKilledEnding(t *testing.T) {
	s, path := open(t)
	s.clock = func() time.Time { return time.Time{}.Add(time.Hour) }
	short, long := newEndings(random(1))
	short.recordAs(t, s, length(3))
	run := begin(t, s, length(5))
	for _, b := range long.blocks[3:7] {
		for _, c := range b.Candidates {
			if c > 6 && b.Round == 0 {
				must(t, s.AddCandidates(ctx, run.ID, long.candidates[c:c+1]))
			}
		}
		must(t, b.finish(s, run.ID, true))
	}
	must(t, s.Close()) // killed
	s = reopen(t, path)
	behind := sure(s.reader.Behind(ctx))(t)
	games := int64(0)
	for _, b := range long.blocks[4:7] { // the first one began a phase
		games += int64(len(b.games))
	}
	if len(behind) != 1 || behind[0].ID != 3 || behind[0].Name != "snake@open" || behind[0].Games != games {
		t.Fatalf("behind are %+v, want %d games", behind, games)
	}
	execute(t, s.writer, "UPDATE endings SET expected_end = '2999-01-01T00:00:00.000Z' WHERE id = 3")
	must(t, s.Renew(ctx, behind))
	if got := rowTexts(t, path, "SELECT coalesce(expected_end, 'none') || (silent_seconds >= 0) FROM progress "+
		"WHERE status = 'running'"); !slices.Equal(got, []string{"none1"}) {
		t.Errorf("a killed run is expected to end: %v", got)
	}
	behind = sure(s.reader.Behind(ctx))(t)
	if len(behind) > 0 {
		t.Errorf("behind are %+v", behind)
	}
	counts(t, s, "generations", 5)
	counts(t, s, "generations WHERE stage = 'refine'", 2)
	if got := find(t, s, "snake"); got.ID != 2 || got.Fingerprint == "" || got.Games != int64(short.played()) {
		t.Errorf("got %+v", got)
	}
}

// TestTheNewestEndingFirst: in the lists of endings.
func TestTheNewestEndingFirst(t *testing.T) {
	s, _ := open(t)
	short, long := newEndings(random(1))
	short.recordAs(t, s, length(3))
	recordRun(t, s, "rows", 2)
	long.recordAs(t, s, length(5))
	if got := sure(rows(s.reader, "SELECT run, run_id, status, candidates, games FROM progress"))(t); len(got) != 2 ||
		!slices.Equal(got[0], []any{"snake", int64(1), "finished", int64(len(long.candidates)), int64(long.played())}) ||
		got[1][0] != "rows" {
		t.Errorf("got %v", got)
	}
}

// TestARunHasOneNameAndNote: a name of an ending follows from its run's.
func TestARunHasOneNameAndNote(t *testing.T) {
	s, _ := open(t)
	recordEndings(t, s)
	fails(t, "", s.Rename(ctx, "snake@3", "viper"), "snake@3 is an ending: name its run, snake", ErrNotFound)
	must(t, s.SetNote(ctx, "snake@3", "of both"))
	must(t, s.Rename(ctx, "snake", "viper"))
	for name, id := range map[string]int64{"viper": 3, "viper@3": 2} {
		if got := find(t, s, name); got.ID != id || got.Note != "of both" || got.BaseName != "snake" {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	run := begin(t, s, length(7))
	if run.Name != "viper" || !run.Renamed || !run.Another {
		t.Errorf("got %+v", run)
	}
	fails(t, "", s.Rename(ctx, "viper", "viper"), "a run is called viper")
}

// TestARenamedRunKeepsItsComparisons: its champions and candidates have the other name there. A
// player of that name with another play is not the run's, nor is one whose name only begins so.
func TestARenamedRunKeepsItsComparisons(t *testing.T) {
	s, _ := open(t)
	short, long := recordEndings(t, s)
	now, before, old := long.candidates[long.champion].PlayHash, short.candidates[short.champion].PlayHash,
		short.candidates[1].PlayHash
	contest(t, s, "depth 1", [2]string{"snake", now}, [2]string{"snake@3", before}, [2]string{"snake:1", old},
		[2]string{"snake:2", old},
		[2]string{"snakes", now}, [2]string{"bot snake", now})
	contest(t, s, "depth 3", [2]string{"snake", "another run's"}, [2]string{"snake:x", now})
	printed := sure(rows(s.reader, "SELECT fingerprint FROM runs WHERE kind = 'compare' ORDER BY id"))(t)
	must(t, s.Rename(ctx, "snake", "viper"))
	for i, id := range []int64{4, 5} {
		if again := sure(fingerprint(ctx, s.reader.db, id))(t); again != printed[i][0] {
			t.Errorf("the fingerprint of comparison %d is another one", id)
		}
	}
	got := sure(rows(s.reader, "SELECT group_concat(name, ', ') FROM (SELECT * FROM candidates "+
		"WHERE origin = 'compared' ORDER BY id) GROUP BY run_id"))(t)
	if want := "[[viper, viper@3, viper:1, snake:2, snakes, bot snake] [snake, viper:x]]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestAGameUnderWayIsOfItsEnding: like the games that are recorded.
func TestAGameUnderWayIsOfItsEnding(t *testing.T) {
	s, _, w, run := begun(t)
	must(t, w.blocks[0].add(s, run.ID, 7))
	want, _ := w.blocks[0].game(7)
	must(t, second(known(s, run.ID, w.blocks[0]))) // commits
	want.Run = run.ID
	if got, err := s.reader.Game(ctx, find(t, s, "snake"), GameID(1, want.Number, want.Index)); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if got := sure(rows(s.reader, "SELECT run_id, candidate_id FROM games"))(t); len(got) != 1 ||
		!slices.Equal(got[0], []any{int64(1), candidateID(1, want.Candidate)}) {
		t.Errorf("the view games has %v", got)
	}
}
