package tuner

import (
	"fmt"
	"math"

	"tune2048/engine/portable"
)

const SPSA = "spsa"

var spsa = Algorithm{
	Name:   SPSA,
	Doc:    "steps along noisy differences between pairs",
	Source: "Spall 1992 and 1998, in fishtest's form",
	Settings: settings(
		Setting{Key: "population", Default: 8, Range: Range{Low: 2, High: 10_000}, Whole: true,
			Doc: "candidates of a population in a generation, an even number: it asks for pairs",
			check: func(n numbers) error {
				if p := n["population"]; math.Mod(p, 2) != 0 {
					return fmt.Errorf("want an even number for %s, got %s", SPSA, number(p))
				}
				return nil
			}},
		Setting{Key: "iterations", Default: 50, Range: Range{Low: 1, High: 1_000_000}, Whole: true,
			Doc: "generations of a stage that the schedule is made for; more may follow, with gains that go on falling"},
		Setting{Key: "final_rate", Default: 0.4, Range: Range{Low: 0, High: 100, LowOut: true},
			Doc: "rate at the end of the schedule: the R_end of fishtest, whose own default is 0.002 for pairs of single games"},
		Setting{Key: "final_perturbation", Default: 0.05, Range: Range{Low: 0, High: 0.5, LowOut: true},
			Doc: "distance of a candidate from where the search stands, in every parameter, at the end of the schedule: c_end"},
	),
	Budget:    func(samples, _ int) (population, each int) { return 8, fewSamples(samples) },
	BudgetDoc: "a population of 8",
	start:     newSPSA,
}

// spsaSearch is simultaneous perturbation stochastic approximation (J. C. Spall, Multivariate Stochastic Approximation
// Using a Simultaneous Perturbation Gradient Approximation, IEEE Transactions on Automatic Control 37, 1992): it
// stands at one point, theta, measures pairs of candidates on both sides of it, each pair in a random direction in
// which every parameter changes, and steps to the better sides. The gains and their exponents are Spall's
// (Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization, IEEE Transactions on
// Aerospace and Electronic Systems 34, 1998) in the form that chess programmers tune with (fishtest, its page on
// SPSA): given by their final values, after Iterations generations,
//
//	c_k = c / k^0.101              c = c_end Iterations^0.101
//	a_k = a / (A + k)^0.602        a = a_end (A + Iterations)^0.602, A = Iterations / 10
//	a_end = R_end c_end^2
//
// with c_end FinalPerturbation and R_end FinalRate.
//
// Fishtest's differences are wins minus losses. Fitness has any unit, so here they are taken in units of their own
// root mean square over the stage. It is mostly noise, so that a generation's difference is of the order of 1, as one
// of fishtest's is; and it remembers the steep beginning, so that steps shrink towards the optimum (with a unit of
// each generation's own 0.846 instead of 0.880, see README.md, with the sign of the difference alone 0.811). The
// steps of a generation's pairs are added and divided by the root of their number: under noise a step is as long
// whatever the population.
//
// A step goes by what was measured, the way from one side of the pair to the other, and not by what was meant: with
// c = 0.05 a usual pair is 0.1 apart in each parameter; the first pair of a stage, theta itself at 0.5 and 0.45, is
// half as far apart, so that its difference counts twice.
//
// The answer is the mean of the last thetas, which are themselves worth 0.857.
type spsaSearch struct {
	iterates // theta
	numbers  numbers
	space    *Space
	random   *portable.Source
	signs    []float64 // +1 or -1 for each parameter: where the first side of the pair at hand lies
	width    float64   // how far the first side of the pair at hand is from its middle, in perturbations
	squares  float64   // of all differences told in this stage
	count    int       // how many they are
}

const (
	rateExponent         = 0.602
	perturbationExponent = 0.101
)

func newSPSA(n numbers, s *Space, random *portable.Source) (search, error) {
	return &spsaSearch{
		iterates: iterates{now: s.Unit(s.Start())},
		numbers:  n,
		space:    s,
		random:   random,
		signs:    make([]float64, s.Dim()),
	}, nil
}

// gains returns the rate a_k and the perturbation c_k of the generation.
func (p *spsaSearch) gains() (a, c float64) {
	k, all := float64(len(p.past)+1), p.numbers["iterations"]
	stability := all / 10
	c = p.numbers["final_perturbation"] * portable.Pow(all/k, perturbationExponent)
	end := p.numbers["final_rate"] * p.numbers["final_perturbation"] * p.numbers["final_perturbation"]
	a = end * portable.Pow((stability+all)/(stability+k), rateExponent)
	return a, c
}

// candidate returns the first and the second side of a pair in turn. Near an edge the pair is moved inwards:
// mirrored, both sides could be the same. The more often it failed the wider it is, and the further away from an
// edge. In the first pair of a stage theta itself is the first side, and the second one lies where there is room.
func (p *spsaSearch) candidate(place, failed int) point {
	opening := place < 2 && len(p.past) == 0
	if opening && place == 0 {
		return newPoint(p.space, p.now, OriginCentre)
	}
	side, width := -1.0, 1+float64(0.1*float64(failed))
	if place%2 == 0 || opening {
		for i := range p.signs {
			p.signs[i] = 1
			if p.random.Uint64()>>63 == 0 {
				p.signs[i] = -1
			}
		}
	}
	switch {
	case place%2 == 0:
		side, p.width = 1, width
	case !opening:
		width = p.width + float64(0.1*float64(failed))
	}
	_, c := p.gains()
	c = min(float64(c*width), 0.5)
	edge := min(float64(c*width), 0.5)
	unit := make([]float64, len(p.now))
	for i, at := range p.now {
		move := float64(side * c * p.signs[i])
		switch {
		case !opening:
			at = min(max(at, edge), 1-edge)
		case at+move < 0 || at+move > 1:
			move = -move
		}
		unit[i] = at + move
	}
	return newPoint(p.space, unit, OriginPair)
}

// learn moves theta.
func (p *spsaSearch) learn(generation []point, fitness []float64) {
	a, c := p.gains()
	slope := make([]float64, len(p.now))
	for k := 0; k < len(generation); k += 2 {
		way, width := p.between(generation[k], generation[k+1], 2*c)
		if width == 0 {
			continue // a space with too few vectors
		}
		difference := (fitness[k] - fitness[k+1]) / width
		p.squares += float64(difference * difference)
		p.count++
		for i, w := range way {
			slope[i] += float64(difference * w / width)
		}
	}
	if p.squares > 0 {
		unit := math.Sqrt(p.squares / float64(p.count))
		rate := a / c / math.Sqrt(float64(len(generation)/2))
		for i, s := range slope {
			p.now[i] = min(max(p.now[i]+float64(rate*s/unit), 0), 1)
		}
	}
	p.note()
}

// between returns the way from the second side of a pair to the first in the unit cube, as they were played, rounded
// and within the edges, in the given unit of length; and how long it is in those parameters in which they differ, as
// a root mean square.
func (p *spsaSearch) between(first, second point, length float64) (way []float64, width float64) {
	way = p.space.Unit(first.values)
	n := 0
	for i, u := range p.space.Unit(second.values) {
		way[i] = (way[i] - u) / length
		if way[i] != 0 {
			width += float64(way[i] * way[i])
			n++
		}
	}
	return way, math.Sqrt(width / float64(max(n, 1)))
}

// nextStage begins the schedule again at the answer of the stage before: with its widest pairs and longest steps.
func (p *spsaSearch) nextStage() {
	p.restart()
	p.squares, p.count = 0, 0
}
