package experiments

import (
	"context"
	"fmt"

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
// Each search has a run, identified by the players, the search, the rules, the seed and the
// objective. The question is no part of the identity: a smaller difference, another level or more
// games reuse the stored games. Every figure comes from each player's first games, in the number
// that the question asks for, even if the store has more.
//
// A run remembers its questions. Somebody who asks often enough about the same players finds luck.
// So all questions about a set of players at a search share the level (see [stats.AskShare]), also
// by another seed or objective, or at another number of searches. Asking the same question again is
// no new one, nor is another level. Equal players asked at one of 20, 10, 6, 3 and 2 times 2% are
// called different hardly more often than at 4%.
type Contest struct {
	// Configs has one of each search. Rules, seed, objective and players are the same: 2 to
	// config.MaxPlayers different players.
	Configs   []*config.Contest
	Plan      stats.Plan // valid; its level is for all pairs at all searches together
	Games     int        // of each player; 0: by the sequential test
	Simulator Simulator
	Store     Store
	Observe   func(Match) // gets every game and every look; may be nil

	ask, searches int // of a question that is repeated: its number, and at how many searches it was asked
}

// Match is the players of a comparison at a search, as far as it is.
type Match struct {
	Run    Run
	Search string
	Ask    int          // number of this question among those asked of these games, from 1
	Look   int          // that is played for, from 1
	Looks  int          // at most
	Most   int          // games of each player at the last look, by the first guess of their spread
	Pairs  []Comparison // by the players' places in the config, at the look before; nil at first
	Played int64
	Reused int64 // games that were not played for it
}

const (
	// firstRelativeSD is the standard deviation of the scores that is assumed before the first
	// look, in units of their mean.
	firstRelativeSD = 0.5
	// leastLevel is the least level of a pair at a look. A test at a smaller one would be
	// inaccurate.
	leastLevel = 1e-9
	// comparisonName is the name of all comparisons, with .2, .3 and so on behind it.
	comparisonName = "compare"
	inSearches     = ", at %d searches" // at the end of a question
	originCompared = "compared"
)

// Run carries the comparison out, or on: it plays only what the store does not have, and returns
// what it found at each search. When ctx is done it marks the runs as interrupted and returns ctx's
// error.
func (x Contest) Run(ctx context.Context) (found []Match, err error) {
	if err := x.Check(); err != nil {
		return nil, err
	}
	var matches []*match
	defer func() {
		for _, m := range matches {
			err = finish(ctx, x.Store, m.progress.Run.ID, err)
		}
	}()
	for _, config := range x.Configs { // all before the first game: another process may hold one
		run, err := x.begin(ctx, config)
		if err != nil {
			return nil, err
		}
		m := newMatch(x, config, run)
		matches = append(matches, m)
		if err := m.prepare(ctx); err != nil {
			return nil, err
		}
	}
	for _, m := range matches {
		if err := m.play(ctx); err != nil {
			return nil, err
		}
	}
	x.correct(matches)
	for _, m := range matches {
		if err := x.Store.AddComparisons(ctx, m.progress.Run.ID, m.rows); err != nil {
			return nil, fmt.Errorf("record the comparison at %s: %w", m.config.Search, err)
		}
		m.progress.Pairs = m.rows
		found = append(found, m.progress)
	}
	return found, nil
}

// begin begins the run of a search.
func (x Contest) begin(ctx context.Context, config *config.Contest) (Run, error) {
	return begin(ctx, x.Store, RunSpec{
		Name: comparisonName, Kind: KindCompare, ConfigYAML: string(config.YAML()), ConfigHash: config.Hash(), Tuning: config.Set(),
		Seed:      config.Seed,
		Signature: simulator.Signature, Objective: config.Objective.String(),
	}, Players(nil, config)...)
}

// Check reports why a comparison cannot be carried out.
func (x Contest) Check() error {
	_, err := x.design(1)
	return err
}

// question names the question. Another name is another ask about the same players. So is another
// number of searches: whoever picks one of several searches afterwards picks by luck.
func (x Contest) question() string {
	text := fmt.Sprintf("sequential: %.9g%%, power %.9g%%, at most %d times", 100*x.Plan.Difference,
		100*x.Plan.Power, x.Plan.Looks)
	if x.Games > 0 {
		text = fmt.Sprintf("%d games", x.Games)
	}
	if n := max(len(x.Configs), x.searches); n > 1 {
		text += fmt.Sprintf(inSearches, n)
	}
	return text
}

// design returns the test of each pair for the n-th question about its games. Its error says why
// the comparison cannot be carried out.
func (x Contest) design(ask int) (*stats.Design, error) {
	plan, n := x.Plan, len(x.Configs[0].Players)
	if x.Games > 0 {
		plan.Looks = 1
	}
	tests := n * (n - 1) / 2 * max(len(x.Configs), x.searches)
	plan.Level *= stats.AskShare(ask) / float64(tests)
	if plan.Level < leastLevel {
		return nil, fmt.Errorf("level: %v leaves too little for each of %d tests of question %d about these players: want fewer players or searches",
			x.Plan.Level, tests, ask)
	}
	design, limit := plan.Design(), x.limit()
	if x.Games != 0 && (x.Games < 2 || x.Games > limit) {
		return nil, fmt.Errorf("games: want 2 to %d of each player, got %d", limit, x.Games)
	}
	if most := design.Games(plan.Looks, firstRelativeSD); x.Games == 0 && most > limit {
		return nil, fmt.Errorf("difference: %g%% takes up to %d games of each player, want at most %d: ask for a larger difference",
			100*plan.Difference, most, limit)
	}
	return design, nil
}

// limit is the most games of a player: each has its own part of the numbers of the run's
// evaluations.
func (x Contest) limit() int { return MaxGames / len(x.Configs[0].Players) / SliceGames * SliceGames }

// correct fills in the p-values, and corrects the verdicts for the number of tests. Each test was
// made at its share of the level, so a verdict stands. Where other pairs are clear, a pair may be
// judged at a larger share.
func (x Contest) correct(matches []*match) {
	var rows []*Comparison
	var p []float64
	for _, m := range matches {
		for i := range m.rows {
			c := &m.rows[i]
			c.P, c.Look = m.pValue(i), m.progress.Ask
			rows, p = append(rows, c), append(p, min(1, c.P/stats.AskShare(c.Look)))
		}
	}
	for i, adjusted := range stats.Holm(p) {
		c := rows[i]
		if c.Adjusted = adjusted; adjusted <= c.Level {
			c.judge(c.Level)
		}
	}
}
