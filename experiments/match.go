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
	players  []eval.Player
	blocks   *blockPlayer
	progress Match
}

func newMatch(x Contest, config *config.Contest, run Run) *match {
	m := &match{
		Contest: x, config: config,
		progress: Match{Run: run, Search: config.Search.String(), Most: x.Games},
	}
	for _, p := range config.Players {
		m.players = append(m.players, p.At(config.Rules))
	}
	m.blocks = newBlockPlayer(x.Store, run, x.Simulator, config.Objective, "")
	m.blocks.player = func(number int) eval.Player { return m.players[number] }
	// Whatever was asked before, by another question.
	m.blocks.number = func(candidate, slice int) int { return candidate*(m.limit()/SliceGames) + slice }
	m.blocks.enter = func(_ Block, reused int, _ bool) { m.progress.Reused += int64(reused) }
	m.blocks.accept = func(_ Block, evaluations []Evaluation) error {
		for _, e := range evaluations {
			if e.Failure != "" {
				return fmt.Errorf("player %s cannot be played: %w", config.Players[e.Candidate].Name,
					simulator.Failure(m.players[e.Candidate], e.Failure))
			}
		}
		return nil
	}
	m.blocks.observe = func(Game) {
		m.progress.Played++
		m.report()
	}
	return m
}

// of returns the games of a player so far.
func (m *match) of(number int) *Standing {
	if s := m.blocks.standingsAt(PhaseComparison, "", m.progress.Search).Of[number]; s != nil {
		return s
	}
	return &Standing{Place: Place{Candidate: number}}
}

// prepare records the players, and designs the test of their pairs.
func (m *match) prepare(ctx context.Context) error {
	if err := m.register(ctx); err != nil {
		return err
	}
	var rows []Comparison
	for number := range m.players {
		for second := number + 1; second < len(m.players); second++ {
			rows = append(rows, Comparison{
				Phase: PhaseComparison, Search: m.progress.Search, Candidate: number, Baseline: second,
				Objective: m.config.Objective.String(),
				Smallest:  m.Plan.Difference, Question: m.question(), Level: m.Plan.Level,
			})
		}
	}
	ask, err := m.asked(ctx)
	if err != nil {
		return err
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

// asked returns the number of the question.
func (m *match) asked(ctx context.Context) (ask int, err error) {
	if m.ask > 0 {
		return m.ask, nil
	}
	questions, err := m.Store.Questions(ctx, m.progress.Run.ID)
	ask, asked := questions[m.question()]
	if !asked {
		ask = 1 + slices.Max(append(slices.Collect(maps.Values(questions)), 0))
	}
	return ask, err
}

// register records the players, unless they are there.
func (m *match) register(ctx context.Context) error {
	var r registry
	stored, err := m.Store.Candidates(ctx, m.progress.Run.ID, 0, len(m.config.Players)-1)
	if err != nil {
		return err
	}
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
	}
	return r.record(ctx, m.Store, m.progress.Run)
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
	games = max(m.test.Games(look, relativeSD), m.of(live[0]).Score.N)
	games = (games + SliceGames - 1) / SliceGames * SliceGames
	return games, games <= m.limit()
}

// relativeSD returns the standard deviation of a game's fitness in units of its mean. A ratio of
// geometric means is a difference of logarithms, so theirs needs no unit.
func (m *match) relativeSD(players ...int) float64 {
	var all []stats.Moments
	for _, number := range players {
		s := m.of(number).Fitness
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

// extend plays until each of the players has this number of games. The seed of a game depends on
// its index alone.
func (m *match) extend(ctx context.Context, players []int, games int) error {
	first := m.of(players[0]).Score.N
	_, err := m.blocks.play(ctx, m.block(players, first, games))
	return err
}

// block is the block of players' games from first up to end, which is not in it.
func (m *match) block(players []int, first, end int) Block {
	return Block{
		Place: Place{Phase: PhaseComparison, Search: m.progress.Search}, Candidates: players,
		Stream: Stream{Seed: m.config.Seed, Phase: PhaseComparison, Salt: m.config.Set()}, First: first, Games: end - first,
	}
}

// judge judges a pair at a look of the test, by itself.
func (m *match) judge(c *Comparison, confidence float64) (z float64, decided bool) {
	a, b := m.of(c.Candidate), m.of(c.Baseline)
	c.Games, c.BaselineGames, c.Confidence = a.Score.N, b.Score.N, confidence
	pairs := stats.PairsOf(a.Figures, b.Figures)
	c.Difference, c.Ratio, c.P = m.config.Objective.Compare(a.Sample, b.Sample, pairs, confidence)
	if z = c.normal(); m.config.Objective == fitness.MeanScore {
		z = stats.MeanZ(a.Score, b.Score, pairs) // has more digits
	}
	c.Verdict = m.test.Judge(c.Look, z, c.Games)
	decided = c.Verdict != Undecided
	c.unbounded()
	switch {
	case a.same(b):
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

// unbounded opens the intervals where all scores are equal: these are too few.
func (c *Comparison) unbounded() {
	if i := c.Difference.Interval; i.Low == i.High {
		c.Difference.Interval, c.Ratio.Interval = stats.Unbounded(), stats.Unbounded()
	}
}
