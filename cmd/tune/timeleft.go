package main

import (
	"math"
	"slices"
	"sync"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
)

// timeLeft estimates how long games, the parts of a plan and the rest of a run take. Check, the
// progress line, expected_end and -for ask it. It learns from the games of this process. The only
// result that depends on it is where -for ends the tuning.
type timeLeft struct {
	config *configs.Config
	plan   []experiments.PlannedPart
	limit  time.Duration // -for; 0 if it was not given
	began  time.Time     // the process
	now    func() time.Time
	cores  func() int // that play at once, now

	mutex sync.Mutex // guards the rest
	guess map[string]time.Duration
	seen  map[gamesOf]*recentMean
	last  experiments.Progress
	first time.Time     // when this process began its first game
	shown time.Duration // the last estimate, smoothed
	at    time.Time     // when that was
	done  float64       // the largest share of the run so far
}

// gamesOf are the games of the start weights, or of the weights that tuning finds, at a search.
type gamesOf struct {
	search string
	start  bool
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
	// smoothedOver is the time in which most of a new estimate is taken over into the shown one. It
	// is shorter near the end.
	smoothedOver = 10 * time.Second
)

func newTimeLeft(c *configs.Config, workers int) *timeLeft {
	return &timeLeft{
		config: c, plan: experiments.Plan(c), began: time.Now(), now: time.Now, cores: func() int { return workers },
		guess: map[string]time.Duration{}, seen: map[gamesOf]*recentMean{},
	}
}

// observe takes in how far the run is, and the game that was just played.
func (t *timeLeft) observe(p experiments.Progress) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.last = p
	if p.Last == 0 {
		return
	}
	if t.first.IsZero() {
		t.first = t.now().Add(-p.Last)
	}
	if p.LastBy.Name != "" { // a reference, or the champion without a feature
		return
	}
	of := gamesOf{p.LastAt, p.LastBy.Number == experiments.StartNumber}
	m := t.seen[of]
	if m == nil {
		m = &recentMean{}
		t.seen[of] = m
	}
	m.games = min(m.games+1, 500)
	m.mean += (p.Last.Seconds() - m.mean) / float64(m.games)
}

// game returns how long a game takes on one core. Where none was seen, two ratios say: at another
// search games are as much longer as they were guessed to be, and games of the start weights
// relate to the others as they did at other searches.
func (t *timeLeft) game(of gamesOf) time.Duration {
	if m := t.seen[of]; m != nil {
		return nanoseconds(m.mean * float64(time.Second))
	}
	seen, related := 0.0, 0.0
	for other, m := range t.seen {
		switch tuned := t.seen[gamesOf{other.search, false}]; {
		case !of.start && !other.start:
			seen, related = seen+m.mean, related+t.guessed(other.search).Seconds()
		case of.start && other.start && tuned != nil:
			seen, related = seen+m.mean, related+tuned.mean
		}
	}
	like := t.guessed(of.search)
	if of.start {
		like = t.game(gamesOf{of.search, false})
	}
	if related == 0 {
		return like
	}
	return nanoseconds(float64(like) * seen / related)
}

// guessed returns how long a game of the start weights is likely to take at a search of the plan.
func (t *timeLeft) guessed(search string) time.Duration {
	if _, known := t.guess[search]; !known {
		if i := slices.IndexFunc(t.plan, func(b experiments.PlannedPart) bool { return b.Search == search }); i >= 0 {
			t.guess[search] = sample(t.config, t.plan[i].Settings)
		}
	}
	return t.guess[search]
}

// takes returns how long some games of a part of the plan take: at the end of each round the cores
// wait for the last game.
func (t *timeLeft) takes(b experiments.PlannedPart, games int64) time.Duration {
	if games == 0 {
		return 0
	}
	tuned, start := t.game(gamesOf{b.Search, false}), t.game(gamesOf{b.Search, true})
	if m := t.seen[gamesOf{b.Search, true}]; m != nil && b.Phase != experiments.PhaseTuning {
		// The start weights are a finalist: early candidates may be far worse. Less a standard error, as
		// few games were seen.
		tuned = max(tuned, nanoseconds(float64(start)*(1-0.55/math.Sqrt(float64(m.games)))))
	}
	ofStart := min(games, b.OfStart)
	rounds := float64(b.Rounds*b.Generations) * float64(games) / float64(b.Expected)
	work := float64(games-ofStart)*float64(tuned) + float64(ofStart)*float64(start)
	return nanoseconds(work/float64(t.cores()) + rounds*float64(tuned))
}

// stage names the stage of the generation at hand.
func (t *timeLeft) stage() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.last.Stage
}

// part returns how long a part of the plan takes.
func (t *timeLeft) part(b experiments.PlannedPart) time.Duration {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.takes(b, b.Expected)
}

// rest returns how long the rest of the tuning takes, and the phases that follow it: as likely,
// and at most. It is known once games have been played for two seconds.
func (t *timeLeft) rest() (tuning, follows, atMost time.Duration, known bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	tuning, follows = t.ahead()
	for _, b := range t.plan[len(t.config.Stages):] {
		atMost = min(longest, atMost+t.takes(b, b.Games))
	}
	return tuning, follows, atMost, t.known()
}

func (t *timeLeft) known() bool { return !t.first.IsZero() && t.now().Sub(t.first) >= unknownFor }

// ahead returns how long the games that are likely to come take: of the tuning, and after it.
func (t *timeLeft) ahead() (tuning, follows time.Duration) {
	for i, b := range t.plan {
		games := b.Expected
		switch {
		case i < t.last.Part:
			continue
		case i == t.last.Part && t.last.Plan != nil:
			games = t.last.Left
		}
		takes := t.takes(b, games)
		if b.Phase == experiments.PhaseTuning {
			tuning = min(longest, tuning+takes)
		} else {
			follows = min(longest, follows+takes)
		}
	}
	return tuning, follows
}

// estimate returns how long the run will go on, smoothed, and the share of it that is done. It is
// not known before games have been played for two seconds.
func (t *timeLeft) estimate() (done float64, left time.Duration, known bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	now := t.now()
	if !t.known() {
		return 0, 0, false
	}
	tuning, follows := t.ahead()
	left = tuning + follows
	whole := time.Duration(0)
	for _, b := range t.plan {
		whole = min(longest, whole+t.takes(b, b.Expected))
	}
	if t.limit > 0 { // most of the plan may not be played
		elapsed := now.Sub(t.began)
		left = min(left, max(follows, t.limit-elapsed))
		whole = elapsed + left
	}
	if whole > 0 {
		t.done = max(t.done, 1-left.Seconds()/whole.Seconds())
	}
	if !t.at.IsZero() {
		passed := now.Sub(t.at)
		before := max(0, t.shown-passed)
		over := min(smoothedOver, left/5)
		left = before + nanoseconds(float64(left-before)*-math.Expm1(-passed.Seconds()/max(over.Seconds(), 0.001)))
	}
	t.shown, t.at = left, now
	return t.done, left, true
}

// within returns the plan as -for leaves it: about as many generations as fit beside the phases
// that follow, at least one.
func (t *timeLeft) within() []experiments.PlannedPart {
	if t.limit == 0 {
		return t.plan
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	_, follows := t.ahead()
	left := t.limit.Seconds() - follows.Seconds()*(1+budgetMargin)
	plan := slices.Clone(t.plan)
	for i := range plan {
		b := &plan[i]
		if b.Phase != experiments.PhaseTuning {
			break
		}
		takes := t.takes(*b, b.Expected).Seconds()
		n := int(math.Ceil(min(1, max(0, left)/takes) * float64(b.Generations)))
		if i == 0 {
			n = max(1, n)
		}
		b.Games = min(b.Games, int64(n)*int64(b.Candidates)*int64(t.config.Stages[i].Games))
		b.Expected = min(b.Games, b.Expected*int64(n)/int64(b.Generations))
		b.Generations = n
		left -= takes
	}
	return plan
}

// longest is a time that stands for all longer ones: a search of 31 plies takes longer than a
// Duration can be.
const longest = 100 * 365 * 24 * time.Hour

// nanoseconds returns that many as a Duration, or longest.
func nanoseconds(n float64) time.Duration {
	if n >= float64(longest) {
		return longest
	}
	return time.Duration(n)
}
