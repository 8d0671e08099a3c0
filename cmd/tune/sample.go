package main

import (
	"context"
	"math"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/experiments"
)

// sampleTime is how long a player's games are tried at a search, and then single moves of a deep
// one. Tests shorten it.
var sampleTime = 250 * time.Millisecond

// newPace returns the pace of a process that begins now. Until games are measured it goes by games
// of the start weights, or of good ones: the best shipped champion that was made for such a search.
func newPace(c *configs.Config, workers int, limit time.Duration, good bool) *experiments.Pace {
	return experiments.NewPace(c, workers, limit, func(search engine.Settings) time.Duration {
		if search.Bot { // of one search no other's cost is needed, and check plays its own games
			return 0
		}
		who, path := startPlayer(c), "champions/best-depth3"
		switch deepest := search.Rule.Deepest(); {
		case deepest > soonPlayed:
			path = "champions/best-distinct7"
		case deepest > 3:
			path = "champions/best-depth5"
		}
		if r, err := loadRecord(path); good && err == nil { // the user may have another file there
			who = recordPlayer(path, path, r)
		}
		return sample(who, c.Rules, search)
	})
}

// sample returns about how long a game of a player takes at a search on one core. It plays games,
// unless a game of a deep search is likely to take longer than sampleTime.
func sample(p *player, rules engine.Rules, search engine.Settings) time.Duration {
	limit := sampleTime
	if search.Rule.Deepest() > soonPlayed {
		if guess := guessDeep(p, rules, search); guess > sampleTime {
			return guess
		}
		limit *= 4 // two games are too few: the longest one takes ten times as long as the shortest
	}
	began := time.Now()
	games, _ := playFor(p, rules, search, limit)
	return time.Since(began) / time.Duration(max(1, games))
}

// playFor plays games, and begins none after the limit. It returns their number and their boards.
// The last game is broken off after four times the limit.
func playFor(p *player, rules engine.Rules, search engine.Settings, limit time.Duration) (games int, boards []engine.Board) {
	e, err := p.expectimax(search)
	if err != nil {
		return 0, nil
	}
	for began := time.Now(); games == 0 || games < 100 && time.Since(began) < limit; games++ {
		engine.Play(rules, uint64(games), e, func(s engine.Step) bool {
			boards = append(boards, s.Board)
			return time.Since(began) < 4*limit
		})
	}
	return games, boards
}

// guessDeep returns about how long a game of a deep search takes. It tries moves, from all parts of
// the games of pilot.
func guessDeep(p *player, rules engine.Rules, search engine.Settings) time.Duration {
	games, boards := playFor(p, rules, pilot, sampleTime)
	e, err := p.expectimax(search)
	if err != nil || games == 0 {
		return 0
	}
	began := time.Now()
	searched, spent, stride := 0, 0.0, len(boards)*618/1000|1 // the golden section visits games evenly
	for ; searched < len(boards) && (searched < 3 || time.Since(began) < sampleTime); searched++ {
		b := boards[searched*stride%len(boards)]
		spent += searchTime(e, b, search.Rule.Depth(b))
	}
	return experiments.Seconds(deeperGames * spent / float64(searched) * float64(len(boards)) / float64(games))
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

// soonPlayed is the depth up to which games are played, whatever they take.
const soonPlayed = 5

// pilot is the search of the games whose moves are searched to estimate a deeper search. Games of a
// fixed depth as soon played end before the boards whose search takes longest.
var pilot = engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 7, Least: 2}}}

// deeperGames is how many times longer a game gets beyond that search, by its score: from 1.0 times
// at depth 7 to 1.6 times at distinct -5 least 2 p 0.02, for champions/best-distinct7.
const deeperGames = 1.4
