package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// trial is how a bot fared at the games by which check tries it.
type trial struct {
	ended bool          // whether all of them did
	each  time.Duration // that a game takes, or at least
	text  string        // lines for the user
}

// verdict says how far a config was checked, for this use.
func (t trial) verdict(use string) string {
	if t.ended {
		return "is valid" + use
	}
	return "has no mistake, but its bot is too slow to be tried to the end"
}

const (
	// tryFor is how long check tries a bot. One that plays by itself may have its timeout, if
	// longer.
	tryFor   = time.Minute
	sayAfter = 5 * time.Second // check says so
	// stuckAfter is how long a bot may be silent at the end of that, and stuckTimes how many times
	// as long as its slowest answer took. Otherwise it is stuck, not slow.
	stuckAfter, stuckTimes = 10 * time.Second, 10
)

// The seeds of the first games that check plays. Seeds lie in [0, 2^53), and most of those of a run
// are above 2^32. A bot that cuts seeds to 32 bits takes the second one for the first.
var triedSeeds = []uint64{1, 1<<32 + 1, 1<<52 + 2}

// tryBot plays three games of the start weights, and the last one again in a fresh process. A bot
// that answers nothing is an error.
func (in *invocation) tryBot(ctx context.Context, c *config.Config) (t trial, err error) {
	program, within := c.Heuristic.Bot, tryFor
	if program.Answers != bot.Moves {
		within = max(within, program.Timeout)
	}
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	defer time.AfterFunc(sayAfter, func() {
		fmt.Fprintf(in.stderr, "check tries the bot for up to %s\n", shortTime(within))
	}).Stop()
	player, pool := startPlayer(c).At(c.Rules), in.pool(1)
	began, games := time.Now(), 0
	play := func(jobs ...simulator.Job) ([]simulator.Outcome, error) {
		b := simulator.Batch{Search: engine.Settings{Bot: true}, Players: []eval.Player{player}, Jobs: jobs}
		return pool.Play(limited, b, func(_ int, o simulator.Outcome) error {
			if o.Failed != "" {
				return simulator.Failure(player, o.Failed)
			}
			games++
			switch games {
			case 1:
				t.each, began = time.Since(began), time.Now() // the next game does not wait for the process
			case 2:
				t.each = time.Since(began)
			}
			return c.Objective.Check(o, c.Heuristic.Bot)
		})
	}
	var jobs []simulator.Job
	for i, seed := range triedSeeds {
		jobs = append(jobs, simulator.Job{Seed: seed, Twice: i == len(triedSeeds)-1})
	}
	outcomes, err := play(jobs...)
	if err != nil && (!errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil) {
		return t, cmp.Or(ctx.Err(), err)
	}
	waits := program.Watch.Waits()
	if silent := max(waits.Cut, waits.Late); err != nil || silent > 0 { // of the fresh process, if it came to that
		return t, t.late(program, within, games, silent, waits.Answered)
	}
	if exitsAfterEach(outcomes) {
		other := ""
		if program.Answers == bot.Games {
			other = "; a bot that plays one game a process has answers: score"
		}
		return t, usagef("bot %s exits after each game, so that the next one fails at first: it must read the next line, "+
			"until its "+
			"input ends%s", strings.Join(program.Command, " "), other)
	}
	t.ended = true
	t.text = fmt.Sprintf("a game takes about %s; %s\n", t.each.Round(time.Millisecond/10),
		cmp.Or(outcomes[len(outcomes)-1].Unlike, "the bot repeats itself"))
	if program.Answers != bot.Moves && !takesSeed31(program) { // of moves, the seed deals the tiles
		t.text += seedWarning(outcomes, func(jobs ...simulator.Job) []simulator.Outcome {
			more, _ := play(jobs...) // without these nothing is said
			return more
		})
	}
	return t, nil
}

// exitsAfterEach reports whether a bot had left before each game but the first, without an error.
func exitsAfterEach(games []simulator.Outcome) bool {
	return !slices.ContainsFunc(games[1:], func(o simulator.Outcome) bool {
		return !strings.Contains(o.Unlike, "in the first one it exited (exit status 0)")
	})
}

// late judges a bot whose games did not all end within a time. An answer was due in vain for
// silent, and others took slowest at most. A bot that is mute or stuck is an error, a slow one has
// text.
func (t *trial) late(program *bot.Program, within time.Duration, games int, silent, slowest time.Duration) error {
	name := "bot " + strings.Join(program.Command, " ")
	switch {
	case !program.Watch.Heard():
		text := fmt.Sprintf("%s has answered nothing for %s: %s", name, shortTime(within), program.Remedy())
		if program.Answers != bot.Moves {
			text += fmt.Sprintf("; if a game takes longer, write timeout: %s, and check waits for it", shortTime(10*within))
		}
		return usagef("%s", text)
	case silent > max(stuckAfter, stuckTimes*slowest):
		return fmt.Errorf("%s has answered, and then nothing for %s: %s; or this answer takes far longer than "+
			"those before it", name, silent.Round(time.Second), program.Remedy())
	case games == 0:
		t.each = within
		t.text = fmt.Sprintf("no game ended within %s, so all times below are too short\n", shortTime(within))
	default:
		t.text = fmt.Sprintf("a game takes about %s\n", t.each.Round(time.Millisecond/10))
	}
	t.text += fmt.Sprintf("%s was too slow to see whether it repeats itself\n", name)
	return nil
}

// takesSeed31 reports whether the command itself asks for a shorter seed.
func takesSeed31(p *bot.Program) bool {
	return p.Answers == bot.Score && slices.ContainsFunc(p.Command, func(argument string) bool {
		return strings.Contains(argument, "{seed31}")
	})
}

// seedPairs is the number of further games by which seedWarning makes sure, for each of its seeds.
const seedPairs = 8

// seedWarning returns a line about a bot that does not know seeds above 2^32 from others, or "". It
// gets the games of triedSeeds, and how to play more, of which it wants few.
func seedWarning(tried []simulator.Outcome, play func(...simulator.Job) []simulator.Outcome) string {
	result := func(o simulator.Outcome) engine.Result { return o.Result }
	small, cut, large := result(tried[0]), result(tried[1]), result(tried[2])
	sameAsSmall, allAlike, different := small == cut, cut == large, []engine.Result{small}
	for k := uint64(2); k < 2+seedPairs && (sameAsSmall || allAlike); k++ {
		more := play(simulator.Job{Seed: k}, simulator.Job{Seed: 1<<32 + k}, simulator.Job{Seed: 1<<52 + 3*k})
		if len(more) < 3 {
			return ""
		}
		sameAsSmall = sameAsSmall && result(more[0]) == result(more[1])
		allAlike = allAlike && result(more[1]) == cut && result(more[2]) == cut
		if !slices.Contains(different, result(more[0])) {
			different = append(different, result(more[0]))
		}
	}
	switch {
	case len(different) < 3: // such scores may be equal by chance
		return ""
	case allAlike:
		return "its games with seeds above 2^32 all end alike, and others do not: seeds lie in [0, 2^53), and most games " +
			"of a run have such a seed: read it as a 64-bit number\n"
	case sameAsSmall:
		return "a game with seed n + 2^32 ends like the one with seed n: the bot cuts seeds, which lie in [0, 2^53), to 32 " +
			"bits or fewer: read them as 64-bit numbers\n"
	}
	return ""
}
