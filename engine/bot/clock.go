package bot

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// answerClock watches over the answers of one child. It kills a bot that does not answer within
// its timeout. Until the program has answered for the first time it also warns. It takes a bot of
// moves for mute after muteAfter, or after a longer timeout: it may start slowly.
//
// It counts slices of time, and a slice that ends late counts once: the machine slept, somebody
// stopped this program, or others took its processors. In such a gap the bot could hardly run
// either, so no candidate loses by it.
type answerClock struct {
	timeout time.Duration // 0: none
	kill    context.CancelCauseFunc
	program *Program // whose first answer is due; nil: of none

	mu     sync.Mutex
	timer  *time.Timer   // ends a slice; nil: not made yet
	length time.Duration // of the slice under way
	due    bool          // whether an answer is
	asked  time.Time     // when the last answer became due
	waited time.Duration // for it, in slices
	silent time.Duration // how long the last answer was due in vain; 0: it came
	most   time.Duration // that an answer took
}

// start begins the time of an answer.
func (c *answerClock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due, c.waited, c.silent, c.asked = true, 0, 0, time.Now()
	c.next()
}

// next begins a slice, unless nothing would happen at its end.
func (c *answerClock) next() {
	c.length = c.slice()
	if c.length == 0 {
		return
	} else if c.timer == nil {
		c.timer = time.AfterFunc(c.length, c.count)
	} else {
		c.timer.Reset(c.length)
	}
}

// slice is short beside the timeout and beside the time between two gaps. It is 0 if there is
// nothing to wait for.
func (c *answerClock) slice() time.Duration {
	switch {
	case c.timeout > 0:
		return min(c.timeout-c.waited, max(time.Millisecond, c.timeout/50), 20*time.Millisecond)
	case c.first():
		return 20 * time.Millisecond
	}
	return 0
}

// first reports whether the program has not answered yet.
func (c *answerClock) first() bool { return c.program != nil && !c.program.Watch.Heard() }

// count counts a slice.
func (c *answerClock) count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.due {
		return
	}
	c.waited += c.length
	first := c.first()
	if first && c.waited >= warnAfter {
		c.program.Watch.warn(c.program)
	}
	switch {
	case first && c.program.Answers == Moves && c.waited >= max(muteAfter, c.timeout):
		c.kill(muteness(fmt.Sprintf("it has not answered its first board within %v: %s; or it needs a longer timeout",
			max(muteAfter, c.timeout), remedies[Moves])))
	case c.timeout > 0 && c.waited >= c.timeout:
		c.kill(silence(c.timeout))
	default:
		c.next()
	}
}

// answered notes that the answer has come.
func (c *answerClock) answered() {
	c.mu.Lock()
	c.due = false
	took := time.Since(c.asked)
	longest := took > c.most
	c.most = max(c.most, took)
	c.mu.Unlock()
	if c.program.Watch.Hear(); longest { // otherwise processors would wait for each other
		c.program.Watch.note(Waits{Answered: took})
	}
}

// stop ends the time of an answer.
func (c *answerClock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.due {
		c.silent = time.Since(c.asked)
	}
	c.due = false
	if c.timer != nil {
		c.timer.Stop()
	}
}

// silence returns how long the last answer was due in vain, or 0 if it came.
func (c *answerClock) silence() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.silent
}

// silence is the fault of a bot that did not answer for so long.
type silence time.Duration

const silent = "it answered nothing for "

func (s silence) Error() string {
	return fmt.Sprintf(silent+"%v: it must flush stdout after each answer, or needs a longer timeout", time.Duration(s))
}

// Silent reports whether a Fault was decided by the clock: elsewhere the same game may end well.
func Silent(fault string) bool {
	_, did, _ := strings.Cut(fault, ": ")
	return strings.HasPrefix(did, silent)
}
