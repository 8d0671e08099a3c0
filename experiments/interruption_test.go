package experiments

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"tune2048/engine/portable"
	"tune2048/engine/simulator"
)

// machines are a landscape whose games end in an order drawn from a seed. They remember what they
// were asked for, and may stop.
type machines struct {
	landscape
	random  *portable.Source
	batches []simulator.Batch
	left    int // games until stop is called; below 1: never
	stop    func()
}

func (m *machines) Play(ctx context.Context, batch simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	m.batches = append(m.batches, batch)
	means, streams := m.players(batch)
	outcomes := make([]simulator.Outcome, len(batch.Jobs))
	order := make([]int, len(batch.Jobs))
	for i := range order {
		k := int(m.random.Float64() * float64(i+1))
		order[i], order[k] = order[k], i
	}
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		job := batch.Jobs[i]
		outcomes[i] = draw(portable.NewSource(streams[job.Player]^job.Seed), means[job.Player])
		if err := finished(i, outcomes[i]); err != nil {
			return nil, err
		}
		if m.left--; m.left == 0 {
			m.stop()
		}
	}
	return outcomes, nil
}

// TestResultsDoNotHangOnTheOrderOfGames, nor on interruptions: a run that is stopped after N games,
// again and again, ends in the same findings as one that is left alone.
func TestResultsDoNotHangOnTheOrderOfGames(t *testing.T) {
	c := synthetic(t, whole)
	c.Seed = 5
	l := hill(1.5, 0.7, 0.4, 0.6)
	peace, err := carryOutSynthetic(c, c.Seed, l)
	must(t, err)
	every := []int{0, 1000, 400, 150, 97, 61, 47, 31, 29, 13}
	if testing.Short() {
		every = every[:5]
	}
	repeat(t, len(every), func(i int) error {
		store, played := newMemory(), 0
		for starts := 0; ; starts++ {
			ctx, cancel := context.WithCancel(context.Background())
			m := &machines{landscape: l, random: portable.NewSource(portable.Hash(uint64(i), starts)), left: every[i], stop: cancel}
			_, err := Experiment{Config: c, Simulator: m, Store: store}.Run(ctx)
			cancel()
			if played += every[i] - m.left; errors.Is(err, context.Canceled) {
				continue
			}
			if err != nil {
				return fmt.Errorf("every %d games: %w", every[i], err)
			}
			if !reflect.DeepEqual(store.candidates, peace.candidates) || !reflect.DeepEqual(store.evaluations, peace.evaluations) || !reflect.DeepEqual(store.finished, peace.finished) ||
				!reflect.DeepEqual(store.spreads, peace.spreads) || !slices.Equal(store.generations, peace.generations) || !slices.Equal(store.comparisons, peace.comparisons) {
				return fmt.Errorf("every %d games: the store has other content", every[i])
			}
			if played != peace.played() {
				return fmt.Errorf("every %d games: %d games were played, want %d: each once", every[i], played, peace.played())
			}
			return nil
		}
	})
}

// TestStopIsAskedOnceAGeneration, and the answer is stored: a replay ends where the run did.
func TestStopIsAskedOnceAGeneration(t *testing.T) {
	c, store := synthetic(t, whole), newMemory()
	var next []PlannedPart
	x := Experiment{Config: c, Simulator: hill(1.5, 0.7, 0.4, 0.6), Store: store, Stop: func(p PlannedPart) bool {
		next = append(next, p)
		return len(next) == 3
	}}
	if _, err := x.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(next) != 3 || next[0].Generations != 1 || next[0].Games != 2*48 || next[1].Stage != "refine" || store.run.StoppedAfter != 3 || len(store.generations) != 3 {
		t.Errorf("asked %+v, stopped after %d generations of %d", next, store.run.StoppedAfter, len(store.generations))
	}
	before := len(store.finished)
	if _, err := x.Run(context.Background()); err != nil || len(next) != 3 || len(store.finished) != before {
		t.Errorf("the replay asks %d times and plays %d blocks: %v", len(next)-3, len(store.finished)-before, err)
	}
}
