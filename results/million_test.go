package results

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"tune2048/engine/heuristic"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// season is a made-up run of any size, recorded through the Store as a pipeline does it: what the benchmarks of the
// views read. Scores are spread like real ones (standard deviation 0.55 of the mean).
type season struct {
	name       string
	stages     []seasonStage
	fresh      int // new candidates of a generation
	survivors  int // candidates of the last generation that play again
	weights    int // of a candidate
	games      int // of a candidate in a round
	races      int // rounds after the first, each with the better half
	finalists  int
	playoff    int // games of a finalist
	validation int // games of a player at a search
	keep       func(phase string) bool
}

type seasonStage struct {
	name, search string
	generations  int
}

func keepAll(string) bool  { return true }
func keepNone(string) bool { return false }
func keepFinal(phase string) bool {
	return phase == experiments.PhasePlayoff || phase == experiments.PhaseValidation
}

// million is a year of somebody's nights: 1.2 million games in 125,000 evaluations of 89,000 candidates.
var million = func() []season {
	all := []season{
		{name: "night", stages: []seasonStage{{"explore", "depth 3", 400}, {"refine", "depth 5", 600}},
			fresh: 40, survivors: 20, weights: 9, games: 8, finalists: 8, playoff: 500, validation: 2000, keep: keepFinal},
		{name: "cma", stages: []seasonStage{{"tune", "depth 3", 1000}},
			fresh: 24, weights: 7, games: 8, finalists: 8, playoff: 500, validation: 2000, keep: keepNone},
		{name: "races", stages: []seasonStage{{"tune", "depth 3", 300}},
			fresh: 32, weights: 9, games: 8, races: 2, finalists: 8, playoff: 500, validation: 2000, keep: keepAll},
		{name: "snake", stages: []seasonStage{{"explore", "depth 3", 150}, {"refine", "depth 3", 150}}, // the same search twice
			fresh: 30, survivors: 20, weights: 3, games: 8, finalists: 8, playoff: 500, validation: 2000, keep: keepAll},
	}
	for i := range 10 {
		all = append(all, season{name: fmt.Sprint("short", i), stages: []seasonStage{{"tune", "depth 3", 20}},
			fresh: 30, survivors: 10, weights: 9, games: 8, finalists: 4, playoff: 200, validation: 500, keep: keepAll})
	}
	return all
}()

// play records the season.
func (x season) play(t testing.TB, s *Store, seed uint64) {
	t.Helper()
	ctx := context.Background()
	r := random(seed)
	run := begin(t, s, spec(x.name, "hash"))
	p := &player{t: t, s: s, run: run.ID, r: r, season: x}
	must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{p.candidate("start", x.stages[0].name, 0)}))
	var survivors []int
	for _, stage := range x.stages {
		for g := range stage.generations {
			var fresh []experiments.Candidate
			numbers := slices.Clone(survivors)
			for range x.fresh {
				c := p.candidate("crossover", stage.name, g)
				fresh, numbers = append(fresh, c), append(numbers, c.Number)
			}
			must(t, s.AddCandidates(ctx, run.ID, fresh))
			for round := range x.races + 1 {
				b := experiments.Block{Phase: experiments.PhaseTuning, Stage: stage.name, Search: stage.search,
					Generation: g, Round: round, Candidates: numbers}
				numbers = p.block(b, x.games)
				survivors = slices.Clone(numbers[:x.survivors])
				numbers = numbers[:len(numbers)/2]
			}
		}
	}
	last := x.stages[len(x.stages)-1]
	var finalists []int
	for i := range x.finalists {
		finalists = append(finalists, p.next-1-i)
	}
	b := experiments.Block{Phase: experiments.PhasePlayoff, Search: last.search, Candidates: finalists}
	champion := p.block(b, x.playoff)[0]
	must(t, s.SetChampion(ctx, run.ID, champion))
	reference := p.candidate("reference", "", 0)
	reference.Name = "published"
	must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{reference}))
	for _, search := range []string{"depth 3", "depth 5"} {
		p.block(experiments.Block{Phase: experiments.PhaseValidation, Search: search,
			Candidates: []int{champion, 0, reference.Number}}, x.validation)
		champion, start := p.evaluations[champion].Score, p.evaluations[0].Score
		difference, ratio := stats.MeanDifference(champion, start, 0.95), stats.MeanRatio(champion, start, 0.95)
		must(t, s.AddContrasts(ctx, run.ID, []experiments.Contrast{{Phase: experiments.PhaseValidation, Search: search,
			Candidate: finalists[0], Difference: difference.Value, Interval: difference.Interval,
			Ratio: ratio.Value, RatioInterval: ratio.Interval}}))
	}
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
}

// player is a season that is going on.
type player struct {
	season
	t           testing.TB
	s           *Store
	run         int64
	r           *rand.Rand
	next        int   // candidate
	first       int64 // game
	quality     []float64
	evaluations map[int]experiments.Evaluation // of the last block
}

func (p *player) candidate(origin, stage string, generation int) experiments.Candidate {
	c := experiments.Candidate{Number: p.next, Origin: origin, Stage: stage, Generation: generation, Dead: heuristic.Dead{Worst: true}}
	for i := range p.weights {
		c.Weights = append(c.Weights, experiments.Weight{Name: fmt.Sprint("weight_", i), Value: 100 * p.r.NormFloat64()})
	}
	p.next++
	p.quality = append(p.quality, 1+0.1*p.r.NormFloat64())
	return c
}

// block plays and records a block, and returns its candidates, the best first.
func (p *player) block(b experiments.Block, games int) []int {
	p.t.Helper()
	b.First = p.first
	for range games {
		b.Seeds = append(b.Seeds, p.r.Uint64()>>11)
	}
	p.first += int64(b.Games())
	keep := p.keep(b.Phase)
	p.evaluations = map[int]experiments.Evaluation{}
	var evaluations []experiments.Evaluation
	for i, c := range b.Candidates {
		played := make([]experiments.Outcome, games)
		for j := range played {
			played[j] = plausible(p.r, 27_000*p.quality[c])
			if keep {
				must(p.t, p.s.AddGame(context.Background(), p.run, b, i*games+j, played[j]))
			}
		}
		e := evaluate(c, played)
		evaluations, p.evaluations[c] = append(evaluations, e), e
	}
	must(p.t, p.s.FinishBlock(context.Background(), p.run, b, evaluations, keep))
	order := slices.Clone(b.Candidates)
	slices.SortFunc(order, func(x, y int) int {
		return cmp.Compare(p.evaluations[y].Score.Mean, p.evaluations[x].Score.Mean)
	})
	return order
}

// plausible is the outcome of a game of a player that scores so much in the median: 0.55 is the spread of real scores.
func plausible(r *rand.Rand, median float64) experiments.Outcome {
	score := median * math.Exp(0.55*r.NormFloat64())
	o := experiments.Outcome{Score: 4 * int(score/4), MaxTile: 1 << max(6, min(16, int(math.Log2(score))-3)),
		Moves: 1 + int(score/20), DurationUS: r.Int64N(1e6)}
	o.Nodes = int64(o.Moves) * (500 + r.Int64N(100))
	o.Capped = o.MaxTile == 65536
	return o
}

// millionVariable names a file to keep the database of a million games in, or to take it from.
const millionVariable = "RESULTS_MILLION"

var buildMillion sync.Mutex

// openMillion returns the path of the database of a million games, which is built once a process.
func openMillion(b *testing.B) string {
	b.Helper()
	buildMillion.Lock()
	defer buildMillion.Unlock()
	path := os.Getenv(millionVariable)
	if path == "" {
		path = filepath.Join(os.TempDir(), fmt.Sprintf("results-million-%d.db", os.Getpid()))
		atExit = append(atExit, func() {
			for _, suffix := range []string{"", "-wal", "-shm"} { // a reader may not tidy up after itself
				os.Remove(path + suffix)
			}
		})
		os.Setenv(millionVariable, path)
	}
	if _, err := os.Stat(path); err == nil {
		return path
	}
	s, err := Open(path)
	must(b, err)
	for i, x := range million {
		x.play(b, s, uint64(i))
	}
	must(b, s.Close())
	return path
}
