package experiments

import (
	"math"
	"slices"
	"time"

	"tune2048/engine"
)

// Pace estimates how long the rest of a run takes: the games that are likely to come, times the
// measured seconds of a game. Games at another search are longer by the ratio of guesses. With its
// Limit it is the clock of an experiment, see Limit. Only one goroutine may use it at a time.
type Pace struct {
	Limit  time.Duration // of the process, from Began on; 0: none
	Began  time.Time
	Now    func() time.Time
	First  time.Time // when the first game of the process began
	Last   Progress
	Warned bool // whether the process has looked at how much of the limit it will use

	game  func(engine.Settings) time.Duration
	guess map[string]float64 // seconds that game answered, by search
	known map[string]bool    // searches whose games are measured
	spent float64            // seconds in which the last games ended
	work  float64            // seconds that they take by the guesses
	count float64            // of these games
	mark  time.Time          // when the last one ended
	done  float64            // the largest share of the run so far
	cores float64            // of this machine
	until time.Time          // when the part at hand has no time for another seed
}

const (
	// UnknownFor is how long games are played before an estimate is shown.
	UnknownFor = 2 * time.Second
	// The rate is measured over about so many games, so that longer games of better weights show
	// soon, but at least over so many seconds: a commit may take as long as hundreds of short
	// games.
	recentGames   = 1000
	recentSeconds = 20
	// standstill is how many times as long as a usual one a gap between games is in which the
	// process itself stood still. It does not count.
	standstill = 50
	// paceMargin: games of a champion are longer than those of the candidates before it.
	paceMargin = 1.05
	// guessMargin: and longer still at a deeper search.
	guessMargin = 1.15
	// togetherShare is the share of a limit that seeds take which begin together.
	togetherShare = 0.005
	// borrow is the share of its likely time that a later part keeps, where more games of this part
	// are played than is likely: few finalists were stopped, or few pairs decided.
	borrow = 0.8
	// shortly are seconds beyond the limit that the parts after the tuning have: of a limit of
	// seconds the measured games are few, and their commits take longer than they do.
	shortly = 0.3
	// A run ends late by at most lateShare of its limit, lateSeconds, the second that the simulator
	// gives to games under way, and the half second in which it closes.
	lateShare   = 0.03
	lateSeconds = 0.5
)

// NewPace returns a Pace for a process that begins now. Until games are measured, their time is a
// guess: game returns how long one takes at a search, and cores of them are played at once.
func NewPace(cores int, limit time.Duration, game func(engine.Settings) time.Duration) *Pace {
	return &Pace{Limit: limit, Began: time.Now(), Now: time.Now, game: game, guess: map[string]float64{}, known: map[string]bool{},
		spent: 1, work: float64(max(1, cores)), cores: float64(max(1, cores))}
}

// Observe takes in how far the run is, and the game that just ended. Of an experiment only games of
// weights that tuning found are measured: games of the start weights and of references are shorter.
func (p *Pace) Observe(q Progress) {
	now, reused := p.Now(), q.Reused > p.Last.Reused
	p.Last = q
	if p.First.IsZero() && q.Last > 0 {
		p.First, p.mark = now.Add(-q.Last), now.Add(-q.Last)
	}
	passed := now.Sub(p.mark).Seconds()
	if q.Last > 0 || reused {
		p.mark = now
	}
	if q.Last > 0 && (q.Phase == PhaseComparison || q.LastBy.Name == "" && q.LastBy.Number != StartNumber) {
		if at := slices.IndexFunc(q.Plan, func(b PlannedPart) bool { return b.Search == q.LastAt }); at >= 0 {
			work := p.guessed(q.Plan[at].Settings)
			if usual := work * p.spent / p.work; p.count > 100 && passed > 1 && passed > standstill*usual {
				passed = usual
			}
			p.count = min(p.count+1, max(recentGames, recentSeconds*p.count/p.spent))
			keep := 1 - 1/p.count
			p.spent, p.work, p.known[q.LastAt] = p.spent*keep+passed, p.work*keep+work, true
		}
	}
}

// guessed returns how long a game takes on one core, in seconds by guess. If all games are alike,
// the measured rate needs no guess.
func (p *Pace) guessed(search engine.Settings) float64 {
	text := search.String()
	if p.count > 0 && !slices.ContainsFunc(p.Last.Plan, func(b PlannedPart) bool { return b.Search != text }) {
		return 1
	}
	if _, known := p.guess[text]; !known {
		p.guess[text] = max(1, float64(p.game(search))) / float64(time.Second)
	}
	return p.guess[text]
}

// Takes returns how long a number of games of a part of a plan take, in seconds. Beside a search
// whose games are measured, a guess has a margin.
func (p *Pace) Takes(b PlannedPart, games int64) float64 {
	takes := float64(games) * p.guessed(b.Settings) * p.spent / p.work
	if p.count > 0 && !p.known[b.Search] {
		takes *= guessMargin
	}
	return takes
}

// Ahead returns how long the games that are likely to come take, in seconds: of the tuning, and
// after it.
func (p *Pace) Ahead() (tuning, follows float64) {
	for i, b := range p.Last.Plan[min(p.Last.Part, len(p.Last.Plan)):] {
		if i == 0 && p.Last.Phase != "" {
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

// Estimate returns the share of the run that is done, and how long the rest takes.
func (p *Pace) Estimate() (done float64, left time.Duration, known bool) {
	now := p.Now()
	if p.First.IsZero() || now.Sub(p.First) < UnknownFor {
		return 0, 0, false
	}
	tuning, follows := p.Ahead()
	ahead, whole := tuning+follows, 0.0
	for _, b := range p.Last.Plan {
		whole += p.Takes(b, b.Expected)
	}
	if p.Limit > 0 { // most of the plan may not be played
		elapsed := now.Sub(p.Began).Seconds()
		if p.Last.Phase != PhaseTuning {
			ahead = follows
		}
		left = Seconds(min(ahead, max(0, p.Limit.Seconds()-elapsed))) // what lacks time plays fewer games
		ahead = max(left.Seconds(), p.least())
		whole = elapsed + ahead
	} else {
		left = Seconds(ahead)
	}
	if whole > 0 {
		p.done = max(p.done, 1-ahead/whole)
	}
	return p.done, left, true
}

// least returns how long the games take that no limit takes from the run, in seconds. Without them
// the limit ends the process, and not the run.
func (p *Pace) least() (seconds float64) {
	for i, b := range p.Last.Plan[min(p.Last.Part, len(p.Last.Plan)):] {
		games := int64(leastOf(b.Phase) * b.Candidates)
		if i == 0 {
			games -= b.Expected - p.Last.Left // which are played
		}
		if b.Phase == PhaseTuning && (p.Last.Generations > 0 || p.Last.Part+i > 0) {
			continue // a limit may end the tuning
		}
		seconds += p.Takes(b, max(0, games))
	}
	return seconds
}

// Ends reports whether a limit ends the tuning before the next generation: whether that generation
// and all that follows would not be done in time. Half of the limit is the tuning's, at least.
func (p *Pace) Ends(generation, follows float64) bool {
	limit, tuned := p.Limit.Seconds(), p.elapsed()+generation
	return tuned > limit/2 && tuned+follows*paceMargin > limit
}

// Measured reports whether games were measured.
func (p *Pace) Measured() bool { return p.count > 0 }

// elapsed returns the seconds since the process began.
func (p *Pace) elapsed() float64 { return p.Now().Sub(p.Began).Seconds() }

// Fit implements [Limit]. It goes by measured games: before there are any, the part has its games,
// until its time is over.
func (p *Pace) Fit(parts []PlannedPart) (share float64) {
	var takes []float64
	for _, b := range parts {
		takes = append(takes, p.Takes(b, b.Expected))
	}
	left := max(0, p.Limit.Seconds()+shortly-p.elapsed())
	most, later := fairly(left, takes), 0.0
	for _, seconds := range takes[1:] {
		later += min(seconds, most)
	}
	each := p.Takes(parts[0], 1)
	tail := each*p.cores + each*float64(p.Together(parts[0].Candidates)*parts[0].Candidates) // games under way, and those that begin together
	p.until = p.Now().Add(Seconds(max(0, left-borrow*later-tail)))
	if p.count == 0 || takes[0] <= most {
		return 1
	}
	return most / takes[0]
}

// fairly returns the most that each of some parts may take of what is left: parts that need less
// have all that they need, and the others the same.
func fairly(left float64, parts []float64) (most float64) {
	sorted := slices.Sorted(slices.Values(parts))
	for i, takes := range sorted {
		if most = left / float64(len(sorted)-i); takes > most {
			return most
		}
		left -= takes
	}
	return math.Inf(1)
}

// Over implements [Limit]. Tuning is over where what follows needs the rest of the time, or half of
// the limit.
func (p *Pace) Over() bool {
	if p.Last.Phase != PhaseTuning && p.Last.Phase != PhaseCentre {
		return p.Now().After(p.until)
	}
	_, follows := p.Ahead()
	return p.elapsed() > p.Limit.Seconds()-min(follows, p.Limit.Seconds()/2)
}

// Together implements [Limit].
func (p *Pace) Together(players int) int {
	if p.Last.Phase == "" {
		return 1
	}
	each := p.Takes(p.Last.Plan[p.Last.Part], int64(players))
	return int(max(1, min(p.Limit.Seconds()*togetherShare/max(each, 1e-9), math.MaxInt32)))
}

// Deadline returns when a command ends that began then and has a limit, whatever is under way.
func Deadline(began time.Time, limit time.Duration) time.Time {
	return began.Add(Seconds(limit.Seconds()*(1+lateShare) + lateSeconds))
}

// Within returns the number of generations of a plan that a limit leaves room for, at least one.
func (p *Pace) Within(plan func(generations int) []PlannedPart) int {
	low, high := 1, 2
	over := func(generations int) bool {
		p.Last = Progress{Plan: plan(generations)}
		return p.Ends(p.Ahead())
	}
	for ; high < math.MaxInt32 && !over(high); high *= 2 {
		low = high
	}
	for low+1 < high {
		if middle := (low + high) / 2; over(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

// Seconds returns a time as a Duration, at most 100 years: a search of 31 plies takes longer than a
// Duration can be.
func Seconds(s float64) time.Duration {
	return time.Duration(min(s, 100*365*24*3600) * float64(time.Second))
}
