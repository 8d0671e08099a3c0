package main

import (
	"math"
	"sync/atomic"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/experiments"
)

// costs knows how long a game takes at each search: estimated before the first one, then measured. It serves
// the display and the plan only; no result depends on it.
type costs struct {
	workers  int
	config   *configs.Config
	plan     []experiments.PlannedBlock
	guess    map[string]time.Duration // of a game, before any is played
	measured map[string]*measurement
}

// measurement is an exponentially weighted mean, so that longer games of better weights show soon.
type measurement struct {
	games int
	mean  float64 // seconds
}

func newCosts(c *configs.Config, workers int) *costs {
	return &costs{
		workers: workers, config: c, plan: experiments.Plan(c),
		guess: map[string]time.Duration{}, measured: map[string]*measurement{},
	}
}

func (c *costs) add(search string, t time.Duration) {
	m := c.measured[search]
	if m == nil {
		m = &measurement{}
		c.measured[search] = m
	}
	m.games++
	weight := 1 / float64(min(m.games, 500))
	m.mean += (t.Seconds() - m.mean) * weight
}

// game returns how long a game at the search takes on one worker.
func (c *costs) game(search string) time.Duration {
	if m := c.measured[search]; m != nil && m.games >= 3 {
		return time.Duration(m.mean * float64(time.Second))
	}
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

// left returns how long the games that are left will take.
func (c *costs) left(shares []experiments.Share) time.Duration {
	var total time.Duration
	for _, s := range shares {
		total = min(total+times(s.Games, c.game(s.Search)), longest)
	}
	return total / time.Duration(c.workers)
}

// shareDone returns the share of the plan's cost that is done.
func (c *costs) shareDone(p experiments.Progress) float64 {
	var all time.Duration
	for _, b := range c.plan {
		all = min(all+times(b.Games, c.game(b.Search)), longest)
	}
	left := float64(c.left(p.Left)) * float64(c.workers)
	if all <= 0 {
		return 0
	}
	return max(0, 1-left/float64(all))
}

// within returns the plan as -for leaves it: about as many generations as fit beside the phases that follow, at least one. The
// limit 0 changes nothing.
func (c *costs) within(limit time.Duration) []experiments.PlannedBlock {
	if limit == 0 {
		return c.plan
	}
	left, volume := limit.Seconds(), experiments.Expect(c.config, c.plan)
	takes := make([]float64, len(c.plan)) // seconds
	for i, b := range c.plan {
		takes[i] = float64(volume.Parts[i].Games) * c.game(b.Search).Seconds() / float64(c.workers)
		if b.Phase != experiments.PhaseTuning {
			left -= takes[i]
		}
	}
	var plan []experiments.PlannedBlock
	for i, b := range c.plan {
		if b.Phase == experiments.PhaseTuning && b.Generations > 0 {
			left = max(0, left)
			if takes[i] > left {
				b.Generations = int(math.Ceil(left / takes[i] * float64(volume.Parts[i].Generations)))
				if i == 0 {
					b.Generations = max(1, b.Generations)
				}
				b.Games = min(b.Games, int64(b.Generations)*int64(b.Candidates)*int64(c.config.Stages[i].Games))
			}
			left -= takes[i]
		}
		plan = append(plan, b)
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

// sample returns about how long a game of the start weights takes at the search: moves of a game at depth 3, from
// its beginning to its end, are searched for a moment each. Games of deeper searches are longer.
func sample(c *configs.Config, settings engine.Settings) time.Duration {
	tables, err := heuristic.NewCompiler(&c.Family).Compile(c.Family.Start(), c.Family.Dead)
	if err != nil {
		return 0
	}
	var pilot engine.Expectimax
	pilot.Prepare(tables, engine.FixedDepth(min(3, settings.Rule.Deepest())), c.Rules)
	var boards []engine.Board
	began := time.Now()
	games := 0
	for ; games == 0 || time.Since(began) < sampleTime/4; games++ {
		engine.Play(c.Rules, uint64(games), &pilot, func(s engine.Step) bool {
			boards = append(boards, s.Board)
			return time.Since(began) < 2*sampleTime
		})
	}
	moves := float64(len(boards)) / float64(games)
	if settings.Rule.Deepest() > 3 {
		moves *= deeperGames
	}

	var e engine.Expectimax
	e.Prepare(tables, settings, c.Rules)
	began = time.Now()
	searched, spent := 0, 0.0
	// A stride of about the golden section visits a game evenly, however few of its boards are searched.
	stride := len(boards)*618/1000 | 1
	for i := 0; searched < len(boards) && (searched < 3 || time.Since(began) < sampleTime); i = (i + stride) % len(boards) {
		spent += searchTime(&e, boards[i], settings.Rule.Depth(boards[i]))
		searched++
	}
	return nanoseconds(spent / float64(max(searched, 1)) * moves)
}

// searchTime returns how many nanoseconds a search takes. One that takes too long to wait for is estimated from shallower
// ones, each two plies deeper than the one before.
func searchTime(e *engine.Expectimax, b engine.Board, depth int) float64 {
	var stop atomic.Bool
	e.StopOn(&stop)
	defer time.AfterFunc(sampleTime, func() { stop.Store(true) }).Stop()
	began := time.Now()
	e.SearchDepth(b, depth)
	if took := time.Since(began); !stop.Load() {
		return float64(took)
	}
	stop.Store(false)
	defer time.AfterFunc(sampleTime, func() { stop.Store(true) }).Stop()
	growth, last := 10.0, 0.0
	for at := 2 - depth%2; at < depth; at += 2 {
		began := time.Now()
		e.SearchDepth(b, at)
		took := float64(time.Since(began))
		if stop.Load() {
			return max(last, float64(sampleTime)) * math.Pow(growth, float64((depth-at)/2))
		}
		if last > 0 {
			growth = max(growth, took/last)
		}
		last = took
	}
	return last * growth
}

// deeperGames is how many times longer a game gets at depth 5 and more: by as much as its score.
const deeperGames = 2
