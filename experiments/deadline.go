package experiments

import (
	"math"
	"slices"
	"time"
)

// The clock as the limit of an experiment, see Limit.

const (
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

// Ends reports whether a limit ends the tuning before the next generation: whether that generation
// and all that follows would not be done in time. Half of the limit is the tuning's, at least.
func (c *Clock) Ends(generation, follows float64) bool {
	limit, tuned := c.Limit.Seconds(), c.elapsed()+generation
	return tuned > limit/2 && tuned+follows > limit
}

// least returns how long the games take that no limit takes from the run, in seconds. Without them
// the limit ends the process, and not the run.
func (c *Clock) least() (seconds float64) {
	for i, b := range c.Last.Plan[min(c.Last.Part, len(c.Last.Plan)):] {
		games := int64(leastOf(b.Phase) * b.Candidates)
		if i == 0 {
			games -= b.Expected - c.Last.Left // which are played
		}
		if b.Phase == PhaseTuning && (c.Last.Generations > 0 || c.Last.Part+i > 0) {
			continue // a limit may end the tuning
		}
		seconds += c.Takes(b, max(0, games))
	}
	return seconds
}

// Fit implements [Limit]. It goes by games that were measured at the search. Where there are none,
// the part has its games, until its time is over.
func (c *Clock) Fit(parts []PlannedPart) (share float64) {
	var takes []float64
	for _, b := range parts {
		takes = append(takes, c.Takes(b, b.Expected))
	}
	left := max(0, c.Limit.Seconds()+shortly-c.elapsed())
	most, later := fairly(left, takes), 0.0
	for _, seconds := range takes[1:] {
		later += min(seconds, most)
	}
	each := c.Takes(parts[0], 1)
	tail := each*c.cores + each*float64(c.together(parts[0])*parts[0].Candidates) // games under way, and those that begin together
	c.until = c.Now().Add(Seconds(max(0, left-borrow*later-tail)))
	if c.at(parts[0]).speed.under == 0 || takes[0] <= most {
		return 1
	}
	return most / takes[0]
}

// fairly returns the most that each of some parts may take of what is left: parts that need less
// have all that they need, and the others the same.
func fairly(left float64, parts []float64) (most float64) {
	sorted := slices.Sorted(slices.Values(parts))
	for i, takes := range sorted {
		most = left / float64(len(sorted)-i)
		if takes > most {
			return most
		}
		left -= takes
	}
	return math.Inf(1)
}

// Over implements [Limit]. Tuning is over where what follows needs the rest of the time, or half of
// the limit.
func (c *Clock) Over() bool {
	if c.Last.Phase != PhaseTuning && c.Last.Phase != PhaseCentre {
		return c.Now().After(c.until)
	}
	_, follows := c.Ahead()
	return c.elapsed() > c.Limit.Seconds()-min(follows, c.Limit.Seconds()/2)
}

// Together implements [Limit].
func (c *Clock) Together(players int) int {
	if c.Last.Phase == "" {
		return 1
	}
	b := c.Last.Plan[c.Last.Part]
	b.Candidates = players
	return c.together(b)
}

// together returns how many seeds of a part begin together.
func (c *Clock) together(b PlannedPart) int {
	each := c.Takes(b, int64(b.Candidates))
	return int(max(1, min(c.Limit.Seconds()*togetherShare/max(each, 1e-9), math.MaxInt32)))
}

// Deadline returns when a command ends that began then and has a limit, whatever is under way.
func Deadline(began time.Time, limit time.Duration) time.Time {
	return began.Add(Seconds(limit.Seconds()*(1+lateShare) + lateSeconds))
}

// Within returns the number of generations of a plan that a limit leaves room for, at least one.
func (c *Clock) Within(plan func(generations int) []PlannedPart) int {
	low, high := 1, 2
	over := func(generations int) bool {
		c.Last = Progress{Plan: plan(generations)}
		return c.Ends(c.Ahead())
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
