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

// leastEnds is the least number of games whose ends are counted twice: the ends of fewer games
// lie too near.
const leastEnds = 20

// Raced returns moments that can be compared with others by Welch's t. Figures of tiles are 0 or 1,
// and few games may all have ended alike: one success and one failure more are counted.
func (o Objective) Raced(s Sample) stats.Moments {
	if !o.kind.tile || s.Fitness.N == 0 {
		return s.Fitness
	}
	return s.Fitness.WithEnds(0, 1)
}

// judged returns the moments that intervals and tests go by, see [stats.Moments.WithEnds].
func (o Objective) judged(s Sample) stats.Moments {
	if m := s.Fitness; !o.kind.tile && m.N >= leastEnds {
		return m.WithEnds(m.Low, m.High)
	}
	return o.Raced(s)
}

// judgedPairs does the same for the differences of pairs.
func judgedPairs(p stats.Pairs) stats.Pairs {
	if p.N >= leastEnds && p.Differ > 0 {
		p.Moments = p.WithEnds(p.Low, p.High)
	}
	return p
}

// Interval returns the interval of a sample's fitness. confidence lies in (0, 1).
func (o Objective) Interval(s Sample, confidence float64) stats.Interval {
	return o.Possible(stats.MeanInterval(o.judged(s), confidence), s.Negative)
}

// Possible cuts an interval of a fitness to the values that the fitness can have. negative: some
// scores are below 0.
func (o Objective) Possible(i stats.Interval, negative bool) stats.Interval {
	if negative && math.IsInf(o.kind.most, 1) {
		return i
	}
	return i.Within(0, o.kind.most)
}

// noRatio is the ratio of means that are not both above 0.
var noRatio = stats.Estimate{Value: math.Inf(1), Interval: stats.Unbounded()}

// Z returns the normal number with the p-value of the difference of a and b, as Compare has it, and
// with its sign.
func (o Objective) Z(a, b Sample, pairs stats.Pairs) float64 {
	if pairs.N > 0 && pairs.Differ == 0 {
		return 0
	}
	return stats.MeanZ(o.judged(a), o.judged(b), judgedPairs(pairs))
}

// Compare estimates the fitness of a minus the fitness of b, and of a divided by b. If the fitness
// is a logarithm, the ratio is of the numbers themselves. p is the two-sided p-value of no
// difference. pairs has the figures of games that share a seed. confidence lies in (0, 1).
func (o Objective) Compare(a, b Sample, pairs stats.Pairs, confidence float64) (difference, ratio stats.Estimate, p float64) {
	if pairs.N > 0 && pairs.Differ == 0 {
		difference, ratio = o.alike(b, min(1, -portable.Log(1-confidence)/float64(pairs.N)))
		return difference, ratio, 1
	}
	x, y := o.judged(a), o.judged(b)
	pairs = judgedPairs(pairs)
	difference, p = stats.MeanDifference(x, y, pairs, confidence), stats.MeanP(x, y, pairs)
	difference.Value = a.Fitness.Mean - b.Fitness.Mean
	switch {
	case o.Unit().Logs:
		return difference, exponential(difference), p
	case !o.kind.tile && (a.Fitness.Mean <= 0 || b.Fitness.Mean <= 0): // it says nothing
		return difference, noRatio, p
	}
	ratio = stats.MeanRatio(x, y, pairs, confidence)
	ratio.Interval = ratio.Interval.Within(0, math.Inf(1))
	if ratio.Value = a.Fitness.Mean / b.Fitness.Mean; a.Fitness.Mean == b.Fitness.Mean { // both may be 0
		ratio.Value = 1
	}
	return difference, ratio, p
}

// exponential is the ratio of numbers by the difference of their logarithms.
func exponential(d stats.Estimate) stats.Estimate {
	i := stats.Interval{Low: portable.Exp(d.Interval.Low), High: portable.Exp(d.Interval.High)}
	return stats.Estimate{Value: portable.Exp(d.Value), Interval: i}
}

// alike bounds the difference and the ratio of two players none of whose games differed so far.
// With the confidence, less than this share of all do: of n games 3/n with 95% (the rule of
// three: J. A. Hanley, A. Lippman-Hand, JAMA 249, 1983). A game that differs reaches the tile for
// one of them, or else it scores 0 or twice the mean. Where scores may be below 0 it differs by
// the root of the mean square.
func (o Objective) alike(s Sample, share float64) (difference, ratio stats.Estimate) {
	size := math.Abs(s.Fitness.Mean)
	if s.Negative {
		size = math.Sqrt(float64(size*size) + s.Fitness.M2/float64(s.Fitness.N))
	}
	if o.kind.tile {
		size = 1
	}
	change := float64(share * size)
	difference = stats.Estimate{Interval: stats.Interval{Low: -change, High: change}}
	switch {
	case size == 0: // nobody knows how far a game that differs would differ
		return stats.Estimate{Interval: stats.Unbounded()}, noRatio
	case o.Unit().Logs:
		return difference, exponential(difference)
	case !o.kind.tile && (s.Fitness.Mean <= 0 || s.Negative):
		return difference, noRatio
	}
	change /= s.Fitness.Mean
	return difference, stats.Estimate{Value: 1, Interval: stats.Interval{Low: max(0, 1-change), High: 1 + change}}
}
