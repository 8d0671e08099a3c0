//go:build cgo

package experiments_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/eval"
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
		text = strings.NewReplacer("games: 60", "games: 16", "{games: 40", "{games: 10", "{games: 20",
			"{games: 4").Replace(text)
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

func (c *counter) Play(ctx context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
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
func carryOut(t testing.TB, path string, c *config.Config, workers, limit int,
	edit func(*experiments.Experiment)) (experiments.Run, int, error) {
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

// broken is a simulator that can play no game.
type broken struct{}

func (broken) Play(_ context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	for job := range b.Jobs {
		if err := finished(job, simulator.Outcome{Failed: "it is broken"}); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// TestStartIsPlayedFirst: a run whose start weights cannot be played ends by their games alone. A
// bot that does not work may take seconds for each.
func TestStartIsPlayedFirst(t *testing.T) {
	c := parse(t, "player: {command: [cat], answers: moves, weights: {a: {min: 0, max: 1}}}\nstages: [{games: 3, "+
		"generations: 2}]")
	_, games, err := carryOut(t, filepath.Join(t.TempDir(), "tune.db"), c, 1, 0, func(x *experiments.Experiment) {
		x.Simulator.(*counter).Simulator = broken{}
	})
	if err == nil || !strings.Contains(err.Error(), "the start weights cannot be played") || games > 3 {
		t.Errorf("%v after %d games", err, games)
	}
}

// evaluationRows asks for everything in the evaluations but the time of their games.
const evaluationRows = `select run_id, phase, stage, search, generation, round, candidate_id, number, first_game, key, games, scores, ranks, moves, nodes,
	mean_score, sd_score, fitness, failure from evaluations order by run_id, number`

// rows returns everything in the database that is not a time, one line a row.
func rows(t testing.TB, path string) string {
	t.Helper()
	return rowsOf(t, path,
		"select id, name, kind, config_hash, seed, status, signature, stopped_after, fingerprint, champion_id from runs "+
			"order by id",
		"select * from candidates order by id",
		"select * from weights order by candidate_id, position",
		evaluationRows,
		"select id, run_id, candidate_id, phase, stage, search, generation, round, seed, score, max_tile, moves, nodes, "+
			"capped from games order by id",
		"select * from comparisons order by run_id, search, candidate_id, baseline_id",
		"select * from leaderboard", "select * from champions", "select * from convergence", "select * from tile_rates")
}

// TestChangedDatabase: a run whose candidates were changed is refused. An evaluation that is gone
// is asked for again, and the run ends in the same rows.
func TestChangedDatabase(t *testing.T) {
	c := parse(t, small)
	whole := filepath.Join(t.TempDir(), "tune.db")
	_, _, err := carryOut(t, whole, c, 2, 0, nil)
	must(t, err)
	for change, want := range map[string]string{
		"update candidates set weights = replace(weights, '[', '[1') where id = 1000000003": "-new",
		"delete from asked where candidate_id = 1000000002 and number = (select min(number) from asked where candidate_id " +
			"= 1000000002)": "<nil>",
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

// ablated notes the vectors that have a weight of 0.
type ablated struct {
	experiments.Simulator
	vectors map[string]eval.Vector // by the place of the 0
}

func (a *ablated) Play(ctx context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	for _, p := range b.Players {
		if at := slices.Index(p.Values, 0); at >= 0 {
			a.vectors[p.Heuristic.Names()[at]] = p.Values
		}
	}
	return a.Simulator.Play(ctx, b, finished)
}

// TestAblationKeepsSharedNumbers: without one of the features that share a number, the others still
// have it.
func TestAblationKeepsSharedNumbers(t *testing.T) {
	c := parse(t, `
heuristic:
  numbers: {p: {min: 1, max: 5, start: 2}}
  features:
    - {feature: empty, weight: {min: 1, max: 3000, start: 270, scale: linear}}
    - {feature: monotonicity, tile: rank, power: p, weight: {min: -500, max: -1, start: -47, scale: linear}}
    - {feature: sum, tile: rank, power: p, weight: -11}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 4}
stages: [{generations: 2, games: 3}]
playoff: {finalists: 2, games: 4}
validation: {games: 4}
ablation: {games: 4}
`)
	a := &ablated{vectors: map[string]eval.Vector{}}
	_, _, err := carryOut(t, filepath.Join(t.TempDir(), "tune.db"), c, 1, 0, func(x *experiments.Experiment) {
		sim := x.Simulator.(*counter)
		a.Simulator, sim.Simulator = sim.Simulator, a
	})
	must(t, err)
	if got := slices.Sorted(maps.Keys(a.vectors)); !slices.Equal(got, []string{"empty", "monotonicity", "sum"}) {
		t.Fatalf("played without %q", got)
	}
	p := map[float64]bool{}
	for _, v := range a.vectors {
		p[v[0]] = true
	}
	if len(p) != 1 || p[0] {
		t.Errorf("p differs: %v", a.vectors)
	}
}
