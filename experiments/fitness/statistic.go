package fitness

import (
	"math"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// Sample is the result of one candidate's games.
type Sample struct {
	Score stats.Moments // of the scores, in points
	// Fitness holds the moments of one game's figure, in the objective's unit. Its mean is the
	// candidate's fitness, higher is better.
	Fitness stats.Moments
	// Negative: a score is below 0. The scores of 2048 never are.
	Negative bool
}

// statistic is a statistic of the figures of a candidate's games.
type statistic interface {
	// fit corrects the fitness of a sample. Its moments are the moments of the figures.
	fit(s Sample) Sample
	Interval(s Sample, confidence float64) stats.Interval
	compare(a, b Sample, pairs stats.Pairs, confidence float64) (difference, ratio stats.Estimate, p float64)
	// alike bounds the difference and the ratio of two players of whose games at most this share
	// differ. So far none did, and their sample is s.
	alike(s Sample, share, confidence float64) (difference float64, ratio stats.Estimate)
	// Raced returns moments that a race can compare with others by Welch's t.
	Raced(s Sample) stats.Moments
	Pool() *Pool
}

// noRatio is the ratio of means that are not both above 0.
var noRatio = stats.Estimate{Value: math.Inf(1), Interval: stats.Unbounded()}

// mean is the mean of the figures.
type mean struct{ logs bool }

func (mean) fit(s Sample) Sample { return s }

func (mean) Interval(s Sample, confidence float64) stats.Interval {
	return stats.MeanInterval(s.Fitness, confidence)
}

func (m mean) compare(a, b Sample, pairs stats.Pairs,
	confidence float64) (difference, ratio stats.Estimate, p float64) {
	d, p := stats.MeanDifference(a.Fitness, b.Fitness, pairs, confidence), stats.MeanP(a.Fitness, b.Fitness, pairs)
	if !m.logs && (a.Fitness.Mean <= 0 || b.Fitness.Mean <= 0) { // it says nothing
		return d, noRatio, p
	}
	if !m.logs {
		ratio = stats.MeanRatio(a.Fitness, b.Fitness, pairs, confidence)
		ratio.Interval = ratio.Interval.Within(0, math.Inf(1))
		return d, ratio, p
	}
	i := stats.Interval{Low: portable.Exp(d.Interval.Low), High: portable.Exp(d.Interval.High)}
	return d, stats.Estimate{Value: portable.Exp(d.Value), Interval: i}, p
}

// alike takes it that each game that differs scores 0 or twice the mean. Where scores may be below
// 0 it differs by the root of the mean square.
func (m mean) alike(s Sample, share, _ float64) (difference float64, ratio stats.Estimate) {
	size := math.Abs(s.Fitness.Mean)
	switch {
	case m.logs:
		d := float64(share * size)
		return d, stats.Estimate{Value: 1, Interval: stats.Interval{Low: portable.Exp(-d), High: portable.Exp(d)}}
	case s.Fitness.Mean > 0 && !s.Negative:
		return float64(share * size), stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1 - share, High: 1 + share}}
	}
	size = math.Sqrt(float64(size*size) + s.Fitness.M2/float64(s.Fitness.N))
	if size == 0 {
		return math.Inf(1), noRatio
	}
	return float64(share * size), noRatio
}

func (mean) Raced(s Sample) stats.Moments { return s.Fitness }

func (mean) Pool() *Pool { return new(Pool) }

// share is the share of games whose figure is 1. The others have 0.
type share struct{}

// fit corrects the running mean, which misses the share by a bit.
func (share) fit(s Sample) Sample {
	s.Fitness = trials(successes(s.Fitness), s.Fitness.N)
	return s
}

// trials returns the moments of games that succeed or fail.
func trials(successes, games int) stats.Moments {
	share := float64(successes) / float64(games)
	return stats.Moments{N: games, Mean: share, M2: float64(successes) * (1 - share)}
}

// successes is the inverse of trials.
func successes(m stats.Moments) int { return int(math.Round(float64(m.Mean * float64(m.N)))) }

func (share) Interval(s Sample, confidence float64) stats.Interval {
	return stats.Wilson(successes(s.Fitness), s.Fitness.N, confidence)
}

// compare compares two samples by their own intervals. p is the level at which the interval of the
// difference ends at 0.
func (s share) compare(a, b Sample, pairs stats.Pairs,
	confidence float64) (difference, ratio stats.Estimate, p float64) {
	estimates := func(confidence float64) (x, y stats.Estimate) {
		return stats.Estimate{Value: a.Fitness.Mean, Interval: s.Interval(a, confidence)},
			stats.Estimate{Value: b.Fitness.Mean, Interval: s.Interval(b, confidence)}
	}
	shared := stats.PhiCoefficient(a.Fitness, b.Fitness, pairs)
	low, high := 0.0, 1.0 // the interval holds 0 at a level of low, and does not at one of high
	for range 50 {
		middle := (low + high) / 2
		x, y := estimates(1 - middle)
		if stats.Difference(x, y, shared).Interval.Contains(0) {
			low = middle
		} else {
			high = middle
		}
	}
	x, y := estimates(confidence)
	return stats.Difference(x, y, shared), stats.Ratio(x, y, shared), high
}

// alike: each game that differs is one success more or less. The ratio is bounded by the least
// share that the sample allows.
func (share) alike(s Sample, differ, confidence float64) (difference float64, ratio stats.Estimate) {
	change := differ / share{}.Interval(s, confidence).Low
	return differ, stats.Estimate{Value: 1, Interval: stats.Interval{Low: max(0, 1-change), High: 1 + change}}
}

// Raced adds a success and a failure. Few games may all have ended alike, which says little of
// their spread (A. Agresti, B. Caffo, Simple and Effective Confidence Intervals for Proportions and
// Differences of Proportions, The American Statistician 54, 2000).
func (share) Raced(s Sample) stats.Moments {
	return trials(successes(s.Fitness)+1, s.Fitness.N+2)
}

func (share) Pool() *Pool { return &Pool{shares: true} }
