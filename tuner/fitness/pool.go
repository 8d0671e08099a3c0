package fitness

import (
	"math"
	"slices"

	"tune2048/experiments/stats"
)

// Pool estimates the spread of one game's fitness from all candidates of a stage. A few games of
// one candidate say next to nothing of it: six that all reach the tile would seem to have none.
type Pool struct {
	squares   float64   // deviations from the candidates' own means, squared and summed
	freedom   float64   // degrees of freedom of these
	shares    bool      // a success and a failure more, lest games that all end alike have no spread
	q         float64   // of a quantile; otherwise 0
	residuals []float64 // of a quantile: deviations of the scores of the last block, ascending
}

// Change is the sample of a candidate before a block, in it, and with it.
type Change struct{ Before, Block, After Sample }

// Add takes the games of a block, candidate by candidate.
func (p *Pool) Add(block []Change) {
	if p.q == 0 {
		for _, c := range block {
			p.squares += c.After.Fitness.M2 - c.Before.Fitness.M2
			p.freedom += float64(max(0, c.After.Fitness.N-1) - max(0, c.Before.Fitness.N-1))
		}
		return
	}
	p.residuals = residuals(block)
	if freedom := float64(len(p.residuals) - len(block)); freedom > 0 {
		// The error of the quantile of one candidate's number of games, by the games of all.
		each := len(p.residuals) / len(block)
		se := stats.QuantileError(p.residuals, p.q, each)
		p.squares += float64(se * se * float64(each) * freedom)
		p.freedom += freedom
	}
}

// residuals returns the scores' deviations from their candidates' means, in ascending order. They
// are as wide as deviations from a mean that is known. If each candidate has one game, the mean is
// the mean of all games.
func residuals(block []Change) (list []float64) {
	var all stats.Moments
	for _, c := range block {
		all.Merge(c.Block.Score)
	}
	for _, c := range block {
		mean, n := c.Block.Score.Mean, float64(c.Block.Score.N)
		if all.N == len(block) {
			mean, n = all.Mean, float64(all.N)
		}
		for _, score := range c.Block.Scores {
			list = append(list, (score-mean)*math.Sqrt(n/math.Max(1, n-1)))
		}
	}
	slices.Sort(list)
	return list
}

// Spread returns the standard deviation of one game's fitness, if it is known.
func (p *Pool) Spread() (sd float64, known bool) {
	squares, freedom := p.squares, p.freedom
	if p.shares {
		squares, freedom = squares+0.5, freedom+1
	}
	return math.Sqrt(squares / freedom), freedom > 0
}

// Of returns the pool of a few candidates by their fitness. For a quantile it is the pool itself: a
// few games of one candidate say little of it.
func (p *Pool) Of(fitness []stats.Moments) *Pool {
	if p.q > 0 {
		return p
	}
	few := &Pool{shares: p.shares}
	for _, f := range fitness {
		few.squares += f.M2
		few.freedom += float64(f.N - 1)
	}
	return few
}

// Bias returns how much the fitness of n games lies above the fitness of many, on average. A mean
// has none. The lower quantile of five games is about their lowest score, which is too high: a
// newcomer would lead any veteran. The order statistics at hand are on average at a share of the
// distribution that is known (see [stats.Quantile]).
func (p *Pool) Bias(n int) float64 {
	share := (float64(p.q*float64(n-1)) + 1) / float64(n+1)
	return stats.Quantile(p.residuals, share) - stats.Quantile(p.residuals, p.q)
}
