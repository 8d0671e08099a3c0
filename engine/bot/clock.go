package bot

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// answerClock kills a bot that does not answer within its timeout. It counts slices of time, and a
// slice that ends late counts once: the machine slept, somebody stopped this program, or others
// took its processors. In such a gap the bot could hardly run either, so no candidate loses by it.
type answerClock struct {
	timeout time.Duration // 0: none
	kill    context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer   // ends a slice; nil: not made yet
	left  time.Duration // until the bot is killed; 0: no answer is due
}

// start begins the time of an answer.
func (c *answerClock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left = c.timeout; c.timeout == 0 {
		return
	} else if c.timer == nil {
		c.timer = time.AfterFunc(c.slice(), c.count)
	} else {
		c.timer.Reset(c.slice())
	}
}

// slice is short beside the timeout and beside the time between two gaps.
func (c *answerClock) slice() time.Duration {
	return min(c.left, max(time.Millisecond, c.timeout/50), 20*time.Millisecond)
}

// count counts a slice.
func (c *answerClock) count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		return
	}
	if c.left -= c.slice(); c.left == 0 {
		c.kill(silence(c.timeout))
		return
	}
	c.timer.Reset(c.slice())
}

// stop ends the time of an answer.
func (c *answerClock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left = 0; c.timer != nil {
		c.timer.Stop()
	}
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
