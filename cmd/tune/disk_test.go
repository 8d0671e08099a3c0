package main

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// pretender plays no game, but draws scores like those of real ones: they spread by about half of their mean, which
// falls with the weights' distance from a place in their ranges.
type pretender struct{ c *configs.Config }

func (p pretender) Play(_ context.Context, batch simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	space, err := experiments.Space(&p.c.Family)
	if err != nil {
		return nil, err
	}
	var means []float64
	for _, player := range batch.Players {
		var tuned []float64
		for i, n := range p.c.Family.Weights() {
			if n.Tunable {
				tuned = append(tuned, player.Values[i])
			}
		}
		distance := 0.0
		for _, u := range space.Unit(tuned) {
			distance += (u - 0.7) * (u - 0.7) / float64(len(tuned))
		}
		means = append(means, 60_000*math.Exp(-2*distance))
	}
	outcomes := make([]simulator.Outcome, len(batch.Jobs))
	for i := range batch.Jobs {
		if i^1 < len(batch.Jobs) {
			i ^= 1 // two workers seldom end in the order in which they began
		}
		job := batch.Jobs[i]
		random := portable.NewSource(job.Seed ^ math.Float64bits(means[job.Player]))
		score := means[job.Player] * math.Exp(0.5*portable.NormalQuantile(random.Float64())-0.125)
		moves := int(score/22) + 100
		nodes := int64(moves) * 150
		if batch.Players[job.Player].Settings.Rule.Deepest() > 3 {
			nodes *= 20
		}
		outcomes[i] = simulator.Outcome{
			Result: engine.Result{Score: 4 * int(score/4), Moves: moves, Nodes: nodes,
				MaxTile: 1 << max(6, min(16, int(math.Log2(score))-4))},
			Duration: time.Duration(nodes) * 8 * time.Nanosecond,
		}
		if err := finished(i, outcomes[i]); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// sizeOfRun carries a config out with games that are made up and returns the size of its database.
func sizeOfRun(t *testing.T, c *configs.Config) int64 {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tune.db")
	store, err := results.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = experiments.Experiment{Config: c, Store: store, Simulator: pretender{c}}.Run(context.Background())
	if err = errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return file.Size()
}

// TestForecastOfDisk: the forecast of check is within 30% of the database's size, whether games are
// kept or not. The runs are an eighth as large as the configs say.
func TestForecastOfDisk(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"quickstart", "snake"} {
		for _, games := range []string{configs.StoreAll, configs.StoreNone} {
			c, err := configs.LoadEmbedded(name)
			if err != nil {
				t.Fatal(err)
			}
			c.Store.Games = games
			for i := range c.Stages {
				c.Stages[i].Generations /= 8
			}
			c.Playoff.Games /= 8
			c.Validation.Games /= 8
			c.Ablation.Games /= 8
			got, want := foretold(c, experiments.Plan(c)), sizeOfRun(t, c)
			if ratio := float64(got) / float64(want); ratio < 0.7 || ratio > 1.3 {
				t.Errorf("%s, games %s: foretold %d bytes, recorded %d: want within 30%%", name, games, got, want)
			}
		}
	}
}

// TestLargeDatabase: a run that is going to fill the disk says so when it begins, and what to try.
func TestLargeDatabase(t *testing.T) {
	p := start(t, folderWith(t, strings.Replace(long, "games: 10}", "games: 100}", 1)), "-config", "long.yaml")
	p.await(t, "more than 1 GB: with store: {games: none} to about")
	p.await(t, "tuning, stage")
}
