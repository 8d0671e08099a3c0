package main

import (
	"context"
	"math"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
)

// sampleTime is how long a search is tried to estimate its cost. Tests shorten it.
var sampleTime = 200 * time.Millisecond

// sample returns about how long a game of the start weights takes at the search: moves of games at
// a depth that is soon played, from their beginning to their end, are searched for a moment each.
// Games of deeper searches are longer.
func sample(c *configs.Config, settings engine.Settings) time.Duration {
	tables, err := heuristic.NewCompiler(&c.Family).Compile(c.Family.Values(), c.Family.Dead)
	if err != nil {
		return 0
	}
	var pilot engine.Expectimax
	pilot.Prepare(tables, engine.FixedDepth(min(pilotDepth, settings.Rule.Deepest())), c.Rules)
	var boards []engine.Board
	began, games := time.Now(), 0
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
	began = time.Now()
	searched, spent := 0, 0.0
	// A stride of about the golden section visits a game evenly, however few of its boards are
	// searched.
	stride := len(boards)*618/1000 | 1
	for i := 0; searched < len(boards) && (searched < 3 || time.Since(began) < sampleTime); i = (i + stride) % len(boards) {
		spent += searchTime(&e, boards[i], settings.Rule.Depth(boards[i]))
		searched++
	}
	return seconds(spent / float64(max(searched, 1)) * moves)
}

// searchTime returns how many seconds a search takes. It estimates a search longer than sampleTime
// from a shallower one: two plies more take at least 10 times as long.
func searchTime(e *engine.Expectimax, b engine.Board, depth int) float64 {
	ctx, cancel := context.WithTimeout(context.Background(), sampleTime)
	defer cancel()
	defer e.StopWith(ctx)()
	for at := min(depth, 4-depth%2); ; at += 2 {
		began := time.Now()
		e.SearchDepth(b, at)
		if ctx.Err() != nil {
			return sampleTime.Seconds() * math.Pow(10, float64((depth-at)/2))
		}
		if at >= depth {
			return time.Since(began).Seconds()
		}
	}
}

// pilotDepth is the depth of the games whose moves are searched to estimate a deeper search. Games
// at depth 3 end before they have enough different tiles for a rule by distinct tiles: the estimate
// for distinct -7 was half of the true time.
const pilotDepth = 5

// deeperGames is how many times longer a game gets beyond that depth: 1.1 times for the start
// weights of snake at depth 7, and some 1.8 times for the weights of nneonneo, by their score.
const deeperGames = 1.4
