package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/experiments"
	"tune2048/results/report"
)

// ends reports whether a run with -for ends its tuning before the next generation. Nothing else
// depends on a clock. It does not foresee a machine that gets slower afterwards. tell is called
// with the decision and the warnings.
func ends(pace *experiments.Pace, c *config.Config, next experiments.PlannedPart, tell func(level slog.Level, text string)) bool {
	generation := pace.Takes(next, next.Expected)
	tuning, follows := pace.Ahead()
	over := pace.Ends(generation, follows)
	elapsed := pace.Now().Sub(pace.Began).Seconds()
	if text := fit(c, elapsed, tuning, follows, pace.Limit); !pace.Warned && text != "" {
		tell(slog.LevelWarn, text)
	}
	pace.Warned = true
	if !over {
		return false
	}
	tell(slog.LevelInfo, fmt.Sprintf("-for %s: tuning ends here after %s: what follows takes about %s",
		shortTime(pace.Limit), report.Count(pace.Last.Generations, "generation"), lasting(min(follows, max(0, pace.Limit.Seconds()-elapsed)))))
	at := slices.IndexFunc(c.Stages, func(s config.Stage) bool { return s.Name == pace.Last.Stage })
	if missed := c.Stages[at+1:]; len(missed) > 0 {
		tell(slog.LevelWarn, fmt.Sprintf("not reached for lack of time: stage %s; give the stages before fewer "+
			"generations, or more time", missed[0].Name))
	}
	return true
}

// fit says how a run does not fit -for, or nothing. It gets how long the run has taken, and how
// long its tuning and what follows that will take, in seconds. Tuning has half of the time.
func fit(c *config.Config, elapsed, tuning, follows float64, limit time.Duration) string {
	switch all := limit.Seconds(); {
	case limit == 0:
	case follows > all/2*1.05:
		return fmt.Sprintf("what follows the tuning takes about %s, and -for %s leaves it half of its time: playoff, validation and "+
			"ablation play fewer games than the config gives them", lasting(follows), shortTime(limit))
	case elapsed+tuning+follows < all/2 && c.IsEndless():
		return fmt.Sprintf("this ends after about %s: no stage has more than %s", lasting(elapsed+tuning+follows),
			report.Count(config.MaxGenerations, "generation"))
	case elapsed+tuning+follows < all/2:
		return fmt.Sprintf("this ends after about %s: leave out generations and max_games of the last stage to use the %s",
			lasting(elapsed+tuning+follows), shortTime(limit))
	}
	return ""
}

// lasting writes a time in seconds.
func lasting(s float64) string { return report.Duration(experiments.Seconds(s)) }

// shortTime writes a time as one would give it to -for: 8h, not 8h0m0s.
func shortTime(t time.Duration) string {
	return strings.Replace(strings.Replace(t.String(), "m0s", "m", 1), "h0m", "h", 1)
}

// sampleTime is how long a player's games are tried at a search. Tests shorten it.
var sampleTime = 250 * time.Millisecond

// newPace returns the pace of a process that begins now. Until games are measured it goes by games
// of the start weights, or by longer games of a shipped champion if they take longer.
// After ctx ends it plays no more of them, and its times are meaningless.
func newPace(ctx context.Context, c *config.Config, workers int, limit time.Duration) *experiments.Pace {
	return experiments.NewPace(workers, limit, func(search engine.Settings) time.Duration {
		if search.Bot || ctx.Err() != nil { // of one search no other's cost is needed, and check plays its own games
			return 0
		}
		takes := gameTime(ctx, startPlayer(c), c.Rules, search)
		if r, err := loadRecord("champions/best-depth3"); err == nil { // the user may have another file there
			takes = max(takes, gameTime(ctx, recordPlayer("", r), c.Rules, search))
		}
		return takes
	})
}

const (
	// soonPlayed is the depth up to which whole games are played, whatever they take.
	soonPlayed = 5
	// deeperGames is how many times longer a game takes than the moves of one by pilot: 1.2 times
	// at depth 7, 2.5 times at distinct -5 least 2 p 0.02, for champions/best-distinct7.
	deeperGames = 1.7
)

// pilot is the search of the games whose moves are searched to estimate a deeper search. Games of a
// fixed depth as soon played end before the boards whose search takes longest.
var pilot = engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 7, Least: 2}}}

// gameTime returns about how long a player's game takes at a search on one core. At a deep search
// it tries moves from all parts of the games of pilot. If the first one does not end within a
// second, a move counts as an hour: nobody has the time for such games.
func gameTime(ctx context.Context, p *player, rules engine.Rules, search engine.Settings) time.Duration {
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
			return ctx.Err() == nil && time.Since(began) < 8*sampleTime // otherwise the game is broken off
		})
	}
	each := time.Since(began) / time.Duration(games)
	if !deep {
		return each
	}
	if e, err = p.expectimax(search); err != nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, 4*sampleTime)
	defer cancel()
	defer e.StopWith(ctx)()
	began = time.Now()
	moves, stride := 0, len(boards)*618/1000|1 // the golden section visits games evenly
	for ; moves < len(boards) && ctx.Err() == nil; moves++ {
		e.Choose(boards[moves*stride%len(boards)])
	}
	spent, perGame := time.Since(began), deeperGames*float64(len(boards))/float64(games)
	if moves == 1 && ctx.Err() != nil && spent > time.Second/2 { // not where tests cut it short
		spent = time.Hour
	}
	return experiments.Seconds(spent.Seconds() / float64(max(1, moves)) * perGame)
}
