package experiments

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// match is a comparison under way at one search.
type match struct {
	Contest
	*pairs   // of the players' places in the config
	config   *config.Contest
	of       []record // by player
	players  []eval.Player
	blocks   blockPlayer
	progress Match
}

// record holds a player's games, in the order of their seeds.
type record struct {
	fitness.Sample
	scores, figures []float64
	ranks           []byte
	hashes          []string // of the batches
}

func newMatch(x Contest, config *config.Contest, run Run) *match {
	n := len(config.Players)
	m := &match{
		Contest: x, config: config, of: make([]record, n),
		progress: Match{Run: run, Search: config.Search.String(), Most: x.Games},
	}
	m.blocks = blockPlayer{
		store: x.Store, run: run.ID, simulator: x.Simulator, objective: config.Objective,
		failed:   map[int]string{},
		player:   func(number int) eval.Player { return m.players[number] },
		recalled: func(_ Block, readBack int, _ bool) { m.progress.ReadBack += int64(readBack) },
		accept: func(_ Block, evaluations []Evaluation) error {
			for _, e := range evaluations {
				if e.Failure != "" {
					return fmt.Errorf("player %s cannot be played: %w", config.Players[e.Candidate].Name,
						simulator.Failure(m.blocks.player(e.Candidate), e.Failure))
				}
			}
			return nil
		},
		played: func(Game) {
			m.progress.Played++
			m.report()
		},
	}
	for _, p := range config.Players {
		m.players = append(m.players, p.At(config.Rules))
	}
	return m
}

// prepare records the players, unless they are there, and designs the test of their pairs.
func (m *match) prepare(ctx context.Context) (err error) {
	var r registry
	stored, err := m.Store.Candidates(ctx, m.progress.Run.ID, 0, len(m.config.Players)-1)
	if err != nil {
		return err
	}
	var rows []Comparison
	for number, p := range m.config.Players {
		c := Candidate{Number: number, Origin: originCompared, Name: p.Name, Dead: p.Heuristic.Dead}
		c.PlayHash = m.players[number].Hash()
		if number < len(stored) {
			c.Name = stored[number].Name // the same player may go by several names
		}
		for i, name := range p.Heuristic.Names() {
			c.Weights = append(c.Weights, Weight{name, m.players[number].Values[i]})
		}
		r.fresh = append(r.fresh, c)
		for second := number + 1; second < len(m.config.Players); second++ {
			rows = append(rows, Comparison{
				Phase: PhaseComparison, Search: m.progress.Search, Candidate: number, Baseline: second,
				Objective: m.config.Objective.String(),
				Smallest:  m.Plan.Difference, Question: m.question(), Level: m.Plan.Level,
			})
		}
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
		ask = 1 + slices.Max(append(slices.Collect(maps.Values(questions)), 0))
	}
	design, err := m.design(ask)
	if err != nil {
		return err
	}
	m.pairs = newPairs(design, rows)
	m.progress.Ask, m.progress.Looks = ask, len(design.Boundaries)
	if m.Games == 0 {
		m.progress.Most = design.Games(m.progress.Looks, firstRelativeSD)
	}
	return nil
}

// play lets the players play from look to look of the test until every pair is decided.
func (m *match) play(ctx context.Context) error {
	for look := 1; look <= m.progress.Looks && len(m.open) > 0; look++ {
		live := slices.Sorted(slices.Values(m.live()))
		games, ok := m.due(look, live)
		if !ok {
			break
		}
		m.progress.Look = look
		m.report()
		if err := m.extend(ctx, live, games); err != nil {
			return err
		}
		m.look(look, m.judge)
		m.progress.Pairs = slices.Clone(m.rows)
		m.report()
	}
	return nil
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
	games = max(m.test.Games(look, relativeSD), m.of[live[0]].Score.N)
	games = (games + batchSize - 1) / batchSize * batchSize
	return games, games <= m.limit()
}

// relativeSD returns the standard deviation of a game's fitness in units of its mean. A ratio of
// geometric means is a difference of logarithms, so theirs needs no unit.
func (m *match) relativeSD(players ...int) float64 {
	var all []stats.Moments
	for _, number := range players {
		s := m.of[number].Fitness
		if s.Mean <= 0 && !m.config.Objective.Unit().Logs { // differences are in standard deviations
			return 1
		}
		if m.config.Objective.Unit().Logs {
			s.Mean = 1
		}
		all = append(all, s)
	}
	return stats.RelativeSD(all...)
}

// extend plays until each of the players has this number of games.
func (m *match) extend(ctx context.Context, players []int, games int) error {
	for from, to := len(m.of[players[0]].scores), 0; from < games; from = to {
		to = min(games, (from/(chunk*batchSize)+1)*chunk*batchSize)
		var blocks []Block
		for _, number := range players {
			blocks = append(blocks, m.block(number, from, to).batches()...)
		}
		evaluations, err := m.blocks.play(ctx, blocks...)
		if err != nil {
			return err
		}
		for _, e := range evaluations {
			p := &m.of[e.Candidate]
			p.scores, p.ranks, p.hashes = append(p.scores, e.Scores...), append(p.ranks, e.Ranks...),
				append(p.hashes, e.GamesHash)
		}
	}
	for _, number := range players {
		p := &m.of[number]
		p.measure(m.config.Objective)
	}
	return nil
}

// measure works out the figures of the games.
func (r *record) measure(objective fitness.Objective) {
	r.Sample, r.figures = objective.Sample(r.scores, r.ranks), objective.Figures(r.scores, r.ranks)
}

// block returns the block of a player's games from first up to end, which is not in it. Number and
// seed of a game depend on the player and the game alone.
func (m *match) block(number, first, end int) Block {
	return Block{
		Phase: PhaseComparison, Search: m.config.Search.String(), Candidates: []int{number},
		Seeds: gameSeeds(m.config.Seed, PhaseComparison, "", 0, first, end-first),
		First: int64(number)*int64(m.limit()) + int64(first),
	}
}

// judge judges a pair at a look of the test, by itself.
func (m *match) judge(c *Comparison, confidence float64) (z float64, decided bool) {
	a, b := m.of[c.Candidate], m.of[c.Baseline]
	c.Games, c.BaselineGames, c.Confidence = a.Score.N, b.Score.N, confidence
	pairs := stats.PairsOf(a.figures, b.figures)
	c.Difference, c.Ratio, c.P = m.config.Objective.Compare(a.Sample, b.Sample, pairs, confidence)
	if z = c.normal(); m.config.Objective == fitness.MeanScore {
		z = stats.MeanZ(a.Score, b.Score, pairs) // has more digits
	}
	c.Verdict = m.test.Judge(c.Look, z, c.Games)
	decided = c.Verdict != Undecided
	if i := c.Difference.Interval; i.Low == i.High { // all scores are equal: too few
		c.Difference.Interval, c.Ratio.Interval = stats.Unbounded(), stats.Unbounded()
	}
	switch {
	case slices.Equal(a.hashes, b.hashes):
		c.Verdict = SameGames
	case c.Verdict == NoDifference && !c.Ratio.Interval.Bounded() && !math.IsInf(c.Ratio.Value, 1):
		c.Verdict, decided = Undecided, false // such as of a tile that nobody reached
	// A fixed number of games must be able to find the planned difference with the planned power.
	case c.Verdict == NoDifference && m.Games > 0 &&
		m.test.Games(c.Look, m.relativeSD(c.Candidate, c.Baseline)) > c.Games:
		c.Verdict = Undecided
	}
	return z, decided
}

func (m *match) report() {
	if m.Observe != nil {
		m.Observe(m.progress)
	}
}
