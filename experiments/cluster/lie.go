//go:build liar

package cluster

import (
	"os"
	"strconv"
	"sync/atomic"

	"tune2048/engine/simulator"
)

// A program that is built with -tags liar tells scores that are higher than what it played by the share TUNE_LIE, such as 0.01,
// in every block, or only in every TUNE_LIE_EVERY-th: to test that it is found out.
var liar = liarOf(os.Getenv("TUNE_LIE"), os.Getenv("TUNE_LIE_EVERY"))

func liarOf(lie, when string) func() func(*simulator.Outcome) {
	share, _ := strconv.ParseFloat(lie, 64)
	every, _ := strconv.ParseInt(when, 10, 64)
	if share == 0 {
		return nil
	}
	var blocks atomic.Int64
	return func() func(*simulator.Outcome) {
		if every > 1 && blocks.Add(1)%every != 0 {
			return nil
		}
		return func(o *simulator.Outcome) { o.Score += int(share * float64(o.Score)) }
	}
}
