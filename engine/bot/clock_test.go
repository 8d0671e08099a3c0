package bot

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnswerClock: a bot is killed when its timeout has passed, and not before. A slice that ends
// ten timeouts late, as after SIGSTOP, counts as any other. Without a timeout, or with no answer
// due, nobody is killed.
func TestAnswerClock(t *testing.T) {
	for _, timeout := range []time.Duration{1, 10 * time.Millisecond, time.Second, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			ctx, kill := context.WithCancelCause(t.Context())
			c := answerClock{timeout: timeout, kill: kill}
			killed := func(after time.Duration, want bool) {
				t.Helper()
				time.Sleep(after)
				synctest.Wait()
				if got := context.Cause(ctx) == silence(timeout); got != want {
					t.Errorf("timeout %v: killed %t, want %t", timeout, got, want)
				}
			}
			for range 2 {
				c.start()
				killed(timeout-1, false)
				c.stop()
				killed(timeout, false)
			}
			c.start()
			slice := c.slice()
			c.timer.Reset(10 * timeout)
			if killed(10*timeout, slice == timeout); slice < timeout {
				killed(timeout-slice-1, false)
				killed(1, true)
			}
			none := answerClock{kill: func(error) { t.Error("killed without a timeout") }}
			none.start()
			time.Sleep(time.Hour)
			none.stop()
		})
	}
}

// TestFirstAnswer: a program that has not answered for a second is named, once. A bot of moves is
// taken for mute after ten, or after a longer timeout. If another process of the program has
// answered, neither happens.
func TestFirstAnswer(t *testing.T) {
	for _, c := range []struct {
		answers         string
		timeout, killed time.Duration // killed 0: it is not
		heard, mute     bool
		warnings        int
	}{
		{Moves, time.Minute, time.Minute, false, true, 1},
		{Moves, 0, muteAfter, false, true, 1},
		{Moves, 5 * time.Second, 5 * time.Second, false, false, 1},
		{Moves, time.Minute, time.Minute, true, false, 0},
		{Moves, 0, 0, true, false, 0},
		{Games, 0, 0, false, false, 1},
		{Games, time.Minute, time.Minute, false, false, 1},
		{Score, 0, 0, false, false, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, kill := context.WithCancelCause(t.Context())
			var warned atomic.Int64
			p := &Program{Answers: c.answers, Timeout: c.timeout, Watch: &Watch{Warn: func(string) { warned.Add(1) }}}
			if c.heard {
				p.Watch.Hear()
			}
			clock := answerClock{timeout: c.timeout, kill: kill, program: p}
			clock.start()
			time.Sleep(warnAfter - 1)
			synctest.Wait()
			if warned.Load() != 0 {
				t.Errorf("%+v: warned before a second", c)
			}
			for range 2 {
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				if n := int(warned.Load()); n != c.warnings {
					t.Errorf("%+v: got %d warnings", c, n)
				}
			}
			after := c.killed
			if after == 0 {
				after = time.Hour
			}
			time.Sleep(after - warnAfter - 2)
			synctest.Wait()
			if ctx.Err() != nil {
				t.Errorf("%+v: killed too early: %v", c, context.Cause(ctx))
			}
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			if (ctx.Err() != nil) != (c.killed > 0) || isError[muteness](context.Cause(ctx)) != c.mute {
				t.Errorf("%+v: got %v", c, context.Cause(ctx))
			}
			clock.stop()
			if slowest := p.Watch.Waits().Answered; clock.silence() < after || slowest != 0 || int(warned.Load()) != c.warnings {
				t.Errorf("%+v: silent for %v, slowest answer %v, %d warnings", c, clock.silence(), slowest, warned.Load())
			}
			clock.start()
			time.Sleep(3 * time.Nanosecond)
			clock.answered()
			clock.stop()
			if slowest := p.Watch.Waits().Answered; clock.silence() != 0 || slowest != 3 || !p.Watch.Heard() {
				t.Errorf("%+v: silent for %v after an answer, slowest answer %v", c, clock.silence(), slowest)
			}
		})
	}
}
