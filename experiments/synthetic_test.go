package experiments

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/key"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// landscape is a synthetic world: it plays no game of 2048 but draws a score for each seed, with a
// mean that is known. What comes of a seed is a function of the seed, the search and the weights.
// Scores of two vectors on the same seed have nothing to do with each other, as those of real
// games, unless the vectors differ only in numbers that the games do not hang on.
type landscape struct {
	numbers []string                       // tunable numbers that the games hang on, by name
	mean    func(values []float64) float64 // true mean score, in units of typicalMean, of the values of these numbers
	alike   float64                        // the correlation of two candidates' games of a seed, 0..1
}

const typicalMean = 32000 // points

// truth is the true mean score of a candidate.
func (l landscape) truth(c Candidate) float64 {
	values := make([]float64, len(l.numbers))
	for i, name := range l.numbers {
		at := slices.IndexFunc(c.Weights, func(w Weight) bool { return w.Name == name })
		values[i] = c.Weights[at].Value
	}
	return typicalMean * l.mean(values)
}

// players returns the true mean of each player of a batch, and the distribution of its games.
func (l landscape) players(batch simulator.Batch) (means []float64, streams []uint64) {
	all := batch.Players[0].Heuristic.Names()
	for _, p := range batch.Players {
		values, stream := make([]float64, len(l.numbers)), portable.Hash(0, batch.Search.String())
		for i, name := range l.numbers {
			at := slices.Index(all, name)
			values[i] = p.Values[at]
			stream = portable.NewSource(stream ^ math.Float64bits(values[i])).Uint64()
		}
		means, streams = append(means, typicalMean*l.mean(values)), append(streams, stream)
	}
	return means, streams
}

func (l landscape) Play(ctx context.Context, batch simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	means, streams := l.players(batch)
	outcomes := make([]simulator.Outcome, len(batch.Jobs))
	for i, job := range batch.Jobs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		random := portable.NewSource(streams[job.Player] ^ job.Seed)
		if l.alike > 0 && random.Float64() < math.Sqrt(l.alike) { // so both play the seed's own game
			random = portable.NewSource(job.Seed)
		}
		outcomes[i] = draw(random, means[job.Player])
		if err := finished(i, outcomes[i]); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// tiles are what games are drawn from, like those of stats' scores_test.go, which gives the
// measurements: each share of them has scores between 1.3 and 1.9 times a number, in units of which
// the mean is meanDrawn. sd/mean is 0.55, skewness 1, kurtosis 4.
var tiles = [...]struct{ share, size float64 }{{0.51, 1}, {0.22, 1. / 2}, {0.06, 1. / 4}, {0.012, 1. / 8}, {0.196, 2},
	{0.002, 4}}

const meanDrawn = 1.6 * (0.012/8 + 0.06/4 + 0.22/2 + 0.51 + 0.196*2 + 0.002*4)

// pointsOfTile is a tenth of the points of a game that ends with a tile of that face at the least.
const pointsOfTile = 10

func draw(random *portable.Source, mean float64) (o simulator.Outcome) {
	u, size := random.Float64(), 0.0
	for _, t := range tiles {
		size = t.size
		u -= t.share
		if u < 0 {
			break
		}
	}
	return drawnAt(mean, size, random.Float64())
}

// drawnAt returns the game of a tile at a share, 0..1, of the way from its lowest score to its
// highest.
func drawnAt(mean, size, at float64) (o simulator.Outcome) {
	points := mean / meanDrawn * size * (1.3 + 0.6*at)
	score := 4 * int(points/4+0.5)
	for o.MaxTile = 2; 2*o.MaxTile*pointsOfTile <= score; o.MaxTile *= 2 {
	}
	o.Score, o.Moves, o.Nodes = float64(score), score/20+1, int64(score)
	return o
}

// worth is the true fitness of a player whose games are drawn with that mean: the fitness of 10,000
// games that are spread evenly over what can be drawn.
func worth(o fitness.Objective, mean float64) float64 {
	var games []simulator.Outcome
	for _, t := range tiles {
		n := int(10_000*t.share + 0.5)
		for i := range n {
			games = append(games, drawnAt(mean, t.size, (float64(i)+0.5)/float64(n)))
		}
	}
	return sampleOf(o, games).Fitness.Mean
}

// sampleOf evaluates games by an objective.
func sampleOf(o fitness.Objective, games []simulator.Outcome) fitness.Sample {
	e := summarize(Place{}, games)
	return o.Sample(e.Scores, e.Ranks)
}

// summarize evaluates games of a place.
func summarize(place Place, games []simulator.Outcome) Evaluation {
	e := Evaluation{Place: place}
	e.summarize(games)
	return e
}

// memory is the store of one run that is not resumed, without a database.
type memory struct {
	reads       int // how often evaluations of tuning were read again
	Store           // nil: such a run asks for nothing else
	run         Run
	candidates  []Candidate
	evaluations []Evaluation // in the order of recording
	champion    int
	comparisons []Comparison
}

func newMemory() *memory { return &memory{champion: -1} }

func (m *memory) Begin(_ context.Context, spec RunSpec) (Run, error) {
	m.run = Run{ID: 1, Name: spec.Name}
	return m.run, nil
}

func (m *memory) Judge(_ context.Context, _ int64, tuned Length) (Run, error) {
	m.run.Generations = tuned.Generations
	return m.run, nil
}

// finish carries the tuning out, and returns the finalists.
func (s *state) finish(ctx context.Context) (finalists []int, err error) {
	centre, err := s.tune(ctx)
	if err == nil {
		err = s.judge(ctx)
	}
	if err == nil {
		finalists, err = s.finalists(ctx, centre)
	}
	return finalists, err
}

func (m *memory) Candidates(_ context.Context, _ int64, first, last int) ([]Candidate, error) {
	return slices.Clone(between(m.candidates, first, last)), nil
}

func (m *memory) AddCandidates(_ context.Context, _ int64, candidates []Candidate) error {
	m.candidates = append(m.candidates, candidates...)
	return nil
}

func (m *memory) Known(_ context.Context, _ int64, questions []Question) ([]Known, error) {
	return make([]Known, len(questions)), nil
}

func (m *memory) Tuned(_ context.Context, _ int64, at Place, numbers []int, from, below int) iter.Seq2[Evaluation,
	error] {
	m.reads++
	return func(yield func(Evaluation, error) bool) {
		for e := range againOf(m.evaluations)(at, numbers, from, below) {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// againOf reads evaluations out of a list.
func againOf(all []Evaluation) Again {
	return func(at Place, numbers []int, from, below int) iter.Seq[Evaluation] {
		var list []Evaluation
		for _, e := range all {
			if e.Phase == PhaseTuning && e.Stage == at.Stage && e.Search == at.Search && e.Number >= from && e.Number < below &&
				(numbers == nil || slices.Contains(numbers, e.Candidate)) {
				list = append(list, e)
			}
		}
		slices.SortStableFunc(list, func(a, b Evaluation) int {
			return cmp.Or(cmp.Compare(a.Candidate, b.Candidate), cmp.Compare(a.Number, b.Number))
		})
		return slices.Values(list)
	}
}

func (m *memory) AddGame(context.Context, int64, Game) error { return nil }

func (m *memory) AddEvaluations(_ context.Context, _ int64, evaluations []Evaluation, _ bool) error {
	m.evaluations = append(m.evaluations, evaluations...)
	return nil
}

func (m *memory) SetChampion(_ context.Context, _ int64, candidate int, heldOutSalt string) error {
	m.champion, m.run.HeldOutSalt = candidate, heldOutSalt
	return nil
}

func (m *memory) SetSize(_ context.Context, _ int64, at Place, size Size, _ map[int]int) error {
	if m.run.Sizes == nil {
		m.run.Sizes = map[string]Size{}
	}
	m.run.Sizes[at.Part()] = size
	return nil
}

func (m *memory) AddComparisons(_ context.Context, _ int64, comparisons []Comparison) error {
	m.comparisons = append(m.comparisons, comparisons...)
	return nil
}

func (m *memory) Finish(_ context.Context, _ int64, status string) error {
	m.run.Status = status
	return nil
}

// keeper is a memory that keeps the rows of all games.
type keeper struct {
	*memory
	games []Game
}

func (k *keeper) AddGame(ctx context.Context, run int64, g Game) error {
	k.games = append(k.games, g)
	return k.memory.AddGame(ctx, run, g)
}

// synthetic parses a config for synthetic games.
func synthetic(t testing.TB, text string) *config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text), "synthetic.yaml")
	must(t, err)
	return c
}

// carryOutSynthetic carries a config out with another seed, in a store of its own.
func carryOutSynthetic(c *config.Config, seed uint64, l landscape) (*memory, error) {
	seeded, store := *c, newMemory()
	seeded.Seed = seed
	_, err := Experiment{Config: &seeded, Simulator: l, Store: store}.Run(context.Background())
	return store, err
}

// played returns how many games were evaluated, by phase, stage and search.
func (m *memory) played() map[Place]int64 {
	played := map[Place]int64{}
	for _, e := range m.evaluations {
		played[Place{Phase: e.Phase, Stage: e.Stage, Search: e.Search}] += int64(len(e.Scores))
	}
	return played
}

// last returns the last round, and who plays in it.
func (m *memory) last() (round int, candidates []int) {
	last := m.evaluations[len(m.evaluations)-1]
	for _, e := range m.evaluations {
		if e.block() == last.block() && e.Round == last.Round {
			candidates = append(candidates, e.Candidate)
		}
	}
	return last.Round, distinct(candidates)
}

// standing returns a candidate's standing in a phase at a search.
func (m *memory) standing(o fitness.Objective, phase, search string, candidate int) *Standing {
	all := Fold(o, nil, slices.Values(m.evaluations), nil).Others
	i := slices.IndexFunc(all, func(t *Standings) bool { return t.Phase == phase && t.Search == search })
	return all[i].Of[candidate]
}

// against returns the champion's comparison with another candidate on held-out games.
func (m *memory) against(search string, baseline int) Comparison {
	i := slices.IndexFunc(m.comparisons, func(c Comparison) bool {
		return c.Phase == PhaseValidation && c.Search == search && c.Candidate == m.champion && c.Baseline == baseline
	})
	return m.comparisons[i]
}

// setNumber gives a setting of the optimizer another number.
func setNumber(c *config.Config, name string, x float64) {
	k, _ := key.Find(c.Optimizer, name)
	k.SetNumber(x)
}

// stateOf returns a run of the config with another seed, before its first phase.
func stateOf(c *config.Config, seed uint64, l landscape) (*state, *memory) {
	seeded, store := *c, newMemory()
	seeded.Seed = seed
	return newState(context.Background(), Experiment{Config: &seeded, Simulator: l, Store: store}, Run{}), store
}

// many is how often a test repeats n draws: a tenth of them, or ten, with -short.
func many(n int) int {
	if testing.Short() {
		return max(n/10, min(n, 10))
	}
	return n
}

// likely returns how many of n cases that each have the probability p there are at the least and at
// the most, but for three standard errors of luck.
func likely(n int, p float64) (least, most int) {
	mean := float64(n) * p
	reach := 3 * math.Sqrt(mean*(1-p))
	return int(math.Ceil(mean - reach)), int(mean + reach)
}

// repeat does something n times, on all processors.
func repeat(t testing.TB, n int, do func(i int) error) {
	t.Helper()
	var workers sync.WaitGroup
	var next atomic.Int64
	errs := make([]error, n)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = do(i)
			}
		})
	}
	workers.Wait()
	must(t, errors.Join(errs...))
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// between returns the candidates with numbers from first to last, of a list by number.
func between(list []Candidate, first, last int) []Candidate {
	return list[min(first, len(list)):min(last+1, len(list))]
}
