//go:build cgo

package experiments_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// clocked plays real games on a clock of its own, which goes by the nodes that they search: some 3
// microseconds each.
type clocked struct {
	pool *simulator.Pool
	time time.Time

	clock *experiments.Clock
}

const node = 3 * time.Microsecond

func (w *clocked) Play(ctx context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	outcomes, err := w.pool.Play(ctx, b, nil)
	if err != nil {
		return nil, err
	}
	free := [2]time.Time{w.time, w.time} // when each core is
	for i := range outcomes {
		o, next := &outcomes[i], 0
		if free[1].Before(free[0]) {
			next = 1
		}
		o.Duration = time.Duration(o.Nodes) * node
		free[next] = free[next].Add(o.Duration)
		for w.time.Before(free[next]) {
			w.time = w.time.Add(min(time.Second, free[next].Sub(w.time)))
			w.clock.Tick()
		}
		if err := finished(i, *o); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// TestClock: the plan of snake with fewer games at lower depths and the default optimizer, on a
// clock that goes by nodes. From a tenth of the run on, the estimate is off by at most 30% of the
// time left. Errors of less than a fifteenth of the run do not count: the last comparison ends by
// luck, and then nothing is left. Nothing is known in the first two seconds, and no figure jumps.
func TestClock(t *testing.T) {
	data, err := config.Embedded("snake")
	must(t, err)
	head, _, _ := strings.Cut(string(data), "\nsearch:")
	c, err := config.Parse([]byte(head+`
search: {depth: 2}
optimizer: {algorithm: auto}
stages: [{search: {depth: 1}, generations: 20, games: 6}, {search: {depth: 2}, generations: 15, games: 4, rounds: 2}]
playoff: {finalists: 8, games: 40}
validation: {games: 150, search: [{depth: 1, games: 500}, {depth: 2}, {depth: 3, games: 40}]}
ablation: {games: 60}
`), "snake.yaml")
	must(t, err)
	store, err := results.Open(filepath.Join(t.TempDir(), "tune.db"))
	must(t, err)
	defer store.Close()
	began := time.Unix(1_000_000_000, 0)
	w := &clocked{pool: simulator.NewPool(2), time: began}
	prices := experiments.Prices(t.Context(), c.Form().Player(c.Start()), c.Rules, time.Second)
	clock := experiments.NewClock(2, 0, func(search engine.Settings) experiments.Price {
		price := prices(search)
		price.Node, price.Compile = node.Seconds(), 0
		t.Logf("%s %+v", search, price)
		return price
	})
	clock.Now, clock.Began = func() time.Time { return w.time }, began
	w.clock = clock
	type point struct{ at, left time.Duration }
	var points []point // as often as a terminal is drawn
	observe := func(p experiments.Progress) {
		clock.Observe(p)
		at := w.time.Sub(began)
		if n := len(points); n > 0 && at-points[n-1].at < 200*time.Millisecond {
			return
		}
		if _, left, known := clock.Estimate(); known {
			points = append(points, point{at, left})
		}
	}
	_, err = experiments.Experiment{Config: c, Store: store, Simulator: w, Observe: observe}.Run(t.Context())
	must(t, err)
	if points[0].at < experiments.UnknownFor {
		t.Errorf("something is known after %v", points[0].at)
	}
	whole, worst := w.time.Sub(began), 0.0
	for i, p := range points {
		left := (whole - p.at).Seconds()
		off := math.Abs(p.left.Seconds() - left)
		if p.at >= whole/10 && off >= whole.Seconds()/15 {
			worst = max(worst, off/left)
		}
		before := points[max(0, i-1)] // a terminal shows whole seconds
		if jump := p.left - before.left; max(jump, -jump) > max(2*(p.at-before.at), before.left/3, whole/30) {
			t.Errorf("%v after the beginning %v become %v", p.at, before.left, p.left)
		}
	}
	if t.Logf("off by %.0f%% at most", 100*worst); worst > 0.3 {
		t.Errorf("the time left is off by %.0f%%", 100*worst)
	}
}
