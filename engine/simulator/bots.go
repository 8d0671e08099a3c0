package simulator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tune2048/engine/bot"
	"tune2048/engine/eval"
)

// errUnnamed: a bot's program comes from a database, a record or another machine.
var errUnnamed = errors.New("its player is a bot, and nothing runs that you did not name: name its config with " +
	"-config FILE")

// bots are the processes of a worker, one for each program, by its content.
type bots map[string]*bot.Process

// play plays one game of a bot. Of a game that the bot plays by itself, the nodes and the last
// board are 0, and moves and largest tile are, too, unless it says them. The duration is the bot's
// own time, where the system knows it.
func (all bots) play(ctx context.Context, named []*bot.Program, batch *Batch, job Job) (o Outcome, err error) {
	who := batch.Players[job.Player]
	program, err := Named(who.Heuristic.Bot, named)
	if err != nil {
		return o, err
	}
	key := fmt.Sprint(program.Folder, program.Timeout, who.Form.Text)
	process := all[key]
	if process == nil {
		process = bot.New(*program)
		all[key] = process
	}
	began := time.Now()
	game, err := process.Play(ctx, who.Rules, job.Seed, BotWeights(who), nil)
	if failure, failed := errors.AsType[*bot.Failure](err); failed {
		return Outcome{Failed: failure.Fault()}, nil
	} else if err != nil {
		return o, err
	}
	unlike := func(format string, args ...any) {
		o.Unlike = fmt.Sprintf("bot %s does not repeat itself: its game with seed %d ",
			strings.Join(program.Command, " "), job.Seed) + fmt.Sprintf(format, args...)
	}
	if game.Before != nil {
		unlike("was played in a second attempt; in the first one %v", firstLine(game.Before))
	}
	o.Result = game.Result
	o.Duration = game.CPU
	if o.Duration == 0 {
		o.Duration = time.Since(began)
	}
	o.Duration = o.Duration.Truncate(time.Microsecond)
	if job.Twice {
		fresh := bot.New(*program)
		again, err := fresh.Play(ctx, who.Rules, job.Seed, BotWeights(who), nil)
		tooMuch := fresh.Close() // a line more than was asked for shifts the answers to later games
		failure, failed := errors.AsType[*bot.Failure](err)
		switch {
		case failed && bot.Silent(failure.Fault()): // it was slow, which says nothing of its answers
		case failed:
			unlike("ended with %v points, and could not be played again: %v", game.Score, firstLine(failure.Did))
		case err != nil:
			return o, err
		case again.Result != game.Result:
			unlike("ended with %v points, then with %v", game.Score, again.Score)
		case tooMuch != nil:
			unlike("was answered, and then %v", tooMuch)
		}
	}
	return o, nil
}

// firstLine is a bot's fault without its stderr.
func firstLine(did error) string {
	line, _, _ := strings.Cut(did.Error(), "\n")
	return line
}

// failures knows the first game of each player that could not be played.
type failures struct {
	mutex    sync.Mutex
	byPlayer []failure // by player
}

type failure struct {
	job   int
	fault string // empty: there is none
}

// before returns the fault of a player's game before this job, or "".
func (f *failures) before(player, job int) string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if first := f.byPlayer[player]; first.job < job {
		return first.fault
	}
	return ""
}

// add notes how a game went. fault is empty where it was played.
func (f *failures) add(player, job int, fault string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if first := f.byPlayer[player]; fault != "" && (first.fault == "" || job < first.job) {
		f.byPlayer[player] = failure{job, fault}
	}
}

// Named returns the program of a bot as the user named it: its own folder says so, or one of named
// has the same command and answers. Of several in different folders it is the one whose files the
// program has. Otherwise the error is errUnnamed.
func Named(program *bot.Program, named []*bot.Program) (*bot.Program, error) {
	if program.Folder != "" {
		named = []*bot.Program{program}
	}
	named = slices.DeleteFunc(slices.Clone(named), func(p *bot.Program) bool {
		return p.Folder == "" || p.Answers != program.Answers || !slices.Equal(p.Command, program.Command)
	})
	several := slices.ContainsFunc(named, func(p *bot.Program) bool { return p.Folder != named[0].Folder })
	for _, p := range named {
		files, err := p.Files()
		if several && err != nil {
			return nil, fmt.Errorf("bot %q: %w", program.Command, err)
		}
		if !several || maps.Equal(files, program.Hashes) {
			found := *p
			found.Hashes, found.Score = program.Hashes, program.Score
			return &found, nil
		}
	}
	if several {
		return nil, fmt.Errorf("bot %q: several of the named configs start this command, and none has the files that "+
			"played: %w", program.Command, errUnnamed)
	}
	return nil, fmt.Errorf("bot %q: %w", program.Command, errUnnamed)
}

// BotWeights returns the weights that a bot gets.
func BotWeights(who eval.Player) (weights []bot.Weight) {
	for i, name := range who.Heuristic.Names() {
		weights = append(weights, bot.Weight{Name: name, Value: who.Values[i]})
	}
	return weights
}

// Failure returns the error of a player's outcome that has this Failed. Only bots fail, unless a
// store says something else.
func Failure(who eval.Player, failed string) error {
	if who.Heuristic.Bot == nil {
		return fmt.Errorf("a player without a bot is recorded as one that failed: %s (the database was changed by hand: "+
			"start afresh with -new)", failed)
	}
	return bot.Recorded(who.Heuristic.Bot.Command, BotWeights(who), failed)
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
