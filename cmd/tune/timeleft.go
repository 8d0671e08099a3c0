package main

import (
	"math"
	"slices"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
)

// timeLeft estimates how long games, the parts of a plan and the rest of a run take, in seconds.
// Check, the progress line, expected_end and -for ask it. It learns from the games of this process.
// The only result that depends on it is where -for ends the tuning (budget.go).
// Only one goroutine may use it at a time: display guards it.
type timeLeft struct {
	config *configs.Config
	plan   []experiments.PlannedPart
	limit  time.Duration // -for; 0 if it was not given
	began  time.Time     // the process
	now    func() time.Time
	cores  func() int // that play at once, now

	guess map[string]time.Duration // of a game of the start weights, by search
	seen  map[string]*recentMean   // by search
	last  experiments.Progress
	first time.Time // when this process began its first game
	shown float64   // the last estimate, smoothed
	at    time.Time // when that was
	done  float64   // the largest share of the run so far

	decided      bool // ends has decided before
	checkedEarly bool // tooEarly has had its turn
}

// recentMean is the mean of about the last 500 games in seconds, so that longer games of better
// weights show soon.
type recentMean struct {
	games int
	mean  float64
}

const (
	// unknownFor is how long games are played before an estimate is shown.
	unknownFor = 2 * time.Second
	// smoothedOver is the time, in seconds, in which most of a new estimate is taken over into the
	// shown one. It is shorter near the end.
	smoothedOver = 10
)

func newTimeLeft(c *configs.Config, workers int) *timeLeft {
	return &timeLeft{
		config: c, plan: experiments.Plan(c), began: time.Now(), now: time.Now, cores: func() int { return workers },
		guess: map[string]time.Duration{}, seen: map[string]*recentMean{},
	}
}

// observe takes in how far the run is, and the game that was just played.
func (t *timeLeft) observe(p experiments.Progress) {
	t.last = p
	if p.Last == 0 {
		return
	}
	if t.first.IsZero() {
		t.first = t.now().Add(-p.Last)
	}
	if by := p.LastBy; by.Name != "" || by.Number == experiments.StartNumber { // not found by tuning
		return
	}
	m := t.seen[p.LastAt]
	if m == nil {
		m = &recentMean{}
		t.seen[p.LastAt] = m
	}
	m.games = min(m.games+1, 500)
	m.mean += (p.Last.Seconds() - m.mean) / float64(m.games)
}

// game returns how long a game takes on one core. At a search that was not seen, games are longer
// than the seen ones by the ratio of the guesses.
func (t *timeLeft) game(search string) float64 {
	if m := t.seen[search]; m != nil {
		return m.mean
	}
	like, seen, guessed := t.guessed(search), 0.0, 0.0
	for other, m := range t.seen {
		seen, guessed = seen+m.mean, guessed+t.guessed(other)
	}
	if guessed == 0 {
		return like
	}
	return like * seen / guessed
}

// guessed returns how long a game of the start weights is likely to take at a search of the plan.
func (t *timeLeft) guessed(search string) float64 {
	if _, known := t.guess[search]; !known {
		if i := slices.IndexFunc(t.plan, func(b experiments.PlannedPart) bool { return b.Search == search }); i >= 0 {
			t.guess[search] = sample(t.config, t.plan[i].Settings)
		}
	}
	return t.guess[search].Seconds()
}

// takes returns how long some games of a part of the plan take: at the end of each round the cores
// wait for the last game.
func (t *timeLeft) takes(b experiments.PlannedPart, games int64) float64 {
	if games == 0 {
		return 0
	}
	rounds := float64(b.Rounds*b.Generations) * float64(games) / float64(b.Expected)
	return (float64(games)/float64(t.cores()) + rounds) * t.game(b.Search)
}

// takesAll returns how long parts of a plan take, if all their games are played.
func (t *timeLeft) takesAll(parts []experiments.PlannedPart) time.Duration {
	all := 0.0
	for _, b := range parts {
		all += t.takes(b, b.Games)
	}
	return seconds(all)
}

func (t *timeLeft) known() bool { return !t.first.IsZero() && t.now().Sub(t.first) >= unknownFor }

// ahead returns how long the games that are likely to come take: of the tuning, and after it.
func (t *timeLeft) ahead() (tuning, follows float64) {
	for i, b := range t.plan {
		games := b.Expected
		switch {
		case i < t.last.Part:
			continue
		case i == t.last.Part && t.last.Plan != nil:
			games = t.last.Left
		}
		if b.Phase == experiments.PhaseTuning {
			tuning += t.takes(b, games)
		} else {
			follows += t.takes(b, games)
		}
	}
	return tuning, follows
}

// estimate returns how long the run will go on, smoothed, and the share of it that is done. It is
// not known before games have been played for two seconds.
func (t *timeLeft) estimate() (done float64, left time.Duration, known bool) {
	now := t.now()
	if !t.known() {
		return 0, 0, false
	}
	tuning, follows := t.ahead()
	ahead, whole := tuning+follows, 0.0
	for _, b := range t.plan {
		whole += t.takes(b, b.Expected)
	}
	if t.limit > 0 { // most of the plan may not be played
		elapsed := now.Sub(t.began).Seconds()
		ahead = min(ahead, max(follows, t.limit.Seconds()-elapsed))
		whole = elapsed + ahead
	}
	if whole > 0 {
		t.done = max(t.done, 1-ahead/whole)
	}
	if !t.at.IsZero() {
		passed := now.Sub(t.at).Seconds()
		before := max(0, t.shown-passed)
		over := min(smoothedOver, ahead/5)
		ahead = before + (ahead-before)*passed/max(passed+over, 0.001)
	}
	t.shown, t.at = ahead, now
	return t.done, seconds(ahead), true
}

// within returns the plan as -for leaves it: the generations that probably fit beside the phases
// that follow, at least one.
func (t *timeLeft) within() []experiments.PlannedPart {
	if t.limit == 0 {
		return t.plan
	}
	_, follows := t.ahead()
	left := t.limit.Seconds() - follows*(1+budgetMargin)
	plan := slices.Clone(t.plan)
	for i := range t.config.Stages {
		b := &plan[i]
		takes := t.takes(*b, b.Expected)
		all := b.Generations
		b.Generations = max(int(math.Ceil(max(0, min(1, left/takes))*float64(all))), 1-i)
		b.Games, b.Expected = b.Games*int64(b.Generations)/int64(all), b.Expected*int64(b.Generations)/int64(all)
		left -= takes
	}
	return plan
}

// seconds returns a time as a Duration, at most 100 years: a search of 31 plies takes longer than a
// Duration can be.
func seconds(s float64) time.Duration {
	const longest = 100 * 365 * 24 * time.Hour
	if s >= longest.Seconds() {
		return longest
	}
	return time.Duration(s * float64(time.Second))
}
