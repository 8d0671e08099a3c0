package results

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// One operation is one game, commits included.
func BenchmarkAddGame(b *testing.B) {
	ctx := context.Background()
	s, _ := open(b)
	run := begin(b, s, spec("snake", "a"))
	must(b, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0}}))
	block := experiments.Block{Phase: experiments.PhaseTuning, Stage: "explore", Search: "depth 3", Candidates: []int{0}, Seeds: make([]uint64, 1e8)}
	outcome := experiments.Outcome{Score: 31_000, MaxTile: 2048, Moves: 1500, Nodes: 1_000_000, DurationUS: 900_000}
	index := 0
	for b.Loop() {
		must(b, s.AddGame(ctx, run.ID, block, index, outcome))
		index++
	}
}

// generations is an endless tuning run: 60 candidates a generation, 20 of them survivors, 8 games each.
type generations struct {
	t        testing.TB
	s        *Store
	run      int64
	keep     bool
	block    experiments.Block
	next     int
	outcomes []experiments.Outcome
	fresh    []experiments.Candidate
}

const freshOnes, survivingOnes, gamesOfEach = 40, 20, 8

func newGenerations(t testing.TB, s *Store, name string, keep bool) *generations {
	t.Helper()
	r := random(1)
	g := &generations{t: t, s: s, run: begin(t, s, spec(name, "hash")).ID, keep: keep}
	p := player{season: season{weights: 9}, r: r}
	for range freshOnes {
		g.fresh = append(g.fresh, p.candidate("crossover", "explore", 0))
	}
	for range 1000 * gamesOfEach {
		g.outcomes = append(g.outcomes, plausible(r, 27_000))
	}
	g.block = experiments.Block{Phase: experiments.PhaseTuning, Stage: "explore", Search: "depth 3", Generation: -1,
		Seeds: make([]uint64, gamesOfEach)}
	return g
}

// ask records the candidates of the next generation.
func (g *generations) ask() {
	g.block.First += int64(g.block.Games())
	g.block.Generation++
	survivors := g.block.Candidates[:min(survivingOnes, len(g.block.Candidates))]
	g.block.Candidates = append([]int(nil), survivors...)
	for i := range g.fresh {
		g.fresh[i].Number, g.fresh[i].Generation = g.next, g.block.Generation
		g.block.Candidates = append(g.block.Candidates, g.next)
		g.next++
	}
	must(g.t, g.s.AddCandidates(context.Background(), g.run, g.fresh))
}

// game records one of the generation's games.
func (g *generations) game(index int) {
	must(g.t, g.s.AddGame(context.Background(), g.run, g.block, index, g.outcome(index)))
}

func (g *generations) outcome(index int) experiments.Outcome {
	return g.outcomes[(g.block.Generation*61*gamesOfEach+index)%len(g.outcomes)]
}

// tell ends the generation.
func (g *generations) tell() {
	var evaluations []experiments.Evaluation
	for i, c := range g.block.Candidates {
		var played []experiments.Outcome
		for j := range gamesOfEach {
			played = append(played, g.outcome(i*gamesOfEach+j))
		}
		evaluations = append(evaluations, evaluate(c, played))
	}
	must(g.t, g.s.FinishBlock(context.Background(), g.run, g.block, evaluations, g.keep))
}

// One operation is a generation: 40 new candidates of 9 weights, 480 games, 60 evaluations.
func BenchmarkRecord(b *testing.B) {
	for name, keep := range map[string]bool{"kept": true, "forgotten": false} {
		b.Run(name, func(b *testing.B) {
			s, _ := open(b)
			g := newGenerations(b, s, "snake", keep)
			games := 0
			for b.Loop() {
				g.ask()
				for i := range g.block.Games() {
					g.game(i)
				}
				g.tell()
				games += g.block.Games()
			}
			b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
		})
	}
}

// What polls a run that is going on: a page with the leaders, the curve, the champion and the tiles.
var polls = []string{
	"SELECT * FROM progress",
	"SELECT * FROM leaderboard LIMIT 20",
	"SELECT * FROM convergence WHERE run = 'snake'",
	"SELECT * FROM champions WHERE run = 'snake'",
	"SELECT * FROM tile_rates WHERE run = 'snake' AND phase = 'validation'",
}

// BenchmarkWritesWhileReading records what 64 workers play, as they play it: each plays one game after the other at the
// speed of one core at depth 3 (1,272 games a second, see FINDINGS), and the results go through one channel to the
// one writer. Four readers poll once a second, as a live page does, from connections of their own, in every other stretch of 25
// generations: machines are noisy, so neighbours are compared. loss-% is what the readers cost, with its standard error.
func BenchmarkWritesWhileReading(b *testing.B) {
	const (
		workers = 64
		pace    = time.Second / 1272
		readers = 4
		poll    = time.Second
		stretch = 25
	)
	s, path := open(b)
	g := newGenerations(b, s, "snake", true)
	for range 500 { // something to read
		g.ask()
		for i := range g.block.Games() {
			g.game(i)
		}
		g.tell()
	}
	var (
		group            sync.WaitGroup
		reading          atomic.Bool
		queries, slowest atomic.Int64
		done             = make(chan struct{})
	)
	for i := range readers {
		group.Go(func() {
			r, err := OpenReader(path)
			must(b, err)
			defer r.Close()
			time.Sleep(poll * time.Duration(i) / readers)
			tick := time.NewTicker(poll)
			defer tick.Stop()
			for {
				select {
				case <-done:
					return
				case <-tick.C:
				}
				if !reading.Load() {
					continue
				}
				for _, q := range polls {
					start := time.Now()
					must(b, r.Query(context.Background(), q, func([]string) error { return nil }, func([]any) error { return nil }))
					queries.Add(1)
					slowest.Store(max(slowest.Load(), int64(time.Since(start))))
				}
			}
		})
	}
	var (
		spent  [2]time.Duration // without and with readers, of finished stretches
		ratios stats.Moments    // of one stretch with readers to its neighbour without
		last   time.Duration
		begun  = time.Now()
		played = 0
	)
	for b.Loop() {
		g.ask()
		g.playWith(workers, pace)
		g.tell()
		if played++; played%stretch != 0 {
			continue
		}
		took := time.Since(begun)
		with := reading.Load()
		if with {
			spent[1] += took
			ratios.Add(float64(last) / float64(took))
		} else {
			spent[0], last = spent[0]+took, took
		}
		reading.Store(!with)
		begun = time.Now()
	}
	close(done)
	group.Wait()
	if ratios.N > 1 {
		games := float64(ratios.N * stretch * g.block.Games())
		b.ReportMetric(games/spent[0].Seconds(), "alone-games/s")
		b.ReportMetric(games/spent[1].Seconds(), "read-games/s")
		b.ReportMetric(100*(1-ratios.Mean), "loss-%")
		b.ReportMetric(100*ratios.SE(), "loss-se-%")
	}
	b.ReportMetric(float64(queries.Load()), "queries")
	b.ReportMetric(float64(slowest.Load())/1e6, "slowest-ms")
}

// playWith records the generation's games as workers finish them.
func (g *generations) playWith(workers int, pace time.Duration) {
	jobs, played := make(chan int, g.block.Games()), make(chan int, workers)
	for i := range g.block.Games() {
		jobs <- i
	}
	close(jobs)
	for range workers {
		go func() {
			for i := range jobs {
				time.Sleep(pace)
				played <- i
			}
		}()
	}
	for range g.block.Games() {
		g.game(<-played)
	}
}

// What opening costs: looking at a file as large as a night makes it.
func BenchmarkOpen(b *testing.B) {
	s, path := open(b)
	million[0].play(b, s, 1)
	must(b, s.Close())
	for b.Loop() {
		s, err := Open(path)
		must(b, err)
		must(b, s.Close())
	}
}
