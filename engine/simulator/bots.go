package simulator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tune2048/engine/bot"
	"tune2048/engine/eval"
)

// ErrUnnamed: a bot's program comes from a database, a record or another machine.
var ErrUnnamed = errors.New("its player is a bot, and nothing runs that you did not name: name its config with -config FILE")

// bots are the processes of a worker, one for each bot.
type bots map[*eval.Heuristic]*bot.Process

// play plays one game of a bot. Of a game that the bot plays by itself, the nodes and the last
// board are 0, and moves and largest tile are, too, unless it says them. The duration is the bot's
// own time, where the system knows it.
func (all bots) play(ctx context.Context, named []*bot.Program, batch *Batch, job Job) (o Outcome, err error) {
	who := &batch.Players[job.Player]
	process := all[who.Family]
	program, err := Named(who.Family.Bot, named)
	if err != nil {
		return o, err
	}
	if process == nil {
		process = bot.New(*program)
		all[who.Family] = process
	}
	began := time.Now()
	game, err := process.Play(ctx, batch.Rules, job.Seed, BotWeights(who), nil)
	if err != nil {
		return o, err
	}
	o.Result = game.Result
	if o.Duration = game.CPU; o.Duration == 0 {
		o.Duration = time.Since(began)
	}
	o.Duration = o.Duration.Truncate(time.Microsecond)
	if job.Twice {
		fresh := bot.New(*program)
		defer fresh.Close()
		again, err := fresh.Play(ctx, batch.Rules, job.Seed, BotWeights(who), nil)
		if err != nil {
			return o, err
		}
		if again.Result != game.Result {
			o.Unlike = fmt.Sprintf("bot %s does not repeat itself: its game with seed %d ended with %d points, then with %d",
				strings.Join(program.Command, " "), job.Seed, game.Score, again.Score)
		}
	}
	return o, nil
}

// Named returns the program of a bot as the user named it: its own folder says so, or one of named
// has the same command and answers. Otherwise the error is ErrUnnamed.
func Named(program *bot.Program, named []*bot.Program) (*bot.Program, error) {
	for _, p := range append([]*bot.Program{program}, named...) {
		if p.Folder != "" && p.Answers == program.Answers && slices.Equal(p.Command, program.Command) {
			return p, nil
		}
	}
	return nil, fmt.Errorf("bot %q: %w", program.Command, ErrUnnamed)
}

// BotWeights returns the weights that a bot gets.
func BotWeights(who *Player) (weights []bot.Weight) {
	for i, w := range who.Family.Weights() {
		weights = append(weights, bot.Weight{Name: w.Name, Value: who.Values[i]})
	}
	return weights
}

// Close ends the bots. The pool may be used again.
func (p *Pool) Close() {
	for _, all := range p.bots {
		for _, process := range all {
			process.Close()
		}
		clear(all)
	}
}
