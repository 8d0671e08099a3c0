package bot

import (
	"context"
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
