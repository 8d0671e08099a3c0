package experiments

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments/stats"
)

// The phases after a tuning cost as much as the tuning has cost, up to evenGames of it. From then
// on their cost grows with its square root. Each phase has a share, and most games of a player.
const (
	evenGames          = 10_000.0
	playoffShare       = 0.15
	validationShare    = 0.6
	ablationShare      = 0.25
	maxPlayoff         = 10_000
	maxValidation      = 40_000
	minValidation      = 20
	maxAblation        = 4000
	minAblation        = 20 // with fewer no feature would be decided
	maxFinalists       = 8
	playoffRounds      = 10
	gamesOfOneFinalist = 2500
)

// judged returns the config with numbers in place of the sizes of playoff, validation and ablation
// that it leaves to the tuning. tuning is what that has cost, in games of its last stage, and cost
// is what a game costs at another search, in these. Nothing else is a part of them, so an ending
// after the same tuning has the same sizes.
func judged(c *config.Config, tuning func() float64, cost func(engine.Settings) float64) *config.Config {
	j := *c
	j.Playoff.Rounds = cmp.Or(j.Playoff.Rounds, playoffRounds)
	if c.Playoff.Finalists > 0 && c.Playoff.Games > 0 && c.Validation.Games > 0 && c.Ablation.Games != config.AutoGames {
		return &j
	}
	spent := tuning()
	rest := spent
	if spent > evenGames {
		rest = math.Sqrt(spent * evenGames)
	}
	games := func(share, each float64, least, most int) int {
		return int(min(max(float64(rest*share)/each, float64(least)), float64(most)))
	}
	p, v, a := &j.Playoff, &j.Validation, &j.Ablation
	if p.Finalists == 0 {
		p.Finalists = min(2+int(spent/gamesOfOneFinalist), maxFinalists)
	}
	if p.Games == 0 {
		finalists := max(p.Finalists, 2+len(c.Starts))
		p.Games = games(playoffShare, float64(finalists)*cost(p.Search), 2, maxPlayoff)
	}
	if v.Games == 0 {
		each := 0.0
		for _, s := range v.Search {
			if s.Games == 0 {
				each += cost(s.Settings)
			}
		}
		v.Games = minValidation
		if each > 0 {
			v.Games = games(validationShare, float64(heldOutPlayers(c))*each, minValidation, maxValidation)
		}
	}
	if a.Games == config.AutoGames {
		a.Games = games(ablationShare, float64(1+len(c.Heuristic.Features))*cost(a.Search), 0, maxAblation)
		if a.Games < minAblation {
			a.Games = 0
		}
	}
	return &j
}

// spent is what a tuning has cost.
type spent struct {
	nodes, played     int64 // of all generations; no nodes: of a bot
	lastNodes, inLast int64 // of the last one
}

// add adds a generation.
func (t *spent) add(evaluations []Evaluation) {
	t.lastNodes, t.inLast = 0, 0
	for _, e := range evaluations {
		t.lastNodes, t.inLast = t.lastNodes+e.Nodes, t.inLast+int64(len(e.Scores))
	}
	t.nodes, t.played = t.nodes+t.lastNodes, t.played+t.inLast
}

// games returns the cost in games of the last generation.
func (t *spent) games() float64 {
	if t.lastNodes == 0 {
		return float64(t.played)
	}
	return float64(t.nodes) / float64(t.lastNodes) * float64(t.inLast)
}

// pilot is the search of the games whose boards tell what moves cost. Games of a fixed depth end
// before the boards whose search takes longest.
var pilot = engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 7, Least: 2}}}

const (
	pilotGames   = 2
	pilotBoards  = 60
	endlessNodes = 1e12 // of a move that nobody has the time for
)

// costs tell what a move of the start weights costs at a search, in nodes: the same on every
// machine. Of a bot all games cost the same.
type costs struct {
	player eval.Player
	rules  engine.Rules
	nodes  map[string]float64 // of a move, by search

	tables  *engine.Tables
	compile time.Duration // of the tables
	boards  []engine.Board
}

func newCosts(c *config.Config) *costs {
	return costsOf(c.Form().Player(c.Start()), c.Rules)
}

func costsOf(player eval.Player, rules engine.Rules) *costs {
	return &costs{player: player, rules: rules, nodes: map[string]float64{}}
}

// relative returns the cost of a search in units of another one. If ctx ends, it goes by the boards
// so far.
func (k *costs) relative(ctx context.Context, search, unit engine.Settings) float64 {
	if search.String() == unit.String() || k.player.Heuristic.Bot != nil {
		return 1
	}
	one := max(1, k.nodesOfMove(ctx, unit)) // first: the other one may take all the time
	return max(1, k.nodesOfMove(ctx, search)) / one
}

func (k *costs) nodesOfMove(ctx context.Context, search engine.Settings) float64 {
	text := search.String()
	if n, known := k.nodes[text]; known {
		return n
	}
	e, err := k.searcher(ctx, search)
	if err != nil { // the run says so
		return 1
	}
	defer e.StopWith(ctx)()
	sum, searched := 0.0, 0
	for i := range pilotBoards {
		_, nodes := e.Choose(k.board(i))
		if ctx.Err() != nil {
			break
		}
		sum, searched = sum+float64(nodes), searched+1
	}
	k.nodes[text] = endlessNodes
	if searched > 0 {
		k.nodes[text] = sum / float64(searched)
	}
	return k.nodes[text]
}

// searcher returns a searcher of the player at a search, without what another search remembers.
func (k *costs) searcher(ctx context.Context, search engine.Settings) (*engine.Searcher, error) {
	if err := k.prepare(ctx); err != nil {
		return nil, err
	}
	e := new(engine.Searcher)
	e.Prepare(k.tables, search, k.rules)
	return e, nil
}

// prepare compiles the player and plays the games of the pilot, if nobody has.
func (k *costs) prepare(ctx context.Context) (err error) {
	if k.boards != nil {
		return nil
	}
	compiler := eval.NewCompiler(k.player.Heuristic)
	compile := func() (err error) {
		began := time.Now()
		k.tables, err = compiler.Compile(k.player.Values, k.player.Heuristic.Dead)
		k.compile = time.Since(began)
		return err
	}
	if err := compile(); err != nil {
		return err
	}
	e := new(engine.Searcher)
	defer e.StopWith(ctx)()
	e.Prepare(k.tables, pilot, k.rules)
	for seed := range uint64(pilotGames) {
		engine.Play(k.rules, seed, e, func(s engine.Step) bool {
			k.boards = append(k.boards, s.Board)
			return ctx.Err() == nil
		})
	}
	return compile() // again, which takes as long as that of each candidate
}

// board returns one of pilotBoards boards, which are from all parts of the pilot's games.
func (k *costs) board(i int) engine.Board { return k.boards[i*len(k.boards)/pilotBoards] }

const (
	// Games are timed for timedFor at least, and for sampledFor until sampledGames have ended, so that
	// the time of a first move or two is not the whole sample.
	timedFor     = 20 * time.Millisecond
	sampledFor   = 100 * time.Millisecond
	sampledGames = 5
	// TimedMost is how long a move may take that is timed.
	TimedMost = time.Second
	// usualMoves is how many moves of the pilot's boards a game of good weights has at depth 3.
	// Deeper searches have longer games, and the nodes of a game grow with about this power of those
	// of a move.
	usualMoves = 2600
	gamePower  = 1.25
)

// Prices returns the prices of moves of a player. Games at the given searches are timed now, and
// others when they are asked for. A move that does not end in the given time counts as an hour:
// nobody has the time for such games. After ctx ends the prices are meaningless. On a busy
// machine they are too high, all of them alike.
func Prices(ctx context.Context, player eval.Player, rules engine.Rules, most time.Duration,
	now ...engine.Settings) func(engine.Settings) Price {
	k, known := costsOf(player, rules), map[string]Price{}
	price := func(search engine.Settings) Price {
		text := search.String()
		if _, timed := known[text]; !timed {
			known[text] = k.price(ctx, search, most)
		}
		return known[text]
	}
	for _, search := range now {
		price(search)
	}
	return price
}

// price times the moves of a search on the boards of the pilot. A bot's are not.
func (k *costs) price(ctx context.Context, search engine.Settings, most time.Duration) Price {
	none := Price{Game: 1, Node: 1}
	if k.player.Heuristic.Bot != nil {
		return none
	}
	e, err := k.searcher(ctx, search)
	if err != nil { // the run says so
		return none
	}
	within := func() (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, most) }
	counted, cancel := within()
	defer cancel()
	move, usual := max(1, k.nodesOfMove(counted, search)), max(1, k.nodesOfMove(counted, engine.FixedDepth(3)))
	p := Price{Compile: k.compile.Seconds(), Game: usualMoves * usual * math.Pow(move/usual, gamePower)}
	timed, cancel := within()
	defer cancel()
	defer e.StopWith(timed)()
	var nodes stats.Moments // of the games that ended
	var seconds []float64   // of a node of theirs
	began := time.Now()
	over := func(moves int) bool {
		passed := time.Since(began)
		return timed.Err() != nil || moves > 1 && passed > timedFor && (len(seconds) >= sampledGames || passed > sampledFor)
	}
	for seed, moves := uint64(0), 0; !over(moves); seed++ {
		game := time.Now()
		r := engine.Play(k.rules, seed, e, func(engine.Step) bool {
			moves++
			return !over(moves)
		})
		ended, each := !r.Final.HasMove(), time.Since(game).Seconds()/float64(r.Nodes)
		if ended {
			nodes.Add(float64(r.Nodes))
			seconds = append(seconds, each)
		} else if len(seconds) == 0 {
			p.Node = each
		}
	}
	switch {
	case len(seconds) > 0:
		slices.Sort(seconds)
		p.Node, p.Game = seconds[len(seconds)/2], max(p.Game, nodes.Mean)
	case math.IsInf(p.Node, 0):
		p.Node = time.Hour.Seconds() / move
	}
	return p
}
