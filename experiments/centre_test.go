package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// lookedAt is a run of about 9,000 games of tuning, which is looked at some eleven times.
const lookedAt = quick + "optimizer: {%s}\nstages: [{generations: %d, games: %d, rounds: %d}]\n" +
	"playoff: {finalists: 2, games: 2, rounds: 1}\nvalidation: {games: 2}\nablation: {games: 0}\n"

// TestShownFiguresHold: at ten tenths of a run, the interval that is shown of the centre holds its
// worth in 93% of simulated worlds at least, and so does the interval of its gain where it is
// shown. So it is with rounds, where the luck of a seed is shared, where CMA-ES takes over, and
// where a game is won or lost.
func TestShownFiguresHold(t *testing.T) {
	const tenths = 10
	genetic := "algorithm: genetic, population: 8"
	for _, cell := range []struct {
		name                      string
		optimizer                 string
		generations, games, round int
		alike, worth              float64 // of the best weights, in units of the start
		coins                     bool
	}{
		{"rounds", genetic, 50, 24, 3, 0, 1.7, false},
		{"small gains", genetic, 50, 24, 3, 0, 1.1, false},
		{"shared luck", genetic, 50, 24, 1, 0.5, 1.1, false},
		{"hand-over", "population: 8", 50, 24, 3, 0, 1.1, false},
		{"two-valued", genetic, 50, 24, 1, 0, 1.2, true},
	} {
		if testing.Short() && cell.name != "rounds" && cell.name != "two-valued" {
			continue
		}
		c := synthetic(t, fmt.Sprintf(lookedAt, cell.optimizer, cell.generations, cell.games, cell.round))
		l := hill(1.5, 0.7, 0.4, 0.6)
		best, mean := l.mean([]float64{0.7, portable.Exp(0.4 * portable.Log(1000)), -4}), l.mean
		start := mean([]float64{0.2, 300, -5})
		l.mean = func(v []float64) float64 { return 1 + (cell.worth-1)*(mean(v)-start)/(best-start) }
		l.alike = cell.alike
		var play Simulator = l
		if cell.coins {
			play = coins{l}
		}
		var mutex sync.Mutex
		covered, gains, shown, gained := 0, 0, 0, 0
		worlds := many(400) // of each cell
		repeat(t, worlds, func(i int) error {
			seeded, store, seen := *c, newMemory(), map[int]*Centre{}
			seeded.Seed = uint64(i)
			_, err := Experiment{Config: &seeded, Simulator: play, Store: store, Observe: func(p Progress) {
				if p.Phase == PhaseTuning {
					seen[p.Generations] = p.Centre
				}
			}}.Run(context.Background())
			mutex.Lock()
			defer mutex.Unlock()
			for tenth := range tenths {
				c := seen[(tenth+1)*cell.generations/tenths]
				if c == nil {
					continue
				}
				shown++
				truth := l.truth(store.candidates[c.Candidate])
				if c.Fitness.Interval.Contains(truth) {
					covered++
				}
				if c.Gain != nil {
					gained++
					if c.Gain.Ratio.Interval.Contains(truth / typicalMean) {
						gains++
					}
				}
			}
			return err
		})
		t.Logf("%s: the centre %.1f%% of %d, the gain %.1f%% of %d", cell.name, 100*float64(covered)/float64(shown), shown,
			100*float64(gains)/float64(max(1, gained)), gained)
		least := func(n int) int {
			if least, _ := likely(n, 0.93); testing.Short() { // but for luck
				return least
			}
			return n * 93 / 100
		}
		if shown < 8*worlds || covered < least(shown) || gains < least(gained) {
			t.Errorf("%s: want 93%% of the intervals at eight tenths at least", cell.name)
		}
	}
}

// TestGainsStay: once a stage has shown a gain, each later look shows its own, also where that is
// not known so well.
func TestGainsStay(t *testing.T) {
	l := NewLooks(fitness.MeanScore)
	for g, look := range []struct {
		spread float64 // of the centre's games
		shown  bool
	}{{600, false}, {10, false}, {600, true}, {600, true}, {10, true}} {
		for candidate, mean := range []float64{1000, 1500} {
			spread := []float64{10, look.spread}[candidate]
			at := Place{Phase: PhaseCentre, Stage: "tune", Search: "depth 1", Generation: g, Candidate: candidate * (10 + g)}
			l.Add(Evaluation{Place: at, Scores: []float64{mean - spread, mean + spread, mean - spread, mean + spread}})
		}
		if c := l.Shown(); c.Generation != g || (c.Gain != nil) != look.shown {
			t.Errorf("look %d: %+v", g, c)
		}
	}
}

// coins is a landscape whose games are won or lost. A game that is won has 40,000 points.
type coins struct{ landscape }

const won = 40_000

func (l coins) Play(ctx context.Context, batch simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	means, streams := l.players(batch)
	outcomes := make([]simulator.Outcome, len(batch.Jobs))
	for i, job := range batch.Jobs {
		o := &outcomes[i]
		o.MaxTile = 2
		if portable.NewSource(streams[job.Player]^job.Seed).Float64() < means[job.Player]/won {
			o.Score = won
		}
		if err := finished(i, *o); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// TestLooks: a run has its first look after 800 games of tuning, then when they have grown by a
// tenth, at least ten, with a tenth of the games of a short run and a hundredth of a long one. A
// longer run has the same looks and more. What is likely is what comes.
func TestLooks(t *testing.T) {
	c := synthetic(t, quick)
	s := looksOf(c)
	for _, run := range []struct {
		games, generation int64
		looks             int
		share             float64 // of the games
	}{{700, 100, 0, 0}, {10_000, 100, 11, 0.1}, {100_000, 100, 30, 0.03}, {10_000_000, 1000, 70, 0.0102}} {
		looks, games, last := 0, int64(0), int64(0)
		for at := run.generation; at <= run.games; at += run.generation {
			if n := s.due(at, at-last); n > 0 {
				if n < 40 || 20*int64(n) > at-last {
					t.Errorf("%d games of each after %d since the look before", n, at-last)
				}
				looks, games, last = looks+1, games+2*int64(n), at
			}
		}
		if looks < run.looks || float64(games) > run.share*float64(run.games) {
			t.Errorf("%+v: %d looks with %d games", run, looks, games)
		}
		if likely := s.between(0, 0, run.games, run.generation); math.Abs(float64(likely-games)) > 0.1*float64(games) {
			t.Errorf("%+v: %d games, %d are likely", run, games, likely)
		}
	}
	if looksOf(c).due(799, 799) != 0 || looksOf(c).due(800, 800) != 40 {
		t.Error("the first look is not after 800 games")
	}
}

// TestLooksChooseNothing: a run whose looks have other scores asks for the same candidates in the
// same order, and has the same finalists and champion.
func TestLooksChooseNothing(t *testing.T) {
	c := synthetic(t, fmt.Sprintf(lookedAt, "population: 8", 50, 24, 3))
	run := func(bias float64) (tuned []string, looks int, champion string) {
		store := newMemory()
		_, err := Experiment{Config: c, Simulator: biased{hill(1.5, 0.7, 0.4, 0.6), bias}, Store: store}.Run(t.Context())
		must(t, err)
		for _, e := range store.evaluations {
			if e.Phase == PhaseCentre {
				looks++
			} else {
				tuned = append(tuned, fmt.Sprint(e.Phase, e.Generation, e.Round, store.candidates[e.Candidate].PlayHash, e.Scores))
			}
		}
		return tuned, looks, store.candidates[store.champion].PlayHash
	}
	tuned, looks, champion := run(0)
	if others, n, other := run(1e6); looks < 16 || n != looks || !slices.Equal(others, tuned) || other != champion {
		t.Errorf("%d and %d looks, champions %s and %s", looks, n, champion, other)
	}
}

// biased is a landscape that adds points to the games of looks.
type biased struct {
	landscape
	points float64
}

func (l biased) Play(ctx context.Context, batch simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	looks := phaseSeeds[PhaseCentre]
	return l.landscape.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		if seed := batch.Jobs[job].Seed; seed>>looks.bits == looks.first>>looks.bits {
			o.Score += l.points
		}
		return finished(job, o)
	})
}
