package experiments

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

// ComparisonStore is a Store whose finished blocks can grow: a comparison that is asked again with more games plays only
// what is missing.
type ComparisonStore interface {
	Store
	// Recorded returns how many games a candidate of each finished block of the phase and search played, by round.
	Recorded(ctx context.Context, run int64, phase, search string) (map[int]int, error)
	// Reopen forgets the evaluations of a finished block, so that it can be finished again with more games. Its games stay.
	Reopen(ctx context.Context, run int64, block Block) error
}

// Comparison finds out which of several players is best at one search setting, on games that none of them was tuned,
// chosen or validated by. Each pair is judged by a group sequential test, see [stats.Design]: after each look
// at the scores only the players of undecided pairs play on.
//
// The run that remembers it is identified by the players, the search, the rules and the seed, not by the question: a
// smaller difference, another level or more games reuse what is there. Every figure comes from the first games of each
// player, as many as the question asks for, however many the store has.
type Comparison struct {
	Config    *configs.Comparison
	Plan      stats.Plan // complete; its level is that of all pairs together
	Games     int        // of each player; 0: as many as the sequential test asks for
	Simulator Simulator
	Store     ComparisonStore
	New       bool                     // start afresh even if the store has a run of this comparison
	Observe   func(ComparisonProgress) // told of every game and every look; may be nil
}

// ComparisonProgress is how far a comparison is.
type ComparisonProgress struct {
	Run      Run
	Look     int // that is played for, from 1
	Looks    int
	Games    int    // of each player that goes on, at that look
	Pairs    []Pair // at the look before; nil at first
	Played   int64
	ReadBack int64 // games read back from the store
}

// Compared is what a comparison found.
type Compared struct {
	Run      Run
	Search   string
	Plan     stats.Plan // of each pair: its level is that of all pairs divided by their number
	Looks    int        // at most
	Players  []PlayerFigures
	Pairs    []Pair // all of them, by the players' numbers
	Played   int64
	ReadBack int64 // games read back from the store
}

// PlayerFigures are those of one player, by number: its place in the config.
type PlayerFigures struct {
	Candidate  Candidate
	Evaluation Evaluation    // of all its games; the interval is the repeated one of its last look
	Duration   time.Duration // sum over the games
}

// Pair is what is known of two players.
type Pair struct {
	First, Second int // numbers
	Games         int // of each
	// Finding is that of the last look at the pair: first minus second, first divided by second. Its verdict is stats.GoOn
	// where the games do not suffice to say that there is no difference of the planned size.
	stats.Finding
	PValue   float64 // valid at whatever look the pair was stopped
	Adjusted float64 // for all pairs, by Holm's method
	decided  bool
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

// match is a comparison under way.
type match struct {
	Comparison
	run       Run
	games     [][]simulator.Outcome // by player, in the order of their seeds
	scores    []stats.Moments       // of those
	looks     []int                 // by player: the last look it played for
	recorded  map[int]int           // games of finished blocks by round
	standings *standings
	progress  ComparisonProgress
}

// Run carries the comparison out, or on: what the store has already is not played again. When ctx is done the run is
// left as interrupted and the error is ctx's.
func (x Comparison) Run(ctx context.Context) (result Compared, err error) {
	design, err := x.design()
	if err != nil {
		return result, err
	}
	run, err := x.Store.Begin(ctx, RunSpec{
		Name: comparisonName, Kind: KindCompare, ConfigYAML: string(x.Config.YAML()), ConfigHash: x.Config.Hash(), Seed: x.Config.Seed,
		Signature: simulator.Signature, Objective: configs.MeanScore, New: x.New,
	})
	if err != nil {
		return result, err
	}
	defer func() { err = finish(ctx, x.Store, run.ID, err) }()

	n := len(x.Config.Players)
	m := &match{Comparison: x, run: run, games: make([][]simulator.Outcome, n), standings: newStandings(configs.Objective{Kind: configs.MeanScore}), scores: make([]stats.Moments, n), looks: make([]int, n)}
	m.progress = ComparisonProgress{Run: run, Looks: len(design.Boundaries)}
	candidates, err := m.register(ctx)
	if err != nil {
		return result, err
	}
	if m.recorded, err = x.Store.Recorded(ctx, run.ID, PhaseComparison, x.Config.Search.String()); err != nil {
		return result, err
	}
	pairs, err := m.play(ctx, design)
	if err != nil {
		return result, err
	}
	judge(pairs, design, x.Plan.Level)
	if err := x.Store.AddContrasts(ctx, run.ID, m.contrasts(pairs, design)); err != nil {
		return result, fmt.Errorf("record the comparison at %s: %w", x.Config.Search, err)
	}
	result = Compared{
		Run: run, Search: x.Config.Search.String(), Plan: design.Plan, Looks: len(design.Boundaries), Pairs: pairs,
		Played: m.progress.Played, ReadBack: m.progress.ReadBack,
	}
	for number, games := range m.games {
		f := PlayerFigures{Candidate: candidates[number], Evaluation: summarize(configs.Objective{Kind: configs.MeanScore}, Place{Phase: PhaseComparison, Search: result.Search, Candidate: number}, games)}
		f.Evaluation.Interval = stats.MeanInterval(f.Evaluation.Score, design.Boundaries[m.looks[number]-1].Confidence())
		for _, g := range games {
			f.Duration += g.Duration
		}
		result.Players = append(result.Players, f)
	}
	return result, nil
}

// Check reports why a comparison cannot be carried out.
func (x Comparison) Check() error {
	_, err := x.design()
	return err
}

// design returns the test of each pair, or what is wrong with what was asked for.
func (x Comparison) design() (*stats.Design, error) {
	n := len(x.Config.Players)
	if n < 2 {
		return nil, fmt.Errorf("compare: want at least 2 players, got %d", n)
	}
	if n > configs.MaxPlayers {
		return nil, fmt.Errorf("compare: want at most %d players, got %d", configs.MaxPlayers, n)
	}
	for i, p := range x.Config.Players[1:] { // equal ones are neighbours
		if before := x.Config.Players[i]; p.Text() == before.Text() {
			return nil, fmt.Errorf("compare: %s and %s are the same heuristic with the same weights: want different players", before.Name, p.Name)
		}
	}
	plan := x.Plan
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	plan.Level /= float64(n * (n - 1) / 2)
	if x.Games > 0 {
		plan.Looks = 1
	}
	if err := plan.Validate(); err != nil {
		return nil, err
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
func (x Comparison) limit() int { return MaxGames / len(x.Config.Players) }

// register records the players as the run's candidates, or sees that they are there.
func (m *match) register(ctx context.Context) ([]Candidate, error) {
	var candidates []Candidate
	for number, p := range m.Config.Players {
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

// play lets the players play from look to look until every pair is decided.
func (m *match) play(ctx context.Context, design *stats.Design) ([]Pair, error) {
	var pairs []Pair
	for a := range m.games {
		for b := a + 1; b < len(m.games); b++ {
			pairs = append(pairs, Pair{First: a, Second: b})
		}
	}
	for look := 1; look <= len(design.Boundaries); look++ {
		live := m.live(pairs)
		if len(live) == 0 {
			break
		}
		games, ok := m.due(design, look, live)
		if !ok {
			break
		}
		m.progress.Look, m.progress.Games = look, games
		m.report()
		if err := m.extend(ctx, live, games); err != nil {
			return nil, err
		}
		for _, number := range live {
			m.looks[number] = look
		}
		for i := range pairs {
			p := &pairs[i]
			if p.decided {
				continue
			}
			p.Games, p.Finding = games, design.Look(look, m.scores[p.First], m.scores[p.Second])
			p.decided = p.Verdict != stats.GoOn
			if p.Verdict == stats.NoDifference && m.Games > 0 && !m.suffices(design, p) {
				p.Verdict = stats.GoOn
			}
		}
		m.progress.Pairs = append([]Pair(nil), pairs...)
		m.report()
	}
	return pairs, nil
}

// live returns the players of whom a pair is undecided.
func (m *match) live(pairs []Pair) (numbers []int) {
	for number := range m.games {
		for _, p := range pairs {
			if !p.decided && (p.First == number || p.Second == number) {
				numbers = append(numbers, number)
				break
			}
		}
	}
	return numbers
}

// due returns how many games of each the look is due at; false if that is more than a run can hold.
func (m *match) due(design *stats.Design, look int, live []int) (games int, ok bool) {
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
	games = max(design.Games(look, spread), samples[0].N)
	games = (games + comparisonBatch - 1) / comparisonBatch * comparisonBatch
	return games, games <= m.limit()
}

// suffices reports whether the games of a fixed number would have found the planned difference with the planned power.
func (m *match) suffices(design *stats.Design, p *Pair) bool {
	spread := stats.Spread(m.scores[p.First], m.scores[p.Second])
	return design.Detectable(p.Games, spread) <= design.Difference
}

// judge fills in the p-values, and corrects the verdicts for the number of pairs: each pair was tested at its share of the
// level, so a verdict lasts, and where others are clear a pair may be judged at a larger share.
func judge(pairs []Pair, design *stats.Design, level float64) {
	p := make([]float64, len(pairs))
	for i := range pairs {
		p[i] = 1
		if pairs[i].Look > 0 {
			p[i] = design.PValue(pairs[i].Look, pairs[i].Z)
		}
	}
	for i, adjusted := range stats.Holm(p) {
		pair := &pairs[i]
		pair.PValue, pair.Adjusted = p[i], adjusted
		if adjusted <= level && pair.Verdict != stats.FirstBetter && pair.Verdict != stats.SecondBetter {
			pair.Verdict = stats.FirstBetter
			if pair.Z < 0 {
				pair.Verdict = stats.SecondBetter
			}
		}
	}
}

// contrasts returns the pairs as the store keeps them.
func (m *match) contrasts(pairs []Pair, design *stats.Design) (list []Contrast) {
	for _, p := range pairs {
		list = append(list, Contrast{
			Phase: PhaseComparison, Search: m.Config.Search.String(), Candidate: p.First, Baseline: p.Second, Objective: configs.MeanScore,
			Games: p.Games, BaselineGames: p.Games, Difference: p.Difference, Ratio: p.Ratio, Confidence: design.Boundaries[p.Look-1].Confidence(),
			Look: p.Look, P: p.PValue, Adjusted: p.Adjusted,
			Verdict: map[stats.Verdict]string{
				stats.FirstBetter: Better, stats.SecondBetter: Worse, stats.NoDifference: NoDifference, stats.GoOn: Undecided,
			}[p.Verdict],
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
		if err := m.playBlocks(ctx, blocks); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// block is the one of a player's games from first, a multiple of the batch, up to the one before end. Number, round and
// seed of a game depend on the player and the game alone, so that blocks can grow.
func (m *match) block(number, first, end int) Block {
	return Block{
		Phase: PhaseComparison, Search: m.Config.Search.String(), Round: first/comparisonBatch*len(m.games) + number,
		Candidates: []int{number}, Seeds: gameSeeds(m.Config.Seed, PhaseComparison, "", 0, first, end-first),
		First: int64(number)*int64(m.limit()) + int64(first), settings: m.Config.Search,
	}
}

// playBlocks reads what the store has of the blocks, plays what is missing in one go, and records it.
func (m *match) playBlocks(ctx context.Context, blocks []Block) error {
	rest := missing{batch: simulator.Batch{Rules: m.Config.Rules}}
	player := func(number int) func() simulator.Player {
		return func() simulator.Player {
			family := &m.Config.Players[number].Family
			return simulator.Player{Family: family, Values: family.Start(), Dead: family.Dead, Settings: m.Config.Search}
		}
	}
	for number := range m.Config.Players { // in this order, by which a simulator may tell them apart
		rest.player(number, player(number))
	}
	outcomes := make([][]simulator.Outcome, len(blocks))
	var to []*simulator.Outcome // by missing game
	for i, b := range blocks {
		stored, err := m.Store.Games(ctx, m.run.ID, b)
		if err != nil {
			return err
		}
		m.progress.ReadBack += int64(len(stored))
		outcomes[i] = make([]simulator.Outcome, len(b.Seeds))
		for index := range b.Seeds {
			if o, known := stored[index]; known {
				outcomes[i][index] = o
				continue
			}
			to = append(to, &outcomes[i][index])
			rest.add(b.Game(index), player(b.Candidates[0]))
		}
	}
	if err := rest.play(ctx, m.Simulator, m.Store, m.run.ID, func(i int, g Game) {
		*to[i] = g.Outcome
		m.progress.Played++
		m.report()
	}); err != nil {
		return err
	}
	for i, b := range blocks {
		if err := m.finish(ctx, b, outcomes[i]); err != nil {
			return err
		}
		number := b.Candidates[0]
		m.games[number] = append(m.games[number], outcomes[i]...)
		for _, o := range outcomes[i] {
			m.scores[number].Add(float64(o.Score))
		}
	}
	return nil
}

// finish records the evaluation of a block, unless the store has it of as many games or more.
func (m *match) finish(ctx context.Context, b Block, games []simulator.Outcome) error {
	e := summarize(configs.Objective{Kind: configs.MeanScore}, b.place(0), games)
	m.standings.add(e)
	recorded := m.recorded[b.Round]
	switch {
	case recorded > len(games):
		return nil
	case recorded == len(games):
		stored, err := m.Store.Evaluations(ctx, m.run.ID, b)
		if err != nil {
			return err
		}
		if stored[e.Candidate].GamesHash != e.GamesHash {
			return fmt.Errorf("resume run %s: games %d to %d of player %d are not those that were evaluated: the database was changed by hand; start afresh with -new",
				m.run.Name, b.First, b.First+int64(len(games))-1, e.Candidate)
		}
		return nil
	case recorded > 0:
		if err := m.Store.Reopen(ctx, m.run.ID, b); err != nil {
			return err
		}
	}
	m.recorded[b.Round] = len(games)
	return m.Store.FinishBlock(ctx, m.run.ID, b, []Evaluation{e}, m.standings.list(b.Candidates), m.standings.spread(), true)
}

func (m *match) report() {
	if m.Observe != nil {
		m.Observe(m.progress)
	}
}
