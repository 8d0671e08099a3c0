package experiments

import (
	"math"
	"slices"
	"time"

	"tune2048/engine"
	"tune2048/tuner"
)

// Clock estimates how long the rest of a run takes. It counts in nodes: so many games that are
// likely to come, of so many nodes each, at so many nodes a second. Nodes a game and nodes a second
// are measured, at each search by itself. Before that they follow from the prices of moves. With
// its Limit it is the clock of an experiment, see Limit. Only one goroutine may use it at a time.
//
// The games of candidates get longer while the weights get better, as long as the games of the
// search's centre. So the games of tuning that are to come count as the mean of both. What follows
// counts as the centre's games, and the start weights have a length of their own.
type Clock struct {
	Limit  time.Duration // of the process, from Began on; 0: none
	Began  time.Time
	Now    func() time.Time
	First  time.Time // when the first game of the process began
	Last   Progress
	Warned bool // whether the process has looked at how much of the limit it will use

	price  func(engine.Settings) Price
	cores  float64           // of this machine
	gauges map[string]*gauge // by search
	load   ratio             // seconds of games over those of their prices: other programs work too
	weak   float64           // the nodes of a game of the start weights, over those of good ones
	by     int               // whose game was measured last
	recent *PlannedPart      // at whose search; nil: none was
	mark   time.Time         // up to here time is counted
	worked float64           // seconds of that since the last game
	starts int64             // games of the start weights in the part at hand
	done   float64           // the largest share of the run so far
	until  time.Time         // when the part at hand has no time for another seed
}

// Price is what moves cost at a search. A bot's moves count as nodes.
type Price struct {
	Game    float64 // nodes of a game of good weights
	Node    float64 // seconds that a node takes on a core of this machine
	Compile float64 // seconds until a new candidate can play
}

// gauge is what was measured at a search. Lengths are nodes a game.
type gauge struct {
	price                Price
	assumed              float64 // length, before any was measured
	tuned, judged, start ratio   // lengths
	speed                ratio   // nodes a second
}

// ratio is the ratio of two sums, of which older parts fade.
type ratio struct{ over, under float64 }

// add adds to both sums. Only so much of the second one is remembered.
func (r *ratio) add(over, under, remembered float64) {
	keep := math.Exp(-under / remembered)
	r.over, r.under = r.over*keep+over, r.under*keep+under
}

// value returns the ratio, if it was first assumed to be another one, by a part of so much.
func (r ratio) value(assumed, by float64) float64 { return (r.over + assumed*by) / (r.under + by) }

const (
	// UnknownFor is how long games are played before an estimate is shown.
	UnknownFor = 2 * time.Second
	// recentGames are the games whose length is remembered.
	recentGames = 300
	// The speed is that of the last minute, so that a machine that gets busy is followed, but of
	// so many games at least.
	recentSeconds = 60
	minRecent     = 30
	// What is assumed counts as much as so many games.
	assumedGames = 4
	// A tick comes each second. Where one is so many seconds late, the process stood still, and that
	// is no working time.
	lateTick = 2
)

// NewClock returns the clock of a process that begins now, on so many cores.
func NewClock(cores int, limit time.Duration, price func(engine.Settings) Price) *Clock {
	return &Clock{Limit: limit, Began: time.Now(), Now: time.Now,
		price: price, cores: float64(max(1, cores)), weak: 1, gauges: map[string]*gauge{}}
}

// at returns what was measured at the search of a part.
func (c *Clock) at(b PlannedPart) *gauge {
	if c.gauges[b.Search] == nil {
		c.gauges[b.Search] = &gauge{price: c.price(b.Settings)}
	}
	return c.gauges[b.Search]
}

// Tick counts the time since the last tick as working time, until a game ends. It wants to be
// called each second, whatever is played.
func (c *Clock) Tick() {
	if c.First.IsZero() {
		return
	}
	now := c.Now()
	passed := now.Sub(c.mark).Seconds()
	c.mark = now
	if passed > 1+lateTick {
		passed = 1
	}
	c.worked += passed
}

// Observe takes in how far the run is, and the game that just ended.
func (c *Clock) Observe(q Progress) {
	if q.Part != c.Last.Part {
		c.starts = 0
	}
	reused := q.Reused > c.Last.Reused
	c.Last = q
	switch {
	case q.Last > 0:
		if c.First.IsZero() {
			c.First = c.Now().Add(-q.Last)
			c.mark = c.First
		}
		c.Tick()
		c.measure(q)
	case reused: // reading is no playing
		c.mark, c.worked = c.Now(), 0
	}
}

// measure takes in a game, and the time since the one before.
func (c *Clock) measure(q Progress) {
	at := slices.IndexFunc(q.Plan, func(b PlannedPart) bool { return b.Search == q.LastAt })
	if at < 0 {
		return
	}
	b, nodes := q.Plan[at], float64(max(1, q.LastNodes))
	g := c.at(b)
	if b.Settings.Bot { // which does not tell its nodes
		nodes = float64(max(1, q.LastMoves))
		if g.assumed == 0 { // and whose first game is as good as any price
			g.price = Price{Game: nodes, Node: q.Last.Seconds() / nodes}
		}
	}
	g.assumed = c.assumed(b)
	if by := q.LastBy.Number; by == c.by { // otherwise the game began with compiling
		c.load.add(q.Last.Seconds(), nodes*g.price.Node, recentSeconds)
	} else {
		c.by = by
	}
	g.speed.add(nodes, c.worked, max(recentSeconds, minRecent*c.judged(b)/c.speed(b)))
	c.worked = 0
	switch {
	case q.Phase != PhaseComparison && q.LastBy.Number == StartNumber && q.LastBy.Name == "":
		c.starts++
		g.start.add(nodes, 1, recentGames)
		c.weak = c.start(b) / c.judged(b)
	case q.Phase != PhaseTuning || q.LastBy.Origin == tuner.OriginCentre:
		g.judged.add(nodes, 1, recentGames)
	default:
		g.tuned.add(nodes, 1, recentGames)
	}
	c.recent = &q.Plan[at]
}

// assumed returns the nodes of a game of good weights at the search of a part, before any is
// measured there: by the price, and by how far the other search's games are from theirs. Half of
// that, in logarithms, carries over.
func (c *Clock) assumed(b PlannedPart) float64 {
	g := c.at(b)
	switch {
	case g.assumed > 0:
		return g.assumed
	case c.recent == nil:
		return g.price.Game
	}
	return g.price.Game * math.Sqrt(c.judged(*c.recent)/c.at(*c.recent).price.Game)
}

// tuned, judged and start return the nodes of a game: of candidates, of the centre and of what
// follows the tuning, and of the start weights.
func (c *Clock) tuned(b PlannedPart) float64 {
	return c.at(b).tuned.value(c.assumed(b), assumedGames)
}

func (c *Clock) judged(b PlannedPart) float64 {
	return c.at(b).judged.value(c.tuned(b), assumedGames)
}

func (c *Clock) start(b PlannedPart) float64 {
	return c.at(b).start.value(c.judged(b)*c.weak, assumedGames)
}

// speed returns the nodes of a second at a search.
func (c *Clock) speed(b PlannedPart) float64 {
	g := c.at(b)
	nodes := assumedGames * c.assumed(b)
	assumed := c.cores / g.price.Node / c.load.value(1, 1)
	return (g.speed.over + nodes) / (g.speed.under + nodes/assumed)
}

// Takes returns how long a number of games of a part of a plan take, in seconds.
func (c *Clock) Takes(b PlannedPart, games int64) float64 {
	starts := int64(0)
	if b.Phase == PhaseValidation { // one of the players
		starts = games / int64(b.Candidates)
	}
	return c.take(b, games, starts)
}

// take returns how long games of a part take, of which so many are of the start weights.
func (c *Clock) take(b PlannedPart, games, starts int64) float64 {
	length := c.judged(b)
	if b.Phase == PhaseTuning {
		length = (length + c.tuned(b)) / 2
	}
	nodes := float64(games-starts)*length + float64(starts)*c.start(b)
	seconds := nodes / c.speed(b)
	if g := c.at(b); g.speed.under == 0 && b.Phase == PhaseTuning { // otherwise this is a part of the speed
		candidates := float64(games) * float64(b.Candidates*b.Generations) / float64(max(1, b.Expected))
		seconds += candidates * g.price.Compile * c.load.value(1, 1) / c.cores
	}
	return seconds
}

// left returns how long the rest of the part at hand takes.
func (c *Clock) left() float64 {
	b, starts := c.Last.Plan[c.Last.Part], int64(0)
	if b.Phase == PhaseValidation {
		starts = min(max(0, b.Expected/int64(b.Candidates)-c.starts), c.Last.Left)
	}
	return c.take(b, c.Last.Left, starts)
}

// Ahead returns how long the games that are likely to come take, in seconds: of the tuning, and
// after it.
func (c *Clock) Ahead() (tuning, follows float64) {
	for i, b := range c.Last.Plan[min(c.Last.Part, len(c.Last.Plan)):] {
		takes := c.Takes(b, b.Expected)
		if i == 0 && c.Last.Phase != "" {
			takes = c.left()
		}
		if b.Phase == PhaseTuning {
			tuning += takes
		} else {
			follows += takes
		}
	}
	return tuning, follows
}

// Estimate returns the share of the run that is done, and how long the rest takes.
func (c *Clock) Estimate() (done float64, left time.Duration, known bool) {
	now := c.Now()
	if c.First.IsZero() || now.Sub(c.First) < UnknownFor {
		return 0, 0, false
	}
	tuning, follows := c.Ahead()
	ahead, whole := tuning+follows, 0.0
	for _, b := range c.Last.Plan {
		whole += c.Takes(b, b.Expected)
	}
	if c.Limit > 0 { // most of the plan may not be played
		elapsed := now.Sub(c.Began).Seconds()
		if c.Last.Phase != PhaseTuning {
			ahead = follows
		}
		left = Seconds(min(ahead, max(0, c.Limit.Seconds()-elapsed))) // what lacks time plays fewer games
		ahead = max(left.Seconds(), c.least())
		whole = elapsed + ahead
	} else {
		left = Seconds(ahead)
	}
	if whole > 0 {
		c.done = max(c.done, 1-ahead/whole)
	}
	return c.done, left, true
}

// Measured reports whether games were measured.
func (c *Clock) Measured() bool { return c.recent != nil }

// elapsed returns the seconds since the process began.
func (c *Clock) elapsed() float64 { return c.Now().Sub(c.Began).Seconds() }

// Seconds returns a time as a Duration, at most 100 years: a search of 31 plies takes longer than a
// Duration can be.
func Seconds(s float64) time.Duration {
	return time.Duration(min(s, 100*365*24*3600) * float64(time.Second))
}
