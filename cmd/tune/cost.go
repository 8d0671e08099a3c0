package main

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/experiments"
)

// costs knows how long a game takes at each search: by the games of this process, and where none was played by a moment of
// searching with the start weights, corrected by how far that is wrong at the other searches. It serves display, plan and -for;
// no result depends on it but where -for ends the tuning.
type costs struct {
	cores  func() int // that play at once, now
	config *configs.Config
	plan   []experiments.PlannedPart

	mutex sync.Mutex // guards what follows
	guess map[string]time.Duration
	seen  map[string]*recentMean
}

// recentMean is the mean of about the last 500 games in seconds, so that longer games of better weights show soon.
type recentMean struct {
	games int
	mean  float64
}

func newCosts(c *configs.Config, workers int) *costs {
	return &costs{cores: func() int { return workers }, config: c, plan: experiments.Plan(c), guess: map[string]time.Duration{}, seen: map[string]*recentMean{}}
}

// add takes a game that was played.
func (c *costs) add(search string, t time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m := c.seen[search]
	if m == nil {
		m = &recentMean{}
		c.seen[search] = m
	}
	m.games = min(m.games+1, 500)
	m.mean += (t.Seconds() - m.mean) / float64(m.games)
}

// game returns how long a game at the search takes on one worker.
func (c *costs) game(search string) time.Duration {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if m := c.seen[search]; m != nil {
		return nanoseconds(m.mean * float64(time.Second))
	}
	seen, guessed := 0.0, 0.0
	for played, m := range c.seen {
		seen += m.mean
		guessed += c.guessed(played).Seconds()
	}
	if guessed == 0 {
		return c.guessed(search)
	}
	return nanoseconds(float64(c.guessed(search)) * seen / guessed)
}

// guessed returns how long a game of the start weights is likely to take at a search of the plan.
func (c *costs) guessed(search string) time.Duration {
	if _, known := c.guess[search]; !known {
		for _, b := range c.plan {
			if b.Search == search {
				c.guess[search] = sample(c.config, b.Settings)
				break
			}
		}
	}
	return c.guess[search]
}

// takes returns how long a part of the plan takes at most: at the end of each round the workers wait for the last game.
func (c *costs) takes(b experiments.PlannedPart) time.Duration {
	each := c.game(b.Search)
	waits := int64(b.Rounds) * int64((b.Generations+b.AtOnce-1)/b.AtOnce)
	return min(longest, times(b.Games, each)/time.Duration(c.cores())+times(waits, each))
}

// left returns how long the games that are left will take.
func (c *costs) left(shares []experiments.GamesLeft) time.Duration {
	var total time.Duration
	for _, s := range shares {
		total = min(total+times(s.Games, c.game(s.Search)), longest)
	}
	return total / time.Duration(c.cores())
}

// within returns the plan as -for leaves it: about as many generations as fit beside the phases that follow, at least one. The
// limit 0 changes nothing.
func (c *costs) within(limit time.Duration) []experiments.PlannedPart {
	if limit == 0 {
		return c.plan
	}
	left := limit.Seconds()
	for _, b := range c.plan {
		if b.Phase != experiments.PhaseTuning {
			left -= c.takes(b).Seconds() * (1 + budgetMargin)
		}
	}
	plan := slices.Clone(c.plan)
	for i := range plan {
		b := &plan[i]
		if b.Phase != experiments.PhaseTuning {
			break
		}
		takes := c.takes(*b).Seconds()
		n := int(math.Ceil(min(1, max(0, left)/takes) * float64(b.Generations)))
		if i == 0 {
			n = max(1, n)
		}
		b.Generations, b.Games = n, min(b.Games, int64(n)*int64(b.Candidates)*int64(c.config.Stages[i].Games))
		left -= takes
	}
	return plan
}

// longest is a time that stands for all longer ones: a search of 31 plies takes longer than a Duration can be.
const longest = 100 * 365 * 24 * time.Hour

// times returns how long so many games take, or longest.
func times(games int64, each time.Duration) time.Duration {
	return nanoseconds(float64(games) * float64(each))
}

// nanoseconds returns that many as a Duration, or longest.
func nanoseconds(n float64) time.Duration {
	if n >= float64(longest) {
		return longest
	}
	return time.Duration(n)
}

// sampleTime is how long a search is tried to estimate its cost.
const sampleTime = 200 * time.Millisecond

// sample returns about how long a game of the start weights takes at the search: moves of games at a depth that is soon played,
// from their beginning to their end, are searched for a moment each. Games of deeper searches are longer.
func sample(c *configs.Config, settings engine.Settings) time.Duration {
	tables, err := heuristic.NewCompiler(&c.Family).Compile(c.Family.Start(), c.Family.Dead)
	if err != nil {
		return 0
	}
	var pilot engine.Expectimax
	pilot.Prepare(tables, engine.FixedDepth(min(pilotDepth, settings.Rule.Deepest())), c.Rules)
	var boards []engine.Board
	began := time.Now()
	games := 0
	for ; games == 0 || games < 20 && time.Since(began) < sampleTime; games++ {
		engine.Play(c.Rules, uint64(games), &pilot, func(s engine.Step) bool {
			boards = append(boards, s.Board)
			return time.Since(began) < 2*sampleTime
		})
	}
	moves := float64(len(boards)) / float64(games)
	if settings.Rule.Deepest() > pilotDepth {
		moves *= deeperGames
	}

	var e engine.Expectimax
	e.Prepare(tables, settings, c.Rules)
	// CPU time counts: on a busy machine most of a moment is spent waiting.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began = time.Now()
	cpu, known := threadTime()
	searched, spent, whole := 0, 0.0, true
	// A stride of about the golden section visits a game evenly, however few of its boards are searched.
	stride := len(boards)*618/1000 | 1
	for i := 0; searched < len(boards) && (searched < 3 || time.Since(began) < sampleTime); i = (i + stride) % len(boards) {
		took, ended := searchTime(&e, boards[i], settings.Rule.Depth(boards[i]))
		spent, whole = spent+took, whole && ended
		searched++
	}
	switch now, _ := threadTime(); {
	case known && whole:
		spent = float64(now - cpu)
	case known:
		spent *= min(1, (now-cpu).Seconds()/time.Since(began).Seconds())
	}
	return nanoseconds(spent / float64(max(searched, 1)) * moves)
}

// searchTime returns how many nanoseconds a search takes. One that takes too long to wait for, and does not end, is estimated from
// shallower ones, each two plies deeper than the one before.
func searchTime(e *engine.Expectimax, b engine.Board, depth int) (took float64, ended bool) {
	var stop atomic.Bool
	e.StopOn(&stop)
	defer time.AfterFunc(sampleTime, func() { stop.Store(true) }).Stop()
	growth, last := 10.0, float64(sampleTime)
	first := min(depth, 4-depth%2)
	for at := first; ; at += 2 {
		began := time.Now()
		e.SearchDepth(b, at)
		took := float64(time.Since(began))
		switch {
		case stop.Load():
			return last * math.Pow(growth, float64((depth-at)/2+1)), false
		case at >= depth:
			return took, true
		case at > first:
			growth = max(growth, took/last)
		}
		last = took
	}
}

// pilotDepth is that of the games whose moves are searched to estimate a deeper search. At depth 3 they end before there are as many
// different tiles as a rule by distinct tiles goes by: a game by distinct -7 was thought to take half of its time.
const pilotDepth = 5

// deeperGames is how many times longer a game gets beyond that depth: by as much as its score.
const deeperGames = 1.7
