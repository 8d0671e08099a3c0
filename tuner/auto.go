package tuner

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"tune2048/engine/portable"
)

var auto = Algorithm{
	Name:     "auto",
	Settings: genetic.Settings,
	Narrow:   genetic.Narrow,
	Budget: func(samples, parameters int) (population, each int) {
		return min(max(40, 2*parameters), 100), min(max(samples/5000, 2), 8)
	},
	start: newExplorations,
}

// explorations are a tournament of searches that begin apart, because each finds one region of many.
//
// An exploration has a turn of 50,000 samples. Of two that have had as many turns the better one
// goes on for as many again, in calmer steps. Where no other has had as many, one more exploration
// begins. So half of all samples refine. The schedule counts samples from the beginning, not to an
// end. So a search that is given more of them goes on as if they had been planned.
type explorations struct {
	*relay          // the one at hand
	all    []*relay // in the order of their beginning
	seed   uint64
}

const (
	turnSamples     = 50_000
	turnGenerations = 4 * explored // at least, where a generation has many samples
)

func newExplorations(n map[string]float64, s *Space, random *portable.Source) (search, error) {
	e := &explorations{seed: random.Uint64()}
	return e, e.begin(n, s, e.seed, random)
}

// begin begins an exploration.
func (e *explorations) begin(n map[string]float64, s *Space, seed uint64, random *portable.Source) error {
	first, err := genetic.start(n, s, portable.NewSource(seed))
	e.relay = &relay{search: first, numbers: n, space: s, random: random, batch: 1}
	if s.Dim() <= mostDimensions { // otherwise the genetic algorithm goes on
		e.left = explored
	}
	e.all = append(e.all, e.relay)
	return err
}

func (e *explorations) learn(generation []point, fitness []float64, samples int) {
	e.relay.learn(generation, fitness, samples)
	if e.samples>>e.level < turnSamples || e.generations>>e.level < turnGenerations {
		return
	}
	rival := slices.IndexFunc(e.all, func(r *relay) bool { return r != e.relay && r.level == e.level })
	if rival < 0 {
		// It begins anywhere, unless the first one kept to its start. The first one had the same
		// settings, so there is no error.
		n, seed := maps.Clone(e.numbers), portable.Hash(e.seed, "exploration", len(e.all))
		n["uniform"] = math.Ceil(n["uniform"])
		_ = e.begin(n, e.space, seed, portable.NewSource(portable.Hash(seed, cmaES.Name)))
		return
	}
	winner, loser := e.all[rival], e.relay
	if loser.typical() > winner.typical() {
		winner, loser = loser, winner
	}
	loser.lose()
	e.relay = winner
	winner.goOn()
}

// nextStage ends the tournament. The answer goes on alone: the others were not measured this way.
func (e *explorations) nextStage() {
	e.relay = e.ranked()[0]
	for _, r := range e.all {
		if r != e.relay {
			r.lose()
		}
	}
	e.level = 62 // for ever
	e.relay.nextStage()
}

// ranked returns the explorations that have an answer: who has had most turns, then the longest.
func (e *explorations) ranked() []*relay {
	all := slices.DeleteFunc(slices.Clone(e.all), func(r *relay) bool { return r.generations == 0 })
	slices.SortStableFunc(all, func(a, b *relay) int {
		return cmp.Or(cmp.Compare(b.level, a.level), cmp.Compare(b.samples, a.samples))
	})
	return all
}

func (e *explorations) centre() []float64 { return e.ranked()[0].centre() }

func (e *explorations) others() (centres [][]float64) {
	for _, r := range e.ranked()[1:] {
		centres = append(centres, r.centre())
	}
	return centres
}

func (e *explorations) stop() {
	for _, r := range e.all {
		r.stop()
	}
}

// explored is the number of generations after which the genetic algorithm hands over.
const explored = 30

// relay is a genetic algorithm that finds the region, and a CMA-ES that takes over from its centre.
//
// Under noise both agree too early: after some 40 generations their steps are as short as they are
// allowed to be, and then they wander. So the CMA-ES of the relay has a floor of steps that falls
// slowly.
type relay struct {
	search
	numbers map[string]float64 // the values of its settings, by key
	space   *Space
	random  *portable.Source
	left    int // generations until the hand-over, or 0

	level       int       // how often it has won, or -1 once it has lost
	samples     int       // so far
	generations int       // so far
	recent      []float64 // fitness of its last generations

	batch   int     // generations of which a step learns together
	points  []point // of those that have been measured
	fitness []float64
}

// compared is of how many generations the fitness is compared.
const compared = 10

func (r *relay) learn(generation []point, fitness []float64, samples int) {
	r.samples += samples
	r.generations++
	r.recent = append(r.recent, fitness...)
	r.recent = r.recent[max(0, len(r.recent)-compared*len(fitness)):]
	r.points, r.fitness = append(r.points, generation...), append(r.fitness, fitness...)
	if len(r.points) == r.batch*len(generation) {
		r.search.learn(r.points, r.fitness, samples)
		r.points, r.fitness = nil, nil
	}
	if r.left > 0 {
		if r.left--; r.left == 0 {
			r.handOver(r.numbers["spread"] / 2)
		}
	}
}

// typical is the median of the fitness of the last generations: only the order of fitness matters.
func (r *relay) typical() float64 { return slices.Sorted(slices.Values(r.recent))[len(r.recent)/2] }

func (r *relay) lose() {
	r.level = -1
	r.stop()
}

// goOn begins further turns. Steps of a CMA-ES then learn from twice as many candidates, because
// noise hides what is left to gain.
func (r *relay) goOn() {
	r.level++
	if c, ok := r.search.(*cmaSearch); ok {
		r.batch *= 2
		c.rates = newCMARates(r.batch*int(r.numbers["population"]), r.space.Dim())
	}
}

// nextStage hands over at the latest.
func (r *relay) nextStage() {
	r.points, r.fitness = nil, nil
	if r.left > 0 {
		r.left = 0
		r.handOver(r.numbers["stage_spread"])
		return
	}
	r.search.nextStage()
}

// handOver begins the CMA-ES at the centre of the genetic algorithm.
func (r *relay) handOver(spread float64) {
	centre := r.centre()
	r.stop()
	own := map[string]float64{"population": r.numbers["population"], "stage_spread": r.numbers["stage_spread"]}
	r.search = newCMASearch(Options{cmaES.Name, own}.numbers(), r.space, r.random, centre, spread, true)
}
