package summary

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// Ranked is a candidate's place in a phase, stage and search.
type Ranked struct {
	Rank int // from 1
	Estimate
	Fit stats.Interval // 95%, of the fitness
	*experiments.Standing
}

// Estimate is what a candidate's fitness is likely to be.
type Estimate struct {
	Candidate int // number
	Shrunk    float64
	Lower     float64 // bound of Shrunk, one-sided 95%: the order of the ranks

	own      float64 // bound of its own games: the order of those that the prior makes equal
	negative bool    // some score was below 0
}

// before compares the ranks of two candidates. Of equals the lower number is the first.
func (e Estimate) before(other Estimate) int {
	return cmp.Or(cmp.Compare(other.Lower, e.Lower), cmp.Compare(other.own, e.own),
		cmp.Compare(e.Candidate, other.Candidate))
}

// phases in the order in which people ask for their figures. The looks at the centre are not among
// them: the first of many looks is the luckiest. The last look is listed by itself.
var phases = []string{experiments.PhaseValidation, experiments.PhasePlayoff, experiments.PhaseComparison,
	experiments.PhaseAblation, experiments.PhaseTrend, experiments.PhaseTuning}

// maxRanked is how many candidates of a stage have a rank.
const maxRanked = 1000

// Leaderboard ranks the candidates of each phase, stage and search: by the lower bounds of their
// fitness, since few games show little of it. The phases come in the order in which people ask:
// validation, playoff, comparison, ablation, trend, and tuning with the last stage first. In tuning
// hundreds of candidates play a few games each, and the luck of the leaders is taken off. Only the
// first 1,000 of a stage are listed, and the finalists: these were chosen by the bounds of their
// own games. Before there is a verdict the last look at the centre is listed first. A Summary does
// not hold all candidates of tuning, so again yields their evaluations once more. Without again it
// ranks the other phases alone.
//
// On the way it makes the sample of the last stage. asked is how many candidates the tuning has.
func (s *Summary) Leaderboard(again experiments.Again, asked int) (all []Ranked, sample Sample) {
	others := slices.DeleteFunc(slices.Clone(s.totals.Others),
		func(t *experiments.Standings) bool { return !slices.Contains(phases, t.Phase) })
	slices.Reverse(others) // the last one first
	slices.SortStableFunc(others, func(a, b *experiments.Standings) int {
		return cmp.Compare(slices.Index(phases, a.Phase), slices.Index(phases, b.Phase))
	})
	list := func(rows []Estimate, standings *experiments.Standings) {
		for i, row := range rows {
			if of := standings.Of[row.Candidate]; of != nil { // else again yielded other evaluations
				all = append(all, Ranked{i + 1, row, s.Objective.Interval(of.Sample, experiments.Confidence), of})
			}
		}
	}
	if s.Centre != nil {
		all = append(all, s.rankedCentre())
	}
	var finalists []int
	for _, t := range others {
		if t.Phase == experiments.PhasePlayoff {
			finalists = append(finalists, t.Numbers()...)
		}
		rows := measured(t)
		list(rows[:min(len(rows), maxRanked)], t)
	}
	for i, t := range slices.Backward(s.totals.Stages) {
		t.From(again)
		see := func(Estimate) {}
		if i == len(s.totals.Stages)-1 {
			sample.Stage, sample.Search, see = t.Stage, t.Search, sample.see(asked)
		}
		rows := shrunk(t, maxRanked, finalists, see)
		var leaders []int
		for _, row := range rows {
			leaders = append(leaders, row.Candidate)
		}
		list(rows, t.Standings(leaders))
		t.From(nil)
	}
	slices.SortFunc(sample.Fitness, func(a, b Sampled) int { return cmp.Compare(a.Candidate, b.Candidate) })
	return all, sample
}

// rankedCentre is the centre at the last look, by its games in this look alone. Of these a look
// keeps the sample.
func (s *Summary) rankedCentre() Ranked {
	of := &experiments.Standing{Place: s.Centre.Place, Sample: s.Centre.Sample, Untiled: true, Generations: 1}
	bound := of.Fitness.Mean - float64(experiments.Z95*of.Fitness.SD())/math.Sqrt(float64(of.Fitness.N))
	e := Estimate{of.Candidate, of.Fitness.Mean, bound, bound, of.Negative}
	return Ranked{1, e.possible(), s.Centre.Fitness.Interval, of}
}

// Sample has candidates of the last stage of tuning, evenly chosen of all that the tuning asked
// for.
type Sample struct {
	Stage, Search string
	All           int       // candidates of the stage
	Games         int64     // of the run when it was ranked, where others followed since; else 0
	Fitness       []Sampled // by number
}

// Sampled is a candidate of a sample.
type Sampled struct {
	Candidate int     // number
	Fitness   float64 // without its luck, see Estimate.Shrunk
}

// maxSampled is how many candidates a sample has, at most.
const maxSampled = 4000

// see returns a function that takes a candidate into the sample.
func (s *Sample) see(asked int) func(Estimate) {
	every := max(1, (asked+maxSampled-1)/maxSampled)
	return func(e Estimate) {
		s.All++
		if e.Candidate%every == 0 {
			s.Fitness = append(s.Fitness, Sampled{e.Candidate, e.Shrunk})
		}
	}
}

// measured ranks candidates by their own games.
func measured(t *experiments.Standings) []Estimate {
	numbers := t.Numbers()
	bounds := t.Lower(numbers)
	rows := make([]Estimate, len(numbers))
	for i, number := range numbers {
		one := t.Of[number]
		rows[i] = Estimate{number, one.Fitness.Mean, bounds[i], bounds[i], one.Negative}
	}
	slices.SortFunc(rows, Estimate.before)
	for i := range rows {
		rows[i] = rows[i].possible()
	}
	return rows
}

// possible takes the estimate into the range of the objective.
func (e Estimate) possible() Estimate {
	if !e.negative {
		e.Shrunk, e.Lower = math.Max(0, e.Shrunk), math.Max(0, e.Lower)
	}
	return e
}

// A candidate's prior comes from priorGenerations before and after its own, or from the nearest
// that have priorGames. With fewer games the luckiest generation leads. Generations further away
// played at other levels.
const (
	priorGenerations = 8
	priorGames       = 10_000
)

// shrunk ranks the candidates of a stage of tuning, and returns the first ones, at most "most" of
// them. Those of also that are not among them follow. Each fitness is shrunk towards the mean of
// the generations around the candidate's first one (see stats.NewPrior). see receives every
// estimate, in any order.
//
// The candidates come by number, and those of a prior's generations are in memory alone. A
// generation is complete behind the largest number that first played in it or before.
func shrunk(field *experiments.Field, most int, also []int, see func(Estimate)) (leaders []Estimate) {
	cut := func() {
		slices.SortFunc(leaders, Estimate.before)
		leaders = leaders[:min(len(leaders), most)]
	}
	var others []Estimate
	spread := field.Spread()
	near := neighbours{born: map[int][]experiments.Entrant{}, samples: map[int][]stats.Moments{}}
	estimate := func(generation int) {
		if len(near.born[generation]) == 0 { // all of them failed later
			return
		}
		prior := near.prior(field, generation)
		for _, one := range near.born[generation] {
			f := one.Fitness()
			mean, se := prior.Shrink(f)
			e := Estimate{one.Candidate(), mean, mean - float64(experiments.Z95*se),
				f.Mean - float64(experiments.Z95*spread)/math.Sqrt(float64(f.N)), one.Negative()}
			leaders = append(leaders, e)
			if slices.Contains(also, e.Candidate) {
				others = append(others, e)
			}
			see(e.possible())
		}
		if len(leaders) >= 10*most+10_000 {
			cut()
		}
	}
	generations, newest := field.Newest()
	done, complete := 0, 0 // of these generations
	advance := func(number int) {
		for ; complete < len(generations) && newest[complete] < number; complete++ {
		}
		for ; done < complete && (complete == len(generations) ||
			generations[complete] > generations[done]+priorGenerations); done++ {
			estimate(generations[done])
		}
	}
	for one := range field.Entrants() {
		advance(one.Candidate())
		near.born[one.Born()] = append(near.born[one.Born()], one)
	}
	advance(math.MaxInt)
	cut()
	slices.SortFunc(others, Estimate.before)
	for _, e := range others {
		if !slices.ContainsFunc(leaders, func(leader Estimate) bool { return leader.Candidate == e.Candidate }) {
			leaders = append(leaders, e)
		}
	}
	for i := range leaders {
		leaders[i] = leaders[i].possible()
	}
	return leaders
}

// neighbours gives priors to generations in their order.
type neighbours struct {
	born    map[int][]experiments.Entrant // by first generation, from the generations at hand on
	samples map[int][]stats.Moments       // their fitness
	near    []stats.Moments
}

// moments returns the fitness of the candidates that first played in a generation.
func (n *neighbours) moments(generation int) []stats.Moments {
	samples, known := n.samples[generation]
	if !known {
		for _, one := range n.born[generation] {
			samples = append(samples, one.Fitness())
		}
		n.samples[generation] = samples
	}
	return samples
}

// prior returns the prior of the candidates that first played in a generation. Good players have
// a wider spread, so it is the spread of the generations around it.
func (n *neighbours) prior(field *experiments.Field, generation int) stats.Prior {
	maps.DeleteFunc(n.samples, func(g int, _ []stats.Moments) bool { return g < generation-priorGenerations })
	maps.DeleteFunc(n.born, func(g int, _ []experiments.Entrant) bool { return g < generation-priorGenerations })
	var groups [][]stats.Moments
	n.near = n.near[:0]
	games := 0
	for apart := 0; apart <= priorGenerations && games < priorGames; apart++ {
		for _, g := range slices.Compact([]int{generation - apart, generation + apart}) {
			group := n.moments(g)
			for _, f := range group {
				games += f.N
			}
			groups, n.near = append(groups, group), append(n.near, group...)
		}
	}
	spread := field.SpreadOf(n.near)
	return stats.NewPrior(groups, float64(spread*spread))
}
