package main

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
)

// sampleTime is how long a search is tried to estimate its cost.
const sampleTime = 200 * time.Millisecond

// sample returns about how long a game of the start weights takes at the search: moves of games at
// a depth that is soon played, from their beginning to their end, are searched for a moment each.
// Games of deeper searches are longer.
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
	// A stride of about the golden section visits a game evenly, however few of its boards are
	// searched.
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

// searchTime returns how many nanoseconds a search takes. On a busy machine a search may not end
// because it has to wait: then it is given more time.
func searchTime(e *engine.Expectimax, b engine.Board, depth int) (took float64, ended bool) {
	for patience := sampleTime; ; patience *= 2 {
		began, known := threadTime()
		took, ended = searchTimeWithin(e, b, depth, patience)
		if now, _ := threadTime(); ended || !known || now-began >= sampleTime/2 {
			return took, ended
		}
	}
}

// searchTimeWithin is searchTime. A search that does not end within the patience is estimated from
// shallower ones, each two plies deeper than the one before.
func searchTimeWithin(e *engine.Expectimax, b engine.Board, depth int, patience time.Duration) (took float64, ended bool) {
	var stop atomic.Bool
	e.StopOn(&stop)
	defer time.AfterFunc(patience, func() { stop.Store(true) }).Stop()
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

// pilotDepth is that of the games whose moves are searched to estimate a deeper search. At depth 3
// they end before there are as many different tiles as a rule by distinct tiles goes by: a game by
// distinct -7 was thought to take half of its time.
const pilotDepth = 5

// deeperGames is how many times longer a game gets beyond that depth: 1.1 times for the start
// weights of snake at depth 7, and some 1.8 times for the weights of nneonneo, by their score.
const deeperGames = 1.4
