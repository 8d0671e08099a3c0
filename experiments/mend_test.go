//go:build cgo

package experiments_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// brief is an experiment of a few hundred games with everything in it, that keeps some of its games as rows.
func brief(t testing.TB, keeps string) *configs.Config {
	t.Helper()
	c, err := configs.Parse([]byte(strings.NewReplacer("generations: 4, games: 9", "generations: 3, games: 7", "games: 60", "games: 16", "{games: 40", "{games: 10",
		"{games: 20", "{games: 4").Replace(small)+"store: {games: "+keeps+"}\n"), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// keeping are the settings of store: games.
var keeping = []string{configs.StoreAll, configs.StoreValidation, configs.StoreNone}

// facts returns everything in the database that is not a time and not who played.
func facts(t testing.TB, path, keeps string) string {
	t.Helper()
	if keeps != configs.StoreNone {
		return rows(t, path)
	}
	reader, err := results.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var text strings.Builder
	for _, statement := range []string{
		"select id, status, fingerprint, champion_id from runs", "select * from candidates order by id", "select * from weights order by candidate_id, position",
		evaluationRows, "select * from comparisons order by run_id, search, candidate_id, baseline_id",
		"select * from standings", "select * from spreads", "select * from reaches", "select * from generations order by position",
	} {
		if err := reader.Query(context.Background(), statement, func([]string) error { return nil }, func(row []any) error {
			fmt.Fprintln(&text, row...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

// TestARewoundRunEndsAsItWas: rewound to before the first, middle and last game of each of its blocks, a run plays what was
// forgotten and nothing else, and is to the last row what it was.
func TestARewoundRunEndsAsItWas(t *testing.T) {
	ctx := context.Background()
	for i, keeps := range keeping {
		c, path := brief(t, keeps), filepath.Join(t.TempDir(), "tune.db")
		result, all, err := carryOut(t, path, c, 2, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := facts(t, path, keeps)
		reader, err := results.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		evaluations, err := reader.Evaluations(ctx, result.Run.ID)
		reader.Close()
		if err != nil {
			t.Fatal(err)
		}
		type block struct{ first, end int64 }
		var blocks []block
		last := experiments.Place{}
		chosen := int64(0) // number of a game of the block after which there is a champion
		for _, e := range evaluations {
			if e.Phase == experiments.PhasePlayoff {
				chosen = e.Game
			}
			if at := (experiments.Place{Phase: e.Phase, Stage: e.Stage, Search: e.Search, Generation: e.Generation, Round: e.Round}); at != last {
				blocks, last = append(blocks, block{first: e.Game}), at
			}
			blocks[len(blocks)-1].end = e.Game + int64(e.Score.N)
		}
		step := 3
		if i > 0 || testing.Short() {
			step = 8
		}
		for k := 0; k < len(blocks); k += step {
			b := blocks[k]
			for _, game := range []int64{b.first, (b.first + b.end) / 2, b.end - 1} {
				forgotten, err := rewind(ctx, path, c, game)
				if err != nil {
					t.Fatalf("%s: game %d: %v", keeps, game, err)
				}
				// What is left is what a run has that stopped there.
				if n := single[int64](t, path, `select (select count(*) from comparisons as c where phase not in (select phase from evaluations)
					or exists (select 1 from evaluations as e where e.phase = c.phase and e.first_game >= `+fmt.Sprint(b.first)+`))
					+ (select count(*) from pragma_foreign_key_check)
					+ (select (champion_id is null) <> `+fmt.Sprint(b.first <= chosen)+` from runs)`); n != 0 {
					t.Errorf("%s: game %d: %d rows are too many", keeps, game, n)
				}
				_, played, err := carryOut(t, path, c, 2, 0, nil)
				if err != nil {
					t.Fatalf("%s: game %d: %v", keeps, game, err)
				}
				again := int64(all) - game
				if !kept(c, evaluations, game) {
					again = int64(all) - b.first
				}
				if int64(played) != again || forgotten != again {
					t.Errorf("%s: game %d: %d games were forgotten and %d played, want %d", keeps, game, forgotten, played, again)
				}
				if got := facts(t, path, keeps); got != want {
					t.Fatalf("%s: game %d of block %d: the run is another one", keeps, game, k)
				}
			}
		}
	}
}

// rewind takes the run of a config back to before a game.
func rewind(ctx context.Context, path string, c *configs.Config, game int64) (forgotten int64, err error) {
	store, err := results.Open(path)
	if err != nil {
		return 0, err
	}
	defer store.Close()
	run, err := store.Begin(ctx, experiments.RunSpec{
		Name: c.Name, Kind: experiments.KindTune, ConfigHash: c.Hash, Seed: c.Seed, Signature: simulator.Signature, Objective: c.Objective.String(),
	})
	if err != nil {
		return 0, err
	}
	if forgotten, err = store.Rewind(ctx, run.ID, game); err != nil {
		return 0, err
	}
	return forgotten, store.Finish(ctx, run.ID, experiments.Interrupted)
}

// kept tells whether there are rows of the block of that game.
func kept(c *configs.Config, evaluations []experiments.Evaluation, game int64) bool {
	for _, e := range evaluations {
		if e.Game <= game && game < e.Game+int64(e.Score.N) {
			return c.Store.Games == configs.StoreAll || c.Store.Games == configs.StoreValidation && e.Phase != experiments.PhaseTuning
		}
	}
	return false
}

// machines plays a third of the games itself, and has two workers play the others. Those that lie tell of more points; each is
// found out when it has told of so many games.
type machines struct {
	*simulator.Pool
	lies   map[string]func(told int) bool
	found  map[string]int
	told   map[string]int
	cutOff map[string]bool
	games  int
	played func() // told of each game once somebody is cut off; may be nil
}

func newMachines() *machines {
	return &machines{Pool: simulator.NewPool(2), lies: map[string]func(int) bool{}, found: map[string]int{}, told: map[string]int{}, cutOff: map[string]bool{}}
}

func (m *machines) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return m.Pool.Play(ctx, b, func(job int, o simulator.Outcome) error {
		m.games++
		name := [...]string{"", "one", "two"}[b.Jobs[job].Seed%3]
		if m.cutOff[name] {
			name = ""
		}
		if o.Worker = name; name != "" {
			m.told[name]++
			if lies := m.lies[name]; lies != nil && lies(m.told[name]) {
				o.Score += o.Score/100 + 4
			}
		}
		if len(m.cutOff) > 0 && m.played != nil {
			m.played()
		}
		if err := finished(job, o); err != nil {
			return err
		}
		if name != "" && m.told[name] == m.found[name] {
			m.cutOff[name] = true
			return &experiments.Untrusted{Worker: name, Reason: "a game with seed 7: it told 1044 points, two others 1024"}
		}
		return nil
	})
}

// carryOutOn carries a config out on these machines, and returns the run as it then is.
func carryOutOn(ctx context.Context, t *testing.T, path string, c *configs.Config, m *machines, edit func(*experiments.Experiment)) (experiments.Result, error) {
	t.Helper()
	store, err := results.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	x := experiments.Experiment{Config: c, Store: store, Archive: store.Reader(), Simulator: m}
	if edit != nil {
		edit(&x)
	}
	return x.Run(ctx)
}

// TestWhatALiarToldIsReplaced: however seldom and whenever a worker lies, and whenever it is found out, the run is in the end the
// one that honest machines carry out.
func TestWhatALiarToldIsReplaced(t *testing.T) {
	ctx := context.Background()
	always, sometimes := func(int) bool { return true }, func(told int) bool { return told%40 == 17 }
	for _, keeps := range keeping {
		c, path := brief(t, keeps), filepath.Join(t.TempDir(), "tune.db")
		honest := newMachines()
		if _, err := carryOutOn(ctx, t, path, c, honest, nil); err != nil {
			t.Fatal(err)
		}
		want, all := facts(t, path, keeps), honest.told["one"]
		late := func(told int) bool { return told > all-3 }
		for i, liar := range []struct {
			name  string
			lies  func(int) bool
			found int
			again bool // whether something it told was wrong
		}{
			{"always, found at once", always, 2, true},
			{"always, found half way", always, all / 2, true},
			{"sometimes, found half way", sometimes, all / 2, true},
			{"sometimes, found late", sometimes, all - 20, true},
			{"in its first game", func(told int) bool { return told == 1 }, all / 2, true},
			{"in the last block", late, all - 1, true},
			{"never, and is cut off", func(int) bool { return false }, all / 3, false},
		} {
			if keeps != configs.StoreAll && i < 4 && i != 2 {
				continue // they differ in when, not in what is kept
			}
			path, m := filepath.Join(t.TempDir(), "tune.db"), newMachines()
			m.lies["one"], m.found["one"] = liar.lies, liar.found
			var warnings []string
			result, err := carryOutOn(ctx, t, path, c, m, func(x *experiments.Experiment) {
				x.Observe = func(p experiments.Progress) { warnings = p.Warnings }
			})
			if err != nil {
				t.Fatalf("%s, %s: %v", keeps, liar.name, err)
			}
			if got := facts(t, path, keeps); got != want {
				t.Errorf("%s, %s: the run is another one", keeps, liar.name)
			}
			again := single[int64](t, path, "select played_again from runs")
			if again > 0 != liar.again || int64(m.games) < result.Games+again || result.ReadBack != 0 {
				t.Errorf("%s, %s: %d games are forgotten, %d played for %d", keeps, liar.name, again, m.games, result.Games)
			}
			if said := strings.Join(warnings, "\n"); !m.cutOff["one"] || len(warnings) != 2 ||
				!strings.Contains(said, "worker one is cut off: a game with seed 7") || strings.Contains(said, "forgotten") != liar.again {
				t.Errorf("%s, %s: it is said:\n%s", keeps, liar.name, said)
			}
			if n := single[int64](t, path, "select count(*) from workers where name = 'one' and cut_off like 'a game with seed 7%' and first_game is null"); n != 1 {
				t.Errorf("%s, %s: %d rows say so", keeps, liar.name, n)
			}
			if n := single[int64](t, path, "select count(*) from workers where name = 'two' and cut_off is null and first_game is not null"); n != 1 {
				t.Errorf("%s, %s: %d rows of the other", keeps, liar.name, n)
			}
		}
	}
}

// single returns the one value that a query answers.
func single[T any](t testing.TB, path, query string) (value T) {
	t.Helper()
	reader, err := results.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := reader.Query(context.Background(), query, func([]string) error { return nil }, func(row []any) error {
		value = row[0].(T)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestTwoLiars: the second is found out while games of the first are played again.
func TestTwoLiars(t *testing.T) {
	ctx := context.Background()
	c, path := brief(t, configs.StoreAll), filepath.Join(t.TempDir(), "tune.db")
	honest := newMachines()
	if _, err := carryOutOn(ctx, t, path, c, honest, nil); err != nil {
		t.Fatal(err)
	}
	want := facts(t, path, configs.StoreAll)
	path = filepath.Join(t.TempDir(), "tune.db")
	m := newMachines()
	m.lies["one"], m.found["one"] = func(told int) bool { return told == 3 }, 100
	m.lies["two"] = func(told int) bool { return told == 90 }
	m.played = func() { // the next game of the other
		if m.found["two"] == 0 {
			m.found["two"] = m.told["two"] + 1
		}
	}
	if _, err := carryOutOn(ctx, t, path, c, m, nil); err != nil {
		t.Fatal(err)
	}
	if got := facts(t, path, configs.StoreAll); got != want || !m.cutOff["two"] {
		t.Error("the run is another one")
	}
}

// TestAnInterruptedMendIsTakenUp: a process that ends while games of a liar are played again leaves that to the next one.
func TestAnInterruptedMendIsTakenUp(t *testing.T) {
	for _, keeps := range keeping {
		c, path := brief(t, keeps), filepath.Join(t.TempDir(), "tune.db")
		if _, err := carryOutOn(context.Background(), t, path, c, newMachines(), nil); err != nil {
			t.Fatal(err)
		}
		want := facts(t, path, keeps)
		path = filepath.Join(t.TempDir(), "tune.db")
		m := newMachines()
		m.lies["one"], m.found["one"] = func(told int) bool { return told == 2 }, 60
		ctx, cancel := context.WithCancel(context.Background())
		m.played = cancel
		if _, err := carryOutOn(ctx, t, path, c, m, nil); err != context.Canceled {
			t.Fatalf("%s: %v", keeps, err)
		}
		if _, err := carryOutOn(context.Background(), t, path, c, newMachines(), nil); err != nil {
			t.Fatal(err)
		}
		if got := facts(t, path, keeps); got != want {
			t.Errorf("%s: the run is another one", keeps)
		}
	}
}

// TestAnUntrustedWorkerEndsARunThatCannotLookItsGamesUp: so it does where it is named again.
func TestAnUntrustedWorkerEndsARunThatCannotLookItsGamesUp(t *testing.T) {
	m := newMachines()
	m.found["one"] = 5
	_, err := carryOutOn(context.Background(), t, filepath.Join(t.TempDir(), "tune.db"), brief(t, configs.StoreAll), m, func(x *experiments.Experiment) { x.Archive = nil })
	if err == nil || !strings.Contains(err.Error(), "worker one is cut off") {
		t.Errorf("got %v", err)
	}
}

// TestAMendedRunStopsWhereItDid: where -for ends the tuning is asked once for each generation, and not again when a worker was found out.
func TestAMendedRunStopsWhereItDid(t *testing.T) {
	carry := func(m *machines) (found string, asked int) {
		told, path := 0, filepath.Join(t.TempDir(), "tune.db")
		if _, err := carryOutOn(context.Background(), t, path, brief(t, configs.StoreAll), m, func(x *experiments.Experiment) {
			x.Observe = func(p experiments.Progress) { told = p.Generations }
			x.Stop = func(experiments.PlannedPart) bool { asked++; return told >= 3 }
		}); err != nil {
			t.Fatal(err)
		}
		return facts(t, path, configs.StoreAll), asked
	}
	honest := newMachines()
	want, asks := carry(honest)
	early, late := newMachines(), newMachines()
	early.found["one"] = honest.told["one"] / 5 // and it has told nothing wrong
	late.lies["one"], late.found["one"] = func(told int) bool { return told == 5 }, honest.told["one"]-3
	for name, m := range map[string]*machines{"early": early, "late": late} {
		if got, asked := carry(m); got != want || asked != asks || !m.cutOff["one"] {
			t.Errorf("%s: asked %d times, want %d; the same run: %v", name, asked, asks, got == want)
		}
	}
}
