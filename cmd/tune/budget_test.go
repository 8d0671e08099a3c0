package main

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// world is a simulator with a clock of its own: games take as long as they score, and both are three times as much for the best
// weights as for those that tuning begins with.
type world struct {
	time    time.Time
	workers int
	seconds map[string]float64 // of a game of the best weights, by search
	played  int                // games
	cancel  func()             // called when so many are played; 0: never
	after   int
	slow    string // search of which no sample game ends in time
}

func (w *world) now() time.Time { return w.time }

// game draws how much better or worse than the mean of the best weights a game is.
func (w *world) game(p simulator.Player, seed uint64) float64 {
	distance := 0.0
	for _, v := range p.Values[1:] { // they begin at 0; 0.7 is best
		distance += (v - 0.7) * (v - 0.7) / 0.49
	}
	quality := 1./3 + 2./3*math.Exp(-distance)/(1+distance)
	draw := portable.NewSource(seed ^ math.Float64bits(distance)).Float64()
	return quality * (0.45 - 0.55*math.Log(1-draw))
}

func (w *world) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	if finished == nil && b.Players[0].Settings.String() == w.slow {
		w.time = w.time.Add(time.Minute)
		return nil, context.DeadlineExceeded
	}
	free := make([]float64, w.workers) // when each worker is, in seconds
	outcomes := make([]simulator.Outcome, len(b.Jobs))
	for i, job := range b.Jobs {
		if w.played++; w.played == w.after {
			w.cancel()
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := b.Players[job.Player]
		game, o := w.game(p, job.Seed), &outcomes[i]
		o.Score, o.Moves = 4*int(10000*game), 1+int(2000*game)
		o.Duration = time.Duration(game * w.seconds[p.Settings.String()] * float64(time.Second))
		next := slices.Index(free, slices.Min(free))
		free[next] += o.Duration.Seconds()
		if finished != nil {
			if err := finished(i, *o); err != nil {
				return nil, err
			}
		}
	}
	w.time = w.time.Add(time.Duration((slices.Max(free) + 0.001) * float64(time.Second)))
	return outcomes, nil
}

const budgeted = `
name: budgeted
heuristic:
  dead: 0
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: -1, max: 1, start: 0}}
    - {feature: merges, weight: {min: -1, max: 1, start: 0}}
    - {feature: sum, weight: {min: -1, max: 1, start: 0}}
search: {depth: 1}
optimizer: {population: 20}
stages:
  - {name: explore, generations: 500, games: 6, rounds: 2}
playoff: {finalists: 4, games: 100}
validation: {games: 300}
sensitivity: {games: 50}
store: {games: none}
`

const staged = `  - {name: explore, generations: 12, games: 6, rounds: 2}
  - {name: refine, search: {depth: 2}, generations: 500, games: 6, rounds: 2}
playoff: {finalists: 4, games: 60, search: {depth: 3}}
validation: {games: 100, search: [{depth: 1}, {depth: 3}, {depth: 4}]}
sensitivity: {games: 40, search: {depth: 2}}
store: {games: none}
`

// live runs a config with -for in the world and returns how long that took and what was told.
func (w *world) live(t *testing.T, path, config string, limit time.Duration) (elapsed time.Duration, told string, result experiments.Result, err error) {
	t.Helper()
	c, err := configs.Parse([]byte(config), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	store, err := results.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.cancel = cancel
	b := &budget{
		limit: limit, workers: w.workers, config: c, simulator: w, now: w.now, began: w.time,
		// What the start weights' first games suggest is wrong by a factor of two at times.
		guess: func(search string) time.Duration {
			return time.Duration(w.seconds[search] / 3 * 2 * float64(time.Second))
		},
		sampled: func(string, time.Duration) {},
		tell:    func(text string) { told += "told: " + text + "\n" },
		warn:    func(text string) { told += "warned: " + text + "\n" },
		plan:    experiments.Plan(c), opponents: experiments.Opponents(c),
		games: map[string][]playedGame{}, samples: map[matchup]*samples{},
	}
	began := w.time
	x := experiments.Experiment{Config: c, Store: store, Simulator: w, Observe: b.observe, Stop: b.stop}
	result, err = x.Run(ctx)
	return w.time.Sub(began), told, result, err
}

// TestBudget: whatever the run is like, and although games get three times as long, it ends in time and uses most of it.
func TestBudget(t *testing.T) {
	head, _, _ := strings.Cut(budgeted, "  - {name: explore")
	deep := map[string]float64{"depth 1": 1, "depth 2": 2, "depth 3": 10, "depth 4": 20}
	for name, test := range map[string]struct {
		config  string
		workers int
		seconds map[string]float64
		limit   time.Duration
		slow    string
		least   float64 // share of the limit to be used
	}{
		"one stage":            {budgeted, 2, map[string]float64{"depth 1": 1}, 45 * time.Minute, "", 0.85},
		"mostly validation":    {budgeted, 2, map[string]float64{"depth 1": 1}, 20 * time.Minute, "", 0.8},
		"many workers":         {budgeted, 16, map[string]float64{"depth 1": 1}, 10 * time.Minute, "", 0.85},
		"deep validation":      {head + staged, 2, deep, 3 * time.Hour, "", 0.8},
		"no sample of depth 4": {head + staged, 2, deep, 5 * time.Hour, "depth 4", 0.6},
		"ends in first stage":  {head + staged, 2, map[string]float64{"depth 1": 10, "depth 2": 10, "depth 3": 10, "depth 4": 10}, 2 * time.Hour, "", 0.8},
		"all done before":      {strings.Replace(budgeted, "500", "5", 1), 2, map[string]float64{"depth 1": 1}, 24 * time.Hour, "", 0},
		"no sensitivity":       {strings.Replace(budgeted, "sensitivity: {games: 50}", "sensitivity: {games: 0}", 1), 2, map[string]float64{"depth 1": 1}, 40 * time.Minute, "", 0.85},
		"several restarts":     {budgeted + "restarts: 3\n", 2, map[string]float64{"depth 1": 1}, 40 * time.Minute, "", 0.85},
		"better reference":     {budgeted + "references: {good: {weights: {empty: 0.7, merges: 0.7, sum: 0.7}}}\n", 2, map[string]float64{"depth 1": 1}, 40 * time.Minute, "", 0.85},
	} {
		w := &world{workers: test.workers, seconds: test.seconds, slow: test.slow}
		elapsed, told, result, err := w.live(t, filepath.Join(t.TempDir(), "tune.db"), test.config, test.limit)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		share := elapsed.Seconds() / test.limit.Seconds()
		t.Logf("%s: %.1f%% of %v, %d games\n%s", name, 100*share, test.limit, result.Games, told)
		if share > 1.01 || share < test.least || (test.least > 0) != strings.Contains(told, "told: -for") ||
			strings.Contains(told, "warned") != (name == "ends in first stage") || strings.Contains(told, "not reached for lack of time: stage refine;") != (name == "ends in first stage") {
			t.Errorf("%s: took %v of %v\n%s", name, elapsed, test.limit, told)
		}
	}
}

// TestBudgetTooShort: it is said while the first generation is played, and again once that is certain: it is the last.
func TestBudgetTooShort(t *testing.T) {
	w := &world{workers: 2, seconds: map[string]float64{"depth 1": 1}}
	elapsed, told, result, err := w.live(t, filepath.Join(t.TempDir(), "tune.db"), budgeted, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(told, "warned: -for 1m0s seems too short") || !strings.Contains(told, "warned: -for 1m0s is too short") || !strings.Contains(told, "told: -for 1m0s: tuning ends here") {
		t.Errorf("told:\n%s", told)
	}
	if rest := int64(400 + 600 + 350); result.Games > 120+rest {
		t.Errorf("%d games: more than a generation was tuned", result.Games)
	}
	t.Logf("%v\n%s", elapsed, told)
}

// TestBudgetResumed: a run that is interrupted in its tuning and goes on with -for has the time anew, pays nothing for what
// the store has, and replays to the same result.
func TestBudgetResumed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	w := &world{workers: 2, seconds: map[string]float64{"depth 1": 1}, after: 2000}
	if _, _, _, err := w.live(t, path, budgeted, time.Hour); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	w.after = 0
	elapsed, told, first, err := w.live(t, path, budgeted, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if share := elapsed.Minutes() / 60; share > 1.01 || share < 0.85 {
		t.Errorf("took %v\n%s", elapsed, told)
	}
	elapsed, told, again, err := w.live(t, path, budgeted, time.Minute)
	if err != nil || elapsed != 0 || told != "" || again.Champion.Number != first.Champion.Number || again.Replayed != again.Games || again.Games != first.Games {
		t.Errorf("read back: %v, error %v, %d of %d games replayed, told %q", elapsed, err, again.Replayed, again.Games, told)
	}
}

// TestBudgetInterrupted: Ctrl-C while samples are played is no decision, and none is recorded.
func TestBudgetInterrupted(t *testing.T) {
	for after := 115; after < 400; after += 40 { // in some of these a sample is under way
		path := filepath.Join(t.TempDir(), "tune.db")
		w := &world{workers: 2, seconds: map[string]float64{"depth 1": 1}, after: after}
		if _, told, _, err := w.live(t, path, budgeted, 12*time.Minute); !errors.Is(err, context.Canceled) || strings.Contains(told, "told") {
			t.Fatalf("interrupted after game %d: %v %s", after, err, told)
		}
	}
}

// idler is a simulator whose games take so long on the clock of a test.
type idler map[string]time.Duration // by search

func (games idler) Play(ctx context.Context, b simulator.Batch, _ func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	each := games[b.Players[0].Settings.String()]
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(each):
	}
	outcomes := make([]simulator.Outcome, len(b.Jobs))
	for i := range outcomes {
		outcomes[i].Duration = each
	}
	return outcomes, nil
}

// idleBudget is one that has seen no game yet, and what its run has ahead.
func idleBudget(t *testing.T, games idler) (*budget, experiments.Ahead) {
	t.Helper()
	head, _, _ := strings.Cut(budgeted, "  - {name: explore")
	c, err := configs.Parse([]byte(head+staged), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := &budget{
		limit: time.Hour, workers: 2, config: c, simulator: games, now: time.Now, began: time.Now(),
		guess:   func(string) time.Duration { return 3 * time.Second },
		sampled: func(string, time.Duration) {}, tell: func(string) {}, warn: func(string) {},
		plan: experiments.Plan(c), opponents: experiments.Opponents(c),
		games: map[string][]playedGame{}, samples: map[matchup]*samples{},
	}
	return b, experiments.Ahead{Next: b.plan[0], Best: []experiments.Contender{{Number: 7, Player: b.opponents[0]}}}
}

// TestBudgetOfSamples: samples take 3% of the time at most, even if the first ones that are tried last for hours.
func TestBudgetOfSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, ahead := idleBudget(t, idler{"depth 1": 80 * time.Second, "depth 4": 5 * time.Hour})
		for _, m := range []matchup{{"depth 1", theStart}, {"depth 4", theBest}, {"depth 4", theStart}} {
			settings, err := engine.ParseSettings(m.search)
			if err != nil {
				t.Fatal(err)
			}
			b.sample(t.Context(), need{doubt: 1, doubtful: demand{matchup: m, settings: settings}}, ahead)
		}
		if want := 108 * time.Second; b.spent != want || time.Since(b.began) != want {
			t.Errorf("samples took %v of %v, want %v", b.spent, b.limit, want)
		}
	})
}

// TestBudgetFades: what is known of a generation's best is worth less in the next one; start weights stay what they are.
func TestBudgetFades(t *testing.T) {
	b, _ := idleBudget(t, nil)
	for player := range 2 {
		b.samples[matchup{"depth 1", player}] = &samples{games: 100, seconds: 200}
	}
	b.clock("explore")
	best, start := b.samples[matchup{"depth 1", theBest}], b.samples[matchup{"depth 1", theStart}]
	if best.games != 95 || best.seconds != 190 || start.games != 100 || start.seconds != 200 {
		t.Errorf("samples of the best: %+v, of the start weights: %+v", *best, *start)
	}
}

// TestBudgetInterruptedSample: an interruption in the middle of a sample decides nothing.
func TestBudgetInterruptedSample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, ahead := idleBudget(t, idler{"depth 1": time.Hour, "depth 2": time.Hour, "depth 3": time.Hour, "depth 4": time.Hour})
		b.tell = func(text string) { t.Errorf("told: %s", text) }
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if b.stop(ctx, ahead) || b.spent != time.Second {
			t.Errorf("decided after %v of samples", b.spent)
		}
	})
}
