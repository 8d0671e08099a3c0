package experiments

import (
	"context"
	"math"
	"slices"

	"tune2048/configs/config"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// A tuning under way is shown by the centre of its search, which is what it would answer if it
// ended now. The candidates say something else: the luckiest one too much, and their mean too
// little where they are drawn widely. So the centre and the start weights play games of their own
// now and then. These games choose nothing and count in no other figure.

const (
	// A look has usualLook games of each player, or minSlowLook of a bot, whose games may take
	// minutes, until that has played enough for more. Fewer than 20 skewed scores have no interval
	// that holds: of 10 the 95% interval holds in 91.7% of cases.
	usualLook   = 40
	minSlowLook = 20
	// maxShare bounds the games of a look: its two players have a tenth of the games of tuning.
	maxShare = 20
	// longShare is for long stages. There a look has a hundredth of the games of tuning.
	longShare = 200
)

// schedule says when games of the centre are due, and how many. It depends on the games of tuning
// so far, and not on how long the tuning will be. So a run that goes on has its games again.
type schedule struct {
	least  int64                 // games of tuning between two times
	growth int64                 // and as many as this part of all games of the stage so far
	games  func(since int64) int // of each player, by the games of tuning since the time before
}

// looksOf is the schedule of the looks.
func looksOf(c *config.Config) schedule {
	least := int64(usualLook)
	if c.Heuristic.Bot != nil {
		least = minSlowLook
	}
	return schedule{maxShare * least, 10, func(since int64) int {
		return int(max(min(usualLook, since/maxShare), since/longShare))
	}}
}

// due returns how many games each player has, or 0 if none are due. stage is how many games of
// tuning the stage has had, and since how many it has had since the time before.
func (s schedule) due(stage, since int64) int {
	if since < max(s.least, stage/s.growth) {
		return 0
	}
	return s.games(since)
}

// between returns the games of both players that are likely while a stage's games of tuning grow
// from one number to another, by so many a generation. last is their number at the time before.
func (s schedule) between(from, last, to, generation int64) (games int64) {
	generation = max(1, generation)
	for at := from; at < to; {
		next := last + max(s.least, last/(s.growth-1))
		at += max(1, (next-at+generation-1)/generation) * generation
		if n := s.due(at, at-last); n > 0 && at <= to {
			games, last = games+2*int64(n), at
		}
	}
	return games
}

// Look is the centre of a stage's search after a generation, by games that chose nothing.
type Look struct {
	Place                  // of the generation; the candidate is the centre
	Games   int            // that the centre played
	Fitness stats.Estimate // of the centre; the interval is 95%
	Sample  fitness.Sample // of its games
}

// Centre is the figure that is shown of a tuning before its end.
type Centre struct {
	Look                      // the last one
	Start      stats.Estimate // fitness of the start weights by all looks of the stage
	StartGames int
	// Gain compares the centre with the start weights, once that was known within gainWithin. nil:
	// not yet, or the centre is the start, or its games show no spread.
	Gain *Comparison
}

// gainWithin is half the width of the interval of the first gain that a stage shows: of a ratio, or
// a difference of shares. While it is wider, the centre's own fitness says more. The look before
// gives the width: a look's own interval is narrow where its games were bad by luck, so gains that
// were shown for that would be too small. From then on all looks show their gain, so that it does
// not come and go.
const gainWithin = 0.2

// Looks are the looks at a stage's centre.
type Looks struct {
	objective fitness.Objective
	list      []looked
}

// looked is the centre in a look, and the start weights in this one and all before.
type looked struct {
	Place
	fitness.Sample
	start  fitness.Sample
	failed bool
}

// NewLooks returns the looks of a stage before the first one.
func NewLooks(objective fitness.Objective) *Looks { return &Looks{objective: objective} }

// Add takes in evaluations, in the order of play. In each look the start weights come first. If
// nobody else played, they were the centre.
func (l *Looks) Add(evaluations ...Evaluation) {
	for _, e := range evaluations {
		if e.Phase != PhaseCentre || e.Round != 0 { // others are of patience.go
			continue
		}
		if n := len(l.list); n == 0 {
			l.list = append(l.list, looked{Place: e.Place})
		} else if before := l.list[n-1]; before.Generation != e.Generation {
			l.list = append(l.list, looked{Place: e.Place, start: before.start})
		}
		at := &l.list[len(l.list)-1]
		if e.Candidate == StartNumber {
			at.start = l.objective.Add(at.start, e.Scores, e.Ranks)
		} else if at.Candidate == StartNumber {
			*at = looked{Place: e.Place, start: at.start}
		}
		if e.Candidate == at.Candidate {
			at.Sample = l.objective.Add(at.Sample, e.Scores, e.Ranks)
			at.failed = at.failed || e.Failure != ""
		}
	}
}

// Each returns the looks in the order of play, without those whose centre could not be played.
func (l *Looks) Each() (all []Look) {
	for _, one := range l.list {
		if !one.failed {
			all = append(all, Look{one.Place, one.Fitness.N, l.estimate(one.Sample), one.Sample})
		}
	}
	return all
}

// Shown returns the figure that is shown while the tuning goes on, or nil before the first look.
// The centre's games are those of the last look alone, since it moves. The start weights have
// those of all looks. The luck of a seed that both share makes the interval of their gain too wide,
// never too narrow.
func (l *Looks) Shown() *Centre {
	played := slices.DeleteFunc(slices.Clone(l.list), func(one looked) bool { return one.failed })
	n := len(played)
	if n == 0 {
		return nil
	}
	last := played[n-1]
	c := &Centre{Look: Look{last.Place, last.Fitness.N, l.estimate(last.Sample), last.Sample},
		Start: l.estimate(last.start), StartGames: last.start.Fitness.N}
	if n == 1 || last.Candidate == StartNumber {
		return c
	}
	if gain := l.gain(last); l.foreseen(played) && !math.IsInf(gain.width(), 1) {
		c.Gain = &gain.Comparison
	}
	return c
}

// foreseen reports whether before one of the looks its gain was likely to be known within
// gainWithin.
func (l *Looks) foreseen(looks []looked) bool {
	for i, next := range looks[1:] {
		before := looks[i]
		if width := l.gain(before).width() * math.Sqrt(float64(before.Fitness.N)/float64(next.Fitness.N)); width/2 < gainWithin {
			return true
		}
	}
	return false
}

// gain compares the centre of a look with the start weights.
func (l *Looks) gain(at looked) (g gain) {
	g.shares = l.objective.Unit().Suffix == "%"
	g.Comparison = Comparison{Phase: PhaseCentre, Search: at.Search, Candidate: at.Candidate, Baseline: StartNumber,
		Objective: l.objective.String(), Games: at.Fitness.N, BaselineGames: at.start.Fitness.N, Confidence: Confidence}
	g.Difference, g.Ratio, g.P = l.objective.Compare(at.Sample, at.start, stats.Pairs{}, Confidence)
	if !l.estimate(at.Sample).Interval.Bounded() || !l.estimate(at.start).Interval.Bounded() {
		g.Difference.Interval, g.Ratio.Interval = stats.Unbounded(), stats.Unbounded()
	}
	return g
}

// gain is the gain of a centre over the start weights, of shares as a difference: their ratio
// misleads.
type gain struct {
	Comparison
	shares bool
}

// width is the width of the interval in which the gain is shown.
func (g gain) width() float64 {
	if g.shares {
		return g.Difference.Interval.High - g.Difference.Interval.Low
	}
	return g.Ratio.Interval.High - g.Ratio.Interval.Low
}

// estimate is a fitness with its interval. Games that all end alike leave it open.
func (l *Looks) estimate(s fitness.Sample) stats.Estimate {
	e := stats.Estimate{Value: s.Fitness.Mean, Interval: l.objective.Interval(s, Confidence)}
	if e.Interval.Low == e.Interval.High {
		e.Interval = stats.Unbounded()
	}
	return e
}

// look lets the centre and the start weights play, if a look is due after a generation. It returns
// how many games each has played.
func (s *state) look(ctx context.Context, centre []float64, g int) (games int, err error) {
	games = looksOf(s.Config).due(s.stageGames(), s.games-s.stage.looked)
	if games == 0 {
		return 0, nil
	}
	numbers, err := s.register(ctx, []tuner.Candidate{{Values: centre, Origin: tuner.OriginCentre}}, s.stage.Name, g)
	if err != nil || s.failed.has(numbers[0]) {
		return 0, err
	}
	evaluations, err := s.play(ctx,
		Block{Place: s.ofCentre(g), Candidates: distinct([]int{StartNumber, numbers[0]}), Games: games})
	if err != nil {
		return 0, err
	}
	s.stage.looks.Add(evaluations...)
	s.stage.looked, s.progress.Centre = s.games, s.stage.looks.Shown()
	s.report()
	return games, nil
}

// ofCentre is the place of the centre's games after a generation.
func (s *state) ofCentre(g int) Place {
	return Place{Phase: PhaseCentre, Stage: s.stage.Name, Search: s.stage.Search.String(), Generation: g}
}
