package results

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// repeatable returns the spec of a run that this program can carry out again, with so many
// generations.
func repeatable(t testing.TB, generations int) experiments.RunSpec {
	t.Helper()
	c := sure(config.Parse([]byte(`name: snake
heuristic:
  features: [{feature: line, weight: 1000}, {feature: empty, weight: {min: 0, max: 3000, start: 270}}]
search: {depth: 1}
stages: [{name: tune, generations: 3}]
`), "test"))(t).Longer(generations)
	return experiments.RunSpec{Name: c.Name, Kind: experiments.KindTune, ConfigYAML: string(c.YAML()), ConfigHash: c.Hash,
		Tuning: c.Tuning(), Generations: c.Generations(),
		Seed: 2048, Signature: simulator.Signature, Objective: "mean_score"}
}

// holding is a file with runs: worlds that are finished, one after the other.
func holding(t *testing.T, change func(*experiments.RunSpec), worlds ...world) (*Store, string) {
	t.Helper()
	s, path := open(t)
	for _, w := range worlds {
		asked := repeatable(t, w.length().Generations)
		change(&asked)
		w.recordInOrder(t, s, asked)
	}
	return s, path
}

func (w *world) recordInOrder(t testing.TB, s *Store, asked experiments.RunSpec) {
	t.Helper()
	run := begin(t, s, asked)
	w.record(t, s, run.ID, true, nil)
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
}

// has fails unless the endings of a file are these worlds, by name, finished and as a process would
// have recorded them.
func has(t *testing.T, what string, s *Store, worlds map[string]world) {
	t.Helper()
	counts(t, s, "endings", len(worlds))
	for name, w := range worlds {
		run := find(t, s, name)
		if run.Name != name || run.Generations != w.length().Generations || run.Candidates != len(w.candidates) ||
			run.Games != int64(w.played()) ||
			run.Champion != w.champion || run.Status != experiments.Finished {
			t.Errorf("%s: got %+v", what, run)
		}
		if print := sure(fingerprint(ctx, s.reader.db, run.ID))(t); print != run.Fingerprint {
			t.Errorf("%s: %s has the fingerprint %s, want %s", what, name, print, run.Fingerprint)
		}
		if got := sure(s.reader.Evaluations(ctx, run.ID))(t); !reflect.DeepEqual(got, w.evaluations()) {
			t.Errorf("%s: %s has the evaluations %+v", what, name, got)
		}
		if got := sure(s.Candidates(ctx, run.ID, 0, 1000))(t); !reflect.DeepEqual(got, w.candidates) {
			t.Errorf("%s: %s has the candidates %+v", what, name, got)
		}
		if got := sure(s.reader.Comparisons(ctx, run.ID))(t); !reflect.DeepEqual(got, w.comparisons) {
			t.Errorf("%s: %s has the comparisons %+v", what, name, got)
		}
		for _, b := range w.blocks {
			want, _ := b.game(1)
			want.Run = run.ID
			if g, err := s.reader.Game(ctx, run,
				GameID(w.owner(run.owned.search, run.ID, want.Number), want.Number, want.Index)); err != nil || g != want {
				t.Errorf("%s: %s: got %+v, %v, want %+v", what, name, g, err, want)
			}
		}
	}
	for _, check := range []string{"SELECT * FROM pragma_foreign_key_check",
		"SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
		"SELECT a.* FROM asked AS a JOIN slices AS s ON s.owner_id = a.owner_id AND s.number = a.slice " +
			"JOIN memo AS m ON m.id = a.memo_id " +
			"WHERE s.first_game % 50 + a.games > m.games OR a.games > length(s.seeds) / 16",
		"SELECT * FROM searches AS s WHERE ending_id IS NOT (SELECT e.id FROM endings AS e " +
			"WHERE e.search_id = s.id ORDER BY generations DESC LIMIT 1)",
		"SELECT * FROM sqlite_temp_schema"} {
		if lost, err := rows(s.reader, check); err != nil || len(lost) > 0 {
			t.Errorf("%s: %s: %v, %v", what, check, lost, err)
		}
	}
}

// TestImportMergesEndings: of two searches of which one is the beginning of the other the file has
// the longer one, with the endings of both.
func TestImportMergesEndings(t *testing.T) {
	short, long := newEndings(random(1))
	other, _ := newEndings(random(2))
	none := func(*experiments.RunSpec) {}
	both := map[string]world{"snake": long, "snake@3": short}
	list := func(worlds ...world) []world { return worlds }
	for what, c := range map[string]struct {
		here, there []world
		change      func(*experiments.RunSpec)
		came        []Imported
		want        map[string]world
	}{
		"a longer one":         {list(short), list(long), none, []Imported{{"snake", "snake"}}, both},
		"a shorter one":        {list(long), list(short), none, []Imported{{"snake", "snake@3"}}, both},
		"two":                  {nil, list(short, long), none, []Imported{{"snake@3", "snake@3"}, {"snake", "snake"}}, both},
		"one of two":           {list(short), list(short, long), none, []Imported{{"snake", "snake"}}, both},
		"the other of two":     {list(long), list(short, long), none, []Imported{{"snake@3", "snake@3"}}, both},
		"two in another order": {list(short), list(long, short), none, []Imported{{"snake", "snake"}}, both},
		"the same":             {list(short, long), list(short, long), none, nil, both},
		"another search": {list(long), list(other), none, []Imported{{"snake", "snake.2"}},
			map[string]world{"snake": long, "snake.2": other}},
		"one on its own": {list(long), list(short), func(asked *experiments.RunSpec) { asked.New = true },
			[]Imported{{"snake", "snake.2"}}, map[string]world{"snake": long, "snake.2": short}},
	} {
		s, _ := holding(t, none, c.here...)
		_, path := holding(t, c.change, c.there...)
		for range 2 { // the second time all is here
			if came := sure(s.Import(ctx, path))(t); !slices.Equal(came, c.came) {
				t.Errorf("%s: got %v, want %v", what, came, c.came)
			}
			has(t, what, s, c.want)
			c.came = nil
		}
		searches, evaluations := 2, 0
		for _, w := range c.want {
			evaluations += len(w.evaluations())
		}
		if _, two := c.want["snake.2"]; !two {
			searches, evaluations = 1, evaluations-len(short.evaluations(experiments.PhaseTuning))
		}
		counts(t, s, "searches", searches)
		counts(t, s, "asked", evaluations)
		counts(t, s, "generations", map[bool]int{true: 5, false: 8}[searches == 1])
		// It goes on from what came.
		if run := begin(t, s, repeatable(t, 5)); searches == 1 && run.Status != experiments.Finished {
			t.Errorf("%s: got %+v", what, run)
		}
	}
}

// TestImportOfATuningUnderWay: a search that was killed is the beginning of one that went on.
func TestImportOfATuningUnderWay(t *testing.T) {
	short, long := newEndings(random(1))
	killed := func(blocks int) (*Store, string) {
		s, path := open(t)
		long.recordPart(t, s, blocks)
		return s, path
	}
	none := func(*experiments.RunSpec) {}
	goesOn := func(what string, s *Store, blocks int) {
		t.Helper()
		run := begin(t, s, repeatable(t, 7))
		if run.Another || !run.Resumed || run.Name != "snake" {
			t.Errorf("%s: got %+v", what, run)
		}
		for i, b := range long.blocks[:7] {
			for _, k := range sure(known(s, run.ID, b))(t) {
				if (k.Evaluation != nil) != (i < blocks) {
					t.Errorf("%s: block %d: it knows %+v", what, i, k)
				}
			}
		}
		must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
		counts(t, s, "searches", 1)
	}

	for blocks := range 8 { // with a part of a generation, too
		s, _ := killed(blocks)
		whole, finished := holding(t, none, long)
		must(t, second(s.Import(ctx, finished)))
		for _, table := range []string{"standings", "generations"} { // one of the killed run may have a part of its games
			of := "SELECT * FROM " + table
			if got, want := sure(rows(s.reader, of))(t), sure(rows(whole.reader, of))(t); table == "generations" &&
				!reflect.DeepEqual(got, want) || len(got) < len(want) {
				t.Errorf("%d blocks: %s: got %v, want %v", blocks, table, got, want)
			}
		}
		goesOn("the longer one comes", s, 7)
		if run := find(t, s, "snake"); run.Generations != 5 || run.Status != experiments.Finished {
			t.Errorf("the run shows %+v", run)
		}
		must(t, second(s.Delete(ctx, "snake@open")))
		has(t, "the longer one comes", s, map[string]world{"snake": long})

		s, _ = holding(t, none, short)
		_, path := killed(blocks)
		came := sure(s.Import(ctx, path))(t)
		if !slices.Equal(came, []Imported{{"snake", "snake@open"}}) {
			t.Errorf("got %v", came)
		}
		goesOn("the killed one comes", s, max(3, blocks))
		if run := find(t, s, "snake"); run.Generations != 3 || run.Status != experiments.Finished {
			t.Errorf("the run shows %+v", run)
		}
	}

	// A process that tunes here would find rows that it is about to write.
	s, path := killed(2)
	_, finished := holding(t, none, long)
	busy := reopen(t, path)
	run := begin(t, busy, repeatable(t, 7))
	fails(t, "", second(s.Import(ctx, finished)), "a process works on it here", experiments.ErrBusy)
	counts(t, s, "endings", 1)
	must(t, busy.Finish(ctx, run.ID, experiments.Interrupted))
	must(t, second(s.Import(ctx, finished)))
}

// recordPart records the first blocks of a tuning, and returns the ending.
func (w *world) recordPart(t testing.TB, s *Store, blocks int) int64 {
	t.Helper()
	run := begin(t, s, repeatable(t, 7))
	tuned, _ := w.parts()
	tuned.recordCandidates(t, s, run.ID, nil)
	for _, b := range tuned.blocks[:blocks] {
		b.record(t, s, run.ID, true, nil)
	}
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	return run.ID
}

// TestImportOfALongerTuningIsTold: a search that comes with more generations is named as the run
// here, although no ending comes.
func TestImportOfALongerTuningIsTold(t *testing.T) {
	_, long := newEndings(random(1))
	s, _ := open(t)
	long.recordPart(t, s, 2)
	more, path := open(t)
	long.recordPart(t, more, 4)
	for _, want := range [][]Imported{{{"snake", "snake"}}, nil} {
		if came := sure(s.Import(ctx, path))(t); !slices.Equal(came, want) {
			t.Errorf("got %v, want %v", came, want)
		}
	}
	counts(t, s, "endings", 1)
}

// TestImportBesideABusyRun: a run that a process works on stays as it is, and holds up no other.
func TestImportBesideABusyRun(t *testing.T) {
	_, long := newEndings(random(1))
	other, _ := newEndings(random(2))
	s, path := open(t)
	long.recordPart(t, s, 2)
	worker := reopen(t, path)
	run := begin(t, worker, repeatable(t, 7))
	from, finished := holding(t, func(*experiments.RunSpec) {}, long)
	other.recordInOrder(t, from, func() experiments.RunSpec {
		asked := repeatable(t,
			3)
		asked.Name = "other"
		return asked
	}())
	before := rowsWhere(t, s)
	came, err := s.Import(ctx, finished)
	fails(t, "", err, "run snake does not come: ", experiments.ErrBusy)
	if !slices.Equal(came, []Imported{{"other", "other"}}) {
		t.Errorf("got %v", came)
	}
	if after := rowsWhere(t, s); !slices.Equal(after, before) {
		t.Errorf("the busy run has\n%v, want\n%v", after, before)
	}
	must(t, worker.Finish(ctx, run.ID, experiments.Interrupted))
	if came := sure(s.Import(ctx, finished))(t); !slices.Equal(came, []Imported{{"snake", "snake"}}) {
		t.Errorf("got %v", came)
	}
}

// rowsWhere are the rows of run 1.
func rowsWhere(t *testing.T, s *Store) (all []string) {
	t.Helper()
	for _, query := range []string{"SELECT * FROM asked WHERE owner_id IN (1, 2)",
		"SELECT * FROM candidates WHERE run_id = 1", "SELECT * FROM endings WHERE search_id = 1"} {
		for _, row := range sure(rows(s.reader, query))(t) {
			all = append(all, fmt.Sprint(row...))
		}
	}
	return all
}

// TestImportOfGamesThatServeOneRun: the games of a bot that does not repeat itself serve all
// endings of its run here, too. A slice that grew there grows here.
func TestImportOfGamesThatServeOneRun(t *testing.T) {
	_, long := newEndings(random(1))
	unrepeatable := func(s *Store, path string) string {
		edit(t, path, "UPDATE searches SET unrepeatable = 'a bot'; UPDATE memo SET only_run = 1; UPDATE endings "+
			"SET fingerprint = NULL")
		return path
	}
	s, _ := open(t)
	before := begin(t, s, repeatable(t, 2)) // of another bot
	must(t, s.Finish(ctx, before.ID, experiments.Interrupted))
	part, path := open(t)
	long.recordPart(t, part, 4)
	must(t, second(s.Import(ctx, unrepeatable(part, path))))
	counts(t, s, "searches", 2)
	whole, path := holding(t, func(*experiments.RunSpec) {}, long)
	must(t, second(s.Import(ctx, unrepeatable(whole, path))))
	counts(t, s, "searches", 2)
	run := find(t, s, "snake.2")
	if got := sure(s.reader.Evaluations(ctx, run.ID))(t); !reflect.DeepEqual(got, long.evaluations()) {
		t.Errorf("it has the evaluations %+v", got)
	}
	counts(t, s, "memo", len(sure(rows(whole.reader, "SELECT * FROM memo"))(t)))
	counts(t, s, fmt.Sprint("memo WHERE only_run = ", run.owned.search),
		len(sure(rows(whole.reader, "SELECT * FROM memo"))(t)))
	// Another ending of the run gets the games that this one asked for.
	next := begin(t, s, repeatable(t, 9))
	_, judged := long.parts()
	playoff := judged.blocks[0]
	playoff.number += 1000
	playoff.evaluate()
	for i, k := range sure(known(s, next.ID, playoff))(t) {
		if next.Name != "snake.2" || k.Evaluation != nil || len(k.Outcomes) != playoff.Games {
			t.Errorf("%s gets %d games of candidate %d", next.Name, len(k.Outcomes), playoff.Candidates[i])
		}
	}
}

// TestImportOfAnUnfinishedEnding: an ending that is finished takes the place of one that is not.
func TestImportOfAnUnfinishedEnding(t *testing.T) {
	short, _ := newEndings(random(1))
	s, path := open(t)
	run := begin(t, s, repeatable(t, 3))
	short.recordTuning(t, s, run.ID, true, nil)
	must(t, second(s.Judge(ctx, run.ID, short.length())))
	must(t, s.AddCandidates(ctx, run.ID, short.candidates[short.reference:]))
	must(t, short.blocks[3].finish(s, run.ID, true))
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	whole, finished := holding(t, func(*experiments.RunSpec) {}, short)
	if came := sure(whole.Import(ctx, path))(t); came != nil {
		t.Errorf("got %v", came)
	}
	has(t, "it is here", whole, map[string]world{"snake": short})
	if came := sure(s.Import(ctx, finished))(t); !slices.Equal(came, []Imported{{"snake", "snake"}}) {
		t.Errorf("got %v", came)
	}
	has(t, "it comes", s, map[string]world{"snake": short})
	counts(t, s, "asked", len(short.evaluations()))
	if beside := sure(filepath.Glob(path + "*.lock"))(t); len(beside) > 0 {
		t.Errorf("beside the file are %v", beside)
	}
}
