//go:build !liar

package cluster

import "tune2048/engine/simulator"

// liar says for each block what is told instead of its games: nothing, unless the program is built to test that it is found out.
var liar func() func(*simulator.Outcome)
