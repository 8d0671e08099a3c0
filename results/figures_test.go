package results

import (
	"iter"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/summary"
)

// figureRows are the rows of the tables of figures.
func figureRows(t *testing.T, s *Store) (all [][]any) {
	t.Helper()
	for _, table := range []string{"standings", "samples", "generations", "tiles"} {
		all = append(all, sure(rows(s.reader, "SELECT * FROM "+table))(t)...)
	}
	return all
}

// TestFiguresAreWrittenAgain: the tables of figures may be deleted at any time. The run's next
// process writes the same rows, whether or not it finds anything new.
func TestFiguresAreWrittenAgain(t *testing.T) {
	for _, status := range []string{experiments.Finished, experiments.Interrupted, experiments.Failed} {
		s, _ := open(t)
		w := recordRun(t, s, "snake", 1)
		want := figureRows(t, s)
		if len(want) < len(w.candidates) {
			t.Fatalf("%d figures", len(want))
		}
		if status != experiments.Finished {
			execute(t, s.writer, "UPDATE endings SET status = '"+status+"', fingerprint = NULL, finished_at = NULL")
		}
		for what, statement := range map[string]string{
			"all":  "DELETE FROM standings; DELETE FROM generations; DELETE FROM tiles",
			"some": "DELETE FROM standings WHERE position % 3 = 1; UPDATE tiles SET games = games + 1",
		} {
			if status == experiments.Finished && what != "all" {
				continue // it is only looked at
			}
			execute(t, s.writer, statement)
			if reflect.DeepEqual(figureRows(t, s), want) {
				t.Fatalf("%s: nothing was changed", what)
			}
			run := begin(t, s, spec("snake", "snake"))
			must(t, s.Finish(ctx, run.ID, status))
			if got := figureRows(t, s); !reflect.DeepEqual(got, want) {
				t.Errorf("%s of a run that is %s: got %d figures, want %d", what, status, len(got), len(want))
			}
		}
	}
}

// TestFiguresAreWrittenNowAndThen: when a phase begins, and within it once a minute at most.
func TestFiguresAreWrittenNowAndThen(t *testing.T) {
	s, _, w, run := begun(t)
	now := time.Now()
	s.clock = func() time.Time { return now }
	var played, want int64
	for i, b := range w.blocks {
		due := i == 0 || b.Phase != w.blocks[i-1].Phase
		if i%2 == 1 {
			now, due = now.Add(figuresPause), true
		}
		must(t, b.finish(s, run.ID, false))
		played += int64(len(b.games))
		if due {
			want = played
		}
		var got int64
		must(t, s.reader.db.QueryRow("SELECT sum(games) FROM standings").Scan(&got))
		if got != want {
			t.Errorf("after block %d: the figures are of %d games, want %d", i, got, want)
		}
	}
}

// TestTunedYieldsByCandidate: the evaluations of a stage of tuning, of some candidates or of all,
// by candidate and then by number.
func TestTunedYieldsByCandidate(t *testing.T) {
	s, _ := open(t)
	w := recordRun(t, s, "snake", 1)
	recordRun(t, s, "rows", 2)
	run := sure(s.reader.Find(ctx, "snake"))(t).ID
	for _, e := range w.evaluations(experiments.PhaseTuning) {
		for _, numbers := range [][]int{nil, {}, {e.Candidate}, {3, 1, 2}} {
			for i, below := range []int{0, e.Number, 1_000_000, 1_000_000} {
				from := i / 3 * e.Number
				var got []experiments.Evaluation
				for one, err := range s.Tuned(ctx, run, e.Place, numbers, from, below) {
					must(t, err)
					got = append(got, one)
				}
				want := slices.Collect(w.again(e.Place, numbers, from, below))
				for i := range want {
					want[i].Key, want[i].Each = "", nil
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("candidates %v below %d: got %+v, want %+v", numbers, below, got, want)
				}
			}
		}
	}
}

// TestLooksWriteNoFigures: a look at the centre is a part of its stage. Its phase begins hundreds
// of times in a night.
func TestLooksWriteNoFigures(t *testing.T) {
	s, _, _, run := begun(t)
	s.clock = func() time.Time { return time.Time{}.Add(time.Hour) }
	for i, phase := range []string{experiments.PhaseTuning, experiments.PhaseCentre, experiments.PhaseTuning,
		experiments.PhaseCentre, experiments.PhasePlayoff} {
		must(t, s.AddEvaluations(ctx, run.ID,
			[]experiments.Evaluation{plain(experiments.Place{Phase: phase, Search: "depth 1"}, 90_000+i, 500)}, false))
		figured := 0
		must(t, s.reader.db.QueryRow("SELECT figured FROM endings").Scan(&figured))
		if want := 90_001 + i/4*4; figured != want {
			t.Errorf("after %d, %s: figures of %d evaluations, want %d", i, phase, figured, want)
		}
	}
}

// newLongTuning makes up a run with two stages of many generations: races, candidates that play
// again, looks at the centre, and failures.
func newLongTuning(r *rand.Rand) (w world) {
	d := newDealer(r, func(int) simulator.Outcome { return randomOutcome(r) })
	w.candidate("start", "explore", 0, r)
	for _, stage := range []string{"explore", "refine"} {
		for g := range 4 + r.IntN(6) {
			numbers := []int{0, w.candidate("mutation", stage, g, r), w.candidate("crossover", stage, g, r)}
			if old := 1 + r.IntN(len(w.candidates)-2); !slices.Contains(numbers, old) {
				numbers = append(numbers, old)
			}
			w.deal(d, experiments.PhaseTuning, stage, "depth 3", g, 0, 1+r.IntN(3), numbers...)
			if at := &w.blocks[len(w.blocks)-1]; r.IntN(4) == 0 {
				e := &at.evaluations[1+r.IntN(len(numbers)-1)]
				*e = experiments.Evaluation{Place: e.Place, Number: e.Number, First: e.First, Key: e.Key, Failure: "it fell silent"}
			} else if r.IntN(2) == 0 {
				w.deal(d, experiments.PhaseTuning, stage, "depth 3", g, 1, 2, numbers[:2]...)
			}
			if r.IntN(3) == 0 {
				w.deal(d, experiments.PhaseCentre, stage, "depth 3", g, 0, 20, 0, w.candidate("centre", stage, g, r))
			}
		}
	}
	w.judge(d, r, 2, 1, 2, 3)
	return w
}

// TestFiguresFollowFromTheirTable: at any moment a report's figures are those of all evaluations,
// although those before the last rows of the table generations are not read. Processes are killed
// meanwhile. In the end the tables have the rows of a run that was never killed and is ranked
// often.
func TestFiguresFollowFromTheirTable(t *testing.T) {
	defer func(old int) { quick = old }(quick)
	seeds := uint64(10)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		r := random(seed)
		w := newLongTuning(r)
		quick = 20_000
		s, _ := open(t)
		run := begin(t, s, spec("snake", "snake"))
		w.record(t, s, run.ID, true, nil)
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
		want := figureRows(t, s)

		s, path := open(t)
		now := time.Now()
		var samples []summary.Sample // as they were after each block
		start := func() {
			s.clock = func() time.Time { return now }
			run = begin(t, s, spec("snake", "snake"))
			quick = 7
		}
		start()
		tuned, _ := w.parts()
		for _, c := range tuned.candidates {
			must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{c}))
		}
		read := 0 // evaluations
		for i, b := range w.blocks {
			if !b.Tuned() && w.blocks[i-1].Tuned() {
				must(t, second(s.Judge(ctx, run.ID, w.length())))
				for _, c := range w.candidates[w.reference:] {
					must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{c}))
				}
			}
			now = now.Add(time.Duration(r.IntN(3)) * figuresPause)
			must(t, b.finish(s, run.ID, true))
			if r.IntN(8) == 0 {
				must(t, s.Close()) // killed
				s = reopen(t, path)
				start()
			}
			read += len(b.evaluations)
			all := w.evaluations()[:read]
			found := sure(s.reader.Run(ctx, run.ID))(t)
			again := func(at experiments.Place, numbers []int, from, below int) iter.Seq[experiments.Evaluation] {
				return w.again(at, numbers, from, min(below, all[read-1].Number+1))
			}
			whole := summary.Summarize(found.Run, nil, w.candidates, nil, slices.Values(all), again, nil)
			_, ranked := whole.Leaderboard(again, len(w.candidates))
			whole = summary.Summarize(found.Run, nil, w.candidates, nil, slices.Values(all), nil, nil)
			if got := sure(s.reader.Summary(ctx, found, 0, nil, w.candidates))(t); !reflect.DeepEqual(got, whole) {
				t.Fatalf("seed %d, block %d: got %+v, want %+v", seed, i, got, whole)
			}
			samples = append(samples, ranked)
			if got := sure(s.reader.Sample(ctx, found))(t); !slices.ContainsFunc(samples, func(one summary.Sample) bool {
				return reflect.DeepEqual(got.Fitness, one.Fitness) && got.All == one.All
			}) {
				t.Fatalf("seed %d, block %d: the sample is %+v, want one of %+v", seed, i, got, samples)
			}
			quick = 20_000 // short enough to be ranked now
			if got := sure(s.reader.Sample(ctx, found))(t); !reflect.DeepEqual(got, ranked) {
				t.Fatalf("seed %d, block %d: the sample is %+v, want %+v", seed, i, got, ranked)
			}
			quick = 7
		}
		must(t, s.AddComparisons(ctx, run.ID, w.comparisons))
		must(t, s.SetChampion(ctx, run.ID, w.champion, w.salt))
		must(t, s.Finish(ctx, run.ID, experiments.Finished))
		if got := figureRows(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: got %d figures, want %d", seed, len(got), len(want))
			for i := range want {
				if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
					t.Fatalf("row %d: got %v, want %v", i, got[i], want[i])
				}
			}
		}
	}
}

// TestALookReadsNoLongTuning: after a kill, neither a report nor the views wait until a long tuning
// is read again.
func TestALookReadsNoLongTuning(t *testing.T) {
	defer func(old int) { quick = old }(quick)
	s, path := open(t)
	s.clock = func() time.Time { return time.Time{}.Add(time.Hour) }
	w := newLongTuning(random(1))
	run := begin(t, s, spec("snake", "snake"))
	w.recordTuning(t, s, run.ID, true, nil)
	must(t, s.Finish(ctx, run.ID, experiments.Interrupted))
	games := find(t, s, "snake").Games
	quick = 7
	begin(t, s, spec("snake", "snake"))
	d := newDealer(random(2), func(int) simulator.Outcome { return randomOutcome(random(3)) })
	d.next = w.length().Questions
	b := d.block(experiments.PhaseTuning, "refine", "depth 3", 100, 0, 3, 0, 1, 2)
	must(t, b.finish(s, run.ID, true))
	must(t, s.Close()) // killed

	s = reopen(t, path)
	behind := sure(s.reader.Behind(ctx))(t)
	if len(behind) != 1 || behind[0].Games != 9 {
		t.Fatalf("behind are %+v", behind)
	}
	// Whoever reads the tuning finds it damaged.
	execute(t, s.writer, "UPDATE memo SET scores = 'damaged' WHERE id IN (SELECT memo_id FROM asked "+
		"WHERE phase IS NULL AND games > 0 AND number < 20)")
	fails(t, "", second(s.reader.Evaluations(ctx, run.ID)), "", ErrDamaged)
	found := find(t, s, "snake")
	if got := sure(s.reader.Summary(ctx, found, 0, nil, nil))(t); got.Games != games+9 ||
		got.Generations[len(got.Generations)-1].Number != 100 {
		t.Errorf("%d games", got.Games)
	}
	if sample := sure(s.reader.Sample(ctx, found))(t); len(sample.Fitness) == 0 || sample.Games != games {
		t.Errorf("the sample is %+v, want one of %d games", sample, games)
	}
	must(t, s.Renew(ctx, behind))
	behind = sure(s.reader.Behind(ctx))(t)
	if len(behind) != 1 || behind[0].Games != 9 {
		t.Errorf("behind are %+v: the tuning was ranked", behind)
	}
	copied := filepath.Join(t.TempDir(), "old.db")
	execute(t, s.writer, "UPDATE generations SET behind = 0; VACUUM INTO '"+copied+"'") // as a takeover leaves them
	fails(t, "rows of a takeover", second(reading(t, copied).Summary(ctx, found, 0, nil, nil)), "", ErrDamaged)
}

// TestTheBestOfALongTuning: what is shown of a tuning under way is found by the looks at its
// centre. A centre that converged may have played thousands of times, and the tuning has millions
// of evaluations.
func TestTheBestOfALongTuning(t *testing.T) {
	s, _ := open(t)
	i := slices.IndexFunc(NamedQueries(), func(q NamedQuery) bool { return q.Name == "best" })
	for _, row := range sure(rows(s.reader, "EXPLAIN QUERY PLAN "+NamedQueries()[i].SQL))(t) {
		step := row[3].(string)
		for _, index := range []string{"PRIMARY KEY (owner_id=?)", "PRIMARY KEY (owner_id=? AND number<?)",
			"asked_by_candidate"} {
			if strings.Contains(step, index) {
				t.Errorf("the query reads a tuning: %s", step)
			}
		}
	}
}
