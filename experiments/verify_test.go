package experiments

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/simulator"
)

// archive is a run's rows without a database.
type archive struct {
	candidates  []Candidate
	evaluations []Evaluation
	games       []Game
	failing     error // yielded after half of the games
}

func (a *archive) Candidates(context.Context, int64) ([]Candidate, error) { return a.candidates, nil }
func (a *archive) Evaluations(context.Context, int64) ([]Evaluation, error) {
	return a.evaluations, nil
}

func (a *archive) Games(context.Context, int64) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		for i, g := range a.games {
			if a.failing != nil && i == len(a.games)/2 {
				yield(Game{}, a.failing)
				return
			}
			if !yield(g, nil) {
				return
			}
		}
	}
}

// keeper is a memory that keeps the rows of all games.
type keeper struct {
	*memory
	games []Game
}

func (k *keeper) AddGame(ctx context.Context, run int64, g Game) error {
	k.games = append(k.games, g)
	return k.memory.AddGame(ctx, run, g)
}

// verified is a run of several stages, rounds and searches that can be verified.
func verified(t *testing.T, objective string) (func() *archive, Verification) {
	t.Helper()
	c := synthetic(t, strings.NewReplacer("validation: {games: 150}", "validation: {games: 20, search: [{depth: 1}, {depth: 2}]}",
		"generations: 2, games: 6, rounds: 2", "generations: 2, games: 6").Replace(whole)+"references: {x: {weights: {b: 7}}}\nobjective: "+objective+"\n")
	l, store := hill(1.5, 0.7, 0.4, 0.6), &keeper{memory: newMemory()}
	if _, err := (Experiment{Config: c, Simulator: l, Store: store}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var evaluations []Evaluation
	for _, b := range store.finished {
		evaluations = append(evaluations, store.evaluations[keyOf(b)]...)
	}
	slices.SortFunc(evaluations, func(a, b Evaluation) int { return cmp.Compare(a.Game, b.Game) })
	slices.SortFunc(store.games, func(a, b Game) int { return cmp.Compare(a.Game, b.Game) })
	return func() *archive {
		return &archive{slices.Clone(store.candidates), slices.Clone(evaluations), slices.Clone(store.games), nil}
	}, Verification{Stored: StoredExperiment(c, store.run.HeldOutSalt), Simulator: l, Share: 1}
}

// TestVerifiedRunIsAsItWas: whatever is kept of a run's games and however many of them are played
// again.
func TestVerifiedRunIsAsItWas(t *testing.T) {
	for _, objective := range []string{"mean_score", "{quantile: 0.25}", "{reach: 2048}"} {
		left, v := verified(t, objective)
		all := int64(len(left().games))
		for name, c := range map[string]struct {
			keeps         func(Game) bool
			share         float64
			games         int64
			least, most   int64 // games that are played again
			wholes, reads bool  // whether evaluations are played as a whole, and rows are read
		}{
			"all rows, all again":        {func(Game) bool { return true }, 1, 0, all, all, false, true},
			"all rows, some":             {func(Game) bool { return true }, 0, 77, 77, 77, false, true},
			"all rows, a third":          {func(Game) bool { return true }, 1. / 3, 0, all / 3, all/3 + 1, false, true},
			"all rows, hardly any":       {func(Game) bool { return true }, 0.001, 0, leastVerified, leastVerified, false, true},
			"all rows, more than all":    {func(Game) bool { return true }, 0, all + 1, all, all, false, true},
			"all rows, but one":          {func(Game) bool { return true }, 0, all - 1, all - 1, all - 1, false, true},
			"no rows, all again":         {func(Game) bool { return false }, 1, 0, all, all, true, false},
			"no rows, some":              {func(Game) bool { return false }, 0, 100, 100, 159, true, false},
			"rows but of tuning":         {func(g Game) bool { return g.Phase != PhaseTuning }, 1, 0, all, all, true, true},
			"rows but of tuning, a half": {func(g Game) bool { return g.Phase != PhaseTuning }, 0.5, 0, all / 2, all/2 + 6, true, true},
		} {
			a := left()
			a.games = slices.DeleteFunc(a.games, func(g Game) bool { return !c.keeps(g) })
			v.Archive, v.Share, v.Games, v.Seed = a, c.share, c.games, 5
			told := int64(0)
			v.Observe = func(Verified) { told++ }
			got, err := v.Verify(context.Background())
			if err != nil || len(got.Differences) > 0 {
				t.Errorf("%s, %s: %v, %+v", objective, name, err, got.Differences)
			}
			if got.Kept != int64(len(a.games)) || got.Kept+got.Unkept != all {
				t.Errorf("%s, %s: %d games with rows and %d without, want %d of %d", objective, name, got.Kept, got.Unkept, len(a.games), all)
			}
			if got.Planned < c.least || got.Planned > c.most || got.Played != got.Planned || told != got.Played || (got.Evaluations > 0) != c.wholes {
				t.Errorf("%s, %s: %d games planned, want %d to %d; %d played, %d told, %d whole evaluations", objective, name, got.Planned, c.least, c.most,
					got.Played, told, got.Evaluations)
			}
		}
	}
}

// TestVerifyingFindsWhatWasChanged, and says of which kind it is.
func TestVerifyingFindsWhatWasChanged(t *testing.T) {
	left, v := verified(t, "mean_score")
	const row = 290 // of the second round of a generation
	for name, c := range map[string]struct {
		change func(a *archive)
		kinds  string // of the differences, in their order
		values string // that differ
	}{
		"score":           {func(a *archive) { a.games[row].Score += 4 }, "rows game", "games_hash mean_score fitness score"},
		"board":           {func(a *archive) { a.games[row].Final++ }, "rows game", "games_hash final_board"},
		"nodes":           {func(a *archive) { a.games[row].Nodes-- }, "rows game", "games_hash nodes nodes"},
		"time":            {func(a *archive) { a.games[row].Duration++ }, "", ""},
		"seed":            {func(a *archive) { a.games[row].Seed++ }, "seed game", "seed score max_tile moves nodes"},
		"candidate":       {func(a *archive) { a.games[row].Candidate = 0 }, "rows game", "candidate score max_tile moves nodes"},
		"a row is gone":   {func(a *archive) { a.games = slices.Delete(a.games, row, row+1) }, "rows", "games"},
		"number of games": {func(a *archive) { a.evaluations[40].Score.N++ }, "*", ""},
		"mean":            {func(a *archive) { a.evaluations[40].Score.Mean++ }, "rows", "mean_score"},
		"weight":          {func(a *archive) { a.candidates[0].Weights[0].Value /= 2 }, "many", ""},
		"hash, no rows":   {func(a *archive) { a.games, a.evaluations[40].GamesHash = nil, "0" }, "evaluation", "games_hash"},
		"mean, no rows":   {func(a *archive) { a.games = nil; a.evaluations[40].Score.Mean++ }, "evaluation", "mean_score"},
		"reached, a half": {func(a *archive) { a.games = a.games[:row]; a.evaluations[len(a.evaluations)-1].Reached[3]++ }, "*evaluation", ""},
	} {
		a := left()
		a.candidates[0].Weights = slices.Clone(a.candidates[0].Weights)
		c.change(a)
		v.Archive = a
		got, err := v.Verify(context.Background())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var kinds, values []string
		for _, d := range got.Differences {
			kinds = append(kinds, d.Kind)
			for _, value := range d.Values {
				values = append(values, value.Name)
			}
		}
		said := strings.Join(kinds, " ")
		switch {
		case c.kinds == "*" && said != "":
		case c.kinds == "many" && len(kinds) > 20 && kinds[0] == DiffersGame:
		case strings.HasPrefix(c.kinds, "*") && strings.HasSuffix(said, c.kinds[1:]):
		case said != c.kinds || strings.Join(values, " ") != c.values:
			t.Errorf("%s: found %s in %v, want %s in %s", name, said, values, c.kinds, c.values)
		}
	}
}

// wrongSearches is a simulator whose searches the full search contradicts, once in each game.
type wrongSearches struct{ Simulator }

func (w wrongSearches) Play(ctx context.Context, batch simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return w.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		o.Audit = &engine.Audit{Repeated: 3, Wrong: []engine.Wrong{{Board: 1, Best: "left 5", Full: "up 6"}}}
		return finished(job, o)
	})
}

// TestVerifyingReportsWrongSearches, with game and board, and counts the repeated ones.
func TestVerifyingReportsWrongSearches(t *testing.T) {
	left, v := verified(t, "mean_score")
	v.Archive, v.Games, v.Simulator = left(), 40, wrongSearches{v.Simulator}
	got, err := v.Verify(context.Background())
	if err != nil || got.Searches != 3*40 || len(got.Differences) != 40 {
		t.Fatalf("%v: %d searches and %d differences, want 120 and 40", err, got.Searches, len(got.Differences))
	}
	d := got.Differences[0]
	want := Differing{`best move of "2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"`, "left 5", "up 6"}
	if d.Kind != DiffersSearch || d.Seed == nil || !slices.Equal(d.Values, []Differing{want}) {
		t.Errorf("got %+v", d)
	}
}

// TestVerifyingEndsWithAnError that names the defect of a game that cannot be played.
func TestVerifyingEndsWithAnError(t *testing.T) {
	for want, change := range map[string]func(a *archive){
		"unreadable":                   func(a *archive) { a.failing = errors.New("unreadable") },
		"which the run does not have":  func(a *archive) { a.candidates = a.candidates[:3] },
		"no weight nonsense":           func(a *archive) { a.candidates[0].Weights = []Weight{{"nonsense", 1}} },
		"candidate 0 at depth nowhere": func(a *archive) { a.games[0].Search = "depth nowhere" },
	} {
		left, v := verified(t, "mean_score")
		a := left()
		change(a)
		v.Archive = a
		if _, err := v.Verify(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestReplayedPlayersAreThoseThatPlayed, in an experiment and in a comparison.
func TestReplayedPlayersAreThoseThatPlayed(t *testing.T) {
	all := alikes(9, 3, 1)[0]
	r := StoredContest(all)
	for number, player := range all.Players {
		got, err := r.Player(Candidate{Number: number, Weights: []Weight{{player.Family.Weights()[0].Name, 77}}}, "depth 2")
		if err != nil || got.Values[0] != 77 || got.Family != &all.Players[number].Family || got.Settings.String() != "depth 2" {
			t.Errorf("player %d: %+v, %v", number, got, err)
		}
	}
	for _, number := range []int{-1, 3} {
		if _, err := r.Player(Candidate{Number: number}, "depth 2"); err == nil || !strings.Contains(err.Error(), "no such player") {
			t.Errorf("player %d: %v", number, err)
		}
	}
	// The seeds are the seeds of the played blocks.
	m := match{Contest: Contest{Configs: []*configs.Contest{all}}, config: all, games: make([][]simulator.Outcome, 3)}
	for number := range 3 {
		for first := 0; first < 300; first += comparisonBatch {
			b := m.block(number, first, first+comparisonBatch)
			e := Evaluation{Place: b.place(0)}
			e.Score.N = comparisonBatch
			for i, want := range b.Seeds {
				if r.seed(e, 0, i) != want {
					t.Fatalf("player %d from game %d: other seeds", number, first)
				}
			}
		}
	}
}

// interrupted is a simulator that is stopped at its first batch.
type interrupted struct{ jobs int }

func (i *interrupted) Play(_ context.Context, batch simulator.Batch, _ func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	i.jobs = len(batch.Jobs)
	return nil, context.Canceled
}

// TestVerifyingMakesSeedsAsGamesArePlayed: a stranger's record or database may claim many games.
// Nobody has played them.
func TestVerifyingMakesSeedsAsGamesArePlayed(t *testing.T) {
	const games = MaxBlock
	left, v := verified(t, "mean_score")
	a := left()
	a.games, a.evaluations = nil, nil
	for number := range 3 {
		e := Evaluation{Place: Place{Phase: PhaseTuning, Stage: "tune", Search: "depth 1", Generation: number, Game: int64(number * games)}}
		e.Score.N = games
		a.evaluations = append(a.evaluations, e)
	}
	var before, after runtime.MemStats
	for name, run := range map[string]func(Simulator) error{
		"database": func(s Simulator) error {
			v.Archive, v.Simulator = a, s
			_, err := v.Verify(context.Background())
			return err
		},
		"record": func(s Simulator) error {
			c := &configs.Config{Seed: 1}
			_, _, err := PlayHeldOut(context.Background(), c, "", s, simulator.Player{}, games, nil)
			return err
		},
	} {
		s := new(interrupted)
		runtime.ReadMemStats(&before)
		err := run(s)
		runtime.ReadMemStats(&after)
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; !errors.Is(err, context.Canceled) || s.jobs != batchGames || mb > 32 {
			t.Errorf("%s: %d MB for %d games, %v", name, mb, s.jobs, err)
		}
	}
}

// TestVerifyOneWorker: the rows of the worker's games are played again, and all games without rows,
// since nobody knows who played them.
func TestVerifyOneWorker(t *testing.T) {
	left, v := verified(t, "mean_score")
	for _, c := range []struct {
		row    int // that is wrong
		worker string
		found  int // wrong games
	}{{130, "bad", 1}, {130, "good", 0}, {131, "good", 1}} {
		a := left()
		for i := range a.games {
			a.games[i].Worker = []string{"bad", "good", ""}[i%3]
		}
		a.games[c.row].Score += 4
		a.games[c.row].Worker = []string{"bad", "good"}[c.row%130]
		planned := int64(0)
		for _, g := range a.games {
			if g.Worker == c.worker {
				planned++
			}
		}
		v.Archive, v.Worker = a, c.worker
		got, err := v.Verify(context.Background())
		wrong := 0
		for _, d := range got.Differences {
			if d.Kind == DiffersGame {
				wrong++
			}
		}
		if err != nil || wrong != c.found || got.Played != planned {
			t.Errorf("%+v: %d wrong games of %d that were played, want %d of %d; %v", c, wrong, got.Played, c.found, planned, err)
		}
	}
	a := left()
	all := int64(len(a.games))
	a.games = nil
	v.Archive = a
	if got, err := v.Verify(context.Background()); err != nil || got.Played != all || len(got.Differences) > 0 {
		t.Errorf("without rows: %d of %d games were played, %v", got.Played, all, err)
	}
}

// TestVerifyingChoosesByOnePass: nearly all of a billion rows are chosen as each comes, without a
// list of them. Rows and games without rows are chosen in their proportion.
func TestVerifyingChoosesByOnePass(t *testing.T) {
	const wanted = MaxGames/100*99 + 1
	v := verifier{Verification: Verification{Share: 0.99}, rows: MaxGames - 10}
	for number := range 5 {
		e := seededGames{Evaluation: Evaluation{Place: Place{Game: int64(2 * number)}}}
		e.Score.N = 2
		v.unkept = append(v.unkept, e)
	}
	chosen, whole := v.choose()
	n := 0
	for range 10_000 {
		if chosen() {
			n++
		}
	}
	if least, most := likely(10_000, 0.99); n < least || n > most || len(whole) != 5 || v.found.Planned < wanted-1 || v.found.Planned > wanted+1 {
		t.Errorf("of the first 10,000 rows %d are chosen, %d evaluations, %d games are planned", n, len(whole), v.found.Planned)
	}
}

// TestVerifyingChoosesAlike: each row is as likely as any other, and so is each evaluation without
// rows. The number of rows is exact. The same seed has the same choice.
func TestVerifyingChoosesAlike(t *testing.T) {
	rows, wholes := make([]int, 10), make([]int, 3)
	for seed := range uint64(1000) {
		choose := func(v verifier) (all []int) {
			chosen, whole := v.choose()
			for row := range v.rows {
				if chosen() {
					all = append(all, int(row))
				}
			}
			for _, e := range whole {
				all = append(all, e.Candidate)
			}
			if chosen() { // one more row, of a run that goes on
				t.Fatalf("seed %d: more rows are chosen than planned", seed)
			}
			return all
		}
		v := verifier{Verification: Verification{Games: 3, Seed: seed}, rows: int64(len(rows))}
		all := choose(v)
		if len(all) != 3 || !slices.Equal(all, choose(v)) {
			t.Fatalf("seed %d: rows %v of 3", seed, all)
		}
		for _, row := range all {
			rows[row]++
		}
		v = verifier{Verification: Verification{Games: 1, Seed: seed}}
		for number := range wholes {
			e := seededGames{Evaluation: Evaluation{Place: Place{Candidate: number, Game: int64(2 * number)}}}
			e.Score.N = 2
			v.unkept = append(v.unkept, e)
		}
		wholes[choose(v)[0]]++
	}
	for p, counts := range map[float64][]int{0.3: rows, 1. / 3: wholes} {
		for _, n := range counts {
			if least, most := likely(1000, p); n < least || n > most {
				t.Errorf("chosen are %v times of 1000", counts)
			}
		}
	}
}
