package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/simulator"
)

// checkWithin is how long check measures a bot.
const checkWithin = time.Minute

// checkBot plays a game of the start weights three times: twice in one process, with another game
// between, and once in a fresh process. It prints the time of a game and whether the bot repeats
// itself. It returns the time, or 0 if nobody knows it.
func (in *invocation) checkBot(ctx context.Context, c *configs.Config) (each time.Duration, err error) {
	within, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	who := simulator.Player{Family: &c.Family, Values: c.Family.Values()}
	first, fresh := bot.New(*c.Family.Bot), bot.New(*c.Family.Bot)
	defer first.Close()
	defer fresh.Close()
	again := "the bot repeats itself"
	var ended engine.Result // of the first game
	for i, process := range []*bot.Process{first, first, first, fresh} {
		seed, began := uint64(1), time.Now()
		if i == 1 {
			seed = 2
		}
		game, err := process.Play(within, c.Rules, seed, simulator.BotWeights(&who), nil)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			fmt.Fprintf(in.stdout, "in %v the bot has not played four games: whether it repeats itself is not known\n\n",
				checkWithin)
			return each, nil
		}
		if err != nil {
			return 0, cmp.Or(ctx.Err(), err)
		}
		if i < 2 {
			each = time.Since(began) // of the second game, which does not wait for the process
		}
		switch {
		case i == 0:
			ended = game.Result
		case i > 1 && game.Result != ended:
			again = fmt.Sprintf("the bot does not repeat itself: the game of seed 1 ended with %v points, then with %v. Its "+
				"results cannot be verified",
				ended.Score, game.Score)
		}
	}
	fmt.Fprintf(in.stdout, "a game takes about %s; %s\n\n", each.Round(time.Millisecond/10), again)
	return each, nil
}
