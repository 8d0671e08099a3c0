//go:build cgo

package cluster

import (
	"container/heap"
	"context"
	"path/filepath"
	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// farm is a Simulator that plays no game. Its machines ask the dealer for blocks as workers do, on
// a clock of its own. It counts how long the cores play and how long they wait, by phase.
type farm struct {
	machines, cores int           // cores of each machine
	game            time.Duration // the mean of a game
	phase           string        // at hand
	pace            gameTimes
	spent           map[string]*spent
}

type spent struct{ played, all time.Duration } // by all cores together

// latency is the time of a request and its answer.
const latency = 2 * time.Millisecond

// event is a core that asks for a block, and hands in the jobs of the last one.
type event struct {
	at   time.Time
	jobs []int
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, k int) bool { return e[i].at.Before(e[k].at) }
func (e events) Swap(i, k int)      { e[i], e[k] = e[k], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// drawn is the outcome of a game. Its times have a standard deviation of half their mean.
func (f *farm) drawn(b *simulator.Batch, job simulator.Job) (o simulator.Outcome) {
	random := portable.NewSource(portable.Hash(job.Seed, "farm", b.Players[job.Player].Hash()))
	share := portable.Exp(0.47*random.Normal() - 0.11)
	o.Score, o.MaxTile, o.Moves = float64(4*int(5000*share)), 2048, int(1000*share)+1
	o.Duration = time.Duration(share * float64(f.game))
	return o
}

// Play implements experiments.Simulator.
func (f *farm) Play(_ context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	d, now, cores := newDealer(&b, f.pace), start, f.machines*f.cores
	outcomes, waiting := make([]simulator.Outcome, len(b.Jobs)), events{}
	for range cores {
		waiting = append(waiting, event{at: start})
	}
	s := f.spent[f.phase]
	if s == nil {
		s = &spent{}
		f.spent[f.phase] = s
	}
	for d.left > 0 {
		e := heap.Pop(&waiting).(event)
		now = e.at
		for _, job := range e.jobs {
			if o := outcomes[job]; !d.done[job] {
				d.finished(job, o.Duration)
				if err := finished(job, o); err != nil {
					return nil, err
				}
			}
		}
		next := d.deal(present(), cores, now)
		if next == nil {
			continue // it waits until the end of the batch
		}
		took := latency
		more := event{jobs: d.open(next)}
		for _, job := range more.jobs {
			outcomes[job] = f.drawn(&b, b.Jobs[job])
			s.played += outcomes[job].Duration
			took += outcomes[job].Duration
		}
		more.at = now.Add(took)
		heap.Push(&waiting, more)
	}
	s.all += time.Duration(cores) * (now.Sub(start) + latency)
	return outcomes, nil
}

// TestCoresSeldomWait: the share of time in which 20 machines of 16 cores wait for games, by phase.
// A validation of 2,000 games a player lets them wait for less than a third of it.
func TestCoresSeldomWait(t *testing.T) {
	const text = `name: farm
heuristic:
  features:
    - {feature: empty, weight: {min: 1, max: 5000, start: 270, scale: log}}
    - {feature: merges, weight: {min: 0, max: 5000, start: 700, scale: linear}}
    - {feature: monotonicity, weight: {min: -500, max: 0, start: -47, scale: linear}}
search: {depth: 3}
optimizer: {population: 640}
stages: [{name: tune, generations: 2, games: 8, rounds: 2}]
playoff: {finalists: 20, games: 1000, rounds: 4}
validation: {games: 2000}
ablation: {games: 4000}
`
	for _, game := range []time.Duration{100 * time.Millisecond, 10 * time.Second} {
		f := &farm{machines: 20, cores: 16, game: game, pace: gameTimes{}, spent: map[string]*spent{}}
		c := must(config.Parse([]byte(text), "farm.yaml"))
		store := must(results.Open(filepath.Join(t.TempDir(), "tune.db")))
		x := experiments.Experiment{Config: c, Simulator: f, Store: store,
			Observe: func(p experiments.Progress) { f.phase = p.Phase }}
		must(x.Run(t.Context()))
		must(0, store.Close())
		for phase, s := range f.spent {
			share := 1 - s.played.Seconds()/s.all.Seconds()
			t.Logf("games of %v: %s lasts %v, and cores wait for %.0f%% of it", game, phase,
				(s.all / 320).Round(time.Millisecond), 100*share)
			if phase == experiments.PhaseValidation && share > 1./3 {
				t.Errorf("games of %v: cores wait for %.0f%% of the validation, want at most a third", game, 100*share)
			}
		}
	}
}
