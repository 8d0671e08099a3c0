package main

import (
	"context"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// clocked plays real games on a clock of its own, which goes by the nodes that they search.
type clocked struct {
	pool *simulator.Pool
	time time.Time
	node time.Duration // takes so long
	free []time.Time   // when each core is
}

func newClocked(node time.Duration) *clocked {
	return &clocked{simulator.NewPool(2), time.Unix(1_000_000_000, 0), node, make([]time.Time, 2)}
}

func (w *clocked) now() time.Time { return w.time }

func (w *clocked) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	outcomes, err := w.pool.Play(ctx, b, nil)
	if err != nil {
		return nil, err
	}
	for i := range w.free {
		w.free[i] = w.time
	}
	for i := range outcomes {
		o := &outcomes[i]
		o.Duration = time.Duration(o.Nodes) * w.node
		next := 0
		if w.free[1].Before(w.free[0]) {
			next = 1
		}
		w.free[next] = w.free[next].Add(o.Duration)
		if w.free[next].After(w.time) {
			w.time = w.free[next]
		}
		if err := finished(i, *o); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// curve has each estimate of the time left, with its time.
type curve struct {
	began, ended time.Time
	points       []point
}

type point struct {
	at   time.Time
	left time.Duration
}

// ask records the shown time, as often as a terminal is drawn.
func (c *curve) ask(t *timeLeft) {
	now := t.now()
	if n := len(c.points); n > 0 && now.Sub(c.points[n-1].at) < liveEvery {
		return
	}
	if _, left, known := t.estimate(); known {
		c.points = append(c.points, point{now, left})
	}
}

// worst returns the largest error from a tenth of the run on, as a share of the time that was
// really left. Errors of less than a twentieth of the run do not count: the last comparison ends by
// luck, and then nothing is left.
func (c *curve) worst() (worst float64, at float64) {
	for _, p := range c.points {
		passed, left := p.at.Sub(c.began).Seconds(), c.ended.Sub(p.at).Seconds()
		whole := c.ended.Sub(c.began).Seconds()
		off := math.Abs(p.left.Seconds() - left)
		if passed >= whole/10 && off >= whole/20 && off/left > worst {
			worst, at = off/left, passed/whole
		}
	}
	return worst, at
}

// smaller returns a shipped config with another plan.
func smaller(t *testing.T, name, plan string) *configs.Config {
	data, err := configs.Embedded(name)
	must(t, err)
	head, _, found := strings.Cut(string(data), "\nsearch:")
	if !found {
		t.Fatal("where does the plan of ", name, " begin?")
	}
	c, err := configs.Parse([]byte(head+"\n"+plan), name+".yaml")
	must(t, err)
	return c
}

// TestTimeLeft: from a tenth of a run on, the shown time is within 30% of the time left (see
// worst). Nothing is shown in the first two seconds, and no figure jumps. These are the plans of
// quickstart and snake with fewer games at lower depths, on a clock that goes by nodes.
func TestTimeLeft(t *testing.T) {
	for _, test := range []struct {
		name, plan string
		node       time.Duration
	}{
		{"quickstart", `
search: {depth: 1}
optimizer: {algorithm: genetic}
stages: [{generations: 45, games: 6, rounds: 3}]
playoff: {finalists: 8, games: 250}
validation: {games: 3000}
ablation: {games: 2000, difference: 0.06}
`, 5 * time.Microsecond},
		{"snake", `
search: {depth: 2}
optimizer: {algorithm: genetic}
stages: [{search: {depth: 1}, generations: 40, games: 6}, {search: {depth: 2}, generations: 30, games: 4, rounds: 2}]
playoff: {finalists: 8, games: 100}
validation: {games: 400, search: [{depth: 1, games: 1300}, {depth: 2}, {depth: 3, games: 100}]}
ablation: {games: 150}
`, 3 * time.Microsecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, w := smaller(t, test.name, test.plan), newClocked(test.node)
			store, err := results.Open(filepath.Join(t.TempDir(), "tune.db"))
			must(t, err)
			defer store.Close()
			left := newTimeLeft(c, 2)
			left.now, left.began = w.now, w.time
			for _, b := range left.plan { // by a few games of the start weights
				left.guess[b.Search] = guessOf(t, c, b, w)
			}
			seen := curve{began: w.time}
			observe := func(p experiments.Progress) {
				left.observe(p)
				seen.ask(left)
			}
			if _, err := (experiments.Experiment{Config: c, Store: store, Simulator: w, Observe: observe}).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			seen.ended = w.time
			if first := seen.points[0].at.Sub(seen.began); first < unknownFor {
				t.Errorf("something is shown after %v", first)
			}
			if worst, at := seen.worst(); worst > 0.3 {
				t.Errorf("off by %.0f%% at %.0f%% of the run", 100*worst, 100*at)
			}
			for i, p := range seen.points[1:] {
				before := seen.points[i]
				if jump := p.left - before.left; max(jump, -jump) > max(2*p.at.Sub(before.at), before.left/4) {
					t.Errorf("%v after the beginning %v become %v", p.at.Sub(seen.began), before.left, p.left)
				}
			}
		})
	}
}

// guessOf returns how long a game of the start weights takes on the clock.
func guessOf(t *testing.T, c *configs.Config, b experiments.PlannedPart, w *clocked) (each time.Duration) {
	batch := simulator.Batch{Rules: c.Rules, Players: []simulator.Player{{Family: &c.Family, Values: c.Family.Values(), Dead: c.Family.Dead, Settings: b.Settings}}}
	for i := range 20 {
		batch.Jobs = append(batch.Jobs, simulator.Job{Seed: uint64(i)})
	}
	outcomes, err := w.pool.Play(t.Context(), batch, nil)
	must(t, err)
	for _, o := range outcomes {
		each += time.Duration(o.Nodes) * w.node / time.Duration(len(outcomes))
	}
	return each
}

// TestOnlyStageIsReached: a stage whose games are all read from other runs is the one at hand, and
// not one that -for did not reach.
func TestOnlyStageIsReached(t *testing.T) {
	c := smaller(t, "quickstart", "stages: [{}]\n")
	left := newTimeLeft(c, 2)
	left.limit, left.guess["depth 3"] = time.Minute, time.Hour
	var told []string
	tell := func(_ slog.Level, text string) { told = append(told, text) }
	p := experiments.Progress{Plan: left.plan, Phase: experiments.PhaseTuning, Stage: "stage-1", Generations: 1}
	left.observe(p)
	if !left.ends(left.plan[0], tell) || !slices.ContainsFunc(told, func(text string) bool { return strings.Contains(text, "tuning ends here") }) || strings.Contains(strings.Join(told, ""), "not reached") {
		t.Errorf("told: %s", strings.Join(told, "\n"))
	}
}
