package experiments

import (
	"iter"
	"maps"
	"slices"
	"sort"

	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// Field has all candidates of a stage of tuning at a search. A night has millions of them. So it
// keeps 32 bytes of each, from which all can be ranked.
type Field struct {
	Place     // of the first evaluation
	objective fitness.Objective
	pool      *fitness.Pool
	blocks    [][]Entrant      // by number, blockSize in each block: a list that grows would be copied
	late      map[int]*Entrant // those who first played after one of a larger number did
	between   *float64         // standard deviation between the means; nil: nobody asked for it yet
}

// Entrant is a candidate of a Field.
type Entrant struct {
	number, generation, games int32
	negative, failed          bool
	mean, squares             float64 // of the fitness: stats.Moments.Mean and M2
}

const blockSize = 4096

func newField(objective fitness.Objective, at Place) *Field {
	return &Field{Place: at, objective: objective, pool: objective.Pool(), late: map[int]*Entrant{}}
}

// Candidate is its number.
func (e *Entrant) Candidate() int { return int(e.number) }

// Born is the generation in which it first played.
func (e *Entrant) Born() int { return int(e.generation) }

// Negative reports whether the score of some game was below 0.
func (e *Entrant) Negative() bool { return e.negative }

// Fitness is the sample of its games' fitness, without the least and the largest one.
func (e *Entrant) Fitness() stats.Moments {
	return stats.Moments{N: int(e.games), Mean: e.mean, M2: e.squares}
}

// add takes an evaluation into the field. A candidate that could not be played has lost its place.
func (f *Field) add(e Evaluation) {
	one := f.entrant(e.Candidate)
	if e.Failure != "" {
		*one = Entrant{number: one.number, failed: true}
		return
	}
	before := one.Fitness()
	if one.failed { // or new
		one.failed, one.generation = false, int32(e.Generation)
	}
	after := before
	for i, figure := range f.objective.Figures(e.Scores, e.Ranks) {
		after.Add(figure)
		one.negative = one.negative || e.Scores[i] < 0
	}
	one.games, one.mean, one.squares = int32(after.N), after.Mean, after.M2
	f.pool.Add(before, after)
}

// entrant returns the entrant of a number. A new one counts as failed.
func (f *Field) entrant(number int) *Entrant {
	n := len(f.blocks)
	if n == 0 || f.blocks[n-1][len(f.blocks[n-1])-1].number < int32(number) {
		if n == 0 || len(f.blocks[n-1]) == blockSize {
			f.blocks, n = append(f.blocks, make([]Entrant, 0, blockSize)), n+1
		}
		last := &f.blocks[n-1]
		*last = append(*last, Entrant{number: int32(number), failed: true})
		return &(*last)[len(*last)-1]
	}
	block := f.blocks[sort.Search(n-1, func(i int) bool { return f.blocks[i+1][0].number > int32(number) })]
	i := sort.Search(len(block), func(i int) bool { return block[i].number >= int32(number) })
	if i < len(block) && block[i].number == int32(number) {
		return &block[i]
	}
	if f.late[number] == nil {
		f.late[number] = &Entrant{number: int32(number), failed: true}
	}
	return f.late[number]
}

// Entrants yields the candidates that have not failed, by number.
func (f *Field) Entrants() iter.Seq[*Entrant] {
	return func(yield func(*Entrant) bool) {
		late := slices.Sorted(maps.Keys(f.late))
		for b := range f.blocks {
			for i := range f.blocks[b] {
				one := &f.blocks[b][i]
				for ; len(late) > 0 && late[0] < one.Candidate(); late = late[1:] {
					if l := f.late[late[0]]; !l.failed && !yield(l) {
						return
					}
				}
				if !one.failed && !yield(one) {
					return
				}
			}
		}
	}
}

// Spread returns the standard deviation of the fitness of one game.
func (f *Field) Spread() float64 { return f.spreadOf(f.pool) }

// SpreadOf returns the standard deviation of the fitness of one game, by the games of a few
// candidates.
func (f *Field) SpreadOf(few []stats.Moments) float64 {
	pool := f.objective.Pool()
	for _, sample := range few {
		pool.Add(stats.Moments{}, sample)
	}
	return f.spreadOf(pool)
}

// spreadOf returns the spread by a pool. Where no candidate has two games it is the standard
// deviation between the candidates.
func (f *Field) spreadOf(pool *fitness.Pool) float64 {
	if sd, known := pool.Spread(); known {
		return sd
	}
	if f.between == nil {
		var means stats.Moments
		for one := range f.Entrants() {
			means.Add(one.mean)
		}
		f.between = new(means.SD())
	}
	return *f.between
}

// Standings returns the standings of some candidates. The evaluations of the run are those that
// made the field, or at least those of these candidates.
func (f *Field) Standings(numbers []int, evaluations iter.Seq[Evaluation]) *Standings {
	all, wanted := NewStandings(f.objective), map[int]bool{}
	for _, number := range numbers {
		wanted[number] = true
	}
	for e := range evaluations {
		if wanted[e.Candidate] && e.Phase == f.Phase && e.Stage == f.Stage && e.Search == f.Search {
			all.add(e)
		}
	}
	return all
}
