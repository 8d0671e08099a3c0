package experiments

import (
	"math"
	"math/bits"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// Confidence of the intervals of evaluations and standings. A Comparison has its own.
const Confidence = 0.95

// summarize evaluates the games of the question, in the order of their seeds.
func (e *Evaluation) summarize(games []simulator.Outcome) {
	for i, g := range games {
		if g.Failed != "" {
			*e = Evaluation{Place: e.Place, Number: e.Number, First: e.First, Key: e.Key, Failure: g.Failed}
			return
		}
		e.Scores = append(e.Scores, g.Score)
		d := Detail{Moves: g.Moves, Nodes: g.Nodes}
		if g.MaxTile > 0 {
			d.Rank = byte(bits.Len(uint(g.MaxTile)) - 1)
			e.Ranks = append(e.Ranks, d.Rank)
		}
		e.Each = append(e.Each, d)
		addKnown(&e.Moves, int64(g.Moves), i == 0)
		addKnown(&e.Nodes, g.Nodes, i == 0)
		addKnown(&e.Time, g.Duration, i == 0)
	}
	if len(e.Ranks) < len(games) {
		e.Ranks = nil
	}
}

// addKnown adds to a sum. 0 is unknown, and unknown plus anything is unknown.
func addKnown[T int64 | time.Duration](sum *T, n T, first bool) {
	*sum += n
	if n == 0 || *sum == n && !first {
		*sum = 0
	}
}

// Standings rank the candidates of a phase, stage and search: the one model of fitness. A few games
// show little of a candidate's fitness. So wherever candidates are ranked, it counts less 1.645
// standard errors. The spread of a game is pooled over all candidates, see [fitness.Pool].
type Standings struct {
	Place                       // of the first game, where Fold made them
	Of        map[int]*Standing // by number
	objective fitness.Objective
	pool      *fitness.Pool
	spare     []Standing // made together: one by one, millions keep the collector busy
}

// NewStandings returns the standings before the first game.
func NewStandings(objective fitness.Objective) *Standings {
	return &Standings{objective: objective, pool: objective.Pool(), Of: map[int]*Standing{}}
}

// add takes the evaluations of a block into the standings of their candidates. One that could not
// be played has lost its standing.
func (all *Standings) add(evaluations ...Evaluation) {
	for _, e := range evaluations {
		if e.Failure != "" {
			delete(all.Of, e.Candidate)
			continue
		}
		s := all.Of[e.Candidate]
		if s == nil {
			if len(all.spare) == 0 {
				all.spare = make([]Standing, max(1, min(len(all.Of), 1000)))
			}
			s, all.spare = &all.spare[0], all.spare[1:]
			s.Place, all.Of[e.Candidate] = e.Place, s
		}
		before := s.Fitness
		s.add(all.objective, e)
		all.pool.Add(before, s.Fitness)
	}
}

// spread returns the standard deviation of the fitness of one game.
func (all *Standings) spread() float64 { return all.spreadOf(all.pool) }

// spreadOf returns the spread by a pool. Where no candidate has two games it is the standard
// deviation between the candidates.
func (all *Standings) spreadOf(pool *fitness.Pool) float64 {
	if sd, known := pool.Spread(); known {
		return sd
	}
	var means stats.Moments
	for _, number := range sortedKeys(all.Of) {
		means.Add(all.Of[number].Fitness.Mean)
	}
	return means.SD()
}

// Z95 is the 0.95 quantile of the normal distribution. The lower bound of a fitness lies as many
// standard errors below it.
const Z95 = 1.645

// Numbers returns the candidates that have played, in order.
func (all *Standings) Numbers() []int { return sortedKeys(all.Of) }

// Lower returns the lower bounds of the candidates' fitness. One that has no standing is the last.
func (all *Standings) Lower(numbers []int) []float64 {
	spread := all.spread()
	bounds := make([]float64, len(numbers))
	for i, number := range numbers {
		s := all.Of[number]
		if s == nil {
			bounds[i] = -math.MaxFloat64
			continue
		}
		bounds[i] = lower(s.Fitness.Mean, s.Fitness.N, spread)
	}
	return bounds
}

// lower is the lower bound of a fitness, by its mean over some games.
func lower(mean float64, games int, spread float64) float64 {
	return mean - float64(Z95*spread)/math.Sqrt(float64(games))
}

// add takes an evaluation into the standing.
func (s *Standing) add(objective fitness.Objective, e Evaluation) {
	first := s.Evaluations == 0
	s.Evaluations++
	if first || s.last != e.Generation {
		s.last = e.Generation
		s.Generations++
	}
	s.Sample = objective.Add(s.Sample, e.Scores, e.Ranks)
	addKnown(&s.Moves, e.Moves, first)
	addKnown(&s.Nodes, e.Nodes, first)
	if e.Time > 0 && e.Moves > 0 {
		s.Time, s.TimedMoves = s.Time+e.Time, s.TimedMoves+e.Moves
	}
	for _, rank := range e.Ranks {
		s.Largest[min(int(rank), len(s.Largest)-1)]++
	}
	s.Untiled = s.Untiled || len(e.Ranks) < len(e.Scores)
	if e.Phase != PhaseTuning {
		s.Scores = append(s.Scores, e.Scores...)
		s.Figures = append(s.Figures, objective.Figures(e.Scores, e.Ranks)...)
	}
}
