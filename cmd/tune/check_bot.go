package main

import (
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

// checkBot plays a game of the start weights twice, in one process with other games between and in
// a fresh one. It prints the time of a game and whether the bot repeats itself. It returns the
// time, or 0 if nobody knows it.
func (in *invocation) checkBot(ctx context.Context, c *configs.Config) (each time.Duration, err error) {
	within, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	who := simulator.Player{Family: &c.Family, Values: c.Family.Values()}
	first, fresh := bot.New(*c.Family.Bot), bot.New(*c.Family.Bot)
	defer first.Close()
	defer fresh.Close()
	var ended [5]engine.Result // of seeds 1, 2, 3, 1 and 1
	for i, seed := range []uint64{1, 2, 3, 1, 1} {
		process := first
		if i == 4 {
			process = fresh
		}
		began := time.Now()
		game, err := process.Play(within, c.Rules, seed, simulator.BotWeights(&who), nil)
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded) && i == 0:
			fmt.Fprintf(in.stdout, "a game takes more than %v: nothing was measured\n\n", checkWithin)
			return 0, nil
		case errors.Is(err, context.DeadlineExceeded):
			fmt.Fprintf(in.stdout, "a game takes about %s; whether the bot repeats itself is not known after %v\n\n", each.Round(time.Millisecond), checkWithin)
			return each, nil
		case err != nil:
			return 0, err
		}
		ended[i] = game.Result
		switch took := time.Since(began); i {
		case 0: // with the start of the program, which a worker starts once
			each = took
		case 1, 2, 3:
			each = (each*time.Duration(i-1) + took) / time.Duration(i)
		}
	}
	again := "the bot repeats itself"
	if ended[3] != ended[0] || ended[4] != ended[0] {
		again = fmt.Sprintf("the bot does not repeat itself: the game of seed 1 ended with %v, %v and %v points. Its results cannot be verified",
			ended[0].Score, ended[3].Score, ended[4].Score)
	}
	fmt.Fprintf(in.stdout, "a game takes about %s; %s\n\n", each.Round(time.Millisecond/10), again)
	return each, nil
}
