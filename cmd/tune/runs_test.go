package main

import (
	"testing"
	"time"

	"tune2048/results"
)

// TestTook: a run's time is never negative, whatever was done to the clock meanwhile.
func TestTook(t *testing.T) {
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		updated, finished time.Duration // after the start; 0: it is not finished
		want              string
	}{
		{90 * time.Second, 0, "1m30s"},
		{2 * time.Hour, 3 * time.Hour, "3h00m"},
		{0, 0, "0s"},
		{-time.Second, 0, "?"},
		{-5 * time.Hour, -5 * time.Hour, "?"},
		{-5 * time.Hour, time.Hour, "1h00m"},
	} {
		r := results.Run{Started: noon, Updated: noon.Add(c.updated)}
		if c.finished != 0 {
			r.Finished = noon.Add(c.finished)
		}
		if got := took(r); got != c.want {
			t.Errorf("%+v: got %s, want %s", c, got, c.want)
		}
	}
}
