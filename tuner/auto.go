package tuner

import "tune2048/engine/portable"

// Auto is a genetic algorithm that a CMA-ES takes over from.
type Auto struct{ Genetic }

func (*Auto) Name() string { return "auto" }

func (*Auto) Fit(parameters int) (population int) { return min(max(40, 2*parameters), 100) }

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
	settings Auto
	space    *Space
	random   *portable.Source
	left     int // generations until the hand-over, or 0
}

func (*Auto) HandOver(parameters int) int {
	if parameters > maxDimensions {
		return 0
	}
	return explored
}

func (a *Auto) start(s *Space, random *portable.Source) (search, error) {
	first, err := a.Genetic.start(s, portable.NewSource(random.Uint64()))
	return &relay{search: first, settings: *a, space: s, random: random, left: a.HandOver(s.Dim())}, err
}

func (r *relay) learn(generation []Candidate, fitness []float64) {
	r.search.learn(generation, fitness)
	if r.left > 0 {
		r.left--
		if r.left == 0 {
			r.handOver(r.settings.Spread / 2)
		}
	}
}

// nextStage hands over at the latest.
func (r *relay) nextStage() {
	if r.left > 0 {
		r.left = 0
		r.handOver(r.settings.StageSpread)
		return
	}
	r.search.nextStage()
}

// handOver begins the CMA-ES at the centre of the genetic algorithm.
func (r *relay) handOver(spread float64) {
	own := NewAlgorithm("cma_es").(*CMAES)
	own.Population, own.StageSpread = r.settings.Population, r.settings.StageSpread
	r.search = newCMASearch(*own, r.space, r.random, r.centre(), spread, true)
}
