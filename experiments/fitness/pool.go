package fitness

import (
	"math"

	"tune2048/experiments/stats"
)

// Pool estimates the spread of one game's fitness from all candidates of a stage. A few games of
// one candidate say next to nothing of it: six that all reach the tile would seem to have none.
type Pool struct {
	squares float64 // deviations from the candidates' own means, squared and summed
	freedom float64 // degrees of freedom of these
}

// Pool returns an empty pool. Of tiles it begins with a success and a failure, lest games that all
// end alike have no spread.
func (o Objective) Pool() *Pool {
	if o.kind.tile {
		return &Pool{squares: 0.5, freedom: 1}
	}
	return new(Pool)
}

// Add takes in the games by which a candidate's fitness grew from one sample to another.
func (p *Pool) Add(before, after stats.Moments) {
	p.squares += after.M2 - before.M2
	p.freedom += float64(max(0, after.N-1) - max(0, before.N-1))
}

// Spread returns the standard deviation of one game's fitness, if it is known.
func (p *Pool) Spread() (sd float64, known bool) {
	return math.Sqrt(p.squares / p.freedom), p.freedom > 0
}
