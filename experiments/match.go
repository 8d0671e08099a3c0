package experiments

import (
	"context"
	"math"
	"slices"

	"tune2048/configs"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
	"tune2048/tuner/fitness"
)

const (
	// comparisonBatch is the number of a player's games in a block. Looks come after whole batches.
	// Blocks are numbered by it: another number would be another layout of the stored games.
	comparisonBatch = 50
	// comparisonChunk is how many games of a player are played in one go: evaluations are recorded
	// in between.
	comparisonChunk = 10 * comparisonBatch
)

// match is a comparison under way at one search.
type match struct {
	Contest
	config     *configs.Comparison
	design     *stats.Design
	candidates []Candidate
	pairs      []Comparison
	findings   []stats.Finding       // by pair, at its last look
	games      [][]simulator.Outcome // by player, in the order of their seeds
	samples    []fitness.Sample      // of these games
	blocks     blockPlayer
	progress   Match
}

func newMatch(x Contest, config *configs.Comparison, run Run) *match {
	n := len(config.Players)
	m := &match{
		Contest: x, config: config, games: make([][]simulator.Outcome, n), samples: make([]fitness.Sample, n),
		progress: Match{Run: run, Search: config.Search.String(), Most: x.Games},
	}
	m.blocks = blockPlayer{
		store: x.Store, run: run.ID, simulator: x.Simulator, rules: config.Rules, objective: config.Objective,
		player: func(number int) simulator.Player {
			family := &config.Players[number].Family
			return simulator.Player{Family: family, Values: family.Values(), Dead: family.Dead}
		},
		recalled: func(_ Block, readBack int, _ bool) { m.progress.ReadBack += int64(readBack) },
		played: func(Game) {
			m.progress.Played++
			m.report()
		},
	}
	for number, p := range config.Players {
		c := Candidate{Number: number, Origin: originCompared, Name: p.Name, Dead: p.Family.Dead}
		for _, w := range p.Family.Weights() {
			c.Weights = append(c.Weights, Weight{w.Name, w.Value})
		}
		m.candidates = append(m.candidates, c)
		for second := number + 1; second < n; second++ {
			m.pairs = append(m.pairs, Comparison{
				Phase: PhaseComparison, Search: m.progress.Search, Candidate: number, Baseline: second, Objective: config.Objective.String(),
				Smallest: x.Plan.Difference, Question: x.question(), Level: x.Plan.Level, Verdict: Undecided,
			})
		}
	}
	m.findings = make([]stats.Finding, len(m.pairs))
	return m
}

// prepare records the players, unless they are there, and designs the test.
func (m *match) prepare(ctx context.Context) (err error) {
	r := registry{list: slices.Clone(m.candidates)}
	if r.stored, err = m.Store.Candidates(ctx, m.progress.Run.ID); err != nil {
		return err
	}
	for i := range min(len(r.stored), len(r.list)) {
		r.list[i].Name = r.stored[i].Name // the same player may go by several names
	}
	if err := r.record(ctx, m.Store, m.progress.Run); err != nil {
		return err
	}
	questions, err := m.Store.Questions(ctx, m.progress.Run.ID)
	if err != nil {
		return err
	}
	ask, asked := questions[m.question()]
	if !asked {
		for _, earlier := range questions {
			ask = max(ask, earlier)
		}
		ask++
	}
	if m.design, err = m.Contest.design(ask); err != nil {
		return err
	}
	for i := range m.pairs {
		m.pairs[i].Look = ask
	}
	m.progress.Ask = ask
	m.progress.Looks = len(m.design.Boundaries)
	if m.Games == 0 {
		m.progress.Most = m.design.Games(m.progress.Looks, firstRelativeSD)
	}
	return nil
}

// play lets the players play from look to look of the test until every pair is decided.
func (m *match) play(ctx context.Context) error {
	for look := 1; look <= len(m.design.Boundaries); look++ {
		live := m.live()
		if len(live) == 0 {
			break
		}
		games, ok := m.due(look, live)
		if !ok {
			break
		}
		m.progress.Look, m.progress.Games = look, games
		m.report()
		if err := m.extend(ctx, live, games); err != nil {
			return err
		}
		for i := range m.pairs {
			if !m.decided(i) {
				m.findings[i] = m.judge(&m.pairs[i], look, games)
			}
		}
		m.progress.Pairs = slices.Clone(m.pairs)
		m.report()
	}
	return nil
}

// decided reports whether the test of a pair has ended.
func (m *match) decided(pair int) bool {
	f := m.findings[pair]
	return f.Look > 0 && f.Verdict != Undecided
}

// live returns the players of whom a pair is undecided.
func (m *match) live() (numbers []int) {
	for i, p := range m.pairs {
		if !m.decided(i) {
			numbers = append(numbers, p.Candidate, p.Baseline)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// due returns the number of games of each player at which a look is due. It returns false if a run
// cannot hold them.
func (m *match) due(look int, live []int) (games int, ok bool) {
	if m.Games > 0 {
		return m.Games, true
	}
	relativeSD := firstRelativeSD
	if look > 1 {
		relativeSD = m.relativeSD(live...)
	}
	games = max(m.design.Games(look, relativeSD), m.samples[live[0]].Score.N)
	games = (games + comparisonBatch - 1) / comparisonBatch * comparisonBatch
	return games, games <= m.limit()
}

// relativeSD returns the standard deviation of a game's fitness in units of its mean. A ratio of
// geometric means is a difference of logarithms, so theirs needs no unit.
func (m *match) relativeSD(players ...int) float64 {
	var all []stats.Moments
	for _, number := range players {
		s := m.samples[number].Fitness
		if m.config.Objective.Unit().Logs {
			s.Mean = 1
		}
		all = append(all, s)
	}
	return stats.RelativeSD(all...)
}

// extend plays until each of the players has this number of games.
func (m *match) extend(ctx context.Context, players []int, games int) error {
	for from := len(m.games[players[0]]); from < games; {
		to := min(games, (from/comparisonChunk+1)*comparisonChunk)
		var blocks []Block
		for _, number := range players {
			for first := from; first < to; first += comparisonBatch {
				blocks = append(blocks, m.block(number, first, min(to, first+comparisonBatch)))
			}
		}
		played, err := m.blocks.play(ctx, blocks...)
		if err != nil {
			return err
		}
		for _, b := range played {
			number := b.Candidates[0]
			m.games[number] = append(m.games[number], b.games...)
		}
		from = to
	}
	for _, number := range players {
		m.samples[number] = m.config.Objective.Sample(m.games[number])
	}
	return nil
}

// block returns the block of a player's games from first, a multiple of the batch, up to end, which
// is not in it. Number, round and seed of a game depend on the player and the game alone, so that
// blocks can grow.
func (m *match) block(number, first, end int) Block {
	return Block{
		Phase: PhaseComparison, Search: m.config.Search.String(), Round: first/comparisonBatch*len(m.games) + number,
		Candidates: []int{number}, Seeds: gameSeeds(m.config.Seed, PhaseComparison, "", 0, first, end-first),
		First: int64(number)*int64(m.limit()) + int64(first), settings: m.config.Search,
	}
}

// judge judges a pair at a look of the test, by itself.
func (m *match) judge(c *Comparison, look, games int) stats.Finding {
	a, b := m.samples[c.Candidate], m.samples[c.Baseline]
	c.Confidence = m.design.Boundaries[look-1].Confidence()
	f := stats.Finding{Look: look}
	if m.config.Objective == fitness.MeanScore {
		f = m.design.Look(look, a.Score, b.Score)
		f.Ratio.Interval = f.Ratio.Interval.Within(0, math.Inf(1)) // no score is negative
	} else {
		p := 0.0
		f.Difference, f.Ratio, p = m.config.Objective.Compare(a, b, c.Confidence)
		f.Z = math.Copysign(portable.NormalQuantile(math.Max(p, 1e-300)/2), f.Difference.Value)
		f = m.design.Judge(f, games)
	}
	c.Games, c.BaselineGames, c.Difference, c.Ratio = games, games, f.Difference, f.Ratio
	if i := f.Difference.Interval; i.Low == i.High { // all scores are equal: too few
		c.Difference.Interval, c.Ratio.Interval = stats.Unbounded(), stats.Unbounded()
	}
	same := slices.EqualFunc(m.games[c.Candidate], m.games[c.Baseline], func(a, b simulator.Outcome) bool {
		a.Duration, b.Duration = 0, 0
		return a == b
	})
	switch {
	case same:
		c.Verdict = SameGames
	// A fixed number of games must be able to find the planned difference with the planned power.
	case f.Verdict == NoDifference && m.Games > 0 && m.design.Games(look, m.relativeSD(c.Candidate, c.Baseline)) > games:
		c.Verdict = Undecided
	default:
		c.Verdict = f.Verdict
	}
	return f
}

func (m *match) report() {
	if m.Observe != nil {
		m.Observe(m.progress)
	}
}
