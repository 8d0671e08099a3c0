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

// explorations are searches that begin apart, because each finds one region of many.
//
// The leader gets half of all samples. Whenever it has as many as all others together, and one turn
// more, a challenger begins. A challenger that is behind the leader at the same age ends. One that
// has caught up leads. The schedule counts samples from the beginning, not to an end. So a search
// that is given more of them goes on as if they had been planned.
type explorations struct {
	*relay          // the one at hand: the leader or its challenger
	all    []*relay // in the order of their beginning
	leader *relay
	total  int // samples so far
	seed   uint64
	only   bool // there are no more challengers
}

// A turn has a number of samples, and at least a number of generations where these are large.
const (
	turnSamples     = 50_000
	turnGenerations = 4 * explored
)

func newExplorations(n map[string]float64, s *Space, random *portable.Source) (search, error) {
	e := &explorations{seed: random.Uint64()}
	err := e.begin(n, s, e.seed, random)
	e.leader = e.relay
	return e, err
}

// begin begins an exploration.
func (e *explorations) begin(n map[string]float64, s *Space, seed uint64, random *portable.Source) error {
	first, err := genetic.start(n, s, portable.NewSource(seed))
	e.relay = &relay{search: first, numbers: n, space: s, random: random}
	if s.Dim() <= mostDimensions { // otherwise the genetic algorithm goes on
		e.left = explored
	}
	e.all = append(e.all, e.relay)
	return err
}

// spend notes the samples of the generation that was learned and their mean, and decides which
// exploration goes on.
func (e *explorations) spend(samples int, mean float64) {
	e.total += samples
	grown := e.relay.spend(samples, mean)
	age, leader := len(e.marks)-1, e.leader
	switch {
	case e.only:
	case e.relay == leader:
		if age >= 0 && leader.samples-turnSamples >= e.total-leader.samples {
			e.challenge()
		}
	case grown && e.marks[age] <= leader.marks[age]:
		e.relay.stop()
		e.relay = leader
	case grown && len(e.marks) == len(leader.marks):
		leader.stop()
		e.leader = e.relay
	}
}

// challenge begins an exploration that starts anywhere, unless the first one kept to its start.
func (e *explorations) challenge() {
	n, seed := maps.Clone(e.numbers), portable.Hash(e.seed, "exploration", len(e.all))
	n["uniform"] = math.Ceil(n["uniform"])
	// There is no error: the first exploration had the same settings.
	_ = e.begin(n, e.space, seed, portable.NewSource(portable.Hash(seed, cmaES.Name)))
}

// nextStage ends the race: challengers would be measured otherwise than the leader was.
func (e *explorations) nextStage() {
	if e.relay != e.leader {
		e.relay.stop()
	}
	e.relay, e.only = e.leader, true
	e.leader.nextStage()
}

func (e *explorations) centre() []float64 { return e.leader.centre() }

// others returns the answers of all explorations but the leader, most samples first.
func (e *explorations) others() (centres [][]float64) {
	all := slices.Clone(e.all)
	slices.SortStableFunc(all, func(a, b *relay) int { return cmp.Compare(b.samples, a.samples) })
	for _, r := range all {
		if r != e.leader && r.samples > 0 {
			centres = append(centres, r.centre())
		}
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

	samples     int       // so far
	generations int       // so far
	recent      []float64 // the means of the last generations
	marks       []float64 // the mean of these at each age: after 1, 2, 4 ... turns
}

func (r *relay) learn(generation []point, fitness []float64) {
	r.search.learn(generation, fitness)
	if r.left > 0 {
		if r.left--; r.left == 0 {
			r.handOver(r.numbers["spread"] / 2)
		}
	}
}

// compared is the number of generations by whose mean explorations are compared.
const compared = 10

// spend reports whether the relay has come to its next age.
func (r *relay) spend(samples int, mean float64) (grown bool) {
	r.samples, r.generations = r.samples+samples, r.generations+1
	r.recent = append(r.recent, mean)
	r.recent = r.recent[max(0, len(r.recent)-compared):]
	if age := len(r.marks); r.samples>>age < turnSamples || r.generations>>age < turnGenerations {
		return false
	}
	sum := 0.0
	for _, mean := range r.recent {
		sum += mean
	}
	r.marks = append(r.marks, sum)
	return true
}

// nextStage hands over at the latest.
func (r *relay) nextStage() {
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
