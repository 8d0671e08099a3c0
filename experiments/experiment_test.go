//go:build cgo

package experiments_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// small is an experiment of a few hundred games at depth 1, with two stages, a reference and two
// validated searches.
const small = `
name: small
seed: 7
heuristic:
  dead: 0
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: 0, max: 3000, start: 270, scale: linear}}
    - {feature: merges, weight: {min: 1, max: 5000, start: 700, scale: log}}
    - {feature: monotonicity, tile: rank, power: {min: 1, max: 5, start: 2}, weight: {min: -500, max: 0, start: -47, scale: linear}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 8}
stages:
  - {name: explore, generations: 4, games: 9, rounds: 3}
  - {name: refine, generations: 20, games: 5, max_games: 100}
playoff: {finalists: 5, games: 60, rounds: 4}
validation: {games: 40, search: [{depth: 1}, {depth: 2}]}
ablation: {games: 40}
references:
  plain: {dead: worst, weights: {empty: 1, merges: 1}}
`

// parse parses a config after some replacements. With -short it plays fewer games after the tuning.
func parse(t testing.TB, text string, replace ...string) *config.Config {
	t.Helper()
	text = strings.NewReplacer(replace...).Replace(text)
	if testing.Short() {
		text = strings.NewReplacer("games: 60", "games: 16", "{games: 40", "{games: 10", "{games: 20", "{games: 4").Replace(text)
	}
	c, err := config.Parse([]byte(text), "test.yaml")
	must(t, err)
	return c
}

// counter counts the games that are played, and may end the context after some.
type counter struct {
	experiments.Simulator
	games  int
	limit  int // games after which cancel is called; 0: never
	cancel func()
}

func (c *counter) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return c.Simulator.Play(ctx, b, func(job int, o simulator.Outcome) error {
		c.games++
		if c.limit > 0 && c.games >= c.limit {
			c.cancel()
		}
		return finished(job, o)
	})
}

// carryOut runs a config in the database once; limit is how many games to play before an
// interruption, 0 for none.
func carryOut(t testing.TB, path string, c *config.Config, workers, limit int, edit func(*experiments.Experiment)) (experiments.Run, int, error) {
	t.Helper()
	store, err := results.Open(path)
	must(t, err)
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sim := &counter{Simulator: simulator.NewPool(workers), limit: limit, cancel: cancel}
	x := experiments.Experiment{Config: c, Store: store, Simulator: sim}
	if edit != nil {
		edit(&x)
	}
	run, err := x.Run(ctx)
	return run, sim.games, err
}

// evaluationRows asks for everything in the evaluations but the time of their games.
const evaluationRows = `select run_id, phase, stage, search, generation, round, candidate_id, number, first_game, key, games, scores, ranks, moves, nodes,
	mean_score, sd_score, fitness, failure from evaluations order by run_id, number`

// rows returns everything in the database that is not a time, one line a row.
func rows(t testing.TB, path string) string {
	t.Helper()
	return rowsOf(t, path,
		"select id, name, kind, config_hash, seed, status, signature, stopped_after, fingerprint, champion_id from runs order by id",
		"select * from candidates order by id",
		"select * from weights order by candidate_id, position",
		evaluationRows,
		"select id, run_id, candidate_id, phase, stage, search, generation, round, seed, score, max_tile, moves, nodes, capped from games order by id",
		"select * from comparisons order by run_id, search, candidate_id, baseline_id",
		"select * from leaderboard", "select * from champions", "select * from convergence", "select * from tile_rates")
}

// some are all cases, or with -short the first.
func some[T any](cases ...T) []T {
	if testing.Short() {
		return cases[:1]
	}
	return cases
}

// TestInterruptedRunEndsInTheSameRows: with any number of workers, and played by several processes.
// A finished run is left as it is.
func TestInterruptedRunEndsInTheSameRows(t *testing.T) {
	repeats := 4
	if testing.Short() {
		repeats = 1
	}
	for _, keep := range some("validation", "all") {
		c := parse(t, small+"store: {games: "+keep+"}\n")
		if keep == "all" {
			c = parse(t, small+"store: {games: all}\n", "population: 8", "population: 16")
		}
		whole := filepath.Join(t.TempDir(), "tune.db")
		_, games, err := carryOut(t, whole, c, 2, 0, nil)
		must(t, err)
		want := rows(t, whole)
		r := rand.New(rand.NewPCG(1, uint64(len(keep))))
		for range repeats {
			path := filepath.Join(t.TempDir(), "tune.db")
			played, starts := 0, 0
			for err = context.Canceled; errors.Is(err, context.Canceled); starts++ {
				var n int
				_, n, err = carryOut(t, path, c, 1+r.IntN(4), 1+r.IntN(games/2), nil)
				played += n
			}
			must(t, err)
			if rows(t, path) != want {
				t.Errorf("games %s, %d starts: other rows than an uninterrupted run", keep, starts)
			}
			if played != games {
				t.Errorf("games %s, %d starts: %d games played, want %d: each once", keep, starts, played, games)
			}
			if _, n, err := carryOut(t, path, c, 2, 0, nil); err != nil || n != 0 || rows(t, path) != want {
				t.Errorf("games %s: the finished run played %d games: %v", keep, n, err)
			}
		}
	}
}

// A run that is asked for again with more generations plays only what the shorter ones did not, and
// ends in the same results as if there were no others.
func TestMoreGenerationsPlayOnlyWhatIsMissing(t *testing.T) {
	for _, keep := range some("validation", "all", "none") {
		whole := parse(t, small+"store: {games: "+keep+"}\n")
		alone := filepath.Join(t.TempDir(), "tune.db")
		want, all, err := carryOut(t, alone, whole, 2, 0, nil)
		must(t, err)
		path := filepath.Join(t.TempDir(), "tune.db")
		for _, generations := range some(3, 1) {
			shorter, err := whole.WithGenerations(generations)
			must(t, err)
			if _, _, err := carryOut(t, path, shorter, 2, 0, nil); err != nil {
				t.Fatal(err)
			}
		}
		reused := int64(0)
		got, played, err := carryOut(t, path, whole, 2, 0, func(x *experiments.Experiment) {
			x.Observe = func(p experiments.Progress) { reused = p.Reused }
		})
		must(t, err)
		shared := sharedGames(t, path, got.ID)
		if shared < 2*8*9 || played != all-shared || reused != int64(shared) {
			t.Errorf("games %s: %d played and %d answered by shorter runs; want %d of %d, the others are shared", keep, played, reused, all-shared, all)
		}
		if a, b := fingerprint(t, alone, want.Name), fingerprint(t, path, got.Name); a != b {
			t.Errorf("games %s: fingerprint %s, alone %s", keep, b, a)
		}
		// Begun afresh it plays for itself, also after an interruption.
		_, played, err = carryOut(t, path, whole, 2, all/2, func(x *experiments.Experiment) { x.New = true })
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if _, rest, err := carryOut(t, path, whole, 2, 0, nil); err != nil || played+rest != all {
			t.Errorf("games %s: -new played %d and %d games of %d, error %v", keep, played, rest, all, err)
		}
	}
}

// Runs that share much with others, but not all, end in the same results as alone.
func TestOthersGamesAreThoseAskedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("TestMoreGenerationsPlayOnlyWhatIsMissing has the same steps")
	}
	alone := map[int]string{} // fingerprint by variant, which has nothing to do with what is kept
	for _, keep := range []string{"all", "none"} {
		path := filepath.Join(t.TempDir(), "tune.db")
		for i, edit := range [][]string{
			{"games: 9, rounds: 3", "games: 8, rounds: 4"},
			{"games: 9, rounds: 3", "games: 9, rounds: 4"}, // rounds of as many games as above, but of later ones
			{"games: 40, search", "games: 60, search"},
			{"seed: 7", "seed: 7\nobjective: {reach: 256}"},
			{"seed: 7", "seed: 7\ngame: {four_probability: 0.2}"},
			{"seed: 7", "seed: 8"},
			{"weight: 1000", "weight: 2000"},
			{"blanks", "blanks", "feature: monotonicity", "feature: monotonicity, blanks: keep"},
			{"dead: 0", "dead: worst"},
			{"search: {depth: 1}\n", "search: {depth: 1, min_probability: 0.1}\n"},
		} {
			c := parse(t, strings.NewReplacer("generations: 20", "generations: 1", "generations: 4", "generations: 2", "{depth: 1}, {depth: 2}", "{depth: 1}").Replace(small)+"store: {games: "+keep+"}\n", edit...)
			if alone[i] == "" {
				other := filepath.Join(t.TempDir(), "tune.db")
				if _, _, err := carryOut(t, other, c, 2, 0, nil); err != nil {
					t.Fatal(err)
				}
				alone[i] = fingerprint(t, other, "small")
			}
			run, _, err := carryOut(t, path, c, 2, 0, nil)
			if err != nil {
				t.Fatalf("%v: %v", edit, err)
			}
			if got := fingerprint(t, path, run.Name); got != alone[i] {
				t.Errorf("games %s, variant %d, %v: fingerprint %s, alone %s", keep, i, edit, got, alone[i])
			}
		}
	}
}

// sharedGames counts the games of a run that an older run has too, by the key of their slice.
func sharedGames(t *testing.T, path string, run int64) (games int) {
	t.Helper()
	fmt.Sscan(rowsOf(t, path, fmt.Sprintf(`select count(*) from evaluations as e, json_each(e.scores) as s where run_id = %d and exists (select 1 from evaluations as o
		where o.run_id < %[1]d and o.key = e.key and e.first_game + s.key between o.first_game and o.first_game + o.games - 1)`, run)), &games)
	return games
}

func fingerprint(t *testing.T, path, name string) string {
	t.Helper()
	return rowsOf(t, path, "select fingerprint from runs where fingerprint is not null and name = '"+name+"'")
}

// TestChangedDatabase: a run whose candidates were changed is refused. An evaluation that is gone
// is asked for again, and the run ends in the same rows.
func TestChangedDatabase(t *testing.T) {
	c := parse(t, small)
	whole := filepath.Join(t.TempDir(), "tune.db")
	_, _, err := carryOut(t, whole, c, 2, 0, nil)
	must(t, err)
	for change, want := range map[string]string{
		"update weights set value = value + 1 where candidate_id = 10000003 and position = 0": "-new",
		"delete from asked where candidate_id = 10000002 and generation = 0":                  "<nil>",
	} {
		path := filepath.Join(t.TempDir(), "tune.db")
		if _, _, err := carryOut(t, path, c, 2, 60, nil); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		tamper(t, path, change)
		_, _, err := carryOut(t, path, c, 2, 0, nil)
		if !strings.Contains(fmt.Sprint(err), want) || err == nil && rows(t, path) != rows(t, whole) {
			t.Errorf("%s: got error %v, or other rows than an uninterrupted run", change, err)
		}
	}
}

// TestEditedConfigKeepsItsEvaluations, though its first run was interrupted and has not ended: the
// games of the tuning and of the playoff are not played again. Held-out games have another salt.
func TestEditedConfigKeepsItsEvaluations(t *testing.T) {
	for _, keep := range some("validation", "none") {
		text := small + "store: {games: " + keep + "}\n"
		path := filepath.Join(t.TempDir(), "tune.db")
		played, reused := map[string]int64{}, int64(0) // games
		observe := func(x *experiments.Experiment) {
			before := int64(0)
			x.Observe = func(p experiments.Progress) {
				played[p.Phase] += p.Done - p.Reused - before
				before, reused = p.Done-p.Reused, p.Reused
			}
		}
		_, all, err := carryOut(t, filepath.Join(t.TempDir(), "tune.db"), parse(t, text), 2, 0, observe)
		must(t, err)
		chosen := played[experiments.PhaseTuning] + played[experiments.PhasePlayoff]
		if _, _, err := carryOut(t, path, parse(t, text), 2, int(chosen)+1, nil); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		clear(played)
		run, _, err := carryOut(t, path, parse(t, text, "validation: {games: 40", "validation: {games: 50"), 2, 0, observe)
		must(t, err)
		if played[experiments.PhaseTuning]+played[experiments.PhasePlayoff] != 0 || played[experiments.PhaseValidation] == 0 || reused < chosen || run.Name != "small.2" {
			t.Errorf("games %s: run %s played %v of %d games again and reused %d, want %d", keep, run.Name, played, all, reused, chosen)
		}
	}
}

// TestHeldOutPlayers: identical players play once, and the plan knows.
func TestHeldOutPlayers(t *testing.T) {
	for references, want := range map[string]int{
		"{plain: {dead: worst, weights: {empty: 1, merges: 1}}}":                                          3,
		"{start: {dead: 0, weights: {empty: 270}}, dead: {dead: worst, weights: {empty: 270}}}":           3,
		"{a: {dead: 0, weights: {empty: 1}}, b: {dead: 0, weights: {empty: 1}}}":                          3,
		"{a: {dead: 0, weights: {empty: 1}}, b: {dead: 0, weights: {empty: 2}}, c: {weights: {line: 3}}}": 5,
	} {
		head, _, _ := strings.Cut(small, "references:")
		c := parse(t, head+"references: "+references+"\n")
		for _, b := range experiments.NewPlanner(c).Plan(t.Context(), math.MaxInt) {
			if b.Phase == experiments.PhaseValidation && (b.Candidates != want || b.Games != int64(want*c.Validation.Games)) {
				t.Errorf("%s: the plan has %d players and %d games", references, b.Candidates, b.Games)
			}
		}
	}
}

// tamper changes a database as a user with an SQL shell would.
func tamper(t testing.TB, path, statement string) {
	t.Helper()
	out, err := exec.Command("sqlite3", path, statement).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("needs the sqlite3 shell")
	}
	if err != nil {
		t.Fatalf("sqlite3: %v: %s", err, out)
	}
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
