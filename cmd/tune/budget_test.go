package main

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// world is a simulator with a clock of its own: games take as long as they score. With growth the
// best weights score and take that many times as much as those that tuning begins with. 1: all are
// alike.
type world struct {
	time    time.Time
	workers int
	seconds map[string]float64 // of a game of the best weights, by search
	growth  float64
	busy    time.Time // when the machine gets four times as slow; zero: never
	played  int       // games
	after   int       // how many are played before cancel is called; 0: it is not
	cancel  func()    // set by live
	clock   *experiments.Clock
}

// worldNode is the seconds that a node takes.
const worldNode = 1e-5

// costs returns the moves of a game of the best weights at a search, and the nodes of a move. Games
// are longer where moves take more.
func (w *world) costs(search string) (moves, nodes float64) {
	moves = 2000 * math.Pow(w.seconds[search]/w.seconds["depth 1"], 1./5)
	return moves, w.seconds[search] / moves / worldNode
}

// pass moves the time on. The clock ticks each second.
func (w *world) pass(to time.Time) {
	for w.time.Add(time.Second).Before(to) {
		w.time = w.time.Add(time.Second)
		w.clock.Tick()
	}
	w.time = to
}

func (w *world) now() time.Time { return w.time }

// game draws how much better or worse than the mean of the best weights a game is.
func (w *world) game(p eval.Player, seed uint64) float64 {
	distance := 0.0
	for _, v := range p.Values[1:] { // they begin at 0; 0.7 is best
		distance += (v - 0.7) * (v - 0.7) / 0.49
	}
	quality := 1/w.growth + (1-1/w.growth)*math.Exp(-distance)/(1+distance)
	draw := portable.NewSource(seed ^ math.Float64bits(distance)).Float64()
	return quality * (0.45 - 0.55*math.Log(1-draw))
}

func (w *world) Play(ctx context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	free, began := make([]float64, w.workers), w.time // when each worker is, in seconds
	outcomes := make([]simulator.Outcome, len(b.Jobs))
	parts := b.Parts
	for i, job := range b.Jobs {
		if len(parts) > 0 && parts[0] == i {
			parts = parts[1:]
			w.pass(began.Add(experiments.Seconds(slices.Min(free))))
			if !b.More() {
				break
			}
		}
		w.played++
		if w.played == w.after {
			w.cancel()
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := b.Players[job.Player]
		game, o := w.game(p, job.Seed), &outcomes[i]
		moves, nodes := w.costs(b.Search.String())
		o.Score, o.Moves, o.Nodes = float64(4*int(10000*game)), 1+int(moves*game), 1+int64(moves*game*nodes)
		o.Duration = time.Duration(game * w.seconds[b.Search.String()] * float64(time.Second))
		next := slices.Index(free, slices.Min(free))
		if !w.busy.IsZero() && began.Add(experiments.Seconds(free[next])).After(w.busy) {
			o.Duration *= 4
		}
		free[next] += o.Duration.Seconds()
		w.pass(began.Add(experiments.Seconds(slices.Max(free))))
		if err := finished(i, *o); err != nil {
			return nil, err
		}
	}
	w.pass(began.Add(experiments.Seconds(slices.Max(free))))
	return outcomes, nil
}

const budgeted = `
name: budgeted
heuristic:
  dead: 0
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: -1, max: 1, start: 0, scale: linear}}
    - {feature: merges, weight: {min: -1, max: 1, start: 0, scale: linear}}
    - {feature: sum, weight: {min: -1, max: 1, start: 0, scale: linear}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 20}
stages:
  - {name: explore, generations: 500, games: 6, rounds: 2}
playoff: {finalists: 4, games: 100}
validation: {games: 300}
ablation: {games: 50}
store: {games: none}
`

const staged = `  - {name: explore, generations: 12, games: 6, rounds: 2}
  - {name: refine, search: {depth: 2}, generations: 500, games: 6, rounds: 2}
playoff: {finalists: 4, games: 60, search: {depth: 3}}
validation: {games: 100, search: [{depth: 1}, {depth: 3}, {depth: 4}]}
ablation: {games: 40, search: {depth: 2}}
store: {games: none}
`

// limited is a limit without a display.
type limited struct {
	*experiments.Clock
	config *config.Config
	tell   func(slog.Level, string)
}

func (l limited) Ends(next experiments.PlannedPart) bool {
	return ends(l.Clock, l.config, next, l.tell)
}

// live runs a config with -for in the world. It returns the time that it took, and the warnings.
func (w *world) live(t *testing.T, path, text string, limit time.Duration) (elapsed time.Duration, told string,
	games int64, err error) {
	t.Helper()
	c, err := config.Parse([]byte(text), "test.yaml")
	must(t, err)
	store, err := results.Open(path)
	must(t, err)
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.cancel = cancel
	w.clock = experiments.NewClock(w.workers, limit, func(search engine.Settings) experiments.Price { // twice too high
		moves, nodes := w.costs(search.String())
		return experiments.Price{Game: moves * nodes, Node: 2 * worldNode / w.growth}
	})
	w.clock.Began, w.clock.Now = w.time, w.now
	tell := func(level slog.Level, text string) {
		told += map[slog.Level]string{slog.LevelInfo: "told: ", slog.LevelWarn: "warned: "}[level] + text + "\n"
	}
	observe := func(p experiments.Progress) {
		games = p.Done
		w.clock.Observe(p)
	}
	began := w.time
	_, err = experiments.Experiment{Config: c, Store: store, Simulator: w, Observe: observe,
		Limit: limited{w.clock, c, tell}}.Run(ctx)
	return w.time.Sub(began), told, games, err
}

// most is the time that a run with -for may take.
func most(limit time.Duration) time.Duration { return limit*103/100 + 2*time.Second }

// TestBudget: a run with -for uses its time and no more, and tunes for at least half of it, even if
// games get three times as long while it tunes, or the machine gets four times as slow in the
// middle. A bot's games cost the same, so auto sizes count games.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	t.Parallel()
	head, _, _ := strings.Cut(budgeted, "  - {name: explore")
	one := map[string]float64{"depth 1": 1}
	for name, test := range map[string]struct {
		config  string
		workers int
		seconds map[string]float64
		growth  float64
		limit   time.Duration
		least   float64 // share of the limit to be used
	}{
		"busy in the middle": {budgeted, 2, one, 1, 30 * time.Minute, 0.9},
		"one stage":          {budgeted, 2, one, 1, 45 * time.Minute, 0.9},
		"longer games":       {budgeted, 2, one, 3, 45 * time.Minute, 0.85},
		"many workers":       {budgeted, 16, one, 1, 10 * time.Minute, 0.9},
		"auto sizes":         {head + "  - {rounds: 1}\n", 2, one, 1, time.Hour, 0.8}, // little of the trend is played
		"a short auto":       {head + "  - {rounds: 1}\n", 16, one, 1, 3 * time.Minute, 0.85},
		"unplayed searches": {head + staged, 2,
			map[string]float64{"depth 1": 1, "depth 2": 2, "depth 3": 10, "depth 4": 20}, 1, 3 * time.Hour, 0.75}, // likewise
		"ends in first stage": {head + staged, 2,
			map[string]float64{"depth 1": 10, "depth 2": 10, "depth 3": 10, "depth 4": 10}, 1, 3 * time.Hour, 0.75},
		"all done before": {strings.Replace(budgeted, "500", "5", 1), 2, one, 1, 24 * time.Hour, 0},
		"larger population": {strings.Replace(budgeted, "population: 20", "population: 60", 1), 2, one, 3, 40 * time.Minute,
			0.8},
	} {
		w := &world{workers: test.workers, seconds: test.seconds, growth: test.growth}
		if name == "busy in the middle" {
			w.busy = w.time.Add(test.limit * 6 / 10)
		}
		elapsed, told, games, err := w.live(t, filepath.Join(t.TempDir(), "tune.db"), test.config, test.limit)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		share := elapsed.Seconds() / test.limit.Seconds()
		t.Logf("%s: %.1f%% of %v, %d games\n%s", name, 100*share, test.limit, games, told)
		missed := name == "ends in first stage"
		if elapsed > most(test.limit) || share < test.least || (test.least > 0) != strings.Contains(told, "told: -for") ||
			strings.Contains(told, "warned") != (missed || test.least == 0) ||
			strings.Contains(told, "not reached for lack of time: stage refine;") != missed {
			t.Errorf("%s: took %v of %v\n%s", name, elapsed, test.limit, told)
		}
	}
}

// TestBudgetTooShort: where what follows is written and too long, tuning keeps its half, what
// follows plays fewer games, and the run says so. The sizes are stored.
func TestBudgetTooShort(t *testing.T) {
	w, path := &world{workers: 2, seconds: map[string]float64{"depth 1": 1}, growth: 1},
		filepath.Join(t.TempDir(), "tune.db")
	elapsed, told, games, err := w.live(t, path, budgeted, 6*time.Minute)
	must(t, err)
	if !strings.HasPrefix(told, "warned: what follows the tuning takes about ") ||
		!strings.Contains(told, "play fewer games than the config gives them") ||
		!strings.Contains(told, "told: -for 6m: tuning ends here") {
		t.Errorf("told:\n%s", told)
	}
	if tuned := int64(3 * 20 * 6 * 2 / 3); elapsed > most(6*time.Minute) || elapsed < 5*time.Minute || games < tuned {
		t.Errorf("%d games in %v", games, elapsed)
	}
	reader, err := results.OpenReader(path)
	must(t, err)
	defer reader.Close()
	run, err := reader.Find(t.Context(), "budgeted")
	must(t, err)
	if size := run.Sizes["validation depth 1"]; size.Planned != 300 || size.Games > 250 || size.Played < 20 {
		t.Errorf("the held-out games are %+v", size)
	}
}

// TestBudgetResumed: an interrupted run that goes on with -for has the whole time again. Stored
// games cost nothing, and the replay has the same result.
func TestBudgetResumed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	w := &world{workers: 2, seconds: map[string]float64{"depth 1": 1}, growth: 1, after: 2000}
	if _, told, _, err := w.live(t, path, budgeted, time.Hour); !errors.Is(err, context.Canceled) || told != "" {
		t.Fatal(err, told)
	}
	w.after = 0
	elapsed, told, _, err := w.live(t, path, budgeted, time.Hour)
	must(t, err)
	if share := elapsed.Minutes() / 60; share > 1.05 || share < 0.85 {
		t.Errorf("took %v\n%s", elapsed, told)
	}
	elapsed, told, again, err := w.live(t, path, budgeted, time.Minute)
	if err != nil || elapsed != 0 || told != "" || again != 0 {
		t.Errorf("the finished run took %v, error %v, %d games, told %q", elapsed, err, again, told)
	}
}

// TestOnlyStageIsReached: a stage whose games are all read from other runs is the one at hand, and
// not one that -for did not reach.
func TestOnlyStageIsReached(t *testing.T) {
	c, err := config.LoadEmbedded("quickstart")
	must(t, err)
	clock := experiments.NewClock(2, time.Minute,
		func(engine.Settings) experiments.Price { return experiments.Price{Game: 1, Node: 3600} })
	plan := experiments.NewPlanner(c).Plan(t.Context(), math.MaxInt)
	var told []string
	tell := func(_ slog.Level, text string) { told = append(told, text) }
	p := experiments.Progress{Plan: plan, Phase: experiments.PhaseTuning, Stage: "tune", Generations: 1}
	clock.Observe(p)
	if !ends(clock, c, plan[0], tell) ||
		!slices.ContainsFunc(told, func(text string) bool { return strings.Contains(text, "tuning ends here") }) ||
		strings.Contains(strings.Join(told, ""), "not reached") {
		t.Errorf("told: %s", strings.Join(told, "\n"))
	}
}

// TestCheckInterrupted: check plays no games to estimate their time once it is interrupted.
func TestCheckInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, more := range [][]string{nil, {"-for", "1h"}} {
		var stdout, stderr strings.Builder
		code := run(ctx, append([]string{"check", "-config", "../../configs/quickstart.yaml"}, more...), &stdout, &stderr)
		if code != exitInterrupted || strings.Contains(stdout.String(), "next:") {
			t.Errorf("%v: exit code %d\n%s%s", more, code, &stdout, &stderr)
		}
	}
}
