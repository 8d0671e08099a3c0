package experiments

import (
	"math"
	"slices"
	"sort"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
)

// Pace estimates how long the rest of a run takes: the games that are likely to come, times one
// rate that is measured as games end. Games at another search are longer by the ratio of guesses.
// The only result that depends on a Pace is where a limit ends the tuning.
// Only one goroutine may use it at a time.
type Pace struct {
	Config *config.Config
	Plan   []PlannedPart
	Limit  time.Duration // of the process, from Began on; 0: none
	Began  time.Time
	Now    func() time.Time
	First  time.Time // when the first game of the process began
	Last   Progress
	Warned bool // whether the process has looked at how much of the limit it will use

	game  func(engine.Settings) time.Duration
	guess map[string]time.Duration // what game answered, by search
	spent float64                  // seconds in which the last games ended
	work  float64                  // seconds that they take by the guesses
	count float64                  // of these games
	mark  time.Time                // when the last one ended
	shown float64                  // the last estimate in seconds, smoothed
	at    time.Time                // when that was
	done  float64                  // the largest share of the run so far
}

const (
	// UnknownFor is how long games are played before an estimate is shown.
	UnknownFor = 2 * time.Second
	// recentGames is about how many games the rate is measured over, so that longer games of better
	// weights show soon.
	recentGames = 1000
	// smoothedOver is the time, in seconds, in which most of a new estimate is taken over into the
	// shown one. It is shorter near the end.
	smoothedOver = 10
	// PaceMargin is added to the time ahead: a champion's games are some 10% longer than the
	// candidates' games so far.
	PaceMargin = 0.15
)

// NewPace returns a Pace for a process that begins now. Until games are measured, their time is a
// guess: game returns how long one takes at a search, and cores of them are played at once. Where
// the plan has a single search, game is not asked afterwards.
func NewPace(c *config.Config, cores int, limit time.Duration, game func(engine.Settings) time.Duration) *Pace {
	p := &Pace{
		Config: c, Plan: Plan(c), Limit: limit, Began: time.Now(), Now: time.Now,
		game: game, guess: map[string]time.Duration{}, spent: 1, work: float64(max(1, cores)),
	}
	if limit > 0 {
		p.follow(0)
	}
	return p
}

// Observe takes in how far the run is, and the game that just ended. Only games of weights that
// tuning found are measured: games of the start weights and of references are shorter.
func (p *Pace) Observe(q Progress) {
	now, reused := p.Now(), q.Reused > p.Last.Reused
	switch {
	case q.Phase != "" && q.Phase != PhaseTuning && q.Plan != nil:
		p.Plan = q.Plan
	case p.Limit > 0 && q.Generations > p.Last.Generations:
		p.follow(q.Done)
	}
	p.Last = q
	if p.First.IsZero() && q.Last > 0 {
		p.First, p.mark = now.Add(-q.Last), now.Add(-q.Last)
	}
	passed := now.Sub(p.mark).Seconds()
	if q.Last > 0 || reused {
		p.mark = now
	}
	if q.Last > 0 && q.LastBy.Name == "" && q.LastBy.Number != StartNumber {
		p.count = min(p.count+1, recentGames)
		keep := 1 - 1/p.count
		at := max(0, slices.IndexFunc(p.Plan, func(b PlannedPart) bool { return b.Search == q.LastAt }))
		p.spent, p.work = p.spent*keep+passed, p.work*keep+p.guessed(p.Plan[at].Settings)
	}
}

// follow plans what follows after so many games of tuning, where time ends it.
func (p *Pace) follow(tuning int64) {
	p.Plan = slices.Concat(p.Plan[:len(p.Config.Stages)], planAfter(p.Config.Grown(tuning)))
}

// guessed returns how long a game takes on one core, in seconds by guess. If all games are alike,
// the measured rate needs no guess.
func (p *Pace) guessed(search engine.Settings) float64 {
	text := search.String()
	if p.count > 0 && !slices.ContainsFunc(p.Plan, func(b PlannedPart) bool { return b.Search != text }) {
		return 1
	}
	if _, known := p.guess[text]; !known {
		p.guess[text] = max(1, p.game(search))
	}
	return p.guess[text].Seconds()
}

// Takes returns how long a number of games of a part of a plan take, in seconds.
func (p *Pace) Takes(b PlannedPart, games int64) float64 {
	return float64(games) * p.guessed(b.Settings) * p.spent / p.work
}

// Ahead returns how long the games that are likely to come take, in seconds: of the tuning, and
// after it.
func (p *Pace) Ahead() (tuning, follows float64) {
	for i, b := range p.Plan[p.Last.Part:] {
		if i == 0 && p.Last.Plan != nil {
			b.Expected = p.Last.Left
		}
		if b.Phase == PhaseTuning {
			tuning += p.Takes(b, b.Expected)
		} else {
			follows += p.Takes(b, b.Expected)
		}
	}
	return tuning, follows
}

// Estimate returns the share of the run that is done, and how long the rest takes. It is smoothed.
func (p *Pace) Estimate() (done float64, left time.Duration, known bool) {
	now := p.Now()
	if p.First.IsZero() || now.Sub(p.First) < UnknownFor {
		return 0, 0, false
	}
	tuning, follows := p.Ahead()
	ahead, whole := tuning+follows, 0.0
	for _, b := range p.Plan {
		whole += p.Takes(b, b.Expected)
	}
	if p.Limit > 0 { // most of the plan may not be played
		elapsed := now.Sub(p.Began).Seconds()
		ahead = min(ahead, max(follows, p.Limit.Seconds()-elapsed))
		whole = elapsed + ahead
	}
	if whole > 0 {
		p.done = max(p.done, 1-ahead/whole)
	}
	if !p.at.IsZero() {
		passed := now.Sub(p.at).Seconds()
		before := max(0, p.shown-passed)
		ahead = before + (ahead-before)*passed/max(passed+min(smoothedOver, ahead/5), 0.001)
	}
	p.shown, p.at = ahead, now
	return p.done, Seconds(ahead), true
}

// Within returns the plan as the limit leaves it: the generations that probably fit beside the
// phases that follow, at least one. The games that follow grow with these generations.
func (p *Pace) Within() []PlannedPart {
	if p.Limit == 0 {
		return p.Plan
	}
	tune := func(left float64) []PlannedPart { // and plan what follows
		plan, games := slices.Clone(p.Plan), int64(0)
		for i := range p.Config.Stages {
			b := &plan[i]
			takes, all := p.Takes(*b, b.Expected), b.Generations
			b.Generations = max(int(math.Ceil(max(0, min(1, left/takes))*float64(all))), 1-i)
			b.Games, b.Expected = b.Games*int64(b.Generations)/int64(all), b.Expected*int64(b.Generations)/int64(all)
			left, games = left-takes, games+b.Expected
		}
		p.follow(games)
		return slices.Concat(plan[:len(p.Config.Stages)], p.Plan[len(p.Config.Stages):])
	}
	const parts = 1 << 20
	limit := p.Limit.Seconds()
	return tune(limit / parts * float64(sort.Search(parts, func(n int) bool {
		tuning := limit / parts * float64(n+1)
		tune(tuning)
		_, follows := p.Ahead()
		return tuning+follows*(1+PaceMargin) > limit
	})))
}

// Seconds returns a time as a Duration, at most 100 years: a search of 31 plies takes longer than a
// Duration can be.
func Seconds(s float64) time.Duration {
	return time.Duration(min(s, 100*365*24*3600) * float64(time.Second))
}
