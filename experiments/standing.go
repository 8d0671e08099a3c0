package experiments

import (
	"cmp"
	"math"
	"slices"

	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
	"tune2048/tuner/fitness"
)

// Confidence of the intervals of evaluations and standings. A Comparison has its own.
const Confidence = 0.95

// summarize evaluates the games of one candidate, in the order of their seeds.
func summarize(objective fitness.Objective, place Place, games []simulator.Outcome) Evaluation {
	e := Evaluation{Place: place, Sample: objective.Sample(games), GamesHash: HashGames(games)}
	for i, g := range games {
		one := Sums{Moves: int64(g.Moves), Nodes: g.Nodes, Untiled: g.MaxTile == 0}
		for k, tile := range Tiles {
			if g.MaxTile >= tile {
				one.Reached[k] = 1
			}
		}
		e.Sums.add(one, i == 0)
	}
	e.Interval = stats.MeanInterval(e.Score, Confidence)
	return e
}

// standings rank the candidates of a phase, stage and search: the one model of fitness. A few games
// show little of a candidate's fitness. So wherever candidates are ranked, it counts less 1.645
// standard errors. The spread of a game is pooled over all candidates, see [fitness.Pool].
type standings struct {
	objective fitness.Objective
	pool      *fitness.Pool
	of        map[int]*Standing // by number
	born      map[int][]int     // numbers by the generation that they played first
}

func newStandings(objective fitness.Objective) *standings {
	return &standings{objective: objective, pool: objective.Pool(), of: map[int]*Standing{}, born: map[int][]int{}}
}

// add takes the evaluations of a block into the standings of their candidates.
func (all *standings) add(evaluations ...Evaluation) {
	var block []fitness.Change
	for _, e := range evaluations {
		s := all.of[e.Candidate]
		if s == nil {
			s = &Standing{Candidate: e.Candidate}
			all.of[e.Candidate] = s
			all.born[e.Generation] = append(all.born[e.Generation], e.Candidate)
		}
		before := s.Sample
		s.add(all.objective, e)
		block = append(block, fitness.Change{Before: before, Block: e.Sample, After: s.Sample})
	}
	all.pool.Add(block)
	for _, e := range evaluations {
		if s := all.of[e.Candidate]; e.Phase == PhaseTuning {
			s.Fitness.Mean -= all.pool.Bias(s.Fitness.N)
		}
	}
}

// take adds the evaluations of a block. It returns the candidates whose standings change.
func (all *standings) take(b Block, evaluations []Evaluation) (numbers []int) {
	all.add(evaluations...)
	if b.Phase == PhaseTuning {
		return all.shrink(b)
	}
	return b.Candidates
}

// spread returns the standard deviation of the fitness of one game.
func (all *standings) spread() float64 { return all.spreadOf(all.pool) }

// spreadOf returns the spread by a pool. Where no candidate has two games it is the standard
// deviation between the candidates.
func (all *standings) spreadOf(pool *fitness.Pool) float64 {
	if sd, known := pool.Spread(); known {
		return sd
	}
	var means stats.Moments
	for _, number := range sortedKeys(all.of) {
		means.Add(all.of[number].Fitness.Mean)
	}
	return means.SD()
}

// Z95 is the 0.95 quantile of the normal distribution. The lower bound of a fitness lies as many
// standard errors below it.
const Z95 = 1.645

// lower returns the lower bounds of the candidates' fitness.
func (all *standings) lower(numbers []int) []float64 {
	spread := all.spread()
	bounds := make([]float64, len(numbers))
	for i, number := range numbers {
		f := all.of[number].Fitness
		bounds[i] = f.Mean - float64(Z95*spread)/math.Sqrt(float64(f.N))
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

// A candidate's prior comes from priorGenerations before and after its own, or from the nearest
// that have priorGames. With fewer games the luckiest generation leads. Generations further away
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
		s.Shrunk, s.Lower = mean, math.Max(0, mean-float64(Z95*se)) // no objective is below 0
	}
	return numbers
}

// prior returns the prior of the candidates that first played in this generation. Good players have
// a wider spread, so it is the spread of these generations.
func (all *standings) prior(generation int) stats.Prior {
	var groups [][]stats.Moments
	var near []stats.Moments
	games := 0
	for apart := 0; apart <= priorGenerations && games < priorGames; apart++ {
		for _, g := range slices.Compact([]int{generation - apart, generation + apart}) {
			var group []stats.Moments
			for _, number := range all.born[g] {
				f := all.of[number].Fitness
				group = append(group, f)
				games += f.N
			}
			groups, near = append(groups, group), append(near, group...)
		}
	}
	spread := all.spreadOf(all.pool.Of(near))
	return stats.NewPrior(groups, float64(spread*spread))
}

// list returns the standings of those candidates for the record, in their order. A quantile less
// its bias may be below 0. The record has 0 there, and the ranking keeps the number.
func (all *standings) list(numbers []int) []Standing {
	list := make([]Standing, len(numbers))
	for i, number := range numbers {
		s := *all.of[number]
		s.Fitness.Mean, s.Shrunk = max(0, s.Fitness.Mean), max(0, s.Shrunk)
		list[i] = s
	}
	return list
}

// add takes an evaluation into the standing.
func (s *Standing) add(objective fitness.Objective, e Evaluation) {
	if !slices.Contains(s.played, e.Generation) { // rounds of several generations may alternate
		s.played = append(s.played, e.Generation)
		s.Generations++
	}
	s.Evaluations++
	s.Sample = objective.Merge(s.Sample, e.Sample)
	s.Interval = stats.MeanInterval(s.Score, Confidence).Within(0, math.Inf(1))
	s.FitnessInterval = objective.Interval(s.Sample, Confidence)
	s.Sums.add(e.Sums, s.Evaluations == 1)
}
