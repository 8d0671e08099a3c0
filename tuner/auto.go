package tuner

import "tune2048/engine/portable"

var auto = Algorithm{
	Name:     "auto",
	Settings: genetic.Settings,
	Narrow:   genetic.Narrow,
	Budget: func(samples, parameters int) (population, each int) {
		return min(max(40, 2*parameters), 100), min(max(samples/5000, 2), 8)
	},
	start: newRelay,
}

// explored is the number of generations after which the genetic algorithm hands over.
const explored = 30

// relay is a genetic algorithm that finds the region, and a CMA-ES that takes over from its centre.
//
// Under noise both agree too early: after some 40 generations their steps are as short as they are
// allowed to be, and then they wander. So the CMA-ES of the relay has a floor of steps that falls
// slowly. The schedule counts generations from the beginning, not to an end. So a search that is
// given more games goes on as if they had been planned.
type relay struct {
	search
	numbers map[string]float64 // the values of its settings, by key
	space   *Space
	random  *portable.Source
	left    int // generations until the hand-over, or 0
}

func newRelay(n map[string]float64, s *Space, random *portable.Source) (search, error) {
	first, err := genetic.start(n, s, portable.NewSource(random.Uint64()))
	r := &relay{search: first, numbers: n, space: s, random: random}
	if s.Dim() <= mostDimensions { // otherwise the genetic algorithm goes on
		r.left = explored
	}
	return r, err
}

func (r *relay) learn(generation []point, fitness []float64) {
	r.search.learn(generation, fitness)
	if r.left > 0 {
		if r.left--; r.left == 0 {
			r.handOver(r.numbers["spread"] / 2)
		}
	}
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
