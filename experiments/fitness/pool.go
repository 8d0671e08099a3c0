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
	shares  bool    // a success and a failure more, lest games that all end alike have no spread
}

// Add takes in the games by which a candidate's fitness grew from one sample to another.
func (p *Pool) Add(before, after stats.Moments) {
	p.squares += after.M2 - before.M2
	p.freedom += float64(max(0, after.N-1) - max(0, before.N-1))
}

// Spread returns the standard deviation of one game's fitness, if it is known.
func (p *Pool) Spread() (sd float64, known bool) {
	squares, freedom := p.squares, p.freedom
	if p.shares {
		squares, freedom = squares+0.5, freedom+1
	}
	return math.Sqrt(squares / freedom), freedom > 0
}

// Of returns the pool of a few candidates by their fitness.
func (p *Pool) Of(fitness []stats.Moments) *Pool {
	few := &Pool{shares: p.shares}
	for _, f := range fitness {
		few.squares += f.M2
		few.freedom += float64(f.N - 1)
	}
	return few
}
