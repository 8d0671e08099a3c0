package summary

import (
	"cmp"
	"math"
	"slices"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// Ranked is a candidate's place in a phase, stage and search.
type Ranked struct {
	Rank   int // from 1
	Shrunk float64
	Lower  float64        // bound of Shrunk, one-sided 95%: the order of the ranks
	Fit    stats.Interval // 95%, of the fitness
	*experiments.Standing

	own float64 // bound of its own games: the order of those that the prior makes equal
}

// phases in the order in which people ask for their figures.
var phases = []string{experiments.PhaseValidation, experiments.PhasePlayoff, experiments.PhaseComparison,
	experiments.PhaseAblation, experiments.PhaseTrend, experiments.PhaseTuning}

// mostRanked is how many candidates of a stage have a rank.
const mostRanked = 1000

// Leaderboard ranks the candidates of each phase, stage and search: by the lower bounds of their
// fitness, since few games show little of it. The phases come in the order in which people ask:
// validation, playoff, comparison, ablation, trend, and tuning with the last stage first. In tuning
// hundreds of candidates play a few games each, and the luck of the leaders is taken off. Only the
// first 1,000 of a stage are listed.
func (s *Summary) Leaderboard() (all []Ranked) {
	totals := slices.Clone(s.totals)
	slices.Reverse(totals) // the last one first
	slices.SortStableFunc(totals, func(a, b *experiments.Standings) int {
		return cmp.Compare(slices.Index(phases, a.Phase), slices.Index(phases, b.Phase))
	})
	for _, t := range totals {
		rows := s.ranked(t)
		rows = rows[:min(len(rows), mostRanked)]
		for i := range rows {
			rows[i].Rank, rows[i].Fit = i+1, s.Objective.Interval(rows[i].Sample, experiments.Confidence)
		}
		all = append(all, rows...)
	}
	return all
}

// Tuned ranks all candidates of the last stage of tuning. Their Rank and Fit are left out.
func (s *Summary) Tuned() []Ranked {
	for _, t := range slices.Backward(s.totals) {
		if t.Phase == experiments.PhaseTuning {
			return s.ranked(t)
		}
	}
	return nil
}

// ranked ranks the candidates of a phase, stage and search.
func (s *Summary) ranked(t *experiments.Standings) []Ranked {
	numbers := t.Numbers()
	bounds := t.Lower(numbers)
	rows := make([]Ranked, len(numbers))
	for i, number := range numbers {
		rows[i] = Ranked{Standing: t.Of[number], Shrunk: t.Of[number].Fitness.Mean, Lower: bounds[i], own: bounds[i]}
	}
	if t.Phase == experiments.PhaseTuning {
		shrink(t, rows)
	}
	slices.SortStableFunc(rows, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Lower, a.Lower), cmp.Compare(b.own, a.own))
	})
	for i := range rows {
		if !rows[i].Negative {
			rows[i].Shrunk, rows[i].Lower = math.Max(0, rows[i].Shrunk), math.Max(0, rows[i].Lower)
		}
	}
	return rows
}

// A candidate's prior comes from priorGenerations before and after its own, or from the nearest
// that have priorGames. With fewer games the luckiest generation leads. Generations further away
// played at other levels.
const (
	priorGenerations = 8
	priorGames       = 10_000
)

// shrink estimates the worth of a stage's candidates. Each fitness is shrunk towards the mean of
// the generations around the candidate's first one (see stats.NewPrior).
func shrink(all *experiments.Standings, rows []Ranked) {
	born := map[int][]stats.Moments{} // fitness, by first generation
	for _, r := range rows {
		born[r.Generation] = append(born[r.Generation], r.Fitness)
	}
	priors := map[int]stats.Prior{}
	for i := range rows {
		r := &rows[i]
		prior, known := priors[r.Generation]
		if !known {
			prior = priorOf(all, born, r.Generation)
			priors[r.Generation] = prior
		}
		mean, se := prior.Shrink(r.Fitness)
		r.Shrunk, r.Lower = mean, mean-float64(experiments.Z95*se)
	}
}

// priorOf returns the prior of the candidates that first played in a generation. Good players have
// a wider spread, so it is the spread of the generations around it.
func priorOf(all *experiments.Standings, born map[int][]stats.Moments, generation int) stats.Prior {
	var groups [][]stats.Moments
	var near []stats.Moments
	games := 0
	for apart := 0; apart <= priorGenerations && games < priorGames; apart++ {
		for _, g := range slices.Compact([]int{generation - apart, generation + apart}) {
			group := born[g]
			for _, f := range group {
				games += f.N
			}
			groups, near = append(groups, group), append(near, group...)
		}
	}
	spread := all.SpreadOf(near)
	return stats.NewPrior(groups, float64(spread*spread))
}
