package experiments

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// Comparison finds out which of several players is best, on games that none of them was tuned, chosen or validated by. Each
// pair is judged at each search by a group sequential test, see [stats.Design]: at its looks only the players of undecided
// pairs play on. All pairs at all searches are one family: some false difference is found with the probability of the plan's
// level at most, see [stats.Holm].
//
// There is a run of each search, identified by the players, the search, the rules and the seed, not by the question: a
// smaller difference, another level or more games reuse what is there. Every figure comes from the first games of each
// player, as many as the question asks for, however many the store has. A run remembers its questions. Each is another look
// at the same games, and luck would be found by looking often enough: so the looks share the level, see [stats.LookShare]. A
// question that is asked again is no other look. What differs in the level or in what it is asked together with is the same
// question: at one of 20, 10, 6, 3 and 2 times 2% equal players are called different hardly more often than at 4% alone.
type Comparison struct {
	Configs   []*configs.Comparison // of the same players, rules and seed: one of each search
	Plan      stats.Plan            // complete; its level is that of all pairs at all searches together
	Games     int                   // of each player; 0: as many as the sequential test asks for
	Simulator Simulator
	Store     Store
	New       bool                     // start afresh even if the store has runs of this comparison
	Observe   func(ComparisonProgress) // told of every game and every look; may be nil
}

// ComparisonProgress is how far a comparison is.
type ComparisonProgress struct {
	Run      Run
	Search   string
	Look     int // that is played for, from 1
	Looks    int
	Games    int    // of each player that goes on, at that look
	Most     int    // games of each player at the last look, as far as the first guess of their spread holds
	Pairs    []Pair // at the look before; nil at first
	Played   int64
	ReadBack int64 // games read back from the store
}

// Compared is what a comparison found at a search.
type Compared struct {
	Run      Run
	Search   string
	Look     int        // which question of these games it was, from 1
	Plan     stats.Plan // of each pair: its level is its share
	Players  []PlayerFigures
	Pairs    []Pair // all of them, by the players' numbers
	Played   int64
	ReadBack int64 // games read back from the store
}

// PlayerFigures are those of one player, by number: its place in the config.
type PlayerFigures struct {
	Candidate  Candidate
	Evaluation Evaluation    // of all its games; the interval holds by itself with 1 - level, wherever the test stopped
	Duration   time.Duration // sum over the games
}

// Pair is what is known of two players.
type Pair struct {
	First, Second int // numbers
	Games         int // of each
	// Finding is that of the last look at the pair: first minus second, first divided by second. Its verdict is stats.GoOn
	// where the games do not suffice to say that there is no difference of the planned size.
	stats.Finding
	Confidence float64 // of both intervals
	PValue     float64 // of this pair by itself, valid wherever the test stopped
	Adjusted   float64 // for all pairs at all searches, by Holm's method, and for earlier looks at these games
	Same       bool    // whether all games of both are the very same
	decided    bool
}

const (
	// comparisonBatch is the games of a player in a block, and looks come after whole batches. Blocks are numbered by it:
	// another number would be another layout of the stored games.
	comparisonBatch = 50
	// comparisonChunk is how many games of a player are played in one go: evaluations are recorded in between.
	comparisonChunk = 10 * comparisonBatch
	// firstSpread is what the standard deviation of the scores is taken to be before the first look, in units of their mean.
	firstSpread = 0.5
	// comparisonName is that of all comparisons: with .2, .3 and so on behind it.
	comparisonName = "compare"
	originCompared = "compared"
)

// match is a comparison under way at one search.
type match struct {
	Comparison
	config     *configs.Comparison
	run        Run
	look       int // which question of these games it is
	design     *stats.Design
	candidates []Candidate
	pairs      []Pair
	games      [][]simulator.Outcome // by player, in the order of their seeds
	scores     []stats.Moments       // of those
	stopped    []int                 // by player: the look of the test that it played for last
	blocks     blockPlayer
	progress   ComparisonProgress
}

// Run carries the comparison out, or on: what the store has already is not played again. It returns what it found at each
// search. When ctx is done the runs are left as interrupted and the error is ctx's.
func (x Comparison) Run(ctx context.Context) (found []Compared, err error) {
	first, err := x.design(1)
	if err != nil {
		return nil, err
	}
	designs := map[int]*stats.Design{1: first} // by look
	var matches []*match
	defer func() {
		for _, m := range matches {
			err = finish(ctx, x.Store, m.run.ID, err)
		}
	}()
	for _, config := range x.Configs { // all of them before the first game: another process may be at work on one
		run, err := x.Store.Begin(ctx, RunSpec{
			Name: comparisonName, Kind: KindCompare, ConfigYAML: string(config.YAML()), ConfigHash: config.Hash(), Seed: config.Seed,
			Signature: simulator.Signature, Objective: fitness.MeanScore.String(), New: x.New,
		})
		if err != nil {
			return nil, err
		}
		n := len(config.Players)
		m := &match{
			Comparison: x, config: config, run: run, games: make([][]simulator.Outcome, n), scores: make([]stats.Moments, n),
			stopped: make([]int, n),
		}
		matches = append(matches, m)
		if err := m.prepare(ctx, designs); err != nil {
			return nil, err
		}
	}
	for _, m := range matches {
		if err := m.play(ctx); err != nil {
			return nil, err
		}
	}
	x.correct(matches)
	alone := x.plan().Design()
	for _, m := range matches {
		if err := x.Store.AddContrasts(ctx, m.run.ID, m.contrasts()); err != nil {
			return nil, fmt.Errorf("record the comparison at %s: %w", m.config.Search, err)
		}
		found = append(found, m.compared(alone))
	}
	return found, nil
}

// prepare finds out what the store knows of the match, and designs its test, unless that is among the designs.
func (m *match) prepare(ctx context.Context, designs map[int]*stats.Design) (err error) {
	if m.candidates, err = m.register(ctx); err != nil {
		return err
	}
	m.blocks = blockPlayer{
		store: m.Store, run: m.run.ID, simulator: m.Simulator, rules: m.config.Rules, objective: fitness.MeanScore,
		player: func(number int) simulator.Player {
			family := &m.config.Players[number].Family
			return simulator.Player{Family: family, Values: family.Start(), Dead: family.Dead}
		},
		recalled: func(_ Block, readBack int, _ bool) { m.progress.ReadBack += int64(readBack) },
		played: func(Game) {
			m.progress.Played++
			m.report()
		},
	}
	questions, err := m.Store.Questions(ctx, m.run.ID)
	if err != nil {
		return err
	}
	look, asked := questions[m.question()]
	if !asked {
		for _, earlier := range questions {
			look = max(look, earlier)
		}
		look++
	}
	if designs[look] == nil {
		if designs[look], err = m.Comparison.design(look); err != nil {
			return err
		}
	}
	m.look, m.design = look, designs[look]
	return nil
}

// question is what tells a look at the games from another one.
func (x Comparison) question() string {
	if x.Games > 0 {
		return fmt.Sprintf("%d games", x.Games)
	}
	return fmt.Sprintf("sequential: %.9g%%, power %.9g%%, at most %d times", 100*x.Plan.Difference, 100*x.Plan.Power, x.Plan.Looks)
}

// compared returns what was found. The interval of a player's mean is that of a test which is made alone.
func (m *match) compared(alone *stats.Design) Compared {
	result := Compared{
		Run: m.run, Search: m.config.Search.String(), Look: m.look, Plan: m.design.Plan, Pairs: m.pairs,
		Played: m.progress.Played, ReadBack: m.progress.ReadBack,
	}
	for number, games := range m.games {
		f := PlayerFigures{Candidate: m.candidates[number], Evaluation: summarize(fitness.MeanScore, Place{Phase: PhaseComparison, Search: result.Search, Candidate: number}, games)}
		f.Evaluation.Interval = stats.MeanInterval(f.Evaluation.Score, alone.Boundaries[m.stopped[number]-1].Confidence())
		for _, g := range games {
			f.Duration += g.Duration
		}
		result.Players = append(result.Players, f)
	}
	return result
}

// Check reports why a comparison cannot be carried out.
func (x Comparison) Check() error {
	_, err := x.design(1)
	return err
}

// plan is that of all tests together: one look of a fixed number of games.
func (x Comparison) plan() stats.Plan {
	if x.Games > 0 {
		x.Plan.Looks = 1
	}
	return x.Plan
}

// leastLevel is the least of a pair at a look: a test at a smaller one could not be computed accurately.
const leastLevel = 1e-9

// design returns the test of each pair at a look at its games, or what is wrong with what was asked for.
func (x Comparison) design(look int) (*stats.Design, error) {
	if len(x.Configs) == 0 {
		return nil, fmt.Errorf("compare: want at least one search")
	}
	players := x.Configs[0].Players
	n := len(players)
	if n < 2 {
		return nil, fmt.Errorf("compare: want at least 2 players, got %d", n)
	}
	if n > configs.MaxPlayers {
		return nil, fmt.Errorf("compare: want at most %d players, got %d", configs.MaxPlayers, n)
	}
	for i, p := range players[1:] { // equal ones are neighbours
		if before := players[i]; p.Text() == before.Text() {
			return nil, fmt.Errorf("compare: %s and %s are the same heuristic with the same weights: want different players", before.Name, p.Name)
		}
	}
	if err := x.Plan.Validate(); err != nil {
		return nil, err
	}
	plan := x.plan()
	tests := n * (n - 1) / 2 * len(x.Configs)
	plan.Level *= stats.LookShare(look) / float64(tests)
	if plan.Level < leastLevel {
		return nil, fmt.Errorf("level: %v leaves too little for each of %d tests at look %d at the same games: want fewer players or searches, or another seed",
			x.Plan.Level, tests, look)
	}
	design := plan.Design()
	limit := x.limit()
	if x.Games != 0 && (x.Games < 2 || x.Games > limit) {
		return nil, fmt.Errorf("games: want 2 to %d of each player, got %d", limit, x.Games)
	}
	if most := design.Games(plan.Looks, firstSpread); x.Games == 0 && most > limit {
		return nil, fmt.Errorf("difference: %g%% takes up to %d games of each player, want at most %d: ask for a larger difference",
			100*plan.Difference, most, limit)
	}
	return design, nil
}

// limit is the most games of a player: each has its own part of the run's numbers.
func (x Comparison) limit() int { return MaxGames / len(x.Configs[0].Players) }

// register records the players as the run's candidates, or sees that they are there.
func (m *match) register(ctx context.Context) ([]Candidate, error) {
	var candidates []Candidate
	for number, p := range m.config.Players {
		c := Candidate{Number: number, Origin: originCompared, Name: p.Name, Dead: p.Family.Dead}
		for _, n := range p.Family.Weights() {
			c.Weights = append(c.Weights, Weight{n.Name, n.Value})
		}
		candidates = append(candidates, c)
	}
	stored, err := m.Store.Candidates(ctx, m.run.ID)
	if err != nil {
		return nil, err
	}
	if len(stored) == 0 {
		return candidates, m.Store.AddCandidates(ctx, m.run.ID, candidates)
	}
	for i := range min(len(stored), len(candidates)) {
		stored[i].Name = candidates[i].Name // the same player may go by several names
	}
	if !reflect.DeepEqual(stored, candidates) {
		return nil, fmt.Errorf("resume run %s: the database has other players than are compared: it was changed by hand; start afresh with -new", m.run.Name)
	}
	return candidates, nil
}

// play lets the players play from look to look of the test until every pair is decided.
func (m *match) play(ctx context.Context) error {
	m.progress = ComparisonProgress{Run: m.run, Search: m.config.Search.String(), Looks: len(m.design.Boundaries), Most: m.Games}
	if m.Games == 0 {
		m.progress.Most = m.design.Games(m.progress.Looks, firstSpread)
	}
	for a := range m.games {
		for b := a + 1; b < len(m.games); b++ {
			m.pairs = append(m.pairs, Pair{First: a, Second: b})
		}
	}
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
		for _, number := range live {
			m.stopped[number] = look
		}
		for i := range m.pairs {
			if p := &m.pairs[i]; !p.decided {
				m.judge(p, look, games)
			}
		}
		m.progress.Pairs = append([]Pair(nil), m.pairs...)
		m.report()
	}
	return nil
}

// judge judges a pair at a look of the test, by itself.
func (m *match) judge(p *Pair, look, games int) {
	p.Games, p.Finding = games, m.design.Look(look, m.scores[p.First], m.scores[p.Second])
	p.Confidence = m.design.Boundaries[look-1].Confidence()
	p.decided = p.Verdict != stats.GoOn
	if p.Verdict == stats.NoDifference && m.Games > 0 && !m.suffices(p) {
		p.Verdict = stats.GoOn
	}
	p.Same = slices.EqualFunc(m.games[p.First], m.games[p.Second], func(a, b simulator.Outcome) bool {
		a.Duration, b.Duration = 0, 0
		return a == b
	})
	if i := p.Difference.Interval; i.Low == i.High { // scores without any spread are too few to tell
		p.Difference.Interval, p.Ratio.Interval = stats.Unbounded(), stats.Unbounded()
	}
}

// live returns the players of whom a pair is undecided.
func (m *match) live() (numbers []int) {
	for number := range m.games {
		for _, p := range m.pairs {
			if !p.decided && (p.First == number || p.Second == number) {
				numbers = append(numbers, number)
				break
			}
		}
	}
	return numbers
}

// due returns how many games of each the look is due at; false if that is more than a run can hold.
func (m *match) due(look int, live []int) (games int, ok bool) {
	if m.Games > 0 {
		return m.Games, true
	}
	spread := firstSpread
	var samples []stats.Moments
	for _, number := range live {
		samples = append(samples, m.scores[number])
	}
	if look > 1 {
		spread = stats.Spread(samples...)
	}
	games = max(m.design.Games(look, spread), samples[0].N)
	games = (games + comparisonBatch - 1) / comparisonBatch * comparisonBatch
	return games, games <= m.limit()
}

// suffices reports whether the games of a fixed number would have found the planned difference with the planned power.
func (m *match) suffices(p *Pair) bool {
	spread := stats.Spread(m.scores[p.First], m.scores[p.Second])
	return m.design.Detectable(p.Games, spread) <= m.design.Difference
}

// correct fills in the p-values, and corrects the verdicts for the number of tests: each was made at its share of the level, so
// a verdict lasts, and where others are clear a pair may be judged at a larger share.
func (x Comparison) correct(matches []*match) {
	var pairs []*Pair
	var p []float64
	for _, m := range matches {
		for i := range m.pairs {
			pair := &m.pairs[i]
			pair.PValue = m.design.PValue(pair.Look, pair.Z)
			pairs, p = append(pairs, pair), append(p, min(1, pair.PValue/stats.LookShare(m.look)))
		}
	}
	for i, adjusted := range stats.Holm(p) {
		pair := pairs[i]
		pair.Adjusted = adjusted
		if adjusted <= x.Plan.Level && pair.Verdict != stats.FirstBetter && pair.Verdict != stats.SecondBetter {
			pair.Verdict = stats.FirstBetter
			if pair.Z < 0 {
				pair.Verdict = stats.SecondBetter
			}
		}
	}
}

// contrasts returns the pairs as the store keeps them.
func (m *match) contrasts() (list []Contrast) {
	for _, p := range m.pairs {
		verdict := map[stats.Verdict]string{
			stats.FirstBetter: Better, stats.SecondBetter: Worse, stats.NoDifference: NoDifference, stats.GoOn: Undecided,
		}[p.Verdict]
		if p.Same {
			verdict = SameGames
		}
		list = append(list, Contrast{
			Phase: PhaseComparison, Search: m.config.Search.String(), Candidate: p.First, Baseline: p.Second, Objective: fitness.MeanScore.String(),
			Games: p.Games, BaselineGames: p.Games, Difference: p.Difference, Ratio: p.Ratio, Confidence: p.Confidence,
			Smallest: m.Plan.Difference, Question: m.question(), Look: m.look, P: p.PValue, Adjusted: p.Adjusted, Level: m.Plan.Level, Verdict: verdict,
		})
	}
	return list
}

// extend sees to it that each of the players has so many games.
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
			for _, o := range b.games {
				m.scores[number].Add(float64(o.Score))
			}
		}
		from = to
	}
	return nil
}

// block is the one of a player's games from first, a multiple of the batch, up to the one before end. Number, round and
// seed of a game depend on the player and the game alone, so that blocks can grow.
func (m *match) block(number, first, end int) Block {
	return Block{
		Phase: PhaseComparison, Search: m.config.Search.String(), Round: first/comparisonBatch*len(m.games) + number,
		Candidates: []int{number}, Seeds: gameSeeds(m.config.Seed, PhaseComparison, "", 0, first, end-first),
		First: int64(number)*int64(m.limit()) + int64(first), settings: m.config.Search,
	}
}

func (m *match) report() {
	if m.Observe != nil {
		m.Observe(m.progress)
	}
}
