package experiments

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"

	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// Field has the candidates of a stage of tuning at a search, and ranks them by the lower bounds of
// their fitness, as Standings do. A night has millions of them. So it holds the best ones, the
// newest ones, and those that played in several generations, which are one in ten or twenty. It
// puts the others away: the store has their evaluations. Its answers are those of a field that
// holds them all, to the bit:
//
//   - The spread is pooled as the evaluations come. Each evaluation needs the sums of its candidate
//     before it. The sums of a candidate that was put away come from the store.
//   - The best are known although the spread moves, see Best.
type Field struct {
	Place     // of the first evaluation
	objective fitness.Objective
	pool      *fitness.Pool
	held      map[int]Entrant // by number
	away      map[int]float64 // the highest mean of those that were put away, by the number of their games
	stay      int             // how many of those held are never put away
	lost      bitset          // those who failed
	next      int             // number of the evaluation behind the last one
	latest    int32           // generation of the last evaluation
	waves     []wave          // in the order of play
	between   ordered         // the means of all, by number
	again     Again
}

// Again yields the evaluations of tuning at the stage and search of a place that have numbers from
// one on and below another: of some candidates, or of all where numbers is nil. They come by
// candidate, and the evaluations of each by number.
type Again func(at Place, numbers []int, from, below int) iter.Seq[Evaluation]

// maxHeld is how many candidates of a single generation a field holds, at most: between
// generations it puts some away.
// Tests lower it.
var maxHeld = 50_000

// Entrant is a candidate of a Field.
type Entrant struct {
	number, born, last, games int32   // born and last: generations in which it first and last played
	negative                  bool    // the score of some game was below 0
	stays                     bool    // it is not put away
	mean, squares             float64 // of the fitness: stats.Moments.Mean and M2
}

// wave is a generation in which candidates first played.
type wave struct {
	generation, first int // first: number of the first evaluation of such a candidate
	newest            int // the largest candidate that first played in it or before
}

// ordered is the moments of numbers that came in the order of the candidates.
type ordered struct {
	stats.Moments
	last   int  // the largest candidate
	broken bool // they came in another order, or have changed
}

func newField(objective fitness.Objective, at Place, again Again) *Field {
	return &Field{Place: at, objective: objective, pool: objective.Pool(), held: map[int]Entrant{},
		away:    map[int]float64{},
		between: ordered{last: -1}, again: again}
}

// From makes a function the source of the candidates that the field does not hold.
func (f *Field) From(again Again) { f.again = again }

// Candidate is its number.
func (e Entrant) Candidate() int { return int(e.number) }

// Born is the generation in which it first played.
func (e Entrant) Born() int { return int(e.born) }

// Negative reports whether the score of some game was below 0.
func (e Entrant) Negative() bool { return e.negative }

// Fitness is the sample of its games' fitness, without the least and the largest one.
func (e Entrant) Fitness() stats.Moments {
	return stats.Moments{N: int(e.games), Mean: e.mean, M2: e.squares}
}

// bound is the lower bound of the fitness.
func (e Entrant) bound(spread float64) float64 { return lower(e.mean, int(e.games), spread) }

// after returns the candidate after another evaluation. One that could not be played has lost its
// games.
func (e Entrant) after(objective fitness.Objective, next Evaluation) Entrant {
	if next.Failure != "" {
		return Entrant{number: e.number}
	}
	if e.games == 0 {
		e.born = int32(next.Generation)
	}
	e.stays = e.stays || e.born != int32(next.Generation)
	sum := e.Fitness()
	for i, figure := range objective.Figures(next.Scores, next.Ranks) {
		sum.Add(figure)
		e.negative = e.negative || next.Scores[i] < 0
	}
	e.games, e.mean, e.squares, e.last = int32(sum.N), sum.Mean, sum.M2, int32(next.Generation)
	return e
}

// add takes an evaluation into the field.
func (f *Field) add(e Evaluation) {
	before, held := f.held[e.Candidate]
	if !held {
		before = f.recall(e.Candidate, e.Number)
	} else if before.stays {
		f.stay--
	}
	f.next = e.Number + 1
	after := before.after(f.objective, e)
	f.between.broken = f.between.broken || before.games > 0
	if after.games == 0 {
		delete(f.held, e.Candidate)
		f.lost.add(e.Candidate)
		return
	}
	if before.games == 0 {
		f.between.add(e.Candidate, after.mean)
		after.stays = f.first(after, e.Number) || f.lost.has(e.Candidate)
	}
	if after.stays {
		f.stay++
	}
	f.latest, f.held[e.Candidate] = after.last, after
	f.pool.Add(before.Fitness(), after.Fitness())
}

// first notes the first evaluation of a candidate. It reports whether a larger one first played in
// an earlier generation: recall would look for this one there.
func (f *Field) first(e Entrant, evaluation int) (late bool) {
	newest := func(waves int) int { // of so many first waves
		if waves == 0 {
			return -1
		}
		return f.waves[waves-1].newest
	}
	n := len(f.waves)
	if n == 0 || f.waves[n-1].generation != e.Born() {
		f.waves, n = append(f.waves, wave{e.Born(), evaluation, newest(n)}), n+1
	}
	last, before := &f.waves[n-1], newest(n-1)
	last.newest = max(last.newest, e.Candidate())
	return e.Candidate() <= before
}

// recall returns a candidate that is not held, before an evaluation. If it was put away, it played
// in one generation, and first: in the first one that has so large a candidate.
func (f *Field) recall(candidate, evaluation int) (e Entrant) {
	e.number = int32(candidate)
	i := sort.Search(len(f.waves), func(i int) bool { return f.waves[i].newest >= candidate })
	if len(f.away) == 0 || i == len(f.waves) || f.lost.has(candidate) { // it is new, or as good as new
		return e
	}
	below := evaluation
	if i+1 < len(f.waves) {
		below = f.waves[i+1].first
	}
	for known := range f.again(f.Place, []int{candidate}, f.waves[i].first, below) {
		e = e.after(f.objective, known)
	}
	return e
}

func (o *ordered) add(candidate int, mean float64) {
	o.broken = o.broken || candidate <= o.last
	o.Add(mean)
	o.last = candidate
}

// putAway puts the worst half of the candidates away if there are too many, and keeps all that
// played in the last generation: the optimizer asks for some of them again.
func (f *Field) putAway() {
	if len(f.held)-f.stay <= maxHeld {
		return
	}
	best := maxHeld / 2
	for _, e := range f.ranked() {
		if e.stays || e.last == f.latest {
			continue
		}
		best--
		if best >= 0 {
			continue
		}
		delete(f.held, e.Candidate())
		if mean, some := f.away[int(e.games)]; !some || e.mean > mean {
			f.away[int(e.games)] = e.mean
		}
	}
}

// sorted returns the candidates that are held, by number.
func (f *Field) sorted() []Entrant {
	all := make([]Entrant, 0, len(f.held))
	for _, e := range f.held {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entrant) int { return cmp.Compare(a.number, b.number) })
	return all
}

// ranked returns the candidates that are held, the best first.
func (f *Field) ranked() []Entrant {
	all := f.sorted()
	rank(all, f.Spread())
	return all
}

// rank sorts candidates by the lower bounds of their fitness, ties by number.
func rank(all []Entrant, spread float64) {
	slices.SortFunc(all, func(a, b Entrant) int {
		return cmp.Or(cmp.Compare(b.bound(spread), a.bound(spread)), cmp.Compare(a.number, b.number))
	})
}

// Lower returns the lower bounds of the fitness of candidates that played in the last generation.
// One that has failed is the last.
func (f *Field) Lower(numbers []int) []float64 {
	spread := f.Spread()
	bounds := make([]float64, len(numbers))
	for i, number := range numbers {
		bounds[i] = -math.MaxFloat64
		if f.held[number].games > 0 {
			bounds[i] = f.held[number].bound(spread)
		}
	}
	return bounds
}

// Best returns the first candidates by rank that may be among them: most, or all if these are
// fewer.
//
// A candidate that was put away had a rank behind thousands of others. But the spread has moved
// since, and some of the others may have played on, or failed. So Best proves its answer:
//
//   - The bound of a candidate is mean - Z95 x spread / sqrt(games). For one number of games and
//     one spread it rises with the mean, and rounding keeps the order.
//   - So whatever the spread is, no candidate put away has a bound above the bound of the highest
//     mean that was put away with its number of games. The list away has these means.
//   - A candidate that is put away does not play, so its mean stays. If it plays again it is held
//     again. Its old mean then stays in the list, where it can only ask for more care.
//   - So if the last of the best that are held has a bound above all bounds of the list, no
//     candidate put away is among the best. Whoever played on or failed has no part in this.
//
// If it has not, and also where two bounds are equal, Best reads all candidates from the store.
func (f *Field) Best(most int, may func(number int) bool) (best []int) {
	if most <= 0 {
		return nil
	}
	spread := f.Spread()
	var list []Entrant
	for _, e := range f.ranked() {
		if may(e.Candidate()) && len(list) < most {
			list = append(list, e)
		}
	}
	if len(f.away) > 0 && (len(list) < most || !(list[most-1].bound(spread) > f.ceiling(spread))) {
		list = nil
		for e := range f.Entrants() {
			if may(e.Candidate()) {
				list = append(list, e)
			}
			if len(list) >= 10*most+10_000 {
				rank(list, spread)
				list = list[:most]
			}
		}
		rank(list, spread)
	}
	for _, e := range list[:min(len(list), most)] {
		best = append(best, e.Candidate())
	}
	return best
}

// ceiling is a bound that no candidate has surpassed that was put away.
func (f *Field) ceiling(spread float64) float64 {
	highest := math.Inf(-1)
	for games, mean := range f.away {
		highest = max(highest, lower(mean, games, spread))
	}
	return highest
}

// Entrants yields the candidates that have not failed, by number.
func (f *Field) Entrants() iter.Seq[Entrant] {
	if len(f.away) == 0 {
		return slices.Values(f.sorted())
	}
	return func(yield func(Entrant) bool) {
		one := Entrant{number: -1}
		for e := range f.again(f.Place, nil, 0, f.next) {
			if e.Candidate != one.Candidate() {
				if one.games > 0 && !yield(one) {
					return
				}
				one = Entrant{number: int32(e.Candidate)}
			}
			one = one.after(f.objective, e)
		}
		if one.games > 0 {
			yield(one)
		}
	}
}

// Newest returns the generations in which candidates first played, in order. Each has the largest
// number of a candidate that first played in it or before.
func (f *Field) Newest() (generations, newest []int) {
	waves := slices.Clone(f.waves)
	slices.SortStableFunc(waves, func(a, b wave) int { return cmp.Compare(a.generation, b.generation) })
	largest := -1
	for _, w := range waves {
		largest = max(largest, w.newest)
		if n := len(generations); n > 0 && generations[n-1] == w.generation {
			newest[n-1] = largest
			continue
		}
		generations, newest = append(generations, w.generation), append(newest, largest)
	}
	return generations, newest
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
	if f.between.broken {
		f.between = ordered{last: -1}
		for e := range f.Entrants() {
			f.between.add(e.Candidate(), e.mean)
		}
	}
	return f.between.SD()
}

// Standings returns the standings of some candidates.
func (f *Field) Standings(numbers []int) *Standings {
	all := NewStandings(f.objective)
	for e := range f.again(f.Place, numbers, 0, f.next) {
		all.add(e)
	}
	return all
}
