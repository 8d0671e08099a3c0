package experiments

import (
	"math"

	"tune2048/experiments/stats"
)

// standings are how candidates stand, by number.
type standings map[int]*Standing

// add takes evaluations into the standings of their candidates.
func (all standings) add(evaluations ...Evaluation) {
	for _, e := range evaluations {
		if all[e.Candidate] == nil {
			all[e.Candidate] = &Standing{Candidate: e.Candidate}
		}
		all[e.Candidate].add(e)
	}
}

// of returns the standings of those candidates, in their order.
func (all standings) of(numbers []int) []Standing {
	list := make([]Standing, len(numbers))
	for i, number := range numbers {
		list[i] = *all[number]
	}
	return list
}

// add takes an evaluation into the standing.
func (s *Standing) add(e Evaluation) {
	if s.Evaluations == 0 || e.Generation != s.last {
		s.Generations, s.last = s.Generations+1, e.Generation
	}
	s.Evaluations++
	old, added := float64(s.Score.N), float64(e.Score.N)
	all := old + added
	s.Fitness += float64((e.Fitness-s.Fitness)*added) / all
	a, b := old/all, added/all
	variance := float64(float64(b*b) * float64(e.FitnessSE*e.FitnessSE))
	if s.Score.N > 0 {
		variance += float64(float64(a*a) * s.variance)
	}
	s.variance = variance
	s.Score.Merge(e.Score)
	s.Interval = stats.MeanInterval(s.Score, confidence)
	s.Lower = s.bound()
	for i, n := range e.Reached {
		s.Reached[i] += n
	}
	s.Moves += e.Moves
	s.Nodes += e.Nodes
}

// bound returns the lower end of a one-sided 95% interval of the fitness: few games lower it, so luck does not lead.
func (s *Standing) bound() float64 {
	if s.Score.N < 2 || math.IsInf(s.variance, 1) {
		return math.Inf(-1)
	}
	reach := stats.StudentQuantile(confidence, float64(s.Score.N-1))
	return s.Fitness - float64(reach*math.Sqrt(s.variance))
}

// sample returns the fitness as the mean of a sample of games; where nothing is known of their spread, of one game.
func (s *Standing) sample() stats.Moments {
	if s.Score.N < 2 || math.IsInf(s.variance, 1) {
		return stats.Moments{N: min(s.Score.N, 1), Mean: s.Fitness}
	}
	n := float64(s.Score.N)
	return stats.Moments{N: s.Score.N, Mean: s.Fitness, M2: float64(s.variance * n * (n - 1))}
}
