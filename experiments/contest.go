package experiments

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

// Contest finds the best of several players, on games that none of them was tuned, chosen or
// validated by. The set of the players and the search salt the seeds, so another set has other
// games. It judges each pair at each search by a group sequential test (see [stats.Design]):
// at each look only the players of undecided pairs play on. All pairs at all searches are one
// family: the plan's level bounds the probability of any false difference (see [stats.Holm]).
//
// Its run is identified by the players, the searches, the rules, the seed and the objective. The
// question is no part of the identity: a smaller difference, another level or more games reuse the
// stored games. Every figure comes from each player's first games, in the number that the question
// asks for, even if the store has more.
//
// A run remembers its questions. Somebody who asks often enough about the same players finds luck.
// So all questions about a set of players share the level (see [stats.AskShare]), also by another
// seed or objective, or at other searches. Asking the same question again is no new one, nor is
// another level. Equal players asked at one of 20, 10, 6, 3 and 2 times 2% are called different
// hardly more often than at 4%.
type Contest struct {
	Config    *config.Contest // 2 to config.MaxPlayers different players
	Plan      stats.Plan      // valid; its level is for all pairs at all searches together
	Games     int             // of each player; 0: by the sequential test
	Simulator Simulator
	Store     Store
	Observe   func(Progress) // gets every game and every look; may be nil
}

const (
	// firstRelativeSD is the standard deviation of the scores that is assumed before the first
	// look, in units of their mean.
	firstRelativeSD = 0.5
	// minLevel is the least level of a pair at a look. A test at a smaller one would be
	// inaccurate.
	minLevel = 1e-9
	// comparisonName is the name of all comparisons, with .2, .3 and so on behind it.
	comparisonName = "compare"
	// OriginCompared is the origin of a comparison's players. Their names identify nothing.
	OriginCompared = "compared"
)

// Run carries the comparison out, or on: it plays only what the store does not have. The answers
// are in the store, with the Progress.Ask of their question as their Look. When ctx is done it
// marks the run as interrupted and returns ctx's error.
func (x Contest) Run(ctx context.Context) (ended Progress, err error) {
	if err := x.Check(); err != nil {
		return ended, err
	}
	s, err := x.begin(ctx)
	if err != nil {
		return ended, err
	}
	defer func() { ended, err = s.progress, finish(ctx, x.Store, s.run.ID, err) }()
	questions, err := x.Store.Questions(ctx, s.run.ID)
	if err != nil {
		return ended, err
	}
	ask, asked := questions[x.label()]
	if !asked {
		ask = 1 + slices.Max(append(slices.Collect(maps.Values(questions)), 0))
	}
	s.progress.Ask = ask
	s.report()
	return ended, x.answer(ctx, s, ask)
}

// begin begins the run of the players, and records them.
func (x Contest) begin(ctx context.Context) (*session, error) {
	c := x.Config
	run, err := begin(ctx, x.Store, RunSpec{
		Name: comparisonName, Kind: KindCompare, ConfigYAML: string(c.YAML()), ConfigHash: c.Hash(), Tuning: c.Set(),
		Seed: c.Seed, Signature: simulator.Signature, Objective: c.Objective.String(),
	}, Players(nil, c)...)
	if err != nil {
		return nil, err
	}
	plan := x.Planned()
	s := newSession(x.Store, run, x.Simulator, c.Objective, plan, x.Observe)
	s.seed, s.run.HeldOutSalt = c.Seed, c.Set()
	s.number = func(b Block, player, slice int) int { // whatever was asked before, by another question
		search := slices.IndexFunc(plan, func(p PlannedPart) bool { return p.Search == b.Search })
		return (search*len(c.Players)+player)*(x.limit()/SliceGames) + slice
	}
	s.accept = func(_ Block, evaluations []Evaluation) error {
		for _, e := range evaluations {
			if e.Failure != "" {
				return fmt.Errorf("player %s cannot be played: %w", c.Players[e.Candidate].Name,
					simulator.Failure(s.candidates.player(e.Candidate), e.Failure))
			}
		}
		return nil
	}
	for _, p := range c.Players {
		player := p.At(c.Rules)
		one := Candidate{Origin: OriginCompared, Name: p.Name, Dead: p.Heuristic.Dead, PlayHash: player.Hash()}
		for i, name := range p.Heuristic.Names() {
			one.Weights = append(one.Weights, Weight{name, player.Values[i]})
		}
		s.candidates.enter(one, player)
	}
	if err := s.candidates.record(ctx, x.Store, run); err != nil {
		return nil, finish(ctx, x.Store, run.ID, err)
	}
	return s, nil
}

// Planned lists what the players play at each search, at most, by the first guess of the spread of
// their scores.
func (x Contest) Planned() (plan []PlannedPart) {
	games := x.Games
	if games == 0 {
		if design, err := x.design(1); err == nil {
			games = design.Games(x.Plan.Looks, firstRelativeSD)
		}
	}
	for _, search := range x.Config.Searches {
		plan = append(plan, planned(PhaseComparison, search, len(x.Config.Players), games, 1))
	}
	return plan
}

// Check reports why a comparison cannot be carried out.
func (x Contest) Check() error {
	_, err := x.design(1)
	return err
}

// label names the question. Another name makes another question about the same players.
func (x Contest) label() string {
	switch standard := stats.DefaultPlan().Difference; {
	case x.Games > 0 && x.Plan.Difference != standard:
		return fmt.Sprintf("%d games, difference %.9g%%", x.Games, 100*x.Plan.Difference)
	case x.Games > 0:
		return fmt.Sprintf("%d games", x.Games)
	}
	return fmt.Sprintf("sequential: %.9g%%, power %.9g%%, at most %d times", 100*x.Plan.Difference,
		100*x.Plan.Power, x.Plan.Looks)
}

// design returns the test of each pair for the n-th question about its games. Its error says why
// the comparison cannot be carried out.
func (x Contest) design(ask int) (*stats.Design, error) {
	plan, n := x.Plan, len(x.Config.Players)
	if x.Games > 0 {
		plan.Looks = 1
	}
	tests := n * (n - 1) / 2 * len(x.Config.Searches)
	plan.Level *= stats.AskShare(ask) / float64(tests)
	if plan.Level < minLevel {
		return nil, fmt.Errorf("level: %v leaves too little for each of %d tests of question %d about these players: want "+
			"fewer players or searches",
			x.Plan.Level, tests, ask)
	}
	design, limit := plan.Design(), x.limit()
	if x.Games != 0 && (x.Games < 2 || x.Games > limit) {
		return nil, fmt.Errorf("games: want 2 to %d of each player, got %d", limit, x.Games)
	}
	if most := design.Games(plan.Looks, firstRelativeSD); x.Games == 0 && most > limit {
		return nil, fmt.Errorf("difference: %g%% takes up to %d games of each player, want at most %d: ask for a larger "+
			"difference",
			100*plan.Difference, most, limit)
	}
	return design, nil
}

// limit is the most games of a player at a search: these have their own part of the numbers of the
// run's evaluations.
func (x Contest) limit() int {
	return MaxGames / (len(x.Config.Players) * len(x.Config.Searches)) / SliceGames * SliceGames
}

// answer plays what a question asks for, one search after the other, and records the answers.
func (x Contest) answer(ctx context.Context, s *session, ask int) error {
	design, err := x.design(ask)
	if err != nil {
		return err
	}
	var rows []Comparison
	for _, search := range x.Config.Searches {
		m := &match{x, s.standingsAt(PhaseComparison, search.String()), design}
		p := newPairs(design, x.pairs(search.String(), ask))
		if err := s.decide(ctx, p, func(look int, live []int) (Block, bool) {
			slices.Sort(live)
			games, most, played := x.Games, x.Games, m.standing(live[0]).Score.N
			if x.Games == 0 { // as far as the spread is known
				spread := firstRelativeSD
				if look > 1 {
					spread = m.relativeSD(live...)
				}
				games, most = max(design.Games(look, spread), played), design.Games(len(design.Boundaries), spread)
				games = (games + SliceGames - 1) / SliceGames * SliceGames
			}
			s.progress.Left = int64(len(live) * max(0, most-played))
			return x.block(search.String(), live, played, games), games <= x.limit()
		}, m.judge); err != nil {
			return err
		}
		for i, c := range p.rows {
			c.P, c.Look = p.pValue(i), ask
			rows = append(rows, c)
		}
	}
	correct(rows, stats.AskShare(ask))
	if err := x.Store.AddComparisons(ctx, s.run.ID, rows); err != nil {
		return fmt.Errorf("record the comparison: %w", err)
	}
	return nil
}

// pairs are the pairs of the players at a search.
func (x Contest) pairs(search string, ask int) (rows []Comparison) {
	for number := range x.Config.Players {
		for second := number + 1; second < len(x.Config.Players); second++ {
			rows = append(rows, Comparison{
				Phase: PhaseComparison, Search: search, Candidate: number, Baseline: second,
				Objective: x.Config.Objective.String(), Look: ask,
				Smallest: x.Plan.Difference, Question: x.label(), Level: x.Plan.Level,
			})
		}
	}
	return rows
}

// block is the block of players' games from first up to end, which is not in it. The seed of a game
// depends on its index alone.
func (x Contest) block(search string, players []int, first, end int) Block {
	return Block{Place: Place{Phase: PhaseComparison, Search: search}, Candidates: players, First: first,
		Games: end - first}
}

// match is a comparison at one search.
type match struct {
	Contest
	standings *Standings
	test      *stats.Design // of each pair
}

// standing returns the games of a player so far.
func (m *match) standing(number int) *Standing {
	if s := m.standings.Of[number]; s != nil {
		return s
	}
	return &Standing{Place: Place{Candidate: number}}
}

// relativeSD returns the standard deviation of a game's fitness in units of its mean. A ratio of
// geometric means is a difference of logarithms, so theirs needs no unit.
func (m *match) relativeSD(players ...int) float64 {
	var all []stats.Moments
	for _, number := range players {
		s := m.Config.Objective.Spread(m.standing(number).Sample)
		if s.Equal() {
			s.Mean = 1 // it has no spread in any unit
		}
		if s.Mean <= 0 && !m.Config.Objective.Unit().Logs { // differences are in standard deviations
			return 1
		}
		if m.Config.Objective.Unit().Logs {
			s.Mean = 1
		}
		all = append(all, s)
	}
	return stats.RelativeSD(all...)
}

// judge judges a pair at a look of the test, by itself.
func (m *match) judge(c *Comparison, confidence float64) (z float64, decided bool) {
	a, b := m.standing(c.Candidate), m.standing(c.Baseline)
	c.Games, c.BaselineGames, c.Confidence = a.Score.N, b.Score.N, confidence
	pairs := stats.PairsOf(a.Figures, b.Figures)
	c.Difference, c.Ratio, c.P = m.Config.Objective.Compare(a.Sample, b.Sample, pairs, confidence)
	z = m.Config.Objective.Z(a.Sample, b.Sample, pairs)
	c.Verdict = m.test.Judge(c.Look, z, c.Games)
	decided = c.Verdict != Undecided
	switch {
	case a.same(b):
		c.Verdict = SameGames
	case !c.Difference.Interval.Bounded(): // such as of equal scores
		c.Verdict, decided = Undecided, false
	case c.Verdict == NoDifference && !c.Ratio.Interval.Bounded() && !math.IsInf(c.Ratio.Value, 1):
		c.Verdict, decided = Undecided, false // such as of a tile that nobody reached
	// A fixed number of games must be able to find the planned difference with the planned power.
	case c.Verdict == NoDifference && m.Games > 0 &&
		m.test.Games(c.Look, m.relativeSD(c.Candidate, c.Baseline)) > c.Games:
		c.Verdict = Undecided
	}
	return z, decided
}
