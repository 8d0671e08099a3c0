package main

import (
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
				c.guess[search], _ = sample(c.config, b.Settings)
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
		total += time.Duration(s.Games) * c.game(s.Search)
	}
	return total / time.Duration(c.workers)
}

// shareDone returns the share of the plan's cost that is done.
func (c *costs) shareDone(p experiments.Progress) float64 {
	var all time.Duration
	for _, b := range c.plan {
		all += time.Duration(b.Games) * c.game(b.Search)
	}
	left := c.left(p.Left) * time.Duration(c.workers)
	if all <= 0 {
		return 0
	}
	return max(0, 1-float64(left)/float64(all))
}

// sampleTime is how long a search is tried to estimate its cost.
const sampleTime = 150 * time.Millisecond

// sample plays with the start weights for a moment and returns about how long a whole game takes, and its moves.
func sample(c *configs.Config, settings engine.Settings) (game time.Duration, moves float64) {
	tables, err := heuristic.NewCompiler(&c.Family).Compile(c.Family.Start(), c.Family.Dead)
	if err != nil {
		return 0, 0
	}
	var e engine.Expectimax
	e.Prepare(tables, settings, c.Rules)
	began := time.Now()
	games, played := 0, 0
	for seed := uint64(0); time.Since(began) < sampleTime && games < 50; seed++ {
		cut := false
		r := engine.Play(c.Rules, seed, &e, func(engine.Step) bool {
			cut = time.Since(began) >= sampleTime
			return !cut
		})
		played += r.Moves
		if !cut {
			games++
		}
	}
	if played == 0 {
		return time.Since(began), 1
	}
	perMove := time.Since(began) / time.Duration(played)
	moves = unfinishedMoves // a game that is not over says little of its length
	if games > 0 {
		moves = float64(played) / float64(games)
	}
	return time.Duration(float64(perMove) * moves), moves
}

// unfinishedMoves is the length taken for games too long to finish in a sample: about 65,000 points.
const unfinishedMoves = 3000
