package experiments

import (
	"cmp"
	"math"
	"slices"

	"tune2048/configs"
	"tune2048/experiments/stats"
)

// standings are how the candidates of a phase, stage and search stand: the one model of fitness. A candidate's fitness is
// the mean of its games, which few games tell little of; so wherever candidates are ranked it counts less the standard
// error, times 1.645. The spread of a game is pooled over all candidates, because a few games of one candidate say next to
// nothing of it: six games that all reach the tile would seem to have none.
type standings struct {
	objective configs.Objective
	of        map[int]*Standing // by number
	born      map[int][]int     // numbers by the generation that they played first
	squares   float64           // deviations from the candidates' own means, squared and summed
	freedom   float64           // degrees of freedom of these
	residuals []float64         // of a quantile: these deviations in the block at hand, in ascending order
}

func newStandings(objective configs.Objective) *standings {
	return &standings{objective: objective, of: map[int]*Standing{}, born: map[int][]int{}}
}

// add takes the evaluations of a block into the standings of their candidates.
func (all *standings) add(evaluations ...Evaluation) {
	if all.objective.Kind == configs.Quantile {
		all.residuals = residuals(evaluations)
	}
	for _, e := range evaluations {
		s := all.of[e.Candidate]
		if s == nil {
			s = &Standing{Candidate: e.Candidate}
			all.of[e.Candidate] = s
			all.born[e.Generation] = append(all.born[e.Generation], e.Candidate)
		}
		before := s.Fitness
		s.add(all.objective, e)
		if all.objective.Kind == configs.Quantile {
			if e.Phase == PhaseTuning {
				s.Fitness.Mean -= all.bias(s.Fitness.N)
			}
			continue
		}
		all.squares += s.Fitness.M2 - before.M2
		all.freedom += float64(max(0, s.Fitness.N-1) - max(0, before.N-1))
	}
	if n, freedom := len(all.residuals), float64(len(all.residuals)-len(evaluations)); freedom > 0 {
		// What the games of all candidates say of the quantile of as many games as one has.
		each := n / len(evaluations)
		se := stats.QuantileError(all.residuals, all.objective.Q, each)
		all.squares += float64(se * se * float64(each) * freedom)
		all.freedom += freedom
	}
}

// residuals returns the scores' deviations from what their candidates' games have on average, in ascending order and as wide
// as those of games from a mean that is known; of games that are all of other candidates, from the mean of all.
func residuals(evaluations []Evaluation) (list []float64) {
	var all stats.Moments
	for _, e := range evaluations {
		all.Merge(e.Score)
	}
	for _, e := range evaluations {
		mean, n := e.Score.Mean, float64(e.Score.N)
		if all.N == len(evaluations) {
			mean, n = all.Mean, float64(all.N)
		}
		for _, score := range e.Scores {
			list = append(list, (score-mean)*math.Sqrt(n/math.Max(1, n-1)))
		}
	}
	slices.Sort(list)
	return list
}

// bias returns how much the quantile of n games lies above that of many, on average, by the residuals of all candidates: the
// lower one of five games is about their lowest score, which few games make too high, and a newcomer would lead any veteran.
// The order statistics at hand are on average at a share of the distribution that is known (see stats.Quantile).
func (all *standings) bias(n int) float64 {
	q := all.objective.Q
	share := (float64(q*float64(n-1)) + 1) / float64(n+1)
	few, _ := stats.Quantile(all.residuals, share)
	many, _ := stats.Quantile(all.residuals, q)
	return few - many
}

// spread returns the standard deviation of the fitness of one game. Where no candidate has two games it is that between the
// candidates. A stage whose games all end alike is not without one: shares are given a success and a failure more.
func (all *standings) spread() float64 { return all.spreadBy(all.squares, all.freedom) }

// spreadBy is the spread by squares of deviations and their degrees of freedom.
func (all *standings) spreadBy(squares, freedom float64) float64 {
	if all.objective.Kind == configs.Reach {
		squares, freedom = squares+0.5, freedom+1
	}
	if freedom > 0 {
		return math.Sqrt(squares / freedom)
	}
	var means stats.Moments
	for _, number := range sortedKeys(all.of) {
		means.Add(all.of[number].Fitness.Mean)
	}
	return means.SD()
}

// LowerReach is how many standard errors the lower bound of a fitness lies below it: one-sided 95%.
const LowerReach = 1.645

// lower returns the lower bounds of the candidates' fitness.
func (all *standings) lower(numbers []int) []float64 {
	spread := all.spread()
	bounds := make([]float64, len(numbers))
	for i, number := range numbers {
		f := all.of[number].Fitness
		bounds[i] = f.Mean - float64(LowerReach*spread)/math.Sqrt(float64(f.N))
	}
	return bounds
}

// ranking returns the candidates by the lower bounds of their fitness, ties by number.
func (all *standings) ranking() []int {
	numbers := sortedKeys(all.of)
	bounds := map[int]float64{}
	for i, bound := range all.lower(numbers) {
		bounds[numbers[i]] = bound
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(bounds[b], bounds[a]) })
	return numbers
}

// A candidate's prior comes from so many generations before and after its own, or from the nearest
// that have so many games. With fewer games the luckiest generation leads. Generations further away
// played at other levels.
const (
	priorGenerations = 8
	priorGames       = 10_000
)

// shrink estimates the worth of the candidates of a tuning's block, and of the candidates whose
// prior the block changes. It returns their numbers. Each fitness is shrunk towards the mean of the
// generations around it (see stats.NewPrior).
func (all *standings) shrink(b Block) []int {
	numbers := slices.Clone(b.Candidates)
	for generation := b.Generation - priorGenerations; generation <= b.Generation; generation++ {
		numbers = append(numbers, all.born[generation]...)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	priors := map[int]stats.Prior{}
	for _, number := range numbers {
		s := all.of[number]
		prior, known := priors[s.played[0]]
		if !known {
			prior = all.prior(s.played[0])
			priors[s.played[0]] = prior
		}
		mean, se := prior.Shrink(s.Fitness)
		s.Shrunk, s.Lower = mean, math.Max(0, mean-float64(LowerReach*se)) // no objective is below 0
	}
	return numbers
}

// prior returns the prior of the candidates that first played in this generation. Good players have
// a wider spread, so it is the spread of these generations.
func (all *standings) prior(generation int) stats.Prior {
	var groups [][]stats.Moments
	games, squares, freedom := 0, 0.0, 0.0
	for apart := 0; apart <= priorGenerations && games < priorGames; apart++ {
		for _, g := range slices.Compact([]int{generation - apart, generation + apart}) {
			var group []stats.Moments
			for _, number := range all.born[g] {
				f := all.of[number].Fitness
				group = append(group, f)
				games += f.N
				squares += f.M2
				freedom += float64(f.N - 1)
			}
			groups = append(groups, group)
		}
	}
	spread := all.spreadBy(squares, freedom)
	if all.objective.Kind == configs.Quantile { // a few games of one candidate say little of it
		spread = all.spread()
	}
	return stats.NewPrior(groups, float64(spread*spread))
}

// list returns the standings of those candidates, in their order.
func (all *standings) list(numbers []int) []Standing {
	list := make([]Standing, len(numbers))
	for i, number := range numbers {
		list[i] = *all.of[number]
	}
	return list
}

// sample returns the candidate's fitness as a sample that can be compared with others.
func (all *standings) sample(number int) stats.Moments {
	f := all.of[number].Fitness
	if all.objective.Kind == configs.Quantile { // its own games tell less of the spread than all do
		spread := all.spread()
		f.M2 = float64(spread*spread) * float64(f.N-1)
	}
	return sample(all.objective, f)
}

// add takes an evaluation into the standing.
func (s *Standing) add(objective configs.Objective, e Evaluation) {
	if !slices.Contains(s.played, e.Generation) { // rounds of several generations may alternate
		s.played = append(s.played, e.Generation)
		s.Generations++
	}
	s.Evaluations++
	s.Score.Merge(e.Score)
	s.Interval = stats.MeanInterval(s.Score, confidence)
	switch objective.Kind {
	case configs.MeanScore:
		s.Fitness, s.FitnessInterval = s.Score, s.Interval
	case configs.Reach:
		s.successes += int(math.Round(float64(e.Fitness.Mean * float64(e.Fitness.N))))
		s.Fitness = trials(s.successes, s.Score.N)
	case configs.Quantile:
		s.scores = slices.Concat(s.scores, e.Scores)
		slices.Sort(s.scores)
		s.Fitness = quantile(s.scores, objective.Q)
	default:
		s.Fitness.Merge(e.Fitness)
	}
	if objective.Kind != configs.MeanScore {
		s.FitnessInterval = fitnessInterval(objective, s.Fitness, s.scores, confidence)
	}
	for i, n := range e.Reached {
		s.Reached[i] += n
	}
	s.Moves += e.Moves
	s.Nodes += e.Nodes
}
