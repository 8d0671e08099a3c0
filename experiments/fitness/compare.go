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
	// Between: a score lies between the objective's bounds. Without bounds it says nothing.
	Between bool
}

// minEnds is the least number of games whose ends are counted twice: the ends of fewer games
// lie too near.
const minEnds = 20

// Raced returns moments that can be compared with others by Welch's t. Figures of tiles are 0 or 1,
// and few games may all have ended alike: one success and one failure more are counted.
func (o Objective) Raced(s Sample) stats.Moments {
	if !o.kind.tile || s.Fitness.N == 0 {
		return s.Fitness
	}
	return s.Fitness.WithEnds(0, 1)
}

// Spread returns the moments of the figures by which games to come are planned. Figures at the
// bounds alone are shares, and few of them may all be alike: one at each bound more is counted.
func (o Objective) Spread(s Sample) stats.Moments {
	if low, high, known := o.ends(); known && !s.Between && s.Fitness.N > 0 {
		return s.Fitness.WithEnds(low, high)
	}
	return s.Fitness
}

// judged returns the moments that intervals and tests go by, see [stats.Moments.WithEnds].
func (o Objective) judged(s Sample) stats.Moments {
	if _, _, known := o.ends(); known && !s.Between {
		return o.Spread(s)
	}
	if m := s.Fitness; !o.kind.tile && m.N >= minEnds {
		return m.WithEnds(m.Low, m.High)
	}
	return o.Raced(s)
}

// judgedPairs does the same for the differences of pairs.
func judgedPairs(p stats.Pairs) stats.Pairs {
	if p.N >= minEnds && p.Differ > 0 {
		p.Moments = p.WithEnds(p.Low, p.High)
	}
	return p
}

// Interval returns the interval of a sample's fitness. confidence lies in (0, 1). It is unbounded
// where the games are too few, or all equal without bounds of the scores.
func (o Objective) Interval(s Sample, confidence float64) stats.Interval {
	i, exact := o.exact(s, confidence)
	if !exact {
		i = stats.MeanInterval(o.judged(s), confidence)
	}
	return o.Possible(i, s.Negative)
}

// ScoreInterval returns the interval of a sample's mean score, in points.
func (o Objective) ScoreInterval(s Sample, confidence float64) stats.Interval {
	s.Fitness = s.Score
	return MeanScore.Within(o.scores).Interval(s, confidence)
}

// exact returns the interval of figures of which Student's t knows too little, and false for
// others.
//
// Equal figures show no spread. They say only that others come in less than a share of the games,
// see [stats.Others]. How far these lie away, the bounds say: without bounds there is no interval.
// Figures at the bounds alone are a share, with the limits of Clopper and Pearson. Of equal figures
// at a bound both limits are the same.
func (o Objective) exact(s Sample, confidence float64) (i stats.Interval, exact bool) {
	m := s.Fitness
	low, high, known := o.ends()
	switch {
	case o.kind.tile || m.N == 0 || !known && !m.Equal():
		return i, false
	case !known:
		return stats.Unbounded(), true
	case m.Equal():
		others := stats.Others(m.N, confidence)
		return stats.Interval{Low: m.Mean - float64(others*(m.Mean-low)), High: m.Mean + float64(others*(high-m.Mean))}, true
	case s.Between:
		return i, false
	}
	width := high - low
	share := stats.ClopperPearson(int(math.Round((m.Mean-low)/width*float64(m.N))), m.N, confidence)
	return stats.Interval{Low: low + float64(share.Low*width), High: low + float64(share.High*width)}, true
}

// Possible cuts an interval of a fitness to the values that the fitness can have. negative: some
// scores are below 0.
func (o Objective) Possible(i stats.Interval, negative bool) stats.Interval {
	if low, high, known := o.ends(); known {
		return i.Within(low, high)
	}
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
	switch {
	case pairs.N > 0 && pairs.Differ == 0:
		return 0
	case o.spreadless(a, b):
		p := o.limitsP(a, b, pairs)
		return math.Copysign(portable.NormalQuantile(p/2), a.Fitness.Mean-b.Fitness.Mean)
	}
	return stats.MeanZ(o.judged(a), o.judged(b), judgedPairs(pairs))
}

// Compare estimates the fitness of a minus the fitness of b, and of a divided by b. If the fitness
// is a logarithm, the ratio is of the numbers themselves. p is the two-sided p-value of no
// difference. pairs has the figures of games that share a seed. confidence lies in (0, 1).
func (o Objective) Compare(a, b Sample, pairs stats.Pairs, confidence float64) (difference, ratio stats.Estimate,
	p float64) {
	switch {
	case o.spreadless(a, b):
		difference, ratio = o.limits(a, b, pairs, confidence)
		return difference, ratio, o.limitsP(a, b, pairs)
	case pairs.N > 0 && pairs.Differ == 0:
		difference, ratio = o.alike(b, min(1, -portable.Log(1-confidence)/float64(pairs.N)))
		return difference, ratio, 1
	}
	x, y := o.judged(a), o.judged(b)
	pairs = judgedPairs(pairs)
	difference, p = stats.MeanDifference(x, y, pairs, confidence), stats.MeanP(x, y, pairs)
	difference.Value = a.Fitness.Mean - b.Fitness.Mean
	ratio = o.ratio(a, b, difference, func() stats.Interval {
		return stats.MeanRatio(x, y, pairs, confidence).Interval.Within(0, math.Inf(1))
	})
	return difference, ratio, p
}

// ratio is the fitness of a divided by the fitness of b, with an interval that is asked for where
// the ratio says something.
func (o Objective) ratio(a, b Sample, difference stats.Estimate, interval func() stats.Interval) stats.Estimate {
	x, y := a.Fitness.Mean, b.Fitness.Mean
	switch {
	case o.Unit().Logs:
		return exponential(difference)
	case !o.kind.tile && (x <= 0 || y <= 0): // it says nothing
		return noRatio
	case x == y: // both may be 0
		return stats.Estimate{Value: 1, Interval: interval()}
	}
	return stats.Estimate{Value: x / y, Interval: interval()}
}

// exponential is the ratio of numbers by the difference of their logarithms.
func exponential(d stats.Estimate) stats.Estimate {
	e := stats.Estimate{Value: portable.Exp(d.Value), Interval: d.Interval}
	if d.Interval.Bounded() {
		e.Interval = stats.Interval{Low: portable.Exp(d.Interval.Low), High: portable.Exp(d.Interval.High)}
	}
	return e
}

// spreadless reports whether the figures of a player are all equal, so that no test by the spread
// holds. Shares of tiles always have one, see Raced. So have the differences of players whose own
// figures differ, see [stats.MeanDifference].
func (o Objective) spreadless(a, b Sample) bool {
	return !o.kind.tile && (a.Fitness.Equal() || b.Fitness.Equal())
}

// limits estimates the difference and the ratio of players without spread. The ratio has the limits
// of each, as [Objective.Interval] has them, which hold together with the confidence (Bonferroni).
// Without bounds of the scores both intervals are unbounded.
func (o Objective) limits(a, b Sample, pairs stats.Pairs, confidence float64) (difference, ratio stats.Estimate) {
	each := 1 - (1-confidence)/2
	x, y := o.Interval(a, each), o.Interval(b, each)
	difference = stats.Estimate{Value: a.Fitness.Mean - b.Fitness.Mean,
		Interval: o.differenceLimits(a, b, pairs, confidence)}
	return difference, o.ratio(a, b, difference, func() stats.Interval {
		if !x.Bounded() || !y.Bounded() || y.Low <= 0 {
			return stats.Unbounded()
		}
		return stats.Interval{Low: max(0, x.Low) / y.High, High: x.High / y.Low}
	})
}

// differenceLimits returns the interval of the difference of players without spread. Where the
// differences of all pairs are equal, it says how often another one comes, which lies within the
// width of the bounds. Otherwise it has the limits of each player, as limits has.
func (o Objective) differenceLimits(a, b Sample, pairs stats.Pairs, confidence float64) stats.Interval {
	if low, high, known := o.ends(); known && pairs.N > 0 && pairs.Equal() {
		d, width, others := pairs.Mean, high-low, stats.Others(pairs.N, confidence)
		return stats.Interval{Low: d - float64(others*(width+d)), High: d + float64(others*(width-d))}
	}
	each := 1 - (1-confidence)/2
	x, y := o.Interval(a, each), o.Interval(b, each)
	return stats.Interval{Low: x.Low - y.High, High: x.High - y.Low}
}

// minLimitsP bounds the p-values of limits from below: 1 - p must be told from 1.
const minLimitsP = 1e-12

// limitsP returns the p-value of no difference of players without spread: the least level at which
// the interval excludes 0.
func (o Objective) limitsP(a, b Sample, pairs stats.Pairs) float64 {
	excludes := func(level float64) bool {
		i := o.differenceLimits(a, b, pairs, 1-level)
		return !i.Contains(0)
	}
	if !excludes(1) {
		return 1
	}
	low, high := portable.Log(minLimitsP), 0.0
	for range 50 {
		if middle := (low + high) / 2; excludes(portable.Exp(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	return portable.Exp(high)
}

// alike bounds the difference and the ratio of two players none of whose games differed so far.
// With the confidence, less than this share of all do: of n games 3/n with 95% (the rule of
// three: J. A. Hanley, A. Lippman-Hand, JAMA 249, 1983). A game that differs reaches the tile for
// one of them, or else it scores 0 or twice the mean. Where scores may be below 0 it differs by
// the root of the mean square. Where bounds of the scores are known it differs by their width.
func (o Objective) alike(s Sample, share float64) (difference, ratio stats.Estimate) {
	size := math.Abs(s.Fitness.Mean)
	if s.Negative {
		size = math.Sqrt(float64(size*size) + s.Fitness.M2/float64(s.Fitness.N))
	}
	if low, high, known := o.ends(); known {
		size = high - low
	}
	if o.kind.tile {
		size = 1
	}
	change := float64(share * size)
	difference = stats.Estimate{Interval: stats.Interval{Low: -change, High: change}}
	switch {
	case o.Unit().Logs:
		return difference, exponential(difference)
	case !o.kind.tile && (s.Fitness.Mean <= 0 || s.Negative):
		return difference, noRatio
	}
	change /= s.Fitness.Mean
	return difference, stats.Estimate{Value: 1, Interval: stats.Interval{Low: max(0, 1-change), High: 1 + change}}
}
