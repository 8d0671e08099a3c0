package main

import (
	"context"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/experiments"
)

// sampleTime is how long a player's games are tried at a search. Tests shorten it.
var sampleTime = 250 * time.Millisecond

// newPace returns the pace of a process that begins now. Until games are measured it goes by games
// of the start weights, or with good by longer games of a shipped champion if they take longer.
func newPace(c *configs.Config, workers int, limit time.Duration, good bool) *experiments.Pace {
	return experiments.NewPace(c, workers, limit, func(search engine.Settings) time.Duration {
		if search.Bot { // of one search no other's cost is needed, and check plays its own games
			return 0
		}
		takes := gameTime(startPlayer(c), c.Rules, search)
		if r, err := loadRecord("champions/best-depth3"); good && err == nil { // the user may have another file there
			takes = max(takes, gameTime(recordPlayer("", "", r), c.Rules, search))
		}
		return takes
	})
}

const (
	// soonPlayed is the depth up to which whole games are played, whatever they take.
	soonPlayed = 5
	// deeperGames is how many times longer a game gets beyond pilot, by its score: 1.0 times at
	// depth 7, 1.6 times at distinct -5 least 2 p 0.02, for champions/best-distinct7.
	deeperGames = 1.4
)

// pilot is the search of the games whose moves are searched to estimate a deeper search. Games of a
// fixed depth as soon played end before the boards whose search takes longest.
var pilot = engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 7, Least: 2}}}

// gameTime returns about how long a player's game takes at a search on one core. At a deep search
// it tries moves from all parts of the games of pilot. If the first one does not end within a
// second, a move counts as an hour: nobody has the time for such games.
func gameTime(p *player, rules engine.Rules, search engine.Settings) time.Duration {
	deep, shallow := search.Rule.Deepest() > soonPlayed, search
	if deep {
		shallow = pilot
	}
	e, err := p.expectimax(shallow)
	if err != nil {
		return 0
	}
	games, boards, began := 0, []engine.Board(nil), time.Now()
	for ; games == 0 || games < 100 && time.Since(began) < 2*sampleTime; games++ {
		engine.Play(rules, uint64(games), e, func(s engine.Step) bool {
			boards = append(boards, s.Board)
			return time.Since(began) < 8*sampleTime // otherwise the game is broken off
		})
	}
	each := time.Since(began) / time.Duration(games)
	if !deep {
		return each
	}
	if e, err = p.expectimax(search); err != nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*sampleTime)
	defer cancel()
	defer e.StopWith(ctx)()
	began = time.Now()
	moves, stride := 0, len(boards)*618/1000|1 // the golden section visits games evenly
	for ; moves < len(boards) && ctx.Err() == nil; moves++ {
		e.Search(boards[moves*stride%len(boards)])
	}
	spent, perGame := time.Since(began), deeperGames*float64(len(boards))/float64(games)
	if moves == 1 && ctx.Err() != nil {
		spent = time.Hour
	}
	return experiments.Seconds(spent.Seconds() / float64(max(1, moves)) * perGame)
}
