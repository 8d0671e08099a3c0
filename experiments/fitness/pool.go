package fitness

import (
	"math"
	"slices"

	"tune2048/experiments/stats"
)

// Pool estimates the spread of one game's fitness from all candidates of a stage. A few games of
// one candidate say next to nothing of it: six games that all reach the tile would seem to have none.
type Pool interface {
	// Add takes the games of a block, candidate by candidate.
	Add(block []Change)
	// Spread returns the standard deviation of one game's fitness, if any games tell it.
	Spread() (sd float64, known bool)
	// Bias returns how much the fitness of n games lies above the fitness of many, on average.
	Bias(n int) float64
	// Of returns the pool of a few candidates by their fitness.
	Of(fitness []stats.Moments) Pool
}

// Change is the sample of a candidate before a block, in it, and with it.
type Change struct{ Before, Block, After Sample }

// moments pools the deviations of games from their candidates' own means.
type moments struct {
	squares float64 // of the deviations, summed
	freedom float64 // degrees of freedom of these
	shares  bool    // a success and a failure more, lest games that all end alike have no spread
}

func (m *moments) Add(block []Change) {
	for _, c := range block {
		m.squares += c.After.Fitness.M2 - c.Before.Fitness.M2
		m.freedom += float64(max(0, c.After.Fitness.N-1) - max(0, c.Before.Fitness.N-1))
	}
}

func (m *moments) Spread() (sd float64, known bool) {
	squares, freedom := m.squares, m.freedom
	if m.shares {
		squares, freedom = squares+0.5, freedom+1
	}
	return math.Sqrt(squares / freedom), freedom > 0
}

func (*moments) Bias(int) float64 { return 0 }

func (m *moments) Of(fitness []stats.Moments) Pool {
	few := &moments{shares: m.shares}
	for _, f := range fitness {
		few.squares += f.M2
		few.freedom += float64(f.N - 1)
	}
	return few
}

// residuals pools the quantile's standard errors, as all games of a block tell them.
type residuals struct {
	moments
	q    float64
	list []float64 // of the block at hand, in ascending order
}

func (r *residuals) Add(block []Change) {
	r.list = deviations(block)
	if freedom := float64(len(r.list) - len(block)); freedom > 0 {
		// The error of the quantile of as many games as one candidate has.
		each := len(r.list) / len(block)
		se := stats.QuantileError(r.list, r.q, each)
		r.squares += float64(se * se * float64(each) * freedom)
		r.freedom += freedom
	}
}

// deviations returns the scores' deviations from their candidates' means, in ascending order. They
// are as wide as deviations from a mean that is known. If each candidate has one game, the mean is
// the mean of all games.
func deviations(block []Change) (list []float64) {
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

// Bias corrects the quantile of few games. The lower one of five games is about their lowest score,
// which is too high: a newcomer would lead any veteran. The order statistics at hand are on average
// at a share of the distribution that is known (see [stats.Quantile]).
func (r *residuals) Bias(n int) float64 {
	share := (float64(r.q*float64(n-1)) + 1) / float64(n+1)
	few, _ := stats.Quantile(r.list, share)
	many, _ := stats.Quantile(r.list, r.q)
	return few - many
}

// Of returns the pool itself: a few games of one candidate say little of a quantile.
func (r *residuals) Of([]stats.Moments) Pool { return r }
